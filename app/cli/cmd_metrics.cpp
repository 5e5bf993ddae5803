// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/figuresofjob.h"
#include "app/cli/metricpatterns.h"
#include "app/cli/metricsoffiles.h"
#include "app/cli/metricsofjob.h"
#include "app/cli/metricsprint.h"
#include "app/cli/readprogress.h"
#include "app/cli/sharedoptions.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QFileInfo>

#include <unistd.h>

#include <cerrno>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

constexpr std::size_t readSize = 1 << 20;

struct MetricsValues {
    QStringList words;
    std::optional<QString> log, file;
    std::optional<qint64> attempt; // from 1; 0: each
    QStringList names, patterns;
    bool json = false, csv = false, machine = false;
};
const CommandLine<MetricsValues> &metricsLine();

// Writes a point at once, so that a reader of a running program's output sees it.
class PointPrinter
{
public:
    explicit PointPrinter(bool asJson) : m_asJson(asJson), m_quotes(asJson) { }
    QByteArray heading() const
    {
        return m_asJson ? QByteArray() : QByteArrayLiteral("name,step,axis,epoch,value,line\n");
    }
    QByteArray line(const metrics::Point &point)
    {
        const QByteArray none = m_asJson ? QByteArrayLiteral("null") : QByteArray();
        const QByteArray line = QByteArray::number(static_cast<qulonglong>(point.line));
        if (!m_asJson) {
            return m_quotes(point.name) + ',' + numberText(point.step, none) + ',' + axisText(point.axis) + ','
                + numberText(point.epoch, none) + ',' + numberText(point.value) + ',' + line + '\n';
        }
        return R"({"name": )" + m_quotes(point.name) + R"(, "step": )" + numberText(point.step, none) + R"(, "axis": ")"
            + axisText(point.axis) + R"(", "epoch": )" + numberText(point.epoch, none) + R"(, "value": )"
            + numberText(point.value) + R"(, "line": )" + line + "}\n";
    }
    QByteArray end(const metrics::Progress &progress) const
    {
        return m_asJson ? R"({"progress": )" + numberText(progress.fraction, QByteArrayLiteral("null")) + R"(, "eta": )"
                + numberText(progress.secondsLeft, QByteArrayLiteral("null")) + "}\n"
                        : QByteArray();
    }

private:
    bool m_asJson;
    Quotes m_quotes;
};

void printProgress(const metrics::Progress &progress)
{
    QStringList parts;
    if (progress.fraction) {
        parts.append(tr("%1 % done").arg(QString::number(*progress.fraction * 100, 'f', 1)));
    }
    if (progress.secondsLeft && *progress.secondsLeft > 0 && *progress.secondsLeft < 1e9) {
        parts.append(tr("%1 left").arg(formatDuration(qint64(*progress.secondsLeft * 1000))));
    }
    if (!parts.isEmpty()) {
        outLine(QString());
        outLine(tr("The output says: %1.").arg(parts.join(u", "_s)));
    }
}

