// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/popupframe.h"

#include "widgets/common/stylepaint.h"

#include <QPainter>

namespace trainyard
{

void PopupFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    stylepaint::popupPanel(&painter, rect(), palette());
}

void PopupFrame::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    setMask(stylepaint::popupMask(rect()));
}

} // namespace trainyard
