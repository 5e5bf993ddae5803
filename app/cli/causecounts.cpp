// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/causecounts.h"

#include "app/cli/console.h"
#include "engine/api/jobcauses.h"
#include "widgets/text/columns.h"
#include "widgets/text/exittexts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

QList<CauseCount> causeCounts(const QList<JobSummary> &jobs)
{
    QList<CauseCount> counts;
    for (const JobSummary &job : jobs) {
        if (job.state != State::Failed) {
            continue;
        }
        const QString words = failureShort(job), name = failureCauses(job).value(0);
        const auto known = std::find_if(counts.begin(), counts.end(),
            [&](const CauseCount &each) { return each.words == words && each.name == name; });
        if (known == counts.end()) {
            counts.append({words, name, {job.id}});
        } else {
            known->jobs.append(job.id);
        }
    }
    std::stable_sort(counts.begin(), counts.end(),
        [](const CauseCount &a, const CauseCount &b) { return a.jobs.size() > b.jobs.size(); });
    return counts;
}

void printCauses(const QList<JobSummary> &jobs, bool asJson)
{
    const QList<CauseCount> counts = causeCounts(jobs);
    if (asJson) {
        QJsonArray all;
        for (const CauseCount &count : counts) {
            QJsonArray numbers;
            for (const qint64 number : count.jobs) {
                numbers.append(number);
            }
            all.append(QJsonObject{{u"cause"_s, count.name.isEmpty() ? QJsonValue() : QJsonValue(count.name)},
                {u"words"_s, count.words}, {u"count"_s, count.jobs.size()}, {u"jobs"_s, numbers}});
        }
        outJson(QJsonDocument(all));
        return;
    }
    if (counts.isEmpty()) {
        errorLine(tr("None of these jobs has failed."));
        return;
    }
    QList<QStringList> rows{{tr("JOBS"), tr("WHY"), tr("CAUSE")}};
    for (const CauseCount &count : counts) {
        rows.append({QString::number(count.jobs.size()), count.words, count.name});
    }
    QStringList lines = alignedRows(rows);
    lines.first() = paint(Colour::Bold, lines.first());
    for (const QString &line : std::as_const(lines)) {
        outLine(line);
    }
}

} // namespace trainyard::cli
