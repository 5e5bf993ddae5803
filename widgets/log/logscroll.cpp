// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logscroll.h"

#include <QAbstractScrollArea>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <climits>

namespace trainyard
{
namespace
{
constexpr int rightMargin = 16;
}

LogScroll::LogScroll(QAbstractScrollArea *view, LogLayout *layout) : QObject(view), m_view(view), m_layout(layout) { }

LogLayout::Top LogScroll::top() const { return {topLine(), m_topRow}; }

qint64 LogScroll::topLine() const { return m_view->verticalScrollBar()->value(); }

qint64 LogScroll::lastLine() const
{
    qint64 line = topLine();
    const QList<LogLayout::Row> inSight = rows();
    for (const LogLayout::Row &row : inSight) {
        line = m_layout->rectOf(row).bottom() < m_view->viewport()->height() ? std::max(line, row.line) : line;
    }
    return line;
}

bool LogScroll::isAtEnd() const
{
    return m_view->verticalScrollBar()->value() >= m_view->verticalScrollBar()->maximum();
}

void LogScroll::setTop(LogLayout::Top top)
{
    const QScopedValueRollback adjusting(m_adjusting, true);
    m_view->verticalScrollBar()->setValue(int(top.line));
    m_topRow = top.row;
}

qint64 LogScroll::newLines() const
{
    return m_following ? 0 : std::max<qint64>(0, m_layout->lineCount() - m_seenLines);
}

void LogScroll::noteSeen() { m_seenLines = m_layout->lineCount(); }

void LogScroll::restart()
{
    m_widest = 0;
    m_seenLines = 0;
    update();
}

void LogScroll::forgetWidths()
{
    m_widest = 0;
    update();
}

void LogScroll::noteWidth(int width)
{
    if (width > m_widest) {
        m_widest = width;
        QMetaObject::invokeMethod(this, &LogScroll::update, Qt::QueuedConnection); // it is being drawn now
    }
}

void LogScroll::update()
{
    m_seenLines = std::min(m_seenLines, m_layout->lineCount()); // it may have been replaced by a shorter one
    const LogLayout::Top end = m_layout->endTop();
    {
        const QScopedValueRollback adjusting(m_adjusting, true);
        QScrollBar *down = m_view->verticalScrollBar();
        down->setPageStep(m_layout->rowsInSight());
        down->setSingleStep(1);
        down->setRange(0, int(std::min<qint64>(end.line, INT_MAX - 1)));
        if (m_following) {
            down->setValue(down->maximum());
            m_topRow = end.row;
        }
        const int room = m_view->viewport()->width();
        QScrollBar *across = m_view->horizontalScrollBar();
        across->setPageStep(room);
        across->setSingleStep(m_view->fontMetrics().averageCharWidth() * 4);
        across->setRange(
            0, m_layout->isWrapped() ? 0 : std::max(0, m_widest + m_layout->gutterWidth() + rightMargin - room));
    }
    Q_EMIT changed();
}

void LogScroll::setFollowing(bool on)
{
    if (m_following != on) {
        m_following = on;
        m_seenLines = m_layout->lineCount();
        Q_EMIT followingChanged(on);
    }
    update();
}

void LogScroll::setWrapped(bool on)
{
    if (m_layout->isWrapped() == on) {
        return;
    }
    const qint64 line = topLine();
    m_layout->setWrapped(on);
    m_topRow = 0;
    update();
    if (!m_following) {
        setTop({line, 0});
    }
    Q_EMIT changed();
}

QList<LogLayout::Row> LogScroll::rows() const { return m_layout->rows(top(), isAtEnd()); }

QRect LogScroll::lineRect(qint64 line) const
{
    QRect rect;
    const QList<LogLayout::Row> inSight = rows();
    for (const LogLayout::Row &row : inSight) {
        if (row.line == line) {
            rect |= m_layout->rectOf(row);
        }
    }
    return rect & m_view->viewport()->rect();
}

LogPosition LogScroll::positionAt(const QPoint &point) const
{
    return m_layout->positionAt(point, rows(), m_view->horizontalScrollBar()->value());
}

// At the end of a log it does not follow what comes next: the line would leave again.
void LogScroll::showLine(qint64 line)
{
    setFollowing(false);
    const int rows = m_layout->rowsInSight();
    const qint64 shown = std::clamp<qint64>(line, 0, std::max<qint64>(0, m_layout->lineCount() - 1));
    if (m_layout->isWrapped()) {
        const QRect rect = lineRect(shown);
        if (rect.isEmpty() || rect.bottom() >= m_view->viewport()->height() - m_layout->rowHeight()) {
            setTop(m_layout->moved({shown, 0}, -(rows / 3)));
        }
    } else if (shown < topLine() || shown >= topLine() + rows - 1) {
        setTop({std::clamp<qint64>(shown - rows / 3, 0, m_view->verticalScrollBar()->maximum()), 0});
    }
    Q_EMIT changed();
}

void LogScroll::keepInSight(qint64 line)
{
    setFollowing(false);
    const int rows = m_layout->rowsInSight();
    if (line < topLine() || (line == topLine() && m_topRow > 0)) {
        setTop({line, 0});
    } else if (line > lastLine()) {
        setTop(m_layout->isWrapped() ? m_layout->moved({line + 1, 0}, -rows)
                                     : LogLayout::Top{std::max<qint64>(0, line + 1 - rows), 0});
    }
    Q_EMIT changed();
}

void LogScroll::showAcross(int begin, int end)
{
    QScrollBar *bar = m_view->horizontalScrollBar();
    const int room = m_view->viewport()->width() - m_layout->gutterWidth() - rightMargin;
    const int margin = std::min(room / 4, m_view->fontMetrics().averageCharWidth() * 16);
    if (end - bar->value() > room || begin < bar->value()) {
        bar->setValue(end + margin <= room ? 0 : std::max(0, std::min(begin - margin, end + margin - room)));
        if (begin < bar->value() || end - bar->value() > room) {
            bar->setValue(std::max(0, begin - margin)); // longer than there is room for
        }
    }
}

void LogScroll::scrollRows(int rows)
{
    const LogLayout::Top to = m_layout->moved(top(), rows);
    setTop(to);
    const bool atEnd = to == m_layout->endTop();
    if (atEnd != m_following) {
        setFollowing(atEnd);
    }
    Q_EMIT changed();
}

void LogScroll::scrolled(int dy)
{
    if (m_adjusting || dy == 0) {
        return;
    }
    const bool atEnd = isAtEnd();
    m_topRow = atEnd ? m_layout->endTop().row : 0;
    if (atEnd != m_following) {
        setFollowing(atEnd);
    }
}

bool LogScroll::handleKey(const QKeyEvent *event)
{
    const int key = event->key();
    const bool isUp = key == Qt::Key_Up || key == Qt::Key_PageUp;
    const bool isPage = key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    QScrollBar *bar = m_view->verticalScrollBar();
    if (key == Qt::Key_Home) {
        bar->setValue(0);
        setFollowing(false);
    } else if (key == Qt::Key_End) {
        setFollowing(true);
    } else if (m_layout->isWrapped() && (isUp || isPage || key == Qt::Key_Down)) {
        const int rows = isPage ? std::max(1, m_layout->rowsInSight() - 1) : 1;
        scrollRows(isUp ? -rows : rows);
    } else if (isUp) {
        setFollowing(false);
        bar->triggerAction(isPage ? QScrollBar::SliderPageStepSub : QScrollBar::SliderSingleStepSub);
    } else if ((isPage || key == Qt::Key_Down) && isAtEnd()) {
        setFollowing(true); // a jump to a line may have led here, and the bar cannot move on
    } else {
        return false;
    }
    return true;
}

bool LogScroll::handleWheel(QWheelEvent *event)
{
    const int turn = event->angleDelta().y();
    if (turn == 0 || event->modifiers().testFlag(Qt::AltModifier)) {
        return false;
    }
    if (!m_layout->isWrapped()) {
        if (turn < 0 && isAtEnd()) {
            setFollowing(true); // as with the keys
        }
        return false;
    }
    constexpr int rowsOfAStep = 3;
    m_wheel += turn;
    const int rows = m_wheel * rowsOfAStep / QWheelEvent::DefaultDeltasPerStep;
    m_wheel -= rows * QWheelEvent::DefaultDeltasPerStep / rowsOfAStep;
    scrollRows(-rows);
    event->accept();
    return true;
}

} // namespace trainyard
