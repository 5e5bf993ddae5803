// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/filteredlog.h"

#include "widgets/log/logindex.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qint64 filterBlock = 1 << 20;
constexpr int mostBlocks = 16; // of one look
} // namespace

// Guarded by its mutex.
struct FilteredLog::Shared {
    Shared(const LogQuery &query, int lines) : matcher(query), context(lines) { }

    // A line that is not shown, unless the next one is.
    struct Line {
        qint64 begin = 0;
        qint64 length = 0;
    };
    void take(const QByteArray &block, qint64 at);
    void show(const Line &line);
    void clear();

    const LogMatcher matcher;
    const int context;
    std::mutex mutex;
    LogRuns runs;
    LogIndex whole; // as far as it is read: for the numbers of the lines
    QList<Line> before; // the newest few that are not shown
    int behind = 0; // so many more are, after a hit
    qint64 shownTo = 0; // of the whole
    qint64 readTo = 0;
    quint64 wholeRestarts = 0, ownRestarts = 0;
    bool hasMore = false, isComplete = false;
};

void FilteredLog::Shared::clear()
{
    runs.clear();
    whole.reset();
    before.clear();
    behind = 0;
    shownTo = readTo = 0;
    ++ownRestarts;
}

void FilteredLog::Shared::show(const Line &line)
{
    if (context > 0 && runs.size() > 0 && line.begin > shownTo) {
        runs.appendBreak();
    }
    runs.append(0, line.begin, line.length);
    shownTo = line.begin + line.length;
}

// `at`: where the block begins in the whole.
void FilteredLog::Shared::take(const QByteArray &block, qint64 at)
{
    const QList<qint64> hits = matcher.find(block, 0).lines;
    whole.append(block);
    auto hit = hits.cbegin();
    qint64 number = 0;
    for (qsizetype begin = 0; begin < block.size(); ++number) {
        const qsizetype feed = block.indexOf('\n', begin);
        const qsizetype end = feed < 0 ? block.size() : feed + 1;
        const Line line{at + begin, end - begin};
        if (hit != hits.cend() && *hit == number) {
            ++hit;
            for (const Line &each : std::as_const(before)) {
                show(each);
            }
            before.clear();
            show(line);
            behind = context;
        } else if (behind > 0) {
            --behind;
            show(line);
        } else if (context > 0) {
            before.append(line);
            if (before.size() > context) {
                before.removeFirst();
            }
        }
        begin = end;
    }
}

FilteredLog::FilteredLog(std::unique_ptr<LogSource> whole, std::shared_ptr<Shared> shared)
    : m_whole(std::move(whole)), m_shared(std::move(shared))
{
}

LogSourceFactory FilteredLog::factory(const LogSourceFactory &whole, const LogQuery &query, int context)
{
    return [whole, shared = std::make_shared<Shared>(query, context)] {
        return std::unique_ptr<FilteredLog>(new FilteredLog(whole(), shared));
    };
}

bool FilteredLog::readBlock(qint64 size, bool isComplete)
{
    Shared &shared = *m_shared;
    QByteArray block = m_whole->read(shared.readTo, std::min(filterBlock, size - shared.readTo));
    const bool atEnd = shared.readTo + block.size() >= size;
    if (!(atEnd && isComplete)) {
        const qsizetype feed = block.lastIndexOf('\n');
        if (feed >= 0) {
            block.truncate(feed + 1);
        } else if (atEnd) {
            block.clear(); // a line that is not finished
        }
    }
    if (block.isEmpty()) {
        return false;
    }
    shared.take(block, shared.readTo);
    shared.readTo += block.size();
    return shared.readTo < size;
}

void FilteredLog::advance()
{
    // Asked first: when it is complete now, the size read after it is final.
    const bool isComplete = m_whole->isComplete();
    const qint64 size = m_whole->size();
    bool goesOn = true;
    for (int i = 0; goesOn && i < mostBlocks; ++i) {
        const std::scoped_lock lock(m_shared->mutex);
        if (m_shared->wholeRestarts != m_whole->restarts() || size < m_shared->readTo) {
            m_shared->wholeRestarts = m_whole->restarts();
            m_shared->clear();
        }
        goesOn = readBlock(size, isComplete);
    }
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->hasMore = goesOn || m_whole->hasMore();
    m_shared->isComplete = isComplete && !m_shared->hasMore;
}

qint64 FilteredLog::size()
{
    advance();
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->runs.size();
}

bool FilteredLog::isComplete()
{
    advance();
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->isComplete;
}

bool FilteredLog::hasMore()
{
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->hasMore;
}

quint64 FilteredLog::restarts()
{
    const std::scoped_lock lock(m_shared->mutex);
    return m_shared->ownRestarts;
}

QByteArray FilteredLog::read(qint64 offset, qint64 length)
{
    QList<LogRuns::Run> runs;
    {
        const std::scoped_lock lock(m_shared->mutex);
        runs = m_shared->runs.at(offset, length);
    }
    return LogRuns::read(runs, offset, length, [this](const LogRuns::Run &run, qint64 skip, qint64 wanted) {
        return run.part == LogRuns::lineBreak ? QByteArrayLiteral("\n") : m_whole->read(run.from + skip, wanted);
    });
}

std::optional<LogSource::Origin> FilteredLog::originAt(qint64 offset)
{
    QList<LogRuns::Run> runs;
    {
        const std::scoped_lock lock(m_shared->mutex);
        runs = m_shared->runs.at(offset, 1);
    }
    if (runs.isEmpty() || runs.constFirst().part == LogRuns::lineBreak) {
        return {};
    }
    return m_whole->originAt(runs.constFirst().from + offset - runs.constFirst().at);
}

LogSource::Numbers FilteredLog::numbers() const
{
    return m_whole->numbers() == Numbers::Own ? Numbers::OfWhole : Numbers::Unknown;
}

std::optional<qint64> FilteredLog::wholeLineAt(qint64 offset)
{
    qint64 at = 0;
    LogIndex::Interval interval;
    {
        const std::scoped_lock lock(m_shared->mutex);
        const QList<LogRuns::Run> runs = m_shared->runs.at(offset, 1);
        if (runs.isEmpty() || runs.constFirst().part == LogRuns::lineBreak) {
            return {};
        }
        at = runs.constFirst().from + offset - runs.constFirst().at;
        if (at >= m_shared->whole.size()) {
            return {}; // it has started over
        }
        interval = m_shared->whole.interval(m_shared->whole.intervalOfOffset(at));
    }
    // At most 64 lines, or 64 KiB.
    return interval.firstLine + m_whole->read(interval.begin, at - interval.begin).count('\n');
}

QList<LogSource::Live> FilteredLog::liveLines()
{
    QList<Live> lines = m_whole->liveLines();
    lines.removeIf([this](const Live &live) { return m_shared->matcher.find(live.bytes, 0).lines.isEmpty(); });
    return lines;
}

} // namespace trainyard
