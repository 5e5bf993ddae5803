// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logworker.h"

#include "model/base/threads.h"

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
constexpr qint64 indexBlock = 4 << 20;
constexpr qint64 searchBlock = LogHits::blockBytes;
constexpr int lookEveryMs = 100;
} // namespace

LogWorker::LogWorker(Generation source, Generation search)
    : m_wantedSource(std::move(source)), m_wantedSearch(std::move(search)), m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &LogWorker::step);
}

LogWorker::~LogWorker() { threads::give(); }

void LogWorker::open(int generation, const LogSourceFactory &factory)
{
    if (generation != m_wantedSource->load()) {
        return;
    }
    m_sourceGeneration = generation;
    m_source = factory ? factory() : nullptr;
    m_index.reset();
    m_complete = m_toldComplete = m_toldWhole = m_told = false;
    m_restarts = m_source ? m_source->restarts() : 0;
    m_searchDone = true;
    m_query = {};
    m_finder.stop();
    step();
}

void LogWorker::search(int generation, const LogQuery &query)
{
    if (generation != m_wantedSearch->load()) {
        return;
    }
    m_searchGeneration = generation;
    m_query = query;
    m_matcher = LogMatcher(query);
    m_searchedTo = m_searchLine = 0;
    m_searchDone = query.isEmpty() || !m_matcher.isValid();
    if (m_searchDone) {
        Q_EMIT found(generation, {}, {}, true);
    } else {
        m_timer->start(0);
    }
}

void LogWorker::setWatching(bool on)
{
    m_watching = on;
    if (on) {
        m_timer->start(0);
    }
}

void LogWorker::step()
{
    if (!m_source || m_sourceGeneration != m_wantedSource->load()) {
        return;
    }
    const bool readMore = indexMore();
    const bool searchOn = searchMore();
    const bool findOn = findLineMore();
    if (readMore || searchOn || findOn) {
        m_timer->start(0); // through the event loop, so that new requests come in between
    } else if (m_watching && !m_complete) {
        m_timer->start(lookEveryMs);
    }
}

bool LogWorker::indexMore()
{
    // Asked first: when it is complete now, the size read after it is final.
    const bool complete = m_source->isComplete();
    const qint64 size = m_source->size();
    if (size < m_index.size() || m_restarts != m_source->restarts()) {
        m_restarts = m_source->restarts();
        m_index.reset(); // truncated or replaced: from the start
        m_told = false;
        m_searchedTo = m_searchLine = 0;
        m_searchDone = m_query.isEmpty();
    }
    bool changed = false;
    if (size > m_index.size()) {
        const QByteArray block = m_source->read(m_index.size(), std::min(indexBlock, size - m_index.size()));
        m_index.append(block);
        changed = !block.isEmpty();
        m_searchDone = m_searchDone && m_query.isEmpty();
    }
    m_complete = complete && m_index.size() >= size;
    const quint64 liveState = m_source->liveState();
    const bool isWhole = m_index.size() >= size && !m_source->hasMore();
    if (changed || m_complete != m_toldComplete || !m_told || liveState != m_liveState || (isWhole && !m_toldWhole)) {
        m_told = true;
        m_toldComplete = m_complete;
        m_liveState = liveState;
        m_toldWhole = isWhole;
        LogIndex::Delta delta = m_index.takeDelta();
        delta.isWhole = isWhole;
        Q_EMIT indexed(m_sourceGeneration, delta, m_source->liveLines(), m_complete);
    }
    return (changed && m_index.size() < size) || m_source->hasMore();
}

bool LogWorker::searchMore()
{
    if (m_searchDone || m_query.isEmpty() || m_searchGeneration != m_wantedSearch->load()) {
        return false;
    }
    bool atEnd = false;
    const QByteArray block = wholeLines(m_searchedTo, &atEnd);
    if (block.isEmpty()) {
        m_searchDone = true;
        Q_EMIT found(m_searchGeneration, {}, {}, true);
        return false;
    }
    const LogMatcher::Found inBlock = m_matcher.find(block, m_searchLine);
    const LogHits::Stretch stretch{
        m_searchedTo, m_searchedTo + block.size(), m_searchLine, inBlock.lineFeeds + (block.endsWith('\n') ? 0 : 1)};
    m_searchLine += inBlock.lineFeeds;
    m_searchedTo += block.size();
    m_searchDone = m_searchedTo >= m_index.size();
    Q_EMIT found(m_searchGeneration, stretch, inBlock.lines, m_searchDone);
    return !m_searchDone;
}

QByteArray LogWorker::wholeLines(qint64 from, bool *atEnd)
{
    QByteArray block = m_source->read(from, std::min(searchBlock, m_index.size() - from));
    *atEnd = from + block.size() >= m_index.size();
    if (const qsizetype newline = block.lastIndexOf('\n'); newline >= 0 && !(*atEnd && m_complete)) {
        block.truncate(newline + 1); // whole lines; the rest comes with the next block
    } else if (*atEnd && !m_complete) {
        block.clear(); // an unfinished line is searched when it is finished
    }
    return block;
}

void LogWorker::readHits(int generation, const LogHits::Stretch &stretch)
{
    if (generation != m_wantedSearch->load() || generation != m_searchGeneration || !m_source) {
        return;
    }
    const QByteArray block = m_source->read(stretch.begin, stretch.end - stretch.begin);
    Q_EMIT hitsRead(generation, stretch, m_matcher.find(block, stretch.firstLine).lines);
}

void LogWorker::findLine(int generation, const LogGoal &goal)
{
    if (generation == m_wantedSource->load() && m_source) {
        m_finder.start(goal);
        m_timer->start(0);
    }
}

bool LogWorker::findLineMore()
{
    const bool isWhole = m_index.size() >= m_source->size() && !m_source->hasMore();
    if (const std::optional<qint64> line = m_finder.step(*m_source, m_index, isWhole)) {
        Q_EMIT lineFound(m_sourceGeneration, *line);
    }
    return m_finder.state() == LogFinder::State::Searching;
}

} // namespace trainyard
