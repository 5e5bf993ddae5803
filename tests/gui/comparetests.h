// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "tests/helpers/writtenlog.h"
#include "widgets/compare/comparepage.h"
#include "widgets/compare/comparetable.h"

#include <QJsonObject>
#include <QObject>
#include <QTabBar>
#include <QTreeView>

#include <cmath>

namespace trainyard
{

// What tests of runs beside each other share: some runs, and what the table shows of them.
class ComparedRuns : public QObject
{
protected:
    // A run with an accuracy that is best at a rate of 0.1.
    static JobSummary comparedJob(qint64 id, double lr, int seed, double acc)
    {
        JobSummary job;
        job.id = id;
        job.uuid = QStringLiteral("uuid-%1").arg(id);
        job.name = QStringLiteral("net");
        job.state = State::Succeeded;
        job.submitted = job.launched.emplace(WrittenLog::start);
        job.completed = WrittenLog::start + 60'000;
        job.parameters = {{QStringLiteral("lr"), lr}, {QStringLiteral("seed"), seed},
            {QStringLiteral("model"), QStringLiteral("small")}};
        if (!std::isnan(acc)) {
            job.results = {{QStringLiteral("acc"),
                               QJsonObject{{QStringLiteral("last"), acc}, {QStringLiteral("most"), acc},
                                   {QStringLiteral("least"), 0}, {QStringLiteral("step"), 9}}},
                {QStringLiteral("loss"),
                    QJsonObject{{QStringLiteral("last"), 1 - acc}, {QStringLiteral("most"), 2},
                        {QStringLiteral("least"), 1 - acc}, {QStringLiteral("step"), 9}}}};
        }
        return job;
    }

    static QList<JobSummary> comparedJobs()
    {
        return {comparedJob(1, 0.01, 1, 0.7), comparedJob(2, 0.1, 1, 0.9), comparedJob(3, 0.1, 2, 0.8),
            comparedJob(4, 1, 1, qQNaN())};
    }

    static QStringList headsOf(const ComparePage &page)
    {
        const QAbstractItemModel *model = page.table()->filter();
        QStringList heads;
        for (int column = int(CompareModel::Part::Run); column < model->columnCount(); ++column) {
            heads.append(model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        }
        return heads;
    }

    static QStringList columnOf(const ComparePage &page, const QString &head)
    {
        const QAbstractItemModel *model = page.table()->filter();
        QStringList texts;
        for (int column = 0; column < model->columnCount(); ++column) {
            for (int row = 0;
                 row < model->rowCount() && model->headerData(column, Qt::Horizontal, Qt::DisplayRole) == head; ++row) {
                texts.append(model->index(row, column).data().toString());
            }
        }
        return texts;
    }

    static int sectionOf(const ComparePage &page, const QString &head)
    {
        return int(headsOf(page).indexOf(head)) + int(CompareModel::Part::Run);
    }

    static void showParallel(const ComparePage &page)
    {
        page.findChild<QTabBar *>(QStringLiteral("comparePlots"))->setCurrentIndex(1);
    }
};

} // namespace trainyard
