// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/slicedgraph.h"

#include "widgets/plot/lineslices.h"

namespace trainyard
{

void SlicedGraph::drawLinePlot(QCPPainter *painter, const QVector<QPointF> &lines) const
{
    const QPen whole = painter->pen();
    applyDefaultAntialiasingHint(painter);
    painter->setPen(QPen(whole.color(), 1));
    painter->setBrush(whole.color());
    for (const QPointF &lone : lonePoints(lines)) {
        painter->drawEllipse(lone, discRadius, discRadius);
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(whole);
    if (whole.widthF() <= fastWidth || whole.style() == Qt::NoPen
        || painter->modes().testFlag(QCPPainter::pmVectorized)) {
        QCPGraph::drawLinePlot(painter, lines);
        return;
    }
    const QList<qreal> dash = whole.style() == Qt::CustomDashLine ? whole.dashPattern() : QList<qreal>();
    for (const LineSlice &slice : lineSlices(lines)) {
        if (!dash.isEmpty()) {
            QPen pen = whole;
            QList<qreal> stretched = dash;
            for (qreal &part : stretched) {
                part *= slice.stretch;
            }
            pen.setDashPattern(stretched);
            pen.setDashOffset(slice.along * slice.stretch / whole.widthF());
            painter->setPen(pen);
        }
        painter->drawPolyline(lines.constData() + slice.first, int(slice.count));
    }
    painter->setPen(whole);
}

} // namespace trainyard
