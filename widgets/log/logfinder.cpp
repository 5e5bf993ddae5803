// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logfinder.h"

#include "widgets/log/logtext.h"

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 finderBlock = 1 << 20; // bytes at once, about
constexpr qint64 finderTail = 64 << 10; // of a long line

// An interval ends with a line, which may be of any length: the middle of a long one is passed over.
QByteArray bytesBetween(LogSource &source, qint64 begin, qint64 end)
{
    constexpr qint64 mostHead = finderBlock + LogIndex::checkpointBytes;
    if (end - begin <= mostHead + finderTail) {
        return source.read(begin, end - begin);
    }
    return source.read(begin, mostHead) + source.read(end - finderTail, finderTail);
}
} // namespace

void LogFinder::start(const LogGoal &goal)
{
    m_goal = goal;
    m_state = State::Searching;
    m_interval = -1;
}

std::optional<qint64> LogFinder::finish(qint64 line)
{
    m_state = State::Idle;
    return line;
}

// The numbers of the lines in this block that it is, all of them backward, at most one forward.
QList<qint64> LogFinder::linesIn(const QByteArray &block, qint64 firstLine) const
{
    QList<qint64> lines;
    QString text = QString::fromUtf8(block);
    if (text.contains(QLatin1Char(0x1b))) {
        text = withoutEscapes(text);
    }
    qsizetype counted = 0;
    qint64 number = firstLine;
    bool isByLine = false; // some line takes the expression too long: the others are not to be lost with it
    for (qsizetype at = 0; at < text.size();) {
        // It is valid, as it was decoded; a check for each match would read all of it again.
        QRegularExpressionMatch match;
        if (!isByLine) {
            match = m_goal.candidates.match(
                text, at, QRegularExpression::NormalMatch, QRegularExpression::DontCheckSubjectStringMatchOption);
            isByLine = !match.isValid();
        }
        if (!isByLine && !match.hasMatch()) {
            break;
        }
        // A pattern may reach over several lines: each of them is looked at by itself.
        const qsizetype from = isByLine ? at : match.capturedStart(), until = isByLine ? at : match.capturedEnd();
        qsizetype begin = from == 0 ? 0 : text.lastIndexOf(u'\n', from - 1) + 1;
        do {
            const qsizetype feed = text.indexOf(u'\n', begin);
            const qsizetype end = feed < 0 ? text.size() : feed;
            number += QStringView(text).mid(counted, begin - counted).count(u'\n');
            counted = begin;
            QString line = text.mid(begin, end - begin);
            if (line.contains(u'\r')) {
                while (line.endsWith(u'\r')) {
                    line.chop(1);
                }
                line.remove(0, line.lastIndexOf(u'\r') + 1);
            }
            const bool isBeside = m_goal.isForward ? number > m_goal.from : number < m_goal.from;
            if (isBeside && m_goal.isIt(line)) {
                lines.append(number);
                if (m_goal.isForward) {
                    return lines;
                }
            }
            begin = end + 1;
        } while (begin < until && begin < text.size());
        at = std::max(begin, at + 1);
    }
    return lines;
}

std::optional<qint64> LogFinder::step(LogSource &source, const LogIndex &index, bool isWhole)
{
    if (m_state == State::Idle) {
        return std::nullopt;
    }
    m_state = State::Searching;
    if (m_interval < 0) {
        const qint64 last = std::max<qint64>(0, index.lineCount() - 1);
        m_interval = index.intervalOfLine(std::clamp<qint64>(m_goal.from, 0, last));
    }
    // Several neighbouring intervals at once.
    qint64 first = m_interval, after = m_interval + 1;
    while (m_goal.isForward && after < index.intervalCount()
        && index.interval(after).end - index.interval(first).begin <= finderBlock) {
        ++after;
    }
    while (!m_goal.isForward && first > 0
        && index.interval(after - 1).end - index.interval(first - 1).begin <= finderBlock) {
        --first;
    }
    if (first < index.intervalCount()) {
        const LogIndex::Interval begin = index.interval(first);
        const LogIndex::Interval end = index.interval(after - 1);
        const QList<qint64> lines = linesIn(bytesBetween(source, begin.begin, end.end), begin.firstLine);
        if (!lines.isEmpty()) {
            return finish(m_goal.isForward ? lines.constFirst() : lines.constLast());
        }
    }
    if (!m_goal.isForward) {
        m_interval = first - 1;
        return first == 0 ? finish(-1) : std::nullopt;
    }
    if (after < index.intervalCount()) {
        m_interval = after;
        return std::nullopt;
    }
    m_interval = std::max<qint64>(0, index.intervalCount() - 1); // its last one may grow
    if (isWhole) {
        return finish(-1);
    }
    m_state = State::Waiting;
    return std::nullopt;
}

} // namespace trainyard
