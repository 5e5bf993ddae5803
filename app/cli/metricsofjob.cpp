// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsofjob.h"

#include "app/cli/console.h"
#include "app/cli/metricpatterns.h"
#include "app/cli/metricsprint.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultorder.h"
#include "app/cli/session.h"
#include "app/cli/sharedmetrics.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/metrics/curvex.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

class TaskMetricsPrinter
{
public:
    TaskMetricsPrinter(Session &session, const MetricsOfJob &wanted, bool hasTasks)
        : m_session(session), m_json(wanted.json), m_csv(wanted.csv), m_quotes(wanted.json), m_table(hasTasks)
    {
        if (m_csv) {
            out("name,step,axis,epoch,value,line,time,task,file\n");
        }
    }
    // What is in its files first; what it prints under the same name for the same step is left out.
    void print(const QString &task, const QStringList &names, const QString &folder, const MetricPatterns &patterns)
    {
        FileMetrics files(folder);
        m_ofFiles.clear();
        m_rows.clear();
        m_sources.clear();
        m_printed.clear();
        for (const FileMetrics::Grown &grown : files.takeNew()) {
            if (isWantedName(names, grown.name.toStdString()) && !outputHasEnded()) {
                printFile(task, grown);
            }
        }
        for (const Error &remark : files.takeRemarks()) {
            errorLine(remarkText(m_session, remark));
        }
        LogMetrics log(folder, patterns);
        print(task, names, log);
        addToTable(task);
    }
    const SummaryTable &table() const { return m_table; }

private:
    void printFile(const QString &task, const FileMetrics::Grown &grown)
    {
        const std::string name = grown.name.toStdString();
        const metrics::Axis axis = axisOf(grown.axis);
        series::Series &known = m_ofFiles[name];
        if (axis == metrics::Axis::Row) {
            m_rows.insert(name);
        }
        m_sources[name] = {axis, grown.source};
        QByteArray lines;
        for (const series::Point &point : grown.points) {
            known.append(point);
            if (m_json || m_csv) {
                lines += fileLine(task, name, axis, point, grown.source);
            }
        }
        out(lines);
    }

    // As the curves in the window: of a metric with the same steps in both, the file counts, and a single value without
    // a step leaves what is printed.
    void addToTable(const QString &task)
    {
        for (const auto &[name, series] : m_ofFiles) {
            const auto printed = m_printed.find(name);
            const bool isSummary = series.size() == 1 && m_rows.contains(name);
            if (isSummary && printed != m_printed.end() && printed->second.series.size() > 1) {
                continue;
            }
            const auto &[axis, source] = m_sources.at(name);
            for (std::size_t i = 0; i < series.size(); ++i) {
                m_table.add(task, name, axis, series.at(i).value, source);
            }
            if (printed != m_printed.end() && !series.isEmpty() && hasSameSteps(printed->second.series, series)) {
                m_printed.erase(printed);
            }
        }
        for (const std::string &name : std::as_const(m_printedNames)) {
            const auto printed = m_printed.find(name);
            if (printed != m_printed.end()) {
                for (const auto &[axis, value] : printed->second.values) {
                    m_table.add(task, name, axis, value);
                }
                m_printed.erase(printed);
            }
        }
        m_printedNames.clear();
    }

    static metrics::Axis axisOf(series::Axis axis)
    {
        switch (axis) {
        case series::Axis::Step:
            return metrics::Axis::Step;
        case series::Axis::Epoch:
            return metrics::Axis::Epoch;
        case series::Axis::Time:
            return metrics::Axis::Time;
        case series::Axis::Other:
            break;
        }
        return metrics::Axis::Row;
    }

    bool isInFile(const metrics::Point &point) const
    {
        const auto known = m_ofFiles.find(point.name);
        const std::optional<double> step = point.step ? point.step : point.epoch;
        if (known == m_ofFiles.end() || !step) {
            return false;
        }
        if (known->second.size() == 1 && m_rows.contains(point.name)) {
            return false; // a summary, which stands at no step
        }
        const std::optional<series::Point> there = known->second.nearest(*step);
        return there && there->x == *step;
    }

