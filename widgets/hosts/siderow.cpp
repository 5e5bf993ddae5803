// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/siderow.h"

#include "widgets/common/icons.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace trainyard
{

SideRow::SideRow(QWidget *parent) : QWidget(parent)
{
    setFixedHeight(metrics::row);
    setFocusPolicy(Qt::StrongFocus); // its menu opens with the menu key too
}

QSize SideRow::sizeHint() const { return {200, metrics::row}; }

void SideRow::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) {
        Q_EMIT activated();
    }
}

void SideRow::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        Q_EMIT activated();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SideRow::contextMenuEvent(QContextMenuEvent *event) { Q_EMIT menuRequested(event->globalPos()); }

void SideRow::paintHead(QPainter *painter, const QString &iconName)
{
    if (hasFocus()) {
        stylepaint::sideRowGround(painter, rect(), palette(), true, false);
    }
    paintIcon(painter, iconName, QRectF(12, 6, 16, 16), colour(Colour::Muted, this));
}

void SideRow::paintName(QPainter *painter, const QString &name, int end)
{
    painter->setFont(font());
    painter->setPen(colour(Colour::Text, this));
    const QRect room(36, 0, end - 44, height());
    painter->drawText(room, Qt::AlignVCenter, painter->fontMetrics().elidedText(name, Qt::ElideMiddle, room.width()));
}

} // namespace trainyard
