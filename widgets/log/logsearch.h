// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/loghits.h"
#include "widgets/log/logmatcher.h"
#include "widgets/log/logtext.h"

#include <QObject>

namespace trainyard
{

class LogFeed;
class LogScroll;

// The search term of a log, the lines with hits, and the current one of them.
class LogSearch : public QObject
{
    Q_OBJECT
public:
    LogSearch(LogFeed *feed, const LogScroll *scroll, QObject *parent);
    void setQuery(const LogQuery &query); // empty: nothing is looked for
    void restart(); // the log is another one
    void next(); // the first one, when it is out of sight, or when nothing is found yet and something will be
    void previous();
    // The user is at this line again, in another part of the log: next() and previous() continue from it, and nothing
    // moves. `isThere`: it is the same line as before, and a hit in it is the current one.
    void continueFrom(qint64 line, bool isThere);

    const LogQuery &query() const { return m_query; }
    const LogHits &hits() const { return m_hits; }
    qint64 current() const { return m_current; } // number of the line with a hit, from 0; -1: none
    bool isReached() const; // the user has gone to the current one, or has it in sight
    std::optional<qint64> currentLine() const; // nothing while it is not kept
    bool isDone() const { return m_done; }

    struct Match {
        qsizetype begin = 0;
        qsizetype end = 0;
    };
    // The hits in the text of a line, from left to right. A hit in the folder of a script, which is not drawn, is
    // marked at the name of the script.
    QList<Match> matchesIn(const LogText &line) const;

Q_SIGNALS:
    void changed();
    void lineWanted(qint64 line); // the current one is to be brought into sight

private:
    void addFound(const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done);
    void keepRead(const LogHits::Stretch &stretch, const QList<qint64> &lines);
    void chooseFirst(const QList<qint64> &lines, qint64 before);
    void goTo(qint64 number);
    void showCurrent(); // as soon as its line is known
    LogFeed *m_feed;
    const LogScroll *m_scroll;
    LogQuery m_query;
    QRegularExpression m_expression;
    LogHits m_hits;
    qint64 m_current = -1;
    bool m_done = true;
    // Where the user is: has only seen the first one, as it is found without moving what is in sight; has gone to the
    // current one; or is at a line before or behind it.
    enum class At { Seen, Gone, Before, Behind };
    At m_at = At::Seen;
    bool m_isWanted = false; // the first one is to be gone to when it is found
    struct Place {
        qint64 line = 0;
        bool isThere = false;
    };
    std::optional<Place> m_place; // of continueFrom()
};

} // namespace trainyard