int readLog(const MetricsValues &values)
{
    const QString &path = *values.log;
    const auto unreadable = [&](const QString &reason) {
        failureLine({u"file.unreadable"_s, {{u"file"_s, inputName(path)}, {u"reason"_s, reason}}});
        return exitUnusable;
    };
    if (path != u"-"_s && QFileInfo(path).isDir()) {
        return unreadable(tr("it is a folder"));
    }
    QFile file(path);
    if (path == u"-"_s ? !file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                       : !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) {
        return unreadable(file.errorString());
    }
    const bool streams = values.json || values.csv;
    PointPrinter printer(values.json);
    SummaryTable table;
    const Result<MetricPatterns> patterns = usedPatterns(values.patterns);
    if (!patterns) {
        failureLine(patterns.error());
        return exitUnusable;
    }
    PatternedOutput reader(*patterns);
    const auto takePoints = [&] {
        QByteArray lines;
        for (const metrics::Point &point : reader.takePoints()) {
            if (!isWantedName(values.names, point.name)) {
                continue;
            }
            if (streams) {
                lines += printer.line(point);
            } else {
                table.add({}, point.name, point.axis, point.value);
            }
        }
        if (!lines.isEmpty()) {
            outFile(lines);
            std::fflush(stdout);
        }
    };
    if (streams) {
        outFile(printer.heading());
    }
    std::optional<ReadProgress> progress;
    if (path != u"-"_s || ::isatty(STDIN_FILENO) == 0) { // what the user types is not disturbed
        progress.emplace(file.isSequential() ? 0 : file.size(), streams);
    }
    qint64 all = 0;
    std::string bytes(readSize, '\0');
    for (;;) {
        const ssize_t size = ::read(file.handle(), bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0) {
            const QString reason = qt_error_string(errno);
            progress.reset();
            return unreadable(reason);
        }
        if (size == 0 || outputHasEnded()) {
            break;
        }
        reader.feed({bytes.data(), static_cast<std::size_t>(size)});
        all += size;
        if (progress) {
            progress->setRead(all);
        }
        takePoints();
    }
    progress.reset();
    reader.finish();
    takePoints();
    if (streams) {
        outFile(printer.end(reader.progress()));
        return exitOk;
    }
    if (table.isEmpty()) {
        outLine(values.names.isEmpty() ? tr("%1 has no metrics.").arg(inputName(path))
                                       : tr("%1 has no metrics of that name.").arg(inputName(path)));
    } else {
        table.print();
    }
    printProgress(reader.progress());
    return exitOk;
}

Reads<qint64> attemptOrAll()
{
    const Reads<qint64> number = wholeNumber(1);
    return {tr("the number of an attempt, counted from 1, or 'all'"),
        [number](const QString &word) { return word == "all"_L1 ? std::optional<qint64>(0) : number.value(word); }};
}

int runMetrics(const MetricsValues &values)
{
    if (!values.words.isEmpty() && (values.file || values.log)) {
        return metricsLine().wrongUsage(
            tr("A JOB has its own output: leave %1 and %2 out.")
                .arg(metricsLine().name(&MetricsValues::log), metricsLine().name(&MetricsValues::file)));
    }
    if (values.machine && values.words.isEmpty()) {
        return metricsLine().wrongUsage(
            tr("%1 needs a JOB: a file says nothing about its host.").arg(metricsLine().name(&MetricsValues::machine)));
    }
    if (values.machine && (values.words.size() > 2 || values.attempt)) {
        return metricsLine().wrongUsage(
            tr("%1 is about the newest attempt of one JOB.").arg(metricsLine().name(&MetricsValues::machine)));
    }
    if (values.attempt && values.words.isEmpty()) {
        return metricsLine().wrongUsage(tr("%1 needs a JOB.").arg(metricsLine().name(&MetricsValues::attempt)));
    }
    if (values.file) {
        return printMetricsOfFiles({*values.file, values.names, values.json, values.csv});
    }
    if (values.log) {
        return readLog(values);
    }
    if (!values.words.isEmpty()) {
        const int one = int(values.attempt.value_or(-1));
        const MetricsOfJob wanted{values.words, values.names, values.json, values.csv, values.patterns,
            one > 0 ? std::optional(one - 1) : std::nullopt, one == 0};
        return values.machine ? printFiguresOfJob(wanted) : printMetricsOfJobs(wanted);
    }
    return metricsLine().wrongUsage(
        tr("Give a JOB, name a log with %1 ('-' is standard input), or a file or folder of metrics with %2.")
            .arg(metricsLine().name(&MetricsValues::log), metricsLine().name(&MetricsValues::file)));
}

