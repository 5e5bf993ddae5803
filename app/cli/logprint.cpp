// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/logprint.h"

#include "app/cli/console.h"
#include "widgets/text/formats.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHash>
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
constexpr qint64 terminalRestMs = 200; // a user waits for a prompt
constexpr qint64 fileRestMs = 1000; // a program that reads rather gets whole lines
constexpr int completePatienceMs = 10000; // for logs that never get complete
constexpr int absentPatienceMs = 2000; // for folders that never come
constexpr int linesPerTurn = 5000; // of one log, so that none starves the others
constexpr qsizetype bytesPerTurn = 8 << 20; // likewise
constexpr qint64 mostRuntimeLog = 16 << 20;
constexpr std::size_t mostMerged = 200; // open files have a limit

// A log without an index has no times, so that no line of it counts as too old.
bool isWanted(const LogLineReader::Line &line, const LogStyle &style)
{
    return !style.sinceNs || line.timeNs == 0 || line.timeNs >= *style.sinceNs;
}

struct Head {
    LogLineReader::Line line;
    std::size_t source = 0;
};

struct Later {
    bool operator()(const Head &a, const Head &b) const
    {
        if (a.line.begins != b.line.begins) { // what goes on with a line comes before all else
            return a.line.begins;
        }
        return a.line.timeNs != b.line.timeNs ? a.line.timeNs > b.line.timeNs : a.source > b.source;
    }
};

void printMerged(const QList<LogSource> &sources, const LogStyle &style)
{
    std::vector<std::unique_ptr<LogLineReader>> logs;
    std::priority_queue<Head, std::vector<Head>, Later> heads;
    LineWriter writer(style);
    const auto advance = [&](std::size_t source) {
        while (std::optional<LogLineReader::Line> line = logs[source]->nextLines(true)) {
            if (isWanted(*line, style)) {
                heads.push({std::move(*line), source});
                return;
            }
        }
    };
    for (const LogSource &source : sources) {
        writer.addLog(source.label);
        logs.push_back(std::make_unique<LogLineReader>(source.folder, style.streams));
        if (style.tail >= 0) {
            logs.back()->skipToTail(style.tail, true);
        }
        advance(logs.size() - 1);
    }
    for (int printed = 0; !heads.empty();) {
        const Head head = heads.top();
        heads.pop();
        writer.write(head.source, head.line);
        advance(head.source);
        if (++printed % linesPerTurn == 0 && outputHasEnded()) {
            return;
        }
    }
    writer.finish();
    for (std::size_t i = 0; i < logs.size(); ++i) {
        sayCut(sources.at(static_cast<qsizetype>(i)).label, logs[i]->cutBytes());
    }
}

// Prints what a followed log has not finished: a bar lives, and a prompt is read before its line ends. `nowMs` as for
// LogLineReader::giveOpen.
void giveOpenLines(LogLineReader &lines, qint64 nowMs)
{
    const bool isTerminal = stdoutIsTerminal();
    lines.giveOpen(nowMs, isTerminal ? terminalRestMs : fileRestMs, isTerminal);
}

// Each log that has not ended needs two files; the soft limit is made for programs that use select().
void allowManyFiles()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

} // namespace

void sayCut(const QString &label, quint64 bytes)
{
    if (bytes > 0) {
        errorLine(QCoreApplication::translate(
            "trainyardctl", "%1: the log reached its size limit; %2 of output in the middle are gone.")
                      .arg(label, formatBytes(static_cast<qint64>(bytes))));
    }
}

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
            printed += (labels ? QByteArray(terminalText(source.label).toUtf8() + " | ") : QByteArray())
                + (stdoutIsTerminal() ? terminalLine(line, labels) : line) + '\n';
        }
        out(printed);
    }
}

void printLogs(const QList<LogSource> &sources, const LogStyle &style)
{
    LogStyle used = style;
    used.exact = sources.size() == 1 && !style.labels && !style.timestamps && style.tail < 0 && !style.sinceNs;
    for (qsizetype from = 0; from < sources.size(); from += mostMerged) {
        printMerged(sources.mid(from, mostMerged), used);
    }
}

struct LogFollow::Followed {
    LogSource source;
    QString beginning;
    From from = From::Start;
};

// The logs of one label: one after the other.
struct LogFollow::Chain {
    QString label;
    std::size_t log = 0; // of the writer
    std::deque<Followed> next;
    std::unique_ptr<LogLineReader> lines; // of the one that is read now; none: it waits for the next
    qint64 bytes = 0; // of it, when they were last counted: a long line is not an end
    std::optional<QElapsedTimer> still; // since the newest byte, once it should be over
};

struct LogFollow::Stage {
    QString beginning;
    std::vector<Chain> chains;
    QHash<QString, std::size_t> places; // of the chains
};

LogFollow::LogFollow(const LogStyle &style, QObject *parent)
    : QObject(parent), m_style(style), m_writer(style), m_interval(busyMs)
{
    allowManyFiles();
    m_clock.start();
    m_stages.push_back(std::make_unique<Stage>());
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LogFollow::look);
    m_timer.start(0);
}

LogFollow::~LogFollow() = default;

void LogFollow::add(const LogSource &source, const QString &beginning, From from)
{
    if (source.folder.isEmpty() || m_folders.contains(source.folder)) {
        return;
    }
    m_folders.insert(source.folder);
    Stage &stage = *m_stages.back();
    const auto known = stage.places.constFind(source.label);
    const std::size_t place = known == stage.places.cend() ? stage.chains.size() : *known;
    if (known == stage.places.cend()) {
        stage.places.insert(source.label, place);
        Chain &chain = stage.chains.emplace_back();
        chain.label = source.label;
        chain.log = m_writer.addLog(source.label);
    }
    stage.chains[place].next.push_back({source, beginning, from});
    wake();
}

