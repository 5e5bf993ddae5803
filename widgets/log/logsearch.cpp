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
    m_at = At::Seen;
    m_isWanted = false;
    m_place.reset();
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
        m_at = At::Seen;
        m_place.reset(); // in the log that was there before
    }
    const qint64 before = m_hits.count();
    m_hits.append(stretch, lines);
    m_done = done;
    if (m_current < 0 && m_hits.count() > 0) {
        chooseFirst(lines, before);
    }
    m_isWanted = m_isWanted && !done;
    Q_EMIT changed();
}

// The first hit from where the user looks or has returned to, without moving anything that is in sight. `lines` are
// those that were just found, behind `before` others.
void LogSearch::chooseFirst(const QList<qint64> &lines, qint64 before)
{
    const qint64 from = m_place ? m_place->line : m_scroll->topLine();
    const auto at = std::lower_bound(lines.cbegin(), lines.cend(), from);
    if (at != lines.cend()) {
        m_current = before + (at - lines.cbegin());
        m_at = !m_place ? At::Seen : m_place->isThere && *at == from ? At::Gone : At::Before;
        if (std::exchange(m_isWanted, false)) {
            goTo(m_current);
        }
    } else if (m_done && m_place) {
        m_current = m_hits.count() - 1;
        m_at = At::Behind;
        if (std::exchange(m_isWanted, false)) {
            goTo(0);
        }
    } else if (m_done) {
        goTo(m_hits.count() - 1);
    }
}

void LogSearch::continueFrom(qint64 line, bool isThere)
{
    if (m_query.isEmpty()) {
        return;
    }
    if (m_current >= 0) {
        setQuery(std::exchange(m_query, {})); // what was found first was found from another place
    }
    m_place = Place{line, isThere};
}

void LogSearch::keepRead(const LogHits::Stretch &stretch, const QList<qint64> &lines)
{
    m_hits.keep(stretch, lines);
    if (currentLine()) { // asked for once: the log may be another one by now
        showCurrent();
    }
}

std::optional<qint64> LogSearch::currentLine() const { return m_current < 0 ? std::nullopt : m_hits.line(m_current); }

bool LogSearch::isReached() const
{
    const std::optional<qint64> line = currentLine();
    return m_at == At::Gone || (line && !m_scroll->lineRect(*line).isEmpty());
}

void LogSearch::next()
{
    if (m_current < 0 && !m_done) {
        m_isWanted = true;
        return;
    }
    const std::optional<qint64> line = m_at == At::Seen ? currentLine() : std::nullopt;
    const bool isUnseen = line && m_scroll->lineRect(*line).isEmpty();
    goTo(isUnseen || m_at == At::Before ? m_current : m_current + 1);
}

void LogSearch::previous() { goTo(m_current < 0 ? -1 : m_at == At::Behind ? m_current : m_current - 1); }

void LogSearch::goTo(qint64 number)
{
    const qint64 count = m_hits.count();
    if (count == 0) {
        return;
    }
    m_current = (number % count + count) % count;
    m_at = At::Gone;
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

QList<LogSearch::Match> LogSearch::matchesIn(const LogText &line) const
{
    QList<Match> found;
    if (m_query.isEmpty() || !m_expression.isValid()) {
        return found;
    }
    const qsizetype hidden = line.folder.size();
    const qsizetype at = line.folderAt;
    const QString whole = hidden > 0 ? line.text.first(at) + line.folder + line.text.sliced(at) : line.text;
    auto matches = m_expression.globalMatch(whole);
    while (matches.hasNext()) {
        const auto match = matches.next();
        if (match.capturedLength() == 0) {
            continue;
        }
        Match shown{match.capturedStart(), match.capturedEnd()};
        if (hidden > 0 && shown.end > at) { // it is in the folder or behind it
            const bool isInFolder = shown.begin < at + hidden;
            shown.begin = isInFolder ? std::min(shown.begin, at) : shown.begin - hidden;
            shown.end = isInFolder ? std::max({shown.begin, shown.end - hidden, line.text.indexOf(u':', at)})
                                   : shown.end - hidden;
        }
        if (!found.isEmpty() && shown.begin < found.constLast().end) {
            found.last().end = std::max(found.constLast().end, shown.end);
        } else {
            found.append(shown);
        }
    }
    return found;
}

} // namespace trainyard
