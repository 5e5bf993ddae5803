// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/figuresofjob.h"

#include "app/cli/console.h"
#include "app/cli/metricsprint.h"
#include "app/cli/session.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "engine/client/taskfigures.h"
#include "engine/series/seriesset.h"
#include "widgets/text/columns.h"

#include <QFile>

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
            out("name,time,value,unit,task\n");
        }
    }

    void print(const QString &task, const QString &folder)
    {
        series::SeriesSet set(QFile::encodeName(figuresFile(folder)).toStdString());
        set.poll();
        for (std::uint32_t id = 0; id < set.infos().size() && !outputHasEnded(); ++id) {
            const std::string name = set.infos()[id].name;
            if (!name.empty() && isWantedName(m_wanted.names, name)) {
                const QString unit = unitSymbol(figureUnit(name));
                if (m_wanted.json || m_wanted.csv) {
                    printPoints(task, name, unit, set.series(id));
                } else {
                    addRow(task, name, unit, set.series(id));
                }
                set.forget(id);
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
    void printPoints(const QString &task, const std::string &name, const QString &unit, const series::Series &series)
    {
        const QByteArray label = m_quotes(task.toStdString()), quoted = m_quotes(name),
                         of = m_quotes(unit.toStdString());
        QByteArray lines;
        for (std::size_t i = 0; i < series.size(); ++i) {
            const series::Point point = series.at(i);
            const QByteArray time = QByteArray::number(qlonglong(point.time));
            lines += m_wanted.csv
                ? quoted + ',' + time + ',' + numberText(point.value) + ',' + of + ',' + label + '\n'
                : QByteArray(R"({"name": )" + quoted + R"(, "time": )" + time + R"(, "value": )"
                    + numberText(point.value) + R"(, "unit": )" + of + R"(, "task": )" + label + "}\n");
        }
        out(lines);
    }

    void addRow(const QString &task, const std::string &name, const QString &unit, const series::Series &series)
    {
        if (series.isEmpty()) {
            return;
        }
        constexpr double always = 1e300;
        const auto number = [](double value) { return QString::number(value, 'g', 5); };
        QStringList row{QString::fromStdString(name), unit, number(series.last()->value),
            number(series.mean(-always, always).value_or(0)), number(series.smallest()->value),
            number(series.largest()->value)};
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
    if (const int status = session.connectFor(wanted.job, job); status != exitOk) {
        return status;
    }
    QList<TaskInfo> tasks;
    if (const int status = tasksOfJob(session, job, wanted.task, tasks); status != exitOk) {
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
