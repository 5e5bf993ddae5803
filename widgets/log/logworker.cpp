// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logworker.h"

#include "model/base/threads.h"
#include "widgets/log/logtext.h"

namespace trainyard
{
namespace
{
constexpr qint64 indexBlock = 4 << 20;
constexpr qint64 searchBlock = 1 << 20;
constexpr int lookEveryMs = 100;
constexpr qsizetype keptHits = 1'000'000;
} // namespace

QRegularExpression LogQuery::expression() const
{
    QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption;
    if (!matchCase) {
        options |= QRegularExpression::CaseInsensitiveOption;
    }
    return QRegularExpression(isPattern ? text : QRegularExpression::escape(text), options);
}

LogWorker::LogWorker(const std::atomic<int> *sourceGeneration, const std::atomic<int> *searchGeneration)
    : m_wantedSource(sourceGeneration), m_wantedSearch(searchGeneration), m_timer(new QTimer(this))
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
    m_complete = m_toldComplete = m_told = false;
    m_searchDone = true;
    m_query = {};
    step();
}

void LogWorker::search(int generation, const LogQuery &query)
{
    if (generation != m_wantedSearch->load()) {
        return;
    }
    m_searchGeneration = generation;
    m_query = query;
    m_expression = query.expression();
    m_searchedTo = m_searchLine = m_hits = 0;
    m_searchDone = query.isEmpty() || !m_expression.isValid();
    if (m_searchDone) {
        Q_EMIT found(generation, {}, 0, true);
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
    if (readMore || searchOn) {
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
    if (size < m_index.size()) {
        m_index.reset(); // truncated or replaced: from the start
        m_told = false;
        m_searchedTo = m_searchLine = m_hits = 0;
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
    if (changed || m_complete != m_toldComplete || !m_told) {
        m_told = true;
        m_toldComplete = m_complete;
        Q_EMIT indexed(m_sourceGeneration, m_index.takeDelta(), m_complete);
    }
    return changed && m_index.size() < size;
}

bool LogWorker::searchMore()
{
    if (m_searchDone || m_query.isEmpty() || m_searchGeneration != m_wantedSearch->load()) {
        return false;
    }
    QByteArray block = m_source->read(m_searchedTo, std::min(searchBlock, m_index.size() - m_searchedTo));
    const bool atEnd = m_searchedTo + block.size() >= m_index.size();
    if (const qsizetype newline = block.lastIndexOf('\n'); newline >= 0 && !(atEnd && m_complete)) {
        block.truncate(newline + 1); // whole lines; the rest comes with the next block
    } else if (atEnd && !m_complete) {
        block.clear(); // an unfinished line is searched when it is finished
    }
    if (block.isEmpty()) {
        m_searchDone = true;
        Q_EMIT found(m_searchGeneration, {}, m_hits, true);
        return false;
    }
    QString text = QString::fromUtf8(block);
    if (text.contains(QChar(0x1b))) {
        text = withoutEscapes(text);
    }
    QList<qint64> lines;
    qint64 line = m_searchLine;
    qsizetype counted = 0;
    const auto advanceTo = [&](qsizetype position) {
        line += QStringView(text).mid(counted, position - counted).count(QLatin1Char('\n'));
        counted = position;
    };
    auto matches = m_expression.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        if (match.capturedLength() == 0) {
            continue;
        }
        ++m_hits;
        advanceTo(match.capturedStart());
        if (lines.isEmpty() || lines.constLast() != line) {
            if (lines.size() < keptHits) {
                lines.append(line);
            }
        }
    }
    m_searchLine += block.count('\n');
    m_searchedTo += block.size();
    m_searchDone = m_searchedTo >= m_index.size();
    Q_EMIT found(m_searchGeneration, lines, m_hits, m_searchDone);
    return !m_searchDone;
}

} // namespace trainyard
