// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/metricsofjob.h"

#include "app/cli/console.h"
#include "app/cli/metricpatterns.h"
#include "app/cli/metricsprint.h"
#include "app/cli/readprogress.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultorder.h"
#include "app/cli/session.h"
#include "app/cli/sharedmetrics.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/tasklabel.h"
#include "engine/client/epochsteps.h"
#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "engine/metrics/curvex.h"
#include "engine/metrics/steptrack.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"

#include <algorithm>
#include <map>
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
    TaskMetricsPrinter(Session &session, const MetricsOfJob &wanted, const QList<TaskInfo> &tasks)
        : m_session(session), m_json(wanted.json), m_csv(wanted.csv), m_quotes(wanted.json), m_table(tasks.size() > 1),
          m_progress(sizeOf(tasks), wanted.json || wanted.csv)
    {
        if (m_csv) {
            out("name,step,axis,epoch,value,line,time,task,file\n");
        }
    }
    // What is in its files first, and of what it prints under the same name what choose() leaves.
    void print(const QString &task, const QStringList &names, const QString &folder, const MetricPatterns &patterns)
    {
        FileMetrics files(folder);
        m_ofFiles.clear();
        m_printed.clear();
        m_printedNames.clear();
        m_epochs = series::Series();
        for (const FileMetrics::Grown &grown : files.takeNew()) {
            if (grown.name == "epoch"_L1 && grown.axis == series::Axis::Step) {
                std::ranges::for_each(grown.points, [this](const series::Point &point) { m_epochs.append(point); });
            }
            if (isWantedName(names, grown.name.toStdString()) && !outputHasEnded()) {
                takeFile(task, grown);
            }
        }
        const std::vector<Error> remarks = files.takeRemarks().value_or(std::vector<Error>());
        for (const Error &remark : remarks) {
            m_progress.hide();
            errorLine(remarkText(m_session, remark));
        }
        LogMetrics log(folder, patterns);
        read(task, names, log);
        if (m_json || m_csv) {
            printHeld();
        } else {
            addToTable(task);
        }
        if (m_json) {
            printProgress(task, log.progress());
        }
    }
    const SummaryTable &table() const { return m_table; }
    void endProgress() { m_progress.hide(); } // the table comes