    void print(const QString &task, const QStringList &names, LogMetrics &log)
    {
        for (bool more = true; more && !outputHasEnded();) {
            more = log.readMore();
            QByteArray lines;
            for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
                if (!isWantedName(names, timed.point.name)) {
                    continue;
                }
                if (!m_json && !m_csv) {
                    keep(timed);
                } else if (!isInFile(timed.point)) {
                    lines += line(task, timed);
                }
            }
            out(lines);
        }
        if (m_json) {
            const QByteArray none = QByteArrayLiteral("null");
            const metrics::Progress progress = log.progress();
            out(R"({"progress": )" + numberText(progress.fraction, none) + R"(, "eta": )"
                + numberText(progress.secondsLeft, none) + R"(, "task": )" + m_quotes(task.toStdString()) + "}\n");
        }
    }

    void keep(const LogMetrics::TimedPoint &timed)
    {
        const auto [place, isNew] = m_printed.try_emplace(timed.point.name);
        if (isNew) {
            m_printedNames.push_back(timed.point.name);
        }
        Printed &printed = place->second;
        printed.series.append({printed.x.next(timed.point), timed.time, timed.point.value});
        printed.values.emplace_back(timed.point.axis, timed.point.value);
    }

    QByteArray line(const QString &task, const LogMetrics::TimedPoint &timed)
    {
        const metrics::Point &point = timed.point;
        const QByteArray none = m_json ? QByteArrayLiteral("null") : QByteArray();
        const QByteArray number = QByteArray::number(static_cast<qulonglong>(point.line));
        const QByteArray time = QByteArray::number(timed.time), label = m_quotes(task.toStdString());
        if (m_csv) {
            return m_quotes(point.name) + ',' + numberText(point.step, none) + ',' + axisText(point.axis) + ','
                + numberText(point.epoch, none) + ',' + numberText(point.value) + ',' + number + ',' + time + ','
                + label + ",\n";
        }
        return R"({"name": )" + m_quotes(point.name) + R"(, "step": )" + numberText(point.step, none) + R"(, "axis": ")"
            + axisText(point.axis) + R"(", "epoch": )" + numberText(point.epoch, none) + R"(, "value": )"
            + numberText(point.value) + R"(, "line": )" + number + R"(, "time": )" + time + R"(, "task": )" + label
            + "}\n";
    }

    QByteArray fileLine(const QString &task, const std::string &name, metrics::Axis axis, const series::Point &point,
        const QString &source)
    {
        // A value of single precision is printed as such: 0.1, not 0.10000000149011612.
        const QByteArray value
            = numberText(point.value, static_cast<double>(static_cast<float>(point.value)) == point.value);
        const QByteArray time = QByteArray::number(static_cast<qlonglong>(point.time));
        const QByteArray label = m_quotes(task.toStdString()), file = m_quotes(source.toStdString());
        if (m_csv) {
            return m_quotes(name) + ',' + numberText(point.x) + ',' + axisText(axis) + ",," + value + ",," + time + ','
                + label + ',' + file + '\n';
        }
        return R"({"name": )" + m_quotes(name) + R"(, "step": )" + numberText(point.x) + R"(, "axis": ")"
            + axisText(axis) + R"(", "epoch": null, "value": )" + value + R"(, "line": null, "time": )" + time
            + R"(, "task": )" + label + R"(, "file": )" + file + "}\n";
    }

    struct Printed {
        series::Series series;
        metrics::CurveX x;
        std::vector<std::pair<metrics::Axis, double>> values;
    };
    Session &m_session;
    bool m_json, m_csv;
    Quotes m_quotes;
    SummaryTable m_table;
    std::map<std::string, series::Series> m_ofFiles; // of the task
    std::set<std::string> m_rows; // those of them that have no steps
    std::map<std::string, std::pair<metrics::Axis, QString>> m_sources; // of them
    std::map<std::string, Printed> m_printed; // of the task, for the table
    std::vector<std::string> m_printedNames; // in the order in which they appeared
};

} // namespace

int tasksOfJob(Session &session, const JobSummary &job, const QString &wanted, QList<TaskInfo> &tasks)
{
    const Result<QList<TaskInfo>> all = session.allTasks(job.uuid);
    if (!all) {
        return report(all.error());
    }
    QStringList known;
    for (const TaskInfo &task : *all) {
        const QString label = taskLabel(task);
        known.append(label);
        if (wanted.isEmpty() || wanted == label || wanted == task.role) {
            tasks.append(task);
        }
    }
    if (tasks.isEmpty() && !wanted.isEmpty()) {
        errorLine(tr("%1 has no task %2.").arg(jobTitle(job), wanted) + didYouMean(wanted, known));
        return exitUnusable;
    }
    return exitOk;
}

namespace
{

// Where the output is gone, what was read of it before is still known.
void sayKeptMetrics(const MetricsOfJob &wanted, const JobSummary &job)
{
    errorLine(tr("The output of %1 is not there any more: its folder is gone.").arg(jobTitle(job)));
    if (wanted.json || wanted.csv) {
        return; // they print each value
    }
    const QList<ResultLine> results = inOrderOfInterest(resultLines(job.results));
    for (const ResultLine &result : results) {
        if (isWantedName(wanted.names, result.name.toStdString())) {
            outLine(result.name + u": "_s + result.text);
        }
    }
}

} // namespace

int printMetricsOfJob(const MetricsOfJob &wanted)
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
    const Result<JobDetail> detail = session.detail(job.uuid);
    const Result<MetricPatterns> patterns
        = usedPatterns(wanted.patterns, detail ? MetricPatterns::ofJob(detail->yaml) : MetricPatterns());
    if (!patterns) {
        errorLine(errorText(patterns.error()));
        return exitUnusable;
    }
    if (detail && isOutputGone(*detail)) {
        sayKeptMetrics(wanted, detail->summary);
        return exitOk;
    }
    TaskMetricsPrinter printer(session, wanted, tasks.size() > 1);
    for (const TaskInfo &task : std::as_const(tasks)) {
        if (!task.logFolder.isEmpty()) { // else it has not started
            printer.print(taskLabel(task), wanted.names, task.logFolder, *patterns);
        }
    }
    if (wanted.json || wanted.csv) {
        return exitOk;
    }
    if (printer.table().isEmpty()) {
        outLine(wanted.names.isEmpty()
                ? tr("The output and the files of %1 have no metrics.").arg(jobTitle(job))
                : tr("The output and the files of %1 have no metrics of that name.").arg(jobTitle(job)));
    } else {
        printer.table().print();
    }
    return exitOk;
}

} // namespace trainyard::cli
