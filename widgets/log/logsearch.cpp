// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsearch.h"

#include "widgets/log/logfeed.h"
#include "widgets/log/logscroll.h"

#include <algorithm>
#include <utility>

namespace trainyard
{

LogSearch::LogSearch(LogFeed *feed, const LogScroll *scroll, QObject *parent)
    : QObject(parent), m_feed(feed), m_scroll(scroll)
{
    connect(feed, &LogFeed::found, this, &LogSearch::addFound);
    connect(feed, &LogFeed::hitsRead, this, &LogSearch::keepRead);
}

void LogSearch::setQuery(const LogQuery &query)
{
    if (m_query == query && !query.isEmpty()) {
        return;
    }
    m_query = query;
    m_expression = query.expression();
    m_hits.clear();
    m_current = -1;
    m_isGoneTo = m_isWanted = false;
    m_done = query.isEmpty();
    m_feed->search(query);
    Q_EMIT changed();
}

void LogSearch::restart()
{
    if (!m_query.isEmpty()) {
        setQuery(std::exchange(m_query, {}));
    }
}

void LogSearch::addFound(const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done)
{
    if (stretch.begin == 0 && stretch.end > 0 && m_hits.blockCount() > 0) {
        m_hits.clear(); // the log was replaced and is searched again
        m_current = -1;
        m_isGoneTo = false;
    }
    const qint64 before = m_hits.count();
    m_hits.append(stretch, lines);
    m_done = done;
    if (m_current < 0 && m_hits.count() > 0) {
        // The first hit from where the user looks, without moving anything that is in sight.
        const auto at = std::lower_bound(lines.cbegin(), lines.cend(), m_scroll->topLine());
        if (at != lines.cend()) {
            m_current = before + (at - lines.cbegin());
            if (std::exchange(m_isWanted, false)) {
                goTo(m_current);
            }
        } else if (done) {
            goTo(m_hits.count() - 1);
        }
    }
    m_isWanted = m_isWanted && !done;
    Q_EMIT changed();
}

void LogSearch::keepRead(const LogHits::Stretch &stretch, const QList<qint64> &lines)
{
    m_hits.keep(stretch, lines);
    if (currentLine()) { // asked for once: the log may be another one by now
        showCurrent();
    }
}

std::optional<qint64> LogSearch::currentLine() const { return m_current < 0 ? std::nullopt : m_hits.line(m_current); }

void LogSearch::next()
{
    const std::optional<qint64> line = m_isGoneTo ? std::nullopt : currentLine();
    const bool isUnseen = line && m_scroll->lineRect(*line).isEmpty();
    m_isWanted = m_hits.count() == 0 && !m_done;
    goTo(isUnseen ? m_current : m_current + 1);
}

void LogSearch::goTo(qint64 number)
{
    const qint64 count = m_hits.count();
    if (count == 0) {
        return;
    }
    m_current = (number % count + count) % count;
    m_isGoneTo = true;
    showCurrent();
    Q_EMIT changed();
}

void LogSearch::showCurrent()
{
    if (const std::optional<qint64> line = currentLine()) {
        Q_EMIT lineWanted(*line);
    } else if (const auto stretch = m_hits.stretchOf(m_current)) {
        m_feed->readHits(*stretch);
    }
}

QList<LogSearch::Match> LogSearch::matchesIn(const QString &text) const
{
    QList<Match> found;
    if (m_query.isEmpty() || !m_expression.isValid()) {
        return found;
    }
    auto matches = m_expression.globalMatch(text);
    while (matches.hasNext()) {
        const auto match = matches.next();
        if (match.capturedLength() > 0) {
            found.append({match.capturedStart(), match.capturedEnd()});
        }
    }
    return found;
}

} // namespace trainyard