const CommandLine<MetricsValues> &metricsLine()
{
    static const CommandLine<MetricsValues> line
        = CommandLine<MetricsValues>(u"metrics"_s, tr("Read the metrics of a training program"))
              .runs(runMetrics, {u"[JOB [ROLE/INDEX] | JOB... | group:NAME]"_s, 0, anyNumber, Word::Job, whichJob()})
              .text(tr(
                  "Finds the curves that a program prints while it trains, such as losses and accuracies, without any "
                  "change to the program: names with values, Python dictionaries, JSON lines, progress bars and "
                  "tables. Each value has the step that the output itself names. Settings, times, sizes and counts are "
                  "left out. It can also read them from the files that programs write: TensorBoard's event files, "
                  "W&B's .wandb files, tables such as metrics.csv, JSON lines, trainer_state.json, Sacred's "
                  "metrics.json, results such as all_results.json, MLflow's folders and databases, and Trackio's "
                  "databases. For a job, it reads the "
                  "output of the newest attempt, of all tasks, of those of a ROLE or of one task, and the files that "
                  "they have written since they began. Where the newest attempt goes on from a checkpoint, the values "
                  "that the attempts before it had up to there belong to the curve. Several jobs, or those of a group, "
                  "are printed one after the other, each value with the number of its job. The documentation says in "
                  "metrics.md what is recognized."))
              .option(u"--log FILE"_s, &MetricsValues::log, tr("a file with the output; '-' is standard input"))
              .completes(Word::File)
              .option(u"--file PATH"_s, &MetricsValues::file,
                  tr("a file that the program wrote, or a folder with the files of several runs"))
              .completes(Word::File)
              .option(u"--attempt N|all"_s, &MetricsValues::attempt,
                  tr("the values of one attempt of the job, counted from 1, or those of each attempt by itself"),
                  attemptOrAll())
              .option(u"--name GLOB"_s, &MetricsValues::names,
                  tr("only series with such a name, such as 'val*'; can be given several times"))
              .option(u"--pattern NAME=EXPRESSION"_s, &MetricsValues::patterns,
                  tr("a metric of your own: a regular expression whose first group holds the value, and a second one "
                     "the step; can be given several times"))
              .option(u"--machine"_s, &MetricsValues::machine,
                  tr("instead of its output: what the tasks used of their hosts, such as processors, memory and GPUs"))
              .option(u"--json"_s, &MetricsValues::json,
                  tr("print a JSON object on a line for each value, and one for the progress at the end"))
              .option(u"--csv"_s, &MetricsValues::csv, tr("print a line of comma-separated values for each value"))
              .exclusive(&MetricsValues::json, &MetricsValues::csv)
              .exclusive(&MetricsValues::log, &MetricsValues::file)
              .more(
                  tr("The objects have the fields name, step, axis (what the output counts: step, iteration, batch, "
                     "epoch and others, or none), epoch, value and line. Values that are not numbers are NaN, Infinity "
                     "and -Infinity, as Python reads them. The last object has the fields progress, from 0 to 1, and "
                     "eta, in seconds; both are null where the output does not say. Values from files have the "
                     "fields time, in milliseconds since 1970, and file instead of line, and in a folder run; what "
                     "is known about a run comes last, as an object with the field facts. Values of a job have "
                     "the fields time and task as well, and those from its files the field file. With several jobs, a "
                     "group or --attempt, the fields job and attempt follow. With --machine the fields are name, time, "
                     "value, unit and task; the processor's percent counts cores, so that 400 is four of them."))
              .examples({u"trainyardctl metrics 12"_s, u"trainyardctl metrics 12 worker/0 --name '*loss*' --csv"_s,
                  u"trainyardctl metrics group:lr --csv"_s, u"trainyardctl metrics 12 --attempt all"_s,
                  u"trainyardctl metrics 12 --machine --name 'gpu/*'"_s, u"trainyardctl metrics --log train.log"_s,
                  u"python train.py 2>&1 | tee train.log | trainyardctl metrics --log - --json"_s,
                  u"trainyardctl metrics --log train.log --name 'val*' --csv"_s,
                  u"trainyardctl metrics --log train.log --pattern 'quality=quality -> (\\S+)'"_s,
                  u"trainyardctl metrics --file lightning_logs"_s,
                  u"trainyardctl metrics --file run-x7.wandb --json"_s})
              .exits({{exitOk, tr("the output or the files were read, whether they have metrics or not")},
                  {exitUnusable,
                      tr("no such job or task, the log or the file cannot be read, the output cannot be written, or "
                         "wrong "
                         "usage")},
                  {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command metricsCommand() { return metricsLine().command(); }

} // namespace trainyard::cli
