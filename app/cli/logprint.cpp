// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logprint.h"

#include "app/cli/console.h"
#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QDateTime>
#include <queue>

#include <sys/resource.h>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int busyMs = 50;
constexpr int quietMs = 250;
constexpr int patienceMs = 10000; // for logs that never get complete
constexpr int linesPerTurn = 5000; // of one log, so that none starves the others
constexpr qsizetype flushAt = 64 << 10;
constexpr qint64 block = 256 << 10;
constexpr qint64 mostRuntimeLog = 16 << 20;
constexpr std::size_t mostMerged = 200; // open files have a limit

QByteArray formatted(const QString &label, const LogLines::Line &line, const LogStyle &style)
{
    QByteArray text = line.text;
    if (text.endsWith('\n')) {
        text.chop(1);
    }
    if (style.labels) {
        // A progress bar draws over itself; beside other logs only its last picture makes sense.
        while (text.endsWith('\r')) {
            text.chop(1);
        }
        text = text.mid(text.lastIndexOf('\r') + 1);
    }
    QByteArray before;
    if (style.timestamps) {
        const QDateTime time = QDateTime::fromMSecsSinceEpoch(line.timeNs / 1000000);
        before += (line.timeNs ? time.toString(u"yyyy-MM-ddTHH:mm:ss.zzz"_s) : u"-"_s.repeated(23)).toLatin1() + ' ';
    }
    if (style.labels) {
        before += paint(line.stream == LogReader::Stream::Err ? Colour::Yellow : Colour::Blue, QString(label + u" |"_s))
                      .toUtf8()
            + ' ';
    }
    return before + text + '\n';
}

void sayCut(const QString &label, quint64 bytes)
{
    if (bytes > 0) {
        errorLine(QCoreApplication::translate(
            "trainyardctl", "%1: the log reached its size limit; %2 of output in the middle are gone.")
                      .arg(label, formatBytes(static_cast<qint64>(bytes))));
    }
}

void printRaw(const LogSource &source)
{
    LogReader reader(source.folder);
    qint64 offset = 0;
    for (;;) {
        const QByteArray bytes = reader.read(offset, block);
        if (bytes.isEmpty()) {
            const qint64 kept = reader.keptFrom(offset);
            if (kept == offset) {
                return;
            }
            sayCut(source.label, static_cast<quint64>(kept - offset));
            offset = kept;
            continue;
        }
        offset += bytes.size();
        out(bytes);
        if (outputFailed()) {
            return;
        }
    }
}

struct Head {
    LogLines::Line line;
    std::size_t source = 0;
};

struct Later {
    bool operator()(const Head &a, const Head &b) const
    {
        return a.line.timeNs != b.line.timeNs ? a.line.timeNs > b.line.timeNs : a.source > b.source;
    }
};

void printMerged(const QList<LogSource> &sources, const LogStyle &style)
{
    std::vector<std::unique_ptr<LogLines>> logs;
    std::priority_queue<Head, std::vector<Head>, Later> heads;
    const auto advance = [&](std::size_t source) {
        if (std::optional<LogLines::Line> line = logs[source]->next(true)) {
            heads.push({std::move(*line), source});
        }
    };
    for (const LogSource &source : sources) {
        logs.push_back(std::make_unique<LogLines>(source.folder, style.streams));
        if (style.tail >= 0) {
            logs.back()->skipToTail(style.tail, true);
        }
        advance(logs.size() - 1);
    }
    QByteArray buffer;
    while (!heads.empty()) {
        const Head head = heads.top();
        heads.pop();
        buffer += formatted(sources.at(static_cast<qsizetype>(head.source)).label, head.line, style);
        if (buffer.size() > flushAt) {
            out(std::exchange(buffer, {}));
        }
        advance(head.source);
    }
    out(buffer);
    for (std::size_t i = 0; i < logs.size(); ++i) {
        sayCut(sources.at(static_cast<qsizetype>(i)).label, logs[i]->cutBytes());
    }
}

