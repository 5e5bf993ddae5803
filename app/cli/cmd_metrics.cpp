// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "engine/metrics/outputreader.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QPair>

#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

namespace
{

constexpr std::size_t readSize = 1 << 20;

struct MetricsValues {
    QStringList words;
    std::optional<QString> log;
    QStringList names;
    bool json = false, csv = false;
};
const CommandLine<MetricsValues> &metricsLine();

// As Python and JavaScript write numbers: the shortest text that reads back the same; NaN and Infinity as words.
QByteArray numberText(double value)
{
    if (std::isnan(value)) {
        return QByteArrayLiteral("NaN");
    }
    if (std::isinf(value)) {
        return value > 0 ? QByteArrayLiteral("Infinity") : QByteArrayLiteral("-Infinity");
    }
    std::array<char, 40> text;
    if (value == std::trunc(value) && std::abs(value) < 1e15) {
        return QByteArray::number(static_cast<qlonglong>(value)); // steps: 100000, not 1e+05
    }
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end - text.data()};
}

QByteArray numberText(const std::optional<double> &value, const QByteArray &none)
{
    return value ? numberText(*value) : none;
}

QByteArray axisText(metrics::Axis axis)
{
    const std::string_view name = metrics::axisName(axis);
    return {name.data(), static_cast<qsizetype>(name.size())};
}

// Writes a point at once, so that a reader of a running program's output sees it.
class PointPrinter
{
public:
    explicit PointPrinter(bool asJson) : m_asJson(asJson) { }
    QByteArray heading() const
    {
        return m_asJson ? QByteArray() : QByteArrayLiteral("name,step,axis,epoch,value,line\n");
    }
    QByteArray line(const metrics::Point &point)
    {
        const QByteArray none = m_asJson ? QByteArrayLiteral("null") : QByteArray();
        const QByteArray line = QByteArray::number(static_cast<qulonglong>(point.line));
        if (!m_asJson) {
            return name(point.name) + ',' + numberText(point.step, none) + ',' + axisText(point.axis) + ','
                + numberText(point.epoch, none) + ',' + numberText(point.value) + ',' + line + '\n';
        }
        return R"({"name": )" + name(point.name) + R"(, "step": )" + numberText(point.step, none) + R"(, "axis": ")"
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
    QByteArray name(const std::string &name)
    {
        QByteArray &text = m_names[QByteArray::fromStdString(name)];
        if (text.isEmpty()) {
            const QString shown = QString::fromStdString(name);
            if (m_asJson) {
                const QByteArray list = QJsonDocument(QJsonArray{shown}).toJson(QJsonDocument::Compact);
                text = list.mid(1, list.size() - 2);
            } else {
                text = '"' + QString(shown).replace(u'"', u"\"\""_s).toUtf8() + '"';
            }
        }
        return text;
    }

    bool m_asJson;
    QHash<QByteArray, QByteArray> m_names;
};

// What the table says of a series.
struct Summary {
    metrics::Axis axis = metrics::Axis::None;
    qint64 points = 0;
    double last = 0, least = std::nan(""), greatest = std::nan("");

    void add(double value)
    {
        ++points;
        last = value;
        least = std::fmin(least, value);
        greatest = std::fmax(greatest, value);
    }
};

class SummaryTable
{
public:
    void add(const metrics::Point &point)
    {
        const QPair<QString, int> key{QString::fromStdString(point.name), static_cast<int>(point.axis)};
        auto found = m_places.constFind(key);
        if (found == m_places.constEnd()) {
            found = m_places.insert(key, m_series.size());
            m_series.append({key.first, {point.axis}});
        }
        m_series[*found].second.add(point.value);
    }
    bool isEmpty() const { return m_series.isEmpty(); }
    void print() const
    {
        QList<QStringList> rows{{tr("SERIES"), tr("POINTS"), tr("LAST"), tr("LEAST"), tr("GREATEST"), tr("BY")}};
        for (const auto &[name, summary] : m_series) {
            rows.append({name, QString::number(summary.points), shortNumber(summary.last), shortNumber(summary.least),
                shortNumber(summary.greatest),
                summary.axis == metrics::Axis::None ? u"-"_s : QString::fromLatin1(axisText(summary.axis))});
        }
        for (const QString &row : alignedRows(rows, stdoutIsTerminal() ? terminalWidth() : 0, {0})) {
            outLine(row);
        }
    }

private:
    static QString shortNumber(double value)
    {
        return std::isfinite(value) ? QString::number(value, 'g', 6) : QString::fromLatin1(numberText(value));
    }

