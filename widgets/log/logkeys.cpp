// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logkeys.h"

#include "widgets/log/logscroll.h"
#include "widgets/log/logselection.h"

#include <QKeyEvent>
#include <QTextBoundaryFinder>

#include <algorithm>

namespace trainyard
{
namespace
{
// For a sequence that a reader takes to be one character.
qsizetype nextCharacter(const QString &text, qsizetype column, bool isForward)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(column);
    const qsizetype next = isForward ? finder.toNextBoundary() : finder.toPreviousBoundary();
    return next < 0 ? (isForward ? text.size() : 0) : next;
}
} // namespace

LogPosition LogKeys::begin(bool isUp) const
{
    const qint64 line = std::min(m_lines->count() - 1, isUp ? m_scroll->lastLine() : m_scroll->topLine());
    return {line, isUp ? m_lines->text(line).size() : 0};
}

LogPosition LogKeys::inLine(qint64 line) { return {line, std::min(m_column, m_lines->text(line).size())}; }

LogPosition LogKeys::moved(LogPosition from, int key, bool isFar)
{
    const qint64 last = m_lines->count() - 1;
    const QString text = m_lines->text(from.line);
    const qsizetype length = text.size();
    const qint64 page = std::max<qint64>(1, m_scroll->lastLine() - m_scroll->topLine());
    switch (key) {
    case Qt::Key_Up:
        return from.line > 0 ? inLine(from.line - 1) : LogPosition{0, 0};
    case Qt::Key_Down:
        return from.line < last ? inLine(from.line + 1) : LogPosition{last, length};
    case Qt::Key_PageUp:
        return from.line >= page ? inLine(from.line - page) : LogPosition{0, 0};
    case Qt::Key_PageDown:
        return from.line + page <= last ? inLine(from.line + page) : LogPosition{last, m_lines->text(last).size()};
    case Qt::Key_Home:
        return {isFar ? 0 : from.line, 0};
    case Qt::Key_End:
        return isFar ? LogPosition{last, m_lines->text(last).size()} : LogPosition{from.line, length};
    case Qt::Key_Left:
        return from.column > 0 ? LogPosition{from.line, nextCharacter(text, from.column, false)}
            : from.line > 0    ? LogPosition{from.line - 1, m_lines->text(from.line - 1).size()}
                               : from;
    default: // Right
        return from.column < length ? LogPosition{from.line, nextCharacter(text, from.column, true)}
            : from.line < last      ? LogPosition{from.line + 1, 0}
                                    : from;
    }
}

bool LogKeys::handle(const QKeyEvent *event)
{
    const int key = event->key();
    const bool isUp = key == Qt::Key_Up || key == Qt::Key_PageUp || key == Qt::Key_Home || key == Qt::Key_Left;
    const bool isDown = key == Qt::Key_Down || key == Qt::Key_PageDown || key == Qt::Key_End || key == Qt::Key_Right;
    const Qt::KeyboardModifiers held = event->modifiers() & ~Qt::KeypadModifier;
    const bool isFar = held == (Qt::ShiftModifier | Qt::ControlModifier);
    const bool isMeant = isFar ? key == Qt::Key_Home || key == Qt::Key_End : held == Qt::ShiftModifier;
    if (!(isUp || isDown) || !isMeant || m_lines->count() == 0) {
        return false;
    }
    if (!m_selection->currentLine()) {
        m_selection->begin(begin(isUp));
    }
    LogPosition from = m_selection->caret();
    from.line = std::min(from.line, m_lines->count() - 1);
    if (from != m_last) {
        m_column = from.column;
    }
    const LogPosition to = moved(from, key, isFar);
    if (to.line == from.line) {
        m_column = to.column;
    }
    m_last = to;
    m_selection->extend(to);
    m_scroll->keepInSight(to.line);
    return true;
}

} // namespace trainyard