private:
    static qint64 sizeOf(const QList<TaskInfo> &tasks) // of their outputs
    {
        qint64 size = 0;
        for (const TaskInfo &task : tasks) {
            size += LogReader(task.logFolder).size();
        }
        return size;
    }
    struct OfFile {
        series::Series series;
        metrics::Axis axis = metrics::Axis::Row;
        QString source;
        QByteArray held; // what may be left out: its lines
        // Such as the results at the end, which stand at no step.
        bool isSummary() const { return series.size() == 1 && axis == metrics::Axis::Row; }
    };
    struct Printed {
        series::Series series; // of what is in a file as well
        metrics::CurveX x;
        bool isByEpochs = true; // as long as every point tells only its epoch
        bool tellsSteps = false;
        Tallies tallies; // for the table
        QByteArray held; // lines
    };
    struct Choice {
        bool file = false, printed = false;
    };

    // As the curves in the window: of a metric with the same steps in both, the file counts, and a single value without
    // a step leaves what is printed. Where the file says much less, both are there.
    Choice choose(const std::string &name) const
    {
        const auto file = m_ofFiles.find(name);
        const auto printed = m_printed.find(name);
        if (file == m_ofFiles.end() || file->second.series.isEmpty()) {
            return {false, true};
        }
        if (printed == m_printed.end()) {
            return {true, false};
        }
        if (file->second.isSummary() && printed->second.series.size() > 1) {
            return {false, true};
        }
        const std::optional<series::Series> atSteps
            = printed->second.isByEpochs ? atStepsOfEpochs(printed->second.series, m_epochs) : std::nullopt;
        const bool isLess = printed->second.tellsSteps && file->second.axis == metrics::Axis::Step
            && saysLess(extentOf(file->second.series), extentOf(printed->second.series));
        return {true, isLess || !hasSameSteps(atSteps ? *atSteps : printed->second.series, file->second.series)};
    }

    void takeFile(const QString &task, const FileMetrics::Grown &grown)
    {
        const std::string name = grown.name.toStdString();
        OfFile &known = m_ofFiles[name];
        known.axis = axisOf(grown.axis);
        known.source = grown.source;
        QByteArray lines;
        for (const series::Point &point : grown.points) {
            known.series.append(point);
            if (m_json || m_csv) {
                lines += fileLine(task, name, known.axis, point, grown.source);
            }
        }
        known.axis == metrics::Axis::Row ? void(known.held += lines) : out(lines);
    }

    void printHeld()
    {
        for (const auto &[name, file] : m_ofFiles) {
            if (choose(name).file) {
                out(file.held);
            }
        }
        for (const std::string &name : m_printedNames) {
            if (choose(name).printed) {
                out(m_printed.at(name).held);
            }
        }
    }

    void addToTable(const QString &task)
    {
        for (const auto &[name, file] : m_ofFiles) {
            const std::size_t points = choose(name).file ? file.series.size() : 0;
            for (std::size_t i = 0; i < points; ++i) {
                m_table.add(task, name, file.axis, file.series.at(i).value, file.source);
            }
        }
        for (const std::string &name : m_printedNames) {
            if (!choose(name).printed) {
                continue;
            }
            for (const Tally &tally : m_printed.at(name).tallies.all()) {
                m_table.add(task, name, tally);
            }
        }
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

    void read(const QString &task, const QStringList &names, LogMetrics &log)
    {
        for (bool more = true; more && !outputHasEnded();) {
            more = log.readMore();
            m_progress.setRead(m_readBefore + log.bytesRead());
            QByteArray lines;
            for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
                if (!isWantedName(names, timed.point.name)) {
                    continue;
                }
                if (!m_json && !m_csv) {
                    keep(timed).tallies.add(timed.point.axis, timed.point.value);
                } else if (m_ofFiles.contains(timed.point.name)) { // only all of them tell whether they count
                    keep(timed).held += line(task, timed);
                } else {
                    lines += line(task, timed);
                }
            }
            out(lines);
        }
        m_readBefore += log.bytesRead();
    }

    void printProgress(const QString &task, const metrics::Progress &progress)
    {
        const QByteArray none = QByteArrayLiteral("null");
        out(R"({"progress": )" + numberText(progress.fraction, none) + R"(, "eta": )"
            + numberText(progress.secondsLeft, none) + R"(, "task": )" + m_quotes(task.toStdString()) + "}\n");
    }

    Printed &keep(const LogMetrics::TimedPoint &timed)
    {
        const auto [place, isNew] = m_printed.try_emplace(timed.point.name);
        if (isNew) {
            m_printedNames.push_back(timed.point.name);
        }
        Printed &printed = place->second;
        if (!m_ofFiles.contains(timed.point.name)) {
            return printed; // nothing is compared: the output may have any number of values
        }
        printed.isByEpochs = printed.isByEpochs && timed.point.axis == metrics::Axis::Epoch;
        printed.tellsSteps = printed.tellsSteps || metrics::tellsStep(timed.point);
        printed.series.append({printed.x.next(timed.point), timed.time, timed.point.value});
        return printed;
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

    Session &m_session;
    bool m_json, m_csv;
    Quotes m_quotes;
    SummaryTable m_table;
    ReadProgress m_progress;
    qint64 m_readBefore = 0; // of the outputs of the tasks before
    std::map<std::string, OfFile> m_ofFiles; // of the task
    series::Series m_epochs; // that its files have, at every step
    std::map<std::string, Printed> m_printed; // of the task: all for the table, else those that are in files as well
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
    errorLine(tr("The output of %1 no longer exists, because its folder was removed.").arg(jobTitle(job)));
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
    TaskMetricsPrinter printer(session, wanted, tasks);
    for (const TaskInfo &task : std::as_const(tasks)) {
        if (!task.logFolder.isEmpty()) { // else it has not started
            printer.print(taskLabel(task), wanted.names, task.logFolder, *patterns);
        }
    }
    printer.endProgress();
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
