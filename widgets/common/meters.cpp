// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/meters.h"

#include "widgets/common/stylepaint.h"
#include "widgets/text/gputexts.h"

#include <QPainter>
#include <QPainterPath>

namespace trainyard
{

void paintProgress(QPainter *painter, const QRectF &rect, qreal share, const QColor &front, const QPalette &palette)
{
    const qreal radius = rect.height() / 2;
    stylepaint::roundedBox(painter, rect, radius, colour(Colour::Track, palette), {});
    if (share > 0) {
        const qreal width = std::clamp(rect.width() * share, rect.height(), rect.width());
        stylepaint::roundedBox(painter, QRectF(rect.topLeft(), QSizeF(width, rect.height())), radius, front, {});
    }
}

ProgressBar::ProgressBar(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ProgressBar::setShare(qreal share)
{
    m_share = share;
    update();
}

void ProgressBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintProgress(&painter, QRectF(0, (height() - metrics::progressBar) / 2.0, width(), metrics::progressBar), m_share,
        colour(Colour::Running, this), palette());
}

void paintSparkline(QPainter *painter, const QRectF &rect, const QList<qreal> &values, const QColor &front)
{
    if (values.size() < 2) {
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const qreal step = (rect.width() - 1) / qreal(values.size() - 1);
    for (qsizetype begin = 0; begin < values.size(); ++begin) {
        QPolygonF line;
        for (; begin < values.size() && values.at(begin) >= 0; ++begin) {
            const qreal value = std::min(values.at(begin), 100.0);
            line.append(
                {rect.left() + 0.5 + qreal(begin) * step, rect.bottom() - 1 - value / 100 * (rect.height() - 2.5)});
        }
        if (line.isEmpty()) {
            continue;
        }
        if (line.size() == 1) {
            line.append(line.first() + QPointF(std::min(step, 1.0), 0)); // a single value is seen, too
        }
        QPolygonF area = line;
        area.prepend({line.first().x(), rect.bottom() - 0.5});
        area.append({line.last().x(), rect.bottom() - 0.5});
        painter->setPen(Qt::NoPen);
        painter->setBrush(withAlpha(front, 0.14));
        painter->drawPolygon(area);
        painter->setPen(QPen(front, 1.25, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter->drawPolyline(line);
    }
    painter->restore();
}

Sparkline::Sparkline(QWidget *parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

void Sparkline::setValues(const QList<qreal> &values)
{
    m_values = values;
    update();
}

void Sparkline::setBase(bool on)
{
    m_hasBase = on;
    update();
}

void Sparkline::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (m_hasBase) {
        painter.fillRect(QRect(0, height() - 1, width(), 1), colour(Colour::Border, this));
    }
    paintSparkline(&painter, rect(), m_values, colour(Colour::Accent, this));
}

int gpuCellsWidth(qsizetype count)
{
    return count == 0 ? 0 : int(count) * (metrics::gpuCellWidth + metrics::gpuCellGap) - metrics::gpuCellGap;
}

static void paintGpuUse(QPainter *painter, const QRectF &cell, const GpuInfo &gpu, const QPalette &palette)
{
    const QRectF inner = cell.adjusted(2, 2, -2, -2);
    const QColor ink = colour(Colour::Muted, palette);
    switch (useOf(gpu)) {
    case GpuUse::Free:
        break;
    case GpuUse::Ours: {
        const qreal height = inner.height() * (gpu.utilPercent < 0 ? 1.0 : std::max(0.2, gpu.utilPercent / 100.0));
        painter->fillRect(
            QRectF(inner.left(), inner.bottom() - height, inner.width(), height), colour(Colour::Accent, palette));
        break;
    }
    case GpuUse::Foreign:
        painter->setClipRect(inner);
        painter->fillRect(inner, withAlpha(ink, 0.18));
        painter->setPen(QPen(ink, 1.4));
        for (qreal d = -inner.height(); d < inner.width() + inner.height(); d += 4) {
            painter->drawLine(
                QPointF(inner.left() + d, inner.bottom()), QPointF(inner.left() + d + inner.height(), inner.top()));
        }
        painter->setClipping(false);
        break;
    case GpuUse::Kept:
        painter->fillRect(QRectF(inner.left(), cell.center().y() - 1, inner.width(), 2), ink);
        break;
    case GpuUse::Lost: {
        painter->setPen(QPen(colour(Colour::Failed, palette), 1.3));
        const QPointF c = cell.center();
        painter->drawLine(c + QPointF(-2, -2), c + QPointF(2, 2));
        painter->drawLine(c + QPointF(2, -2), c + QPointF(-2, 2));
        break;
    }
    }
}

void paintGpuCells(QPainter *painter, const QPointF &topLeft, const QList<GpuInfo> &gpus, const QPalette &palette)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    qreal x = topLeft.x();
    for (const GpuInfo &gpu : gpus) {
        const QRectF cell(x, topLeft.y(), metrics::gpuCellWidth, metrics::gpuCellHeight);
        painter->setPen(QPen(colour(Colour::Mark, palette), 1));
        painter->setBrush(colour(Colour::Surface, palette));
        painter->drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 1.5, 1.5);
        paintGpuUse(painter, cell, gpu, palette);
        x += metrics::gpuCellWidth + metrics::gpuCellGap;
    }
    painter->restore();
}

GpuCells::GpuCells(QWidget *parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); }

void GpuCells::setGpus(const QList<GpuInfo> &gpus)
{
    m_gpus = gpus;
    updateGeometry();
    update();
}

QSize GpuCells::sizeHint() const { return {gpuCellsWidth(m_gpus.size()), metrics::gpuCellHeight}; }

void GpuCells::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintGpuCells(&painter, {0, 0}, m_gpus, palette());
}

Meter::Meter(const QString &name, QWidget *parent) : QWidget(parent), m_name(name)
{
    setFont(fonts::small());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Meter::setValue(qreal share, const QString &text)
{
    m_share = share;
    m_text = text;
    setAccessibleName(m_name + QLatin1Char(' ') + text);
    updateGeometry();
    update();
}

QSize Meter::sizeHint() const
{
    const QFontMetrics fm = fontMetrics();
    return {fm.horizontalAdvance(m_name) + 12 + metrics::meterWidth + fm.horizontalAdvance(m_text) + 2, fm.height()};
}

void Meter::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, m_name);
    const int x = fontMetrics().horizontalAdvance(m_name) + 6;
    const QRectF bar(x, (height() - metrics::meterBar) / 2.0, metrics::meterWidth, metrics::meterBar);
    paintProgress(&painter, bar, m_share, colour(Colour::Accent, this), palette());
    painter.setPen(colour(Colour::Muted, this));
    painter.drawText(
        QRect(x + metrics::meterWidth + 6, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

} // namespace trainyard
