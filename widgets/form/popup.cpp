// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/popup.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QScreen>

#include <algorithm>

namespace trainyard
{

Popup::Popup(QWidget *parent) : PopupFrame(parent, Qt::Popup | Qt::FramelessWindowHint)
{
    setAttribute(Qt::WA_DeleteOnClose);
}

void Popup::openBelow(QWidget *anchor) { openAt(anchor, anchor->rect()); }

void Popup::openAt(QWidget *anchor, const QRect &part)
{
    adjustSize();
    m_anchor = anchor;
    m_part = part;
    place();
    // Where it stands depends on all that it is in.
    for (QWidget *around = anchor; around; around = around->isWindow() ? nullptr : around->parentWidget()) {
        around->installEventFilter(this);
    }
    show();
}

void Popup::place()
{
    QPoint at = m_anchor->mapToGlobal(QPoint(m_part.left(), m_part.bottom() + 3));
    if (const QScreen *screen = m_anchor->screen()) {
        const QRect area = screen->availableGeometry();
        at.setX(std::clamp(at.x(), area.left(), std::max(area.left(), area.right() - width())));
        if (at.y() + height() > area.bottom()) {
            at.setY(std::max(area.top(), m_anchor->mapToGlobal(m_part.topLeft()).y() - height() - 2));
        }
    }
    move(at);
}

bool Popup::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Move && watched != this && m_anchor && m_anchor->isVisible()) {
        place();
    }
    return PopupFrame::eventFilter(watched, event);
}

void Popup::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    PopupFrame::keyPressEvent(event);
}

} // namespace trainyard
