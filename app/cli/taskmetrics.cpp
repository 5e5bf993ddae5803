// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/taskmetrics.h"

#include "app/cli/console.h"
#include "app/cli/sharedmetrics.h"
#include "engine/client/continuedfiles.h"
#include "engine/client/epochsteps.h"
#include "engine/metrics/steptrack.h"

#include <algorithm>
#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Of one job.
bool hasSeveralTasks(const QList<TaskOutputs> &all)
{
    QHash<qint64, QString> tasks;
    return std::any_of(all.cbegin(), all.cend(), [&tasks](const TaskOutputs &each) {
        return *tasks.insert(each.job, tasks.value(each.job, each.task)) != each.task;
    });
}

} // namespace

TaskMetricsPrinter::TaskMetricsPrinter(Session &session, const MetricsManner &manner, const QList<TaskOutputs> &all)
    : m_session(session), m_manner(manner), m_quotes(manner.json), m_hasTasks(hasSeveralTasks(all)),
      m_table(m_hasTasks || manner.tellsJobs || manner.tellsAttempts), m_progress(sizeOf(all), streams())
{
    if (m_manner.csv) {
        outFile(QByteArray("name,step,axis,epoch,value,line,time,task,file")
            + (m_manner.tellsJobs || m_manner.tellsAttempts ? ",job,attempt\n" : "\n"));
    }
}

qint64 TaskMetricsPrinter::sizeOf(const QList<TaskOutputs> &all)
{
    qint64 size = 0;
    for (const TaskOutputs &outputs : all) {
        for (const OutputTry &each : outputs.tries) {
            size += LogReader(each.folder).size();
        }
    }
    return size;
}

// "#12 worker/0", without what they have in common.
QString TaskMetricsPrinter::runOf(const TaskOutputs &outputs) const
{
    QStringList parts;
    if (m_manner.tellsJobs) {
        parts.append(u'#' + QString::number(outputs.job));
    }
    if (m_hasTasks) {
        parts.append(outputs.task);
    }
    if (m_manner.tellsAttempts) {
        parts.append(tr("attempt %1").arg(outputs.tries.constLast().attempt + 1));
    }
    return parts.join(u' ');
}

void TaskMetricsPrinter::print(const TaskOutputs &outputs)
{
    m_job = outputs.job;
    m_task = outputs.task;
    m_attempt = outputs.tries.constLast().attempt;
    m_ofFiles.clear();
    m_printed.clear();
    m_printedNames.clear();
    m_epochs = series::Series();
    readFiles(outputs);
    readPrinted(outputs);
    streams() ? printHeld() : addToTable(runOf(outputs));
}

void TaskMetricsPrinter::readFiles(const TaskOutputs &outputs)
{
    std::vector<std::unique_ptr<FileMetrics>> files;
    std::vector<std::vector<FileMetrics::Grown>> tries;
    for (const OutputTry &each : outputs.tries) {
        files.push_back(std::make_unique<FileMetrics>(each.folder));
        tries.push_back(files.back()->takeNew());
        if (&each == &outputs.tries.constLast()) {
            sayRemarks(*files.back());
        }
    }
    leaveOutVoid(tries);
    for (std::size_t i = 0; i < tries.size(); ++i) {
        for (const FileMetrics::Grown &grown : tries[i]) {
            if (grown.name == "epoch"_L1 && grown.axis == series::Axis::Step) {
                std::ranges::for_each(grown.points, [this](const series::Point &point) { m_epochs.append(point); });
            }
            if (isWantedName(m_manner.names, grown.name.toStdString()) && !outputHasEnded()) {
                takeFile(outputs.tries.at(qsizetype(i)), *files[i], grown);
            }
        }
    }
}

void TaskMetricsPrinter::sayRemarks(FileMetrics &files)
{
    const std::vector<Error> remarks = files.takeRemarks().value_or(std::vector<Error>());
    for (const Error &remark : remarks) {
        m_progress.hide();
        errorLine(remarkText(m_session, remark));
    }
}

