// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/stillpointer.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>
#include <QWindow>

namespace trainyard
{

StillPointer::StillPointer(QWidget *part, std::chrono::milliseconds moment)
    : QObject(part), m_part(part), m_moment(moment)
{
    m_next.setSingleShot(true);
    m_next.setInterval(moment);
    connect(&m_next, &QTimer::timeout, this, &StillPointer::wait);
    qApp->installEventFilter(this); // most widgets get movements only while a button is down; windows of all
}

bool StillPointer::isStill() const
{
    const bool movedLately = m_moved.isValid() && m_moved.elapsed() < m_moment.count();
    return !m_part->isVisible() || (!m_part->underMouse() && !movedLately);
}

void StillPointer::wait()
{
    if (isStill()) {
        m_next.stop();
        Q_EMIT rested();
    } else if (!m_next.isActive()) {
        m_next.start();
    }
}

bool StillPointer::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::Wheel:
        if (watched->isWindowType() && watched == m_part->window()->windowHandle()) {
            m_moved.start();
        }
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace trainyard
