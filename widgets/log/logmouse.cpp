// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logmouse.h"

#include "widgets/log/logscroll.h"
#include "widgets/log/logselection.h"

#include <QAbstractScrollArea>
#include <QClipboard>
#include <QCursor>
#include <QGuiApplication>
#include <QMouseEvent>
#include <QScrollBar>

namespace trainyard
{

LogMouse::LogMouse(QAbstractScrollArea *view, const LogScroll *scroll, LogSelection *selection)
    : QObject(view), m_view(view), m_scroll(scroll), m_selection(selection)
{
    view->viewport()->installEventFilter(this);
}

bool LogMouse::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        press(static_cast<QMouseEvent *>(event));
        return true;
    case QEvent::MouseMove:
        move(static_cast<QMouseEvent *>(event));
        return true;
    case QEvent::MouseButtonRelease:
        release();
        return true;
    case QEvent::MouseButtonDblClick:
        m_selection->selectWord(m_scroll->positionAt(static_cast<QMouseEvent *>(event)->pos()));
        return true;
    default:
        return QObject::eventFilter(watched, event);
    }
}

void LogMouse::press(const QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        return;
    }
    const LogPosition at = m_scroll->positionAt(event->pos());
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_selection->extend(at);
    } else {
        m_selection->begin(at);
    }
    m_selecting = true;
}

void LogMouse::move(const QMouseEvent *event)
{
    if (!m_selecting) {
        return;
    }
    const int y = event->pos().y();
    const bool isBeyond = y < 0 || y > m_view->viewport()->height();
    if (!isBeyond) {
        m_beyond.stop();
    } else if (!m_beyond.isActive()) {
        m_beyond.start(40, this);
    }
    m_selection->extend(m_scroll->positionAt(event->pos()));
}

void LogMouse::timerEvent(QTimerEvent *event)
{
    if (event->timerId() != m_beyond.timerId()) {
        QObject::timerEvent(event);
        return;
    }
    const QPoint at = m_view->viewport()->mapFromGlobal(QCursor::pos());
    QScrollBar *bar = m_view->verticalScrollBar();
    bar->setValue(bar->value() + (at.y() < 0 ? -2 : 2));
    m_selection->extend(m_scroll->positionAt(at));
}

void LogMouse::release()
{
    m_selecting = false;
    m_beyond.stop();
    if (!m_selection->isEmpty() && QGuiApplication::clipboard()->supportsSelection()) {
        constexpr qint64 most = 1 << 20; // the middle button need not paste more
        QGuiApplication::clipboard()->setText(m_selection->text(most), QClipboard::Selection);
    }
}

} // namespace trainyard