// As the curves in the window: of a metric with the same steps in both, the file counts, and a single value without
// a step leaves what is printed. Where the file says much less, both are there.
TaskMetricsPrinter::Choice TaskMetricsPrinter::choose(const std::string &name) const
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

void TaskMetricsPrinter::takeFile(const OutputTry &from, FileMetrics &files, const FileMetrics::Grown &grown)
{
    const std::string name = grown.name.toStdString();
    OfFile &known = m_ofFiles[name];
    known.axis = axisOfFile(grown.axis);
    known.source = grown.source;
    QByteArray lines;
    for (const series::Point &point : grown.points) {
        known.series.append(point);
        if (streams()) {
            const std::optional<double> epoch = known.axis == metrics::Axis::Epoch ? std::optional(point.x)
                : known.axis == metrics::Axis::Step ? files.epochAt(grown.source, point.x)
                                                    : std::nullopt;
            lines += fileLine(from, name, known.axis, point, epoch, grown.source);
        }
    }
    known.axis == metrics::Axis::Row ? void(known.held += lines) : outFile(lines);
}

void TaskMetricsPrinter::readPrinted(const TaskOutputs &outputs)
{
    const OutputTry &newest = outputs.tries.constLast();
    if (outputs.tries.size() > 1) {
        readEarlier(outputs);
    }
    LogMetrics log(newest.folder, outputs.patterns);
    for (bool more = true; more && !outputHasEnded();) {
        more = log.readMore();
        m_progress.setRead(m_readBefore + log.bytesRead());
        takePrinted(newest, log.takePoints());
    }
    m_readBefore += log.bytesRead();
    if (m_manner.json) {
        m_lastProgress = log.progress();
    }
}

// Where the newest one goes on is known only when it was read: it is read twice.
void TaskMetricsPrinter::readEarlier(const TaskOutputs &outputs)
{
    metrics::Continuation later;
    LogMetrics log(outputs.tries.constLast().folder, outputs.patterns);
    for (bool more = true; more && !outputHasEnded();) {
        more = log.readMore();
        for (const LogMetrics::TimedPoint &timed : log.takePoints()) {
            later.note(timed.point);
        }
    }
    QStringList folders;
    for (const OutputTry &each : outputs.tries.first(outputs.tries.size() - 1)) {
        folders.append(each.folder);
    }
    EarlierOutputs earlier(folders, outputs.patterns, std::move(later));
    for (bool more = true; more && !outputHasEnded();) {
        more = earlier.readMore();
        m_progress.setRead(m_readBefore + earlier.bytesRead());
        takePrinted(outputs.tries.at(qsizetype(earlier.tryOfPoints())), earlier.takePoints());
    }
    m_readBefore += earlier.bytesRead();
}

void TaskMetricsPrinter::takePrinted(const OutputTry &from, const std::vector<LogMetrics::TimedPoint> &points)
{
    QByteArray lines;
    for (const LogMetrics::TimedPoint &timed : points) {
        if (!isWantedName(m_manner.names, timed.point.name)) {
            continue;
        }
        if (!streams()) {
            keep(timed).tallies.add(timed.point.axis, timed.point.value);
        } else if (m_ofFiles.contains(timed.point.name)) { // only all of them tell whether they count
            keep(timed).held += line(from, timed);
        } else {
            lines += line(from, timed);
        }
    }
    outFile(lines);
}

void TaskMetricsPrinter::printHeld()
{
    for (const auto &[name, file] : m_ofFiles) {
        if (choose(name).file) {
            outFile(file.held);
        }
    }
    for (const std::string &name : m_printedNames) {
        if (choose(name).printed) {
            outFile(m_printed.at(name).held);
        }
    }
    if (m_manner.json) {
        printProgress(m_lastProgress);
    }
}

void TaskMetricsPrinter::addToTable(const QString &run)
{
    for (const auto &[name, file] : m_ofFiles) {
        const std::size_t points = choose(name).file ? file.series.size() : 0;
        for (std::size_t i = 0; i < points; ++i) {
            m_table.add(run, name, file.axis, file.series.at(i).value, file.source);
        }
    }
    for (const std::string &name : m_printedNames) {
        if (!choose(name).printed) {
            continue;
        }
        for (const Tally &tally : m_printed.at(name).tallies.all()) {
            m_table.add(run, name, tally);
        }
    }
}

