// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"
#include "widgets/log/logview.h"
#include "widgets/log/logview_p.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>

// Selection, keys and mouse of a log.
namespace trainyard
{
using namespace logview;

std::pair<LogView::Position, LogView::Position> LogView::selection() const
{
    return m_anchor < m_caret ? std::pair(m_anchor, m_caret) : std::pair(m_caret, m_anchor);
}

bool LogView::hasSelection() const { return m_anchor != m_caret; }

QString LogView::selectedText() const
{
    const auto [from, to] = selection();
    if (from.line == to.line) {
        return lineText(from.line).mid(from.column, to.column - from.column);
    }
    QString result = lineText(from.line).mid(from.column);
    for (qint64 line = from.line + 1; line < to.line && result.size() < copyLimit; ++line) {
        result += QLatin1Char('\n') + lineText(line);
    }
    return result + QLatin1Char('\n') + lineText(to.line).left(to.column);
}

void LogView::copy()
{
    if (hasSelection()) {
        QGuiApplication::clipboard()->setText(selectedText());
    }
}

void LogView::selectAll()
{
    m_anchor = {};
    const qint64 last = std::max<qint64>(0, lineCount() - 1);
    m_caret = {last, lineText(last).size()};
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::wheelEvent(QWheelEvent *event)
{
    // Up lets go even when everything is in sight.
    if (event->angleDelta().y() > 0 && m_following && !m_complete) {
        setFollowing(false);
    }
    QAbstractScrollArea::wheelEvent(event);
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    QScrollBar *bar = verticalScrollBar();
    if (event->matches(QKeySequence::Copy)) {
        copy();
    } else if (event->matches(QKeySequence::SelectAll)) {
        selectAll();
    } else if (event->key() == Qt::Key_Home) {
        bar->setValue(0);
        setFollowing(false);
    } else if (event->key() == Qt::Key_End) {
        setFollowing(true);
    } else if (event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp) {
        setFollowing(false);
        bar->triggerAction(
            event->key() == Qt::Key_Up ? QScrollBar::SliderSingleStepSub : QScrollBar::SliderPageStepSub);
    } else {
        QAbstractScrollArea::keyPressEvent(event);
    }
}

LogView::Position LogView::positionAt(const QPoint &point) const
{
    int y = point.y();
    if (verticalScrollBar()->value() == verticalScrollBar()->maximum() && lineCount() > rowsInSight()) {
        y -= viewport()->height() - rowsInSight() * m_rowHeight;
    }
    const qint64 row = y < 0 ? -1 : y / m_rowHeight;
    const qint64 line = std::clamp<qint64>(topLine() + row, 0, std::max<qint64>(0, lineCount() - 1));
    const QString text = lineText(line);
    const QFontMetrics fm(font());
    const int x = point.x() - gutterWidth() + horizontalScrollBar()->value();
    qsizetype low = 0;
    qsizetype high = text.size();
    while (low < high) { // advances only grow
        const qsizetype middle = (low + high) / 2;
        if (fm.horizontalAdvance(text.left(middle + 1)) - fm.averageCharWidth() / 2 <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return {line, low};
}

void LogView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    m_caret = positionAt(event->pos());
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_anchor = m_caret;
    }
    m_selecting = true;
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_selecting) {
        return;
    }
    m_caret = positionAt(event->pos());
    const bool outside = event->pos().y() < 0 || event->pos().y() > viewport()->height();
    if (outside && m_autoScroll == 0) {
        m_autoScroll = startTimer(40);
    } else if (!outside && m_autoScroll != 0) {
        killTimer(m_autoScroll);
        m_autoScroll = 0;
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_autoScroll) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    const QPoint at = viewport()->mapFromGlobal(QCursor::pos());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + (at.y() < 0 ? -2 : 2));
    m_caret = positionAt(at);
    viewport()->update();
}

void LogView::mouseReleaseEvent(QMouseEvent *)
{
    m_selecting = false;
    if (m_autoScroll != 0) {
        killTimer(m_autoScroll);
        m_autoScroll = 0;
    }
    if (hasSelection() && QGuiApplication::clipboard()->supportsSelection()) {
        QGuiApplication::clipboard()->setText(selectedText(), QClipboard::Selection);
    }
}

void LogView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const Position at = positionAt(event->pos());
    const QString text = lineText(at.line);
    const auto isWord = [&](qsizetype i) {
        return i >= 0 && i < text.size()
            && (text.at(i).isLetterOrNumber() || QStringView(u"_-./").contains(text.at(i)));
    };
    qsizetype begin = at.column;
    qsizetype end = at.column;
    while (isWord(begin - 1)) {
        --begin;
    }
    while (isWord(end)) {
        ++end;
    }
    m_anchor = {at.line, begin};
    m_caret = {at.line, end};
    viewport()->update();
    Q_EMIT selectionChanged();
}

void LogView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copyAction = menu->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &LogView::copy);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setEnabled(hasSelection());
    QAction *all = menu->addAction(tr("Select all"), this, &LogView::selectAll);
    all->setShortcut(QKeySequence::SelectAll);
    menu->addSeparator();
    QAction *follow = menu->addAction(tr("Follow the end"), this, [this] { setFollowing(!m_following); });
    follow->setCheckable(true);
    follow->setChecked(m_following);
    QAction *times = menu->addAction(tr("Times"), this, [this] { setTimesVisible(!m_times); });
    times->setCheckable(true);
    times->setChecked(m_times);
    menu->popup(event->globalPos());
}

} // namespace trainyard
