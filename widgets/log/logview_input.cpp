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
    // Up ends the following even when everything is in sight.
    if (event->angleDelta().y() > 0 && m_following && !m_complete) {
        setFollowing(false);
    }
    if (m_wrapped && event->angleDelta().y() != 0 && !event->modifiers().testFlag(Qt::AltModifier)) {
        constexpr int rowsOfAStep = 3;
        m_wheel += event->angleDelta().y();
        const int rows = m_wheel * rowsOfAStep / QWheelEvent::DefaultDeltasPerStep;
        m_wheel -= rows * QWheelEvent::DefaultDeltasPerStep / rowsOfAStep;
        scrollRows(-rows);
        event->accept();
        return;
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
    } else if (m_wrapped
        && (event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp || event->key() == Qt::Key_Down
            || event->key() == Qt::Key_PageDown)) {
        const bool isPage = event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown;
        const int rows = isPage ? std::max(1, rowsInSight() - 1) : 1;
        scrollRows(event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp ? -rows : rows);
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
    const QList<Row> rows = rowsInView();
    if (rows.isEmpty()) {
        return {};
    }
    const int over = point.y() - rows.constFirst().y;
    Row row = over < 0 ? Row{std::max<qint64>(0, rows.constFirst().line - 1), 0, -1, 0}
                       : rows.at(std::min<qsizetype>(over / m_rowHeight, rows.size() - 1));
    const qint64 line = row.line;
    const QString whole = lineText(line);
    const QString text = whole.mid(row.begin, row.end < 0 ? -1 : row.end - row.begin);
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
    return {line, row.begin + low};
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
    QAction *wrapped = menu->addAction(tr("Wrap long lines"), this, [this] { setWrapped(!m_wrapped); });
    wrapped->setCheckable(true);
    wrapped->setChecked(m_wrapped);
    menu->popup(event->globalPos());
}

} // namespace trainyard
