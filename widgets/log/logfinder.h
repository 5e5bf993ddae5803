// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logindex.h"
#include "widgets/log/logsource.h"

#include <QRegularExpression>

#include <functional>

namespace trainyard
{

// Which line is looked for.
struct LogGoal {
    QRegularExpression candidates; // in a text of many lines
    std::function<bool(const QString &line)> isIt; // decides, of a whole line; safe on any thread
    qint64 from = -1; // the search begins beside this line
    bool isForward = true;
};

// Looks for the nearest line of a kind, forward or backward, block by block, so that others have their turn between.
class LogFinder
{
public:
    enum class State { Idle, Searching, Waiting }; // Waiting: goes on when more is indexed

    void start(const LogGoal &goal);
    void stop() { m_state = State::Idle; }
    State state() const { return m_state; }
    // Looks at one more block. The line, or -1: there is none; nothing while it is not found. `isWhole`: no more of the
    // log comes soon.
    std::optional<qint64> step(LogSource &source, const LogIndex &index, bool isWhole);

private:
    std::optional<qint64> finish(qint64 line);
    QList<qint64> linesIn(const QByteArray &block, qint64 firstLine) const;
    LogGoal m_goal;
    State m_state = State::Idle;
    qint64 m_interval = -1; // the next one to look at; -1: not begun
};

} // namespace trainyard
