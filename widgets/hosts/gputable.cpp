// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/gputable.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/stylepaint.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard
{
namespace
{

constexpr int headHeight = metrics::row, indexRight = 40, useLeft = 56, barWidth = 88, useRight = 200, memoryLeft = 216,
              memoryRight = 408, temperatureRight = 456, holderLeft = 480;

double gib(qint64 mebibytes) { return double(mebibytes) / 1024; }

QString useText(const GpuInfo &gpu)
{
    return gpu.utilPercent < 0 ? QStringLiteral("–") : GpuTable::tr("%1 %").arg(gpu.utilPercent);
}

QString memoryText(const GpuInfo &gpu)
{
    return GpuTable::tr("%1 of %2 GiB")
        .arg(gib(gpu.memoryUsedMiB), 0, 'f', 1)
        .arg(gib(gpu.memoryMiB), 0, 'f', gpu.memoryMiB % 1024 == 0 ? 0 : 1);
}

QString temperatureText(const GpuInfo &gpu)
{
    return gpu.temperature < 0 ? QString() : GpuTable::tr("%1 °C").arg(gpu.temperature);
}

// "#44 cifar10 worker/0", "python (jun), pid 4711", "free".
QString holderText(const GpuInfo &gpu)
{
    if (useOf(gpu) == GpuUse::Ours && !gpu.task.isEmpty()) {
        return ownerText(gpu) + QLatin1Char(' ') + gpu.jobName + QLatin1Char(' ') + gpu.task;
    }
    if (useOf(gpu) != GpuUse::Foreign || gpu.holders.isEmpty()) {
        return ownerText(gpu);
    }
    QStringList names;
    for (const QString &holder : gpu.holders) {
        const qsizetype blank = holder.indexOf(QLatin1Char(' '));
        names.append(blank < 0 ? GpuTable::tr("pid %1").arg(holder)
                               : GpuTable::tr("%1, pid %2").arg(holder.mid(blank + 1), holder.left(blank)));
    }
    return names.join(QStringLiteral("; "));
}

bool isWanted(const GpuInfo &gpu, GpuTable::Which which)
{
    return which == GpuTable::Which::All
        || useOf(gpu) == (which == GpuTable::Which::Free ? GpuUse::Free : GpuUse::Foreign);
}

} // namespace

GpuTable::GpuTable(QWidget *parent) : QWidget(parent) { setMouseTracking(true); }

void GpuTable::setHosts(const QList<HostInfo> &hosts)
{
    m_hosts = hosts;
    rebuild();
}

void GpuTable::setWhich(Which which)
{
    m_which = which;
    rebuild();
}

void GpuTable::rebuild()
{
    const qsizetype before = m_rows.size();
    m_rows.clear();
    for (const HostInfo &host : std::as_const(m_hosts)) {
        QList<Row> rows;
        for (const GpuInfo &gpu : host.gpus) {
            if (host.state == HostState::Online && isWanted(gpu, m_which)) {
                rows.append({host, gpu});
            }
        }
        if (!rows.isEmpty()) {
            m_rows.append({host, std::nullopt});
            m_rows += rows;
        }
    }
    if (m_rows.size() != before) {
        updateGeometry();
    }
    setAccessibleName(lines().join(QLatin1Char('\n')));
    update();
}

int GpuTable::gpuCount() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row &row) { return row.gpu.has_value(); }));
}

QStringList GpuTable::lines() const
{
    QStringList lines;
    for (const Row &row : m_rows) {
        if (!row.gpu) {
            lines.append(row.host.label);
            continue;
        }
        QStringList parts{QString::number(row.gpu->index), useText(*row.gpu), memoryText(*row.gpu),
            temperatureText(*row.gpu), holderText(*row.gpu)};
        parts.removeAll(QString());
        lines.append(parts.join(QStringLiteral(", ")));
    }
    return lines;
}

QSize GpuTable::sizeHint() const { return {holderLeft + 160, headHeight + int(m_rows.size()) * metrics::row}; }

const GpuTable::Row *GpuTable::rowAt(const QPoint &position) const
{
    const int at = (position.y() - headHeight) / metrics::row;
    return position.y() < headHeight || at >= m_rows.size() ? nullptr : &m_rows.at(at);
}

void GpuTable::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(fonts::small());
    painter.setPen(colour(Colour::Muted, this));
    const auto head = [&](int left, int right, Qt::Alignment side, const QString &text) {
        painter.drawText(QRect(left, 0, right - left, headHeight), side | Qt::AlignVCenter, text);
    };
    head(useLeft, useRight, Qt::AlignLeft, tr("Use"));
    head(memoryLeft, memoryRight, Qt::AlignLeft, tr("Memory"));
    head(holderLeft, width(), Qt::AlignLeft, tr("Held by"));
    int top = headHeight;
    for (const Row &row : std::as_const(m_rows)) {
        const QRect rect(0, top, width(), metrics::row);
        if (row.gpu) {
            paintGpu(&painter, rect, *row.gpu);
        } else {
            paintHost(&painter, rect, row.host);
        }
        top += metrics::row;
    }
}