// Two files for each log that is not over; the soft limit is made for programs that use select().
void allowManyFiles()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace

QString taskLabel(const TaskInfo &task) { return task.role + u'-' + QString::number(task.index); }

void printRuntimeLogs(const QList<LogSource> &sources, bool labels)
{
    for (const LogSource &source : sources) {
        LogReader reader(source.folder);
        QByteArray text = reader.runtimeLog(mostRuntimeLog);
        if (text.endsWith('\n')) {
            text.chop(1);
        }
        if (text.isEmpty()) {
            continue;
        }
        QByteArray printed;
        const QByteArrayList lines = text.split('\n');
        for (const QByteArray &line : lines) {
            printed += (labels ? QByteArray(source.label.toUtf8() + " | ") : QByteArray()) + line + '\n';
        }
        out(printed);
    }
}

void printLogs(const QList<LogSource> &sources, const LogStyle &style)
{
    const bool plain = !style.labels && !style.timestamps && style.tail < 0 && style.streams.out && style.streams.err;
    if (sources.size() == 1 && plain) {
        printRaw(sources.first());
        return;
    }
    for (qsizetype from = 0; from < sources.size(); from += mostMerged) {
        printMerged(sources.mid(from, mostMerged), style);
    }
}

struct LogFollow::Followed {
    Followed(const LogSource &source, LogLines::Streams streams)
        : label(source.label), lines(source.folder, streams) { }
    QString label;
    LogLines lines;
    bool finished = false;
};

LogFollow::LogFollow(const LogStyle &style, QObject *parent) : QObject(parent), m_style(style), m_interval(busyMs)
{
    allowManyFiles();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LogFollow::look);
    m_timer.start(0);
}

LogFollow::~LogFollow() = default;

void LogFollow::add(const LogSource &source)
{
    if (source.folder.isEmpty() || m_folders.contains(source.folder)) {
        return;
    }
    m_folders.insert(source.folder);
    auto followed = std::make_unique<Followed>(source, m_style.streams);
    if (m_style.tail >= 0) {
        followed->lines.skipToTail(m_style.tail, followed->lines.isComplete());
    }
    m_followed.push_back(std::move(followed));
    m_interval = busyMs;
    m_timer.start(0);
}

void LogFollow::close()
{
    m_closed = true;
    m_interval = busyMs;
    m_timer.start(0);
}

void LogFollow::look()
{
    struct Arrived {
        qint64 timeNs;
        QByteArray text;
    };
    std::vector<Arrived> arrived;
    bool allFinished = true;
    for (const std::unique_ptr<Followed> &each : m_followed) {
        if (each->finished) {
            continue;
        }
        // Asked before reading: once the record is there, everything is.
        const bool complete = each->lines.isComplete();
        int count = 0;
        std::optional<LogLines::Line> line;
        while (count < linesPerTurn && (line = each->lines.next(complete))) {
            arrived.push_back({line->timeNs, formatted(each->label, *line, m_style)});
            ++count;
        }
        if (complete && count < linesPerTurn) {
            each->finished = true;
            sayCut(each->label, each->lines.cutBytes());
            each->lines.reader().close();
        }
        allFinished = allFinished && each->finished;
    }
    std::stable_sort(
        arrived.begin(), arrived.end(), [](const Arrived &a, const Arrived &b) { return a.timeNs < b.timeNs; });
    QByteArray buffer;
    for (const Arrived &line : arrived) {
        buffer += line.text;
    }
    if (!buffer.isEmpty()) {
        out(buffer);
        if (cli::outputFailed()) {
            Q_EMIT outputFailed();
        }
    }
    m_interval = arrived.empty() ? std::min(quietMs, m_interval + m_interval / 2) : busyMs;
    m_quiet = m_closed && arrived.empty() ? m_quiet + m_interval : 0;
    if (m_closed && (allFinished || m_quiet > patienceMs)) {
        Q_EMIT done();
        return;
    }
    m_timer.start(m_interval);
}

} // namespace trainyard::cli
