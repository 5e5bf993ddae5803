// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/shapemark.h"

#include <QPainter>

namespace trainyard
{

ShapeMark::ShapeMark(QWidget *parent) : QWidget(parent)
{
    setFixedSize(metrics::stateShape, QFontMetrics(fonts::ui()).height());
}

void ShapeMark::setShape(std::optional<StateShape> shape, std::optional<Colour> role)
{
    m_shape = shape;
    m_role = role;
    update();
}

void ShapeMark::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QRectF square(0, (height() - metrics::stateShape) / 2.0, metrics::stateShape, metrics::stateShape);
    if (m_shape) {
        paintState(&painter, *m_shape, square, colour(m_role.value_or(colourOf(*m_shape)), this));
        return;
    }
    constexpr qreal half = 3;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(m_role.value_or(Colour::Muted), this), 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(square.center() - QPointF(half, 0), square.center() + QPointF(half, 0));
}

} // namespace trainyard
