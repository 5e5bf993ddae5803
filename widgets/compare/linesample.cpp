// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/linesample.h"

#include "widgets/common/tokens.h"

#include <QPainter>

namespace trainyard
{

QColor lookColour(int look, const QPalette &palette)
{
    return look < 0 ? colour(Colour::Mark, palette) : colour(lookColour(look), palette);
}

void paintLineSample(QPainter *painter, const QRectF &rect, int look, const QPalette &palette)
{
    constexpr qreal width = 2;
    QPen pen(lookColour(look, palette), width, Qt::SolidLine, Qt::FlatCap);
    if (QList<qreal> dash = lookDash(look); !dash.isEmpty()) {
        for (qreal &part : dash) {
            part /= width; // the pen of a plot is half as wide
        }
        pen.setDashPattern(dash);
    }
    painter->setPen(pen);
    painter->drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
}

} // namespace trainyard
