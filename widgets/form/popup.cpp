// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/popup.h"

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
    QPoint place = anchor->mapToGlobal(QPoint(part.left(), part.bottom() + 3));
    if (const QScreen *screen = anchor->screen()) {
        const QRect area = screen->availableGeometry();
        place.setX(std::clamp(place.x(), area.left(), std::max(area.left(), area.right() - width())));
        if (place.y() + height() > area.bottom()) {
            place.setY(std::max(area.top(), anchor->mapToGlobal(part.topLeft()).y() - height() - 2));
        }
    }
    move(place);
    show();
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
