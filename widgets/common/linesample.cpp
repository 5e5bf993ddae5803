// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/linesample.h"

#include "widgets/common/tokens.h"

#include <QPainter>

#include <cmath>

namespace trainyard
{

QColor lookColour(int look, const QPalette &palette)
{
    return look < 0 ? colour(Colour::Mark, palette) : colour(lookColour(look), palette);
}

QList<qreal> fittedDash(QList<qreal> dash, qreal length)
{
    if (dash.isEmpty() || length <= 0) {
        return dash;
    }
    qreal end = 0, nearest = 0; // where a dash ends
    for (qsizetype part = 0; end < 2 * length; ++part) {
        end += dash.at(part % dash.size());
        if (part % 2 == 0 && (nearest == 0 || std::abs(end - length) < std::abs(nearest - length))) {
            nearest = end;
        }
    }
    for (qreal &part : dash) {
        part *= length / nearest;
    }
    return dash;
}

void paintLineSample(QPainter *painter, const QRectF &rect, int look, const QPalette &palette)
{
    constexpr qreal width = 2;
    QPen pen(lookColour(look, palette), width, Qt::SolidLine, Qt::FlatCap);
    if (QList<qreal> dash = fittedDash(lookDash(look), rect.width()); !dash.isEmpty()) {
        for (qreal &part : dash) {
            part /= width; // they are fitted in pixels
        }
        pen.setDashPattern(dash);
    }
    painter->setPen(pen);
    painter->drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
}

} // namespace trainyard