void TaskMetricsPrinter::printProgress(const metrics::Progress &progress)
{
    const QByteArray none = QByteArrayLiteral("null");
    outFile(R"({"progress": )" + numberText(progress.fraction, none) + R"(, "eta": )"
        + numberText(progress.secondsLeft, none) + R"(, "task": )" + m_quotes(m_task.toStdString())
        + (m_manner.tellsJobs || m_manner.tellsAttempts
                ? R"(, "job": )" + QByteArray::number(m_job) + R"(, "attempt": )" + QByteArray::number(m_attempt + 1)
                : QByteArray())
        + "}\n");
}

TaskMetricsPrinter::Printed &TaskMetricsPrinter::keep(const LogMetrics::TimedPoint &timed)
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

// The last part of a line, if there are several.
QByteArray TaskMetricsPrinter::whose(const OutputTry &from) const
{
    if (!m_manner.tellsJobs && !m_manner.tellsAttempts) {
        return {};
    }
    const QByteArray job = QByteArray::number(m_job), attempt = QByteArray::number(from.attempt + 1);
    return m_manner.csv ? QByteArray(',' + job + ',' + attempt)
                        : QByteArray(R"(, "job": )" + job + R"(, "attempt": )" + attempt);
}

QByteArray TaskMetricsPrinter::line(const OutputTry &from, const LogMetrics::TimedPoint &timed)
{
    const metrics::Point &point = timed.point;
    const QByteArray none = m_manner.json ? QByteArrayLiteral("null") : QByteArray();
    const QByteArray number = QByteArray::number(static_cast<qulonglong>(point.line));
    const QByteArray time = QByteArray::number(timed.time), label = m_quotes(m_task.toStdString());
    if (m_manner.csv) {
        return m_quotes(point.name) + ',' + numberText(point.step, none) + ',' + axisText(point.axis) + ','
            + numberText(point.epoch, none) + ',' + numberText(point.value) + ',' + number + ',' + time + ',' + label
            + ',' + whose(from) + '\n';
    }
    return R"({"name": )" + m_quotes(point.name) + R"(, "step": )" + numberText(point.step, none) + R"(, "axis": ")"
        + axisText(point.axis) + R"(", "epoch": )" + numberText(point.epoch, none) + R"(, "value": )"
        + numberText(point.value) + R"(, "line": )" + number + R"(, "time": )" + time + R"(, "task": )" + label
        + whose(from) + "}\n";
}

QByteArray TaskMetricsPrinter::fileLine(const OutputTry &from, const std::string &name, metrics::Axis axis,
    const series::Point &point, std::optional<double> epoch, const QString &source)
{
    const QByteArray none = m_manner.json ? QByteArrayLiteral("null") : QByteArray();
    // A value of single precision is printed as such: 0.1, not 0.10000000149011612.
    const QByteArray value
        = numberText(point.value, static_cast<double>(static_cast<float>(point.value)) == point.value);
    const QByteArray time = QByteArray::number(static_cast<qlonglong>(point.time));
    const QByteArray label = m_quotes(m_task.toStdString()), file = m_quotes(source.toStdString());
    if (m_manner.csv) {
        return m_quotes(name) + ',' + numberText(point.x) + ',' + axisText(axis) + ',' + numberText(epoch, none) + ','
            + value + ",," + time + ',' + label + ',' + file + whose(from) + '\n';
    }
    return R"({"name": )" + m_quotes(name) + R"(, "step": )" + numberText(point.x) + R"(, "axis": ")" + axisText(axis)
        + R"(", "epoch": )" + numberText(epoch, none) + R"(, "value": )" + value + R"(, "line": null, "time": )" + time
        + R"(, "task": )" + label + R"(, "file": )" + file + whose(from) + "}\n";
}

} // namespace trainyard::cli
