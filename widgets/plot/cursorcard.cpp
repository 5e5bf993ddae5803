// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/cursorcard.h"

#include "widgets/common/clocktext.h"
#include "widgets/common/linesample.h"
#include "widgets/common/stylepaint.h"
#include "widgets/plot/besidepoint.h"
#include "widgets/plot/curveplot.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{
constexpr int cardRow = 18, cardSample = 20, cardEdge = 10, cardGap = 8;
constexpr qsizetype mostCardRows = 14;

QString cardPlace(CurveAlong along, double place)
{
    return along == CurveAlong::Step ? QString::number(std::round(place), 'f', 0)
        : along == CurveAlong::Epoch ? QString::number(place, 'f', 2)
                                     : clockText(qint64(place * 1000));
}
} // namespace

CursorCard::CursorCard(QWidget *parent, const QWidget *over) : QWidget(parent), m_over(over)
{
    setObjectName(QStringLiteral("cursorCard"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

double CursorCard::nearestPlace(double place, const QList<Row> &rows)
{
    const auto nearest = std::min_element(rows.cbegin(), rows.cend(),
        [place](const Row &one, const Row &other) { return std::abs(one.at - place) < std::abs(other.at - place); });
    return nearest == rows.cend() ? place : nearest->at;
}

// Positions are compared by their text: two with the same text are one.
QList<CursorCard::Row> CursorCard::rowsFor(CurveAlong along, double place, QList<Row> rows)
{
    const QString here = cardPlace(along, place);
    for (Row &row : rows) {
        if (place > row.last && cardPlace(along, row.last) != here) {
            row.value = QStringLiteral("–");
            continue;
        }
        const QString there = cardPlace(along, row.at);
        if (there != here) {
            const QString where = along == CurveAlong::Step ? tr("at step %1").arg(there)
                : along == CurveAlong::Epoch                ? tr("after %1 epochs").arg(there)
                                                            : tr("at %1").arg(there);
            row.detail = row.detail.isEmpty() ? where : tr("%1, %2").arg(row.detail, where);
        }
    }
    return rows;
}

void CursorCard::setRows(CurveAlong along, double place, const QString &name, const QList<Row> &rows)
{
    const double at = nearestPlace(place, rows);
    const QString there = cardPlace(along, at);
    m_heading = along == CurveAlong::Step ? tr("Step %1").arg(there)
        : along == CurveAlong::Epoch      ? tr("After %1 epochs").arg(there)
                                          : there;
    m_name = name;
    m_rows = rowsFor(along, at, rows.first(std::min(mostCardRows, rows.size())));
    const QFontMetrics small(fonts::small());
    m_labels = m_details = m_values = 0;
    QStringList told{m_heading, m_name};
    for (const Row &row : std::as_const(m_rows)) {
        const QString value = row.label + QLatin1Char(' ') + row.value;
        told.append(row.detail.isEmpty() ? value : tr("%1 (%2)").arg(value, row.detail));
        m_labels = std::max(m_labels, small.horizontalAdvance(row.label));
        m_details = std::max(m_details, small.horizontalAdvance(row.detail));
        m_values = std::max(m_values, small.horizontalAdvance(row.value));
    }
    const int detail = m_details > 0 ? m_details + cardGap : 0;
    const int head
        = QFontMetrics(fonts::semibold()).horizontalAdvance(m_heading) + cardGap + small.horizontalAdvance(m_name);
    const int width = 2 * cardEdge + std::max(head, cardSample + cardGap + m_labels + detail + 2 * cardGap + m_values);
    resize(width, int(m_rows.size()) * cardRow + cardRow + 2 * cardEdge);
    setAccessibleName(told.join(QStringLiteral(", ")));
    update();
}

void CursorCard::showBeside(const CurvePlot &plot, const QPoint &at)
{
    const QPoint origin = plot.mapTo(parentWidget(), QPoint());
    QList<QPoint> drawn = plot.drawnPoints();
    for (QPoint &point : drawn) {
        point += origin;
    }
    const int nearY = isVisible() ? y() : origin.y();
    setGeometry(besidePoint(at + origin, size(), cardAreas(*this, m_over), drawn, nearY));
    show();
    raise();
}

void CursorCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    stylepaint::popupPanel(&painter, rect(), palette());
    const QColor text = colour(Colour::Text, this), muted = colour(Colour::Muted, this);
    const QRect head(cardEdge, cardEdge - 2, width() - 2 * cardEdge, cardRow);
    painter.setPen(text);
    painter.setFont(fonts::semibold());
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, m_heading);
    painter.setFont(fonts::small());
    painter.setPen(muted);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, m_name);
    int y = cardEdge + cardRow;
    for (const Row &row : std::as_const(m_rows)) {
        paintLineSample(&painter, QRectF(cardEdge, y, cardSample, cardRow), row.look, palette());
        painter.setPen(text);
        painter.drawText(
            QRect(cardEdge + cardSample + cardGap, y, m_labels, cardRow), Qt::AlignLeft | Qt::AlignVCenter, row.label);
        painter.drawText(
            QRect(cardEdge, y, width() - 2 * cardEdge, cardRow), Qt::AlignRight | Qt::AlignVCenter, row.value);
        painter.setPen(muted);
        painter.drawText(QRect(cardEdge + cardSample + 2 * cardGap + m_labels, y, m_details, cardRow),
            Qt::AlignLeft | Qt::AlignVCenter, row.detail);
        y += cardRow;
    }
}

} // namespace trainyard
