// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/markedscrollbar.h"

#include <QPainter>

namespace trainyard
{

MarkedScrollBar::MarkedScrollBar(QWidget *parent) : QScrollBar(Qt::Vertical, parent) { }

void MarkedScrollBar::setMarks(int layer, const QList<Mark> &marks)
{
    while (m_layers.size() <= layer) {
        m_layers.append(QList<Mark>{});
    }
    m_layers[layer] = marks;
    update();
}

void MarkedScrollBar::paintEvent(QPaintEvent *event)
{
    QScrollBar::paintEvent(event);
    QPainter painter(this);
    for (const QList<Mark> &marks : std::as_const(m_layers)) {
        for (const Mark &mark : marks) {
            const int y = int(mark.place * (height() - mark.height));
            painter.fillRect(QRect(2, y, width() - 4, mark.height), colour(mark.colour, this));
        }
    }
}

} // namespace trainyard