    QList<QPair<QString, Summary>> m_series; // in the order in which they began
    QHash<QPair<QString, int>, qsizetype> m_places;
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

bool isWanted(const QStringList &patterns, const std::string &name)
{
    return patterns.isEmpty() || std::any_of(patterns.begin(), patterns.end(), [&](const QString &pattern) {
        return ::fnmatch(pattern.toUtf8().constData(), name.c_str(), FNM_CASEFOLD) == 0;
    });
}

int runMetrics(const MetricsValues &values)
{
    if (!values.log) {
        return metricsLine().wrongUsage(
            tr("Name the log with %1, or '-' for standard input.").arg(metricsLine().name(&MetricsValues::log)));
    }
    const QString &path = *values.log;
    const auto unreadable = [&](const QString &reason) {
        errorLine(errorText(Error{u"file.unreadable"_s, {{u"file"_s, inputName(path)}, {u"reason"_s, reason}}}));
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
    metrics::OutputReader reader;
    const auto takePoints = [&] {
        QByteArray lines;
        for (const metrics::Point &point : reader.takePoints()) {
            if (!isWanted(values.names, point.name)) {
                continue;
            }
            if (streams) {
                lines += printer.line(point);
            } else {
                table.add(point);
            }
        }
        if (!lines.isEmpty()) {
            out(lines);
            std::fflush(stdout);
        }
    };
    if (streams) {
        out(printer.heading());
    }
    std::string bytes(readSize, '\0');
    for (;;) {
        const ssize_t size = ::read(file.handle(), bytes.data(), bytes.size());
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0) {
            return unreadable(qt_error_string(errno));
        }
        if (size == 0 || outputHasEnded()) {
            break;
        }
        reader.feed({bytes.data(), static_cast<std::size_t>(size)});
        takePoints();
    }
    reader.finish();
    takePoints();
    if (streams) {
        out(printer.end(reader.progress()));
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

const CommandLine<MetricsValues> &metricsLine()
{
    static const CommandLine<MetricsValues> line
        = CommandLine<MetricsValues>(u"metrics"_s, tr("Read the metrics in the output of a training program"))
              .runs(runMetrics)
              .text(tr("Finds the curves that a program prints while it trains, such as losses and accuracies, without "
                       "any change of the program: names with values, Python dictionaries, JSON lines, progress bars "
                       "and tables. Each value has the step that the output itself names. Settings, times, sizes "
                       "and counts are left out. The documentation says in metrics.md what is recognized."))
              .option(u"--log FILE"_s, &MetricsValues::log, tr("a file with the output; '-' is standard input"))
              .completes(Word::File)
              .option(u"--name GLOB"_s, &MetricsValues::names,
                  tr("only series with such a name, such as 'val*'; can be given several times"))
              .option(u"--json"_s, &MetricsValues::json,
                  tr("print a JSON object on a line for each value, and one for the progress at the end"))
              .option(u"--csv"_s, &MetricsValues::csv, tr("print a line of comma-separated values for each value"))
              .exclusive(&MetricsValues::json, &MetricsValues::csv)
              .more(
                  tr("The objects have the fields name, step, axis (what the output counts: step, iteration, batch, "
                     "epoch and others, or none), epoch, value and line. Values that are no numbers are NaN, Infinity "
                     "and -Infinity, as Python reads them. The last object has the fields progress, from 0 to 1, and "
                     "eta, in seconds; both are null where the output does not say."))
              .examples({u"trainyardctl metrics --log train.log"_s,
                  u"trainyardctl logs 12 worker/0 | trainyardctl metrics --log -"_s,
                  u"python train.py 2>&1 | tee train.log | trainyardctl metrics --log - --json"_s,
                  u"trainyardctl metrics --log train.log --name 'val*' --csv"_s})
              .exits({{exitOk, tr("the log was read, whether it has metrics or not")},
                  {exitUnusable, tr("the log cannot be read, the output cannot be written, or wrong usage")}});
    return line;
}

} // namespace

Command metricsCommand() { return metricsLine().command(); }

} // namespace trainyard::cli
