// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figuresofjob.h"

#include "app/cli/console.h"
#include "app/cli/metricsprint.h"
#include "app/cli/session.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "engine/client/figurereader.h"
#include "engine/client/taskfigures.h"
#include "widgets/text/columns.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

class FiguresPrinter
{
public:
    FiguresPrinter(const MetricsOfJob &wanted, bool hasTasks)
        : m_wanted(wanted), m_quotes(wanted.json), m_hasTasks(hasTasks)
    {
        if (wanted.csv) {
            outFile("name,time,value,unit,task\n");
        }
    }

    void print(const QString &task, const QString &folder)
    {
        FigureReader reader(folder);
        for (const std::string &name : reader.poll()) {
            if (outputHasEnded()) {
                return;
            }
            if (isWantedName(m_wanted.names, name)) {
                const QString unit = unitSymbol(figureUnit(name));
                const GrownFigure figure = reader.take(name);
                if (m_wanted.json || m_wanted.csv) {
                    printPoints(task, unit, figure);
                } else {
                    addRow(task, unit, figure);
                }
            }
        }
    }

    bool hasRows() const { return !m_rows.isEmpty(); }
    void printTable() const
    {
        QList<QStringList> rows{{tr("FIGURE"), tr("UNIT"), tr("LAST"), tr("MEAN"), tr("LEAST"), tr("GREATEST")}};
        if (m_hasTasks) {
            rows.first().prepend(tr("TASK"));
        }
        rows += m_rows;
        for (const QString &row : alignedRows(rows, tableWidth(), m_hasTasks ? QList<int>{0, 1} : QList<int>{0})) {
            outLine(row);
        }
    }

private:
    // Values that were thinned are printed as their mean; a program that reads JSON gets the least and the greatest,
    // too.
    void printPoints(const QString &task, const QString &unit, const GrownFigure &figure)
    {
        const QByteArray label = m_quotes(task.toStdString()), quoted = m_quotes(figure.name),
                         of = m_quotes(unit.toStdString());
        QByteArray lines;
        const auto add = [&](qint64 at, double value, const QByteArray &more) {
            const QByteArray time = QByteArray::number(at);
            lines += m_wanted.csv
                ? quoted + ',' + time + ',' + numberText(value) + ',' + of + ',' + label + '\n'
                : QByteArray(R"({"name": )" + quoted + R"(, "time": )" + time + R"(, "value": )" + numberText(value)
                    + R"(, "unit": )" + of + R"(, "task": )" + label + more + "}\n");
        };
        for (const series::Bucket &bucket : figure.buckets) {
            add(bucket.time, bucket.mean,
                R"(, "least": )" + numberText(bucket.min) + R"(, "greatest": )" + numberText(bucket.max)
                    + R"(, "count": )" + QByteArray::number(qulonglong(bucket.count)));
        }
        for (const series::Point &point : figure.points) {
            add(point.time, point.value, {});
        }
        outFile(lines);
    }

    void addRow(const QString &task, const QString &unit, const GrownFigure &figure)
    {
        const FigureSummary summary = summaryOf(figure);
        if (summary.isEmpty) {
            return;
        }
        const auto number = [](double value) { return QString::number(value, 'g', 5); };
        QStringList row{QString::fromStdString(figure.name), unit, number(summary.last), number(summary.mean),
            number(summary.least), number(summary.greatest)};
        if (m_hasTasks) {
            row.prepend(task);
        }
        m_rows.append(row);
    }

    const MetricsOfJob &m_wanted;
    Quotes m_quotes;
    bool m_hasTasks;
    QList<QStringList> m_rows;
};

} // namespace

int printFiguresOfJob(const MetricsOfJob &wanted)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(wanted.words.constFirst(), job); status != exitOk) {
        return status;
    }
    QList<TaskInfo> tasks;
    if (const int status = tasksOfJob(session, job, wanted.words.value(1), tasks); status != exitOk) {
        return status;
    }
    FiguresPrinter printer(wanted, tasks.size() > 1);
    for (const TaskInfo &task : std::as_const(tasks)) {
        if (!task.logFolder.isEmpty()) { // else it has not started
            printer.print(taskLabel(task), task.logFolder);
        }
    }
    if (wanted.json || wanted.csv) {
        return exitOk;
    }
    if (printer.hasRows()) {
        printer.printTable();
    } else {
        outLine(wanted.names.isEmpty() ? tr("Nothing was measured for %1: a task is measured after its first second, "
                                            "as long as the engine reaches its host.")
                                             .arg(jobTitle(job))
                                       : tr("Nothing of that name was measured for %1.").arg(jobTitle(job)));
    }
    return exitOk;
}

} // namespace trainyard::cli