void LogFollow::addBorder(const QString &beginning)
{
    m_stages.push_back(std::make_unique<Stage>());
    m_stages.back()->beginning = beginning;
    wake();
}

void LogFollow::close(Patience patience)
{
    m_closed = true;
    m_patience = std::move(patience);
    wake();
}

void LogFollow::wake()
{
    m_interval = busyMs;
    m_timer.start(0);
}

// Takes lines that are there, at most those of a turn. Returns whether there may be more at once.
bool LogFollow::takeLines(Chain &chain, bool complete)
{
    qsizetype length = 0;
    for (int count = 0; count < linesPerTurn && length < bytesPerTurn; ++count) {
        std::optional<LogLineReader::Line> line = chain.lines->nextLines(complete);
        if (!line) {
            return false;
        }
        chain.still.reset();
        length += line->text.size();
        if (isWanted(*line, m_style)) {
            m_arrived.push_back({chain.log, std::move(*line)});
        }
    }
    return true;
}

// How long is waited for what is missing of the present log of the chain; nothing: as long as it takes.
std::optional<int> LogFollow::patienceMs(const Chain &chain, bool isLast) const
{
    if (isLast && chain.next.empty()) {
        if (!m_closed) {
            return std::nullopt;
        }
        if (m_patience) {
            return m_patience();
        }
    }
    // Where nothing was ever written, nothing was started.
    return QFileInfo::exists(chain.lines->reader().folder()) ? completePatienceMs : absentPatienceMs;
}

// Reads lines of the present log of the chain. Returns false when there may be more at once.
bool LogFollow::readLines(Chain &chain, bool isLast)
{
    if (!chain.lines) {
        return true;
    }
    // Asked before reading: once the record is there, everything is.
    const bool complete = chain.lines->isComplete();
    bool isMore = takeLines(chain, complete);
    if (!isMore && !m_style.labels) { // lines of several logs are whole
        giveOpenLines(*chain.lines, m_clock.elapsed());
        isMore = takeLines(chain, complete);
    }
    if (isMore) {
        return false;
    }
    if (!complete) {
        const std::optional<int> patience = patienceMs(chain, isLast);
        if (!patience) {
            chain.still.reset();
            return true;
        }
        if (const qint64 bytes = chain.lines->reader().size(); bytes != chain.bytes || !chain.still) {
            chain.bytes = bytes;
            chain.still.emplace().start();
        }
        if (!chain.still->hasExpired(*patience)) {
            return true;
        }
        // A log that is given up does not continue: its last line may have no end.
        while (takeLines(chain, true)) { }
        m_isWhole = false;
    }
    sayCut(chain.label, chain.lines->cutBytes());
    chain.lines.reset();
    chain.still.reset();
    return true;
}

void LogFollow::writeArrived()
{
    if (!m_style.exact) {
        std::stable_sort(m_arrived.begin(), m_arrived.end(),
            [](const Arrived &a, const Arrived &b) { return a.line.timeNs < b.line.timeNs; });
    }
    for (const Arrived &arrived : m_arrived) {
        m_writer.write(arrived.log, arrived.line);
    }
    m_writer.flush();
}

void LogFollow::finish()
{
    m_timer.stop();
    m_arrived.clear();
    for (Chain &chain : m_stages.front()->chains) {
        if (chain.lines) {
            takeLines(chain, false); // what has come since the last look
            chain.lines->giveOpen(m_clock.elapsed(), 0, true);
            takeLines(chain, false);
            sayCut(chain.label, chain.lines->cutBytes());
        }
    }
    writeArrived();
    m_writer.finish();
}

// Goes on to what comes next, for each label and for all. Returns false when there was nothing.
bool LogFollow::goOn()
{
    Stage &stage = *m_stages.front();
    bool moved = false;
    bool isOver = true;
    for (Chain &chain : stage.chains) {
        if (!chain.lines && !chain.next.empty()) {
            const Followed next = std::move(chain.next.front());
            chain.next.pop_front();
            if (!next.beginning.isEmpty()) {
                errorLine(next.beginning);
            }
            chain.lines = std::make_unique<LogLineReader>(next.source.folder, m_style.streams);
            if (m_style.tail >= 0 && next.from == From::Tail) {
                chain.lines->skipToTail(m_style.tail, chain.lines->isComplete());
            }
            moved = true;
        }
        isOver = isOver && !chain.lines;
    }
    if (isOver && m_stages.size() > 1) {
        m_stages.pop_front();
        if (const QString &beginning = m_stages.front()->beginning; !beginning.isEmpty()) {
            errorLine(beginning);
        }
        moved = true;
    }
    return moved;
}

void LogFollow::look()
{
    bool allRead = true;
    do {
        m_arrived.clear();
        const bool isLast = m_stages.size() == 1;
        for (Chain &chain : m_stages.front()->chains) {
            allRead = readLines(chain, isLast) && allRead;
        }
        writeArrived();
        m_interval = m_arrived.empty() ? std::min(quietMs, m_interval + m_interval / 2) : busyMs;
        if (outputHasEnded()) {
            Q_EMIT outputEnded();
        }
    } while (goOn() && allRead);
    const auto isOver = [](const Chain &chain) { return !chain.lines && chain.next.empty(); };
    if (const auto &chains = m_stages.front()->chains;
        m_closed && m_stages.size() == 1 && std::all_of(chains.cbegin(), chains.cend(), isOver)) {
        Q_EMIT done();
        return;
    }
    m_timer.start(allRead ? m_interval : 0);
}

} // namespace trainyard::cli