void GpuTable::paintHost(QPainter *painter, const QRect &rect, const HostInfo &host) const
{
    painter->fillRect(rect, colour(Colour::Window, this));
    paintIcon(painter, host.target.isEmpty() ? QStringLiteral("computer") : QStringLiteral("host"),
        QRectF(rect.left() + metrics::space4, rect.top() + 6, metrics::rowIcon, metrics::rowIcon),
        colour(Colour::Muted, this));
    painter->setFont(fonts::semibold());
    painter->setPen(colour(Colour::Text, this));
    const QRect text = rect.adjusted(indexRight, 0, -metrics::space4, 0);
    const QString name = painter->fontMetrics().elidedText(host.label, Qt::ElideMiddle, text.width() / 2);
    painter->drawText(text, Qt::AlignVCenter, name);
    const int past = painter->fontMetrics().horizontalAdvance(name) + metrics::space2;
    painter->setFont(fonts::small());
    painter->setPen(colour(Colour::Muted, this));
    QStringList facts;
    if (host.cpuPercent >= 0) {
        facts.append(tr("CPU %1 %").arg(qRound(host.cpuPercent)));
    }
    facts.append(tr("memory %1 of %2").arg(formatMiB(host.memoryUsedMiB), formatMiB(host.memoryMiB)));
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight, facts.join(QStringLiteral("   ")));
    painter->drawText(text.adjusted(past, 0, 0, 0), Qt::AlignVCenter, tr("%1 GPUs").arg(host.gpus.size()));
}

void GpuTable::paintGpu(QPainter *painter, const QRect &rect, const GpuInfo &gpu) const
{
    const auto text = [&](int left, int right, Qt::Alignment side, const QString &words) {
        const QRect place(left, rect.top(), right - left, rect.height());
        painter->drawText(
            place, side | Qt::AlignVCenter, painter->fontMetrics().elidedText(words, Qt::ElideRight, place.width()));
    };
    const auto bar = [&](int left, qreal share) {
        const QRectF place(left, rect.center().y() - metrics::progressBar / 2.0, barWidth, metrics::progressBar);
        paintProgress(painter, place, share,
            colour(useOf(gpu) == GpuUse::Foreign ? Colour::Muted : Colour::Accent, this), palette());
    };
    painter->setFont(font());
    painter->setPen(colour(Colour::Text, this));
    text(0, indexRight, Qt::AlignRight, QString::number(gpu.index));
    bar(useLeft, gpu.utilPercent < 0 ? 0 : gpu.utilPercent / 100.0);
    text(useLeft + barWidth + metrics::space1, useRight, Qt::AlignRight, useText(gpu));
    bar(memoryLeft, gpu.memoryMiB > 0 ? double(gpu.memoryUsedMiB) / double(gpu.memoryMiB) : 0);
    text(memoryLeft + barWidth + metrics::space1, memoryRight, Qt::AlignRight, memoryText(gpu));
    text(memoryRight, temperatureRight, Qt::AlignRight, temperatureText(gpu));
    painter->setPen(colour(gpu.jobId > 0 ? Colour::Accent
            : useOf(gpu) == GpuUse::Lost ? Colour::Failed
            : useOf(gpu) == GpuUse::Free ? Colour::Muted
                                         : Colour::Text,
        this));
    text(holderLeft, width() - metrics::space4, Qt::AlignLeft, holderText(gpu));
}

void GpuTable::mouseMoveEvent(QMouseEvent *event)
{
    const Row *row = rowAt(event->pos());
    const bool isLink = row && row->gpu && row->gpu->jobId > 0 && event->pos().x() >= holderLeft;
    setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GpuTable::mouseReleaseEvent(QMouseEvent *event)
{
    const Row *row = rowAt(event->pos());
    if (event->button() == Qt::LeftButton && row && row->gpu && row->gpu->jobId > 0 && event->pos().x() >= holderLeft) {
        Q_EMIT jobRequested(row->gpu->jobId);
    }
}

bool GpuTable::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const Row *row = rowAt(help->pos());
        const QString tip = row && row->gpu ? row->gpu->name + QLatin1Char('\n') + holderText(*row->gpu) : QString();
        QToolTip::showText(help->globalPos(), plainTip(tip), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace trainyard
