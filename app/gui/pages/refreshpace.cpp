// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/refreshpace.h"

#include <QEvent>
#include <QWidget>

#include <algorithm>

namespace trainyard
{

RefreshPace::RefreshPace(QWidget *page, Times times) : QObject(page), m_page(page), m_times(times)
{
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &RefreshPace::ask);
    page->installEventFilter(this);
}

void RefreshPace::noteChangeIn(int ms)
{
    const QDeadlineTimer when(ms);
    if (!m_due || when < *m_due) {
        m_due = when;
    }
    plan();
}

void RefreshPace::asked()
{
    m_due.reset();
    m_timer->stop();
    m_sinceAsked.start();
    ++m_open;
}

void RefreshPace::answered()
{
    --m_open;
    plan();
}

void RefreshPace::plan()
{
    if (!m_due || m_open > 0 || !m_page->isVisible()) {
        m_timer->stop();
        return;
    }
    const qint64 pause = m_page->window()->isMinimized() ? m_times.minimizedMs : m_times.pauseMs;
    const qint64 rest = m_sinceAsked.isValid() ? pause - m_sinceAsked.elapsed() : 0;
    m_timer->start(int(std::max(rest, m_due->remainingTime())));
}

void RefreshPace::ask()
{
    if (m_due && m_open == 0 && m_page->isVisible()) {
        Q_EMIT due();
    }
}

bool RefreshPace::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Show && watched == m_page) {
        m_page->window()->installEventFilter(this);
        if (m_due) {
            m_due = QDeadlineTimer(0); // the page is behind
        }
        plan();
    } else if (event->type() == QEvent::Hide || event->type() == QEvent::WindowStateChange) {
        plan();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
