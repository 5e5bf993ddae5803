// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostrow.h"

#include "engine/api/reasons.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/hosttexts.h"

#include <QPainter>

namespace trainyard
{

StateShape hostShape(HostState state)
{
    switch (state) {
    case HostState::Online:
        return StateShape::Succeeded;
    case HostState::Unknown:
    case HostState::Connecting:
        return StateShape::Running;
    case HostState::Failed:
    case HostState::NeedsLogin:
        return StateShape::Failed;
    case HostState::Offline:
        break; // not known what is there, and nothing that is waited for
    }
    return StateShape::Lost;
}

StateShape hostShape(const HostInfo &host)
{
    if (host.state != HostState::Online) {
        return hostShape(host.state);
    }
    return host.hold == reason::WaitQuarantine::code ? StateShape::Failed
        : host.drained || !host.hold.isEmpty()       ? StateShape::Paused
                                                     : StateShape::Succeeded;
}

namespace
{

// "4 × RTX 3090, 32 cores, 64.0 GiB"
QString machineText(const HostInfo &host)
{
    if (host.cpus == 0) {
        return HostRowDelegate::tr("never reached");
    }
    QStringList parts;
    if (!host.gpus.isEmpty()) {
        parts.append(host.gpus.size() == 1
                ? shortGpuName(host.gpus.first().name)
                : QString::number(host.gpus.size()) + QStringLiteral(" × ") + shortGpuName(host.gpus.first().name));
    }
    parts << HostRowDelegate::tr("%n core(s)", nullptr, host.cpus) << formatMiB(host.memoryMiB);
    return parts.join(QStringLiteral(", "));
}

QString sinceText(const HostInfo &host)
{
    if (host.state != HostState::Online) {
        return host.tasks > 1 ? HostRowDelegate::tr("%1 tasks there").arg(host.tasks)
            : host.tasks == 1 ? HostRowDelegate::tr("1 task there")
                              : QString();
    }
    return host.tasks > 1 ? HostRowDelegate::tr("%1 tasks").arg(host.tasks)
        : host.tasks == 1 ? HostRowDelegate::tr("1 task")
                          : HostRowDelegate::tr("idle");
}

} // namespace

int paintTwoLines(QPainter *painter, const QStyleOptionViewItem &option, const TwoLines &lines)
{
    const QPalette &palette = option.palette;
    stylepaint::rowGround(painter, option.rect, palette, option.state.testFlag(QStyle::State_Selected),
        option.state.testFlag(QStyle::State_MouseOver), true);
    const QRect rect = option.rect.adjusted(metrics::space4, 0, -metrics::space4, 0);
    paintIcon(painter, lines.iconName,
        QRectF(rect.left(), rect.center().y() - metrics::rowIcon / 2.0, metrics::rowIcon, metrics::rowIcon),
        colour(Colour::Muted, palette));
    const int half = rect.height() / 2;
    const QRect upper(rect.left() + 32, rect.top() + 4, rect.width() - 32, half - 4);
    const QRect lower(upper.left(), rect.top() + half, upper.width(), half - 4);
    const auto text = [&](const QRect &place, const QFont &font, Colour role, const QString &words, Qt::Alignment side,
                          Qt::TextElideMode mode) {
        painter->setFont(font);
        painter->setPen(colour(role, palette));
        const QString shown = painter->fontMetrics().elidedText(words, mode, place.width());
        painter->drawText(place, side | Qt::AlignVCenter, shown);
        return painter->fontMetrics().horizontalAdvance(shown);
    };
    int stateWidth = text(upper, fonts::small(), lines.shape ? colourOf(*lines.shape) : Colour::Muted, lines.state,
        Qt::AlignRight, Qt::ElideRight);
    if (lines.shape) {
        stateWidth += metrics::space1 + metrics::stateShape;
        paintState(painter, *lines.shape,
            QRectF(upper.right() - stateWidth, upper.center().y() - metrics::stateShape / 2.0, metrics::stateShape,
                metrics::stateShape),
            palette);
    }
    const int room = upper.width() - stateWidth - metrics::space3;
    const int name = text(QRect(upper.left(), upper.top(), room, upper.height()), fonts::semibold(), Colour::Text,
        lines.name, Qt::AlignLeft, Qt::ElideMiddle);
    text(QRect(upper.left() + name + metrics::space2, upper.top(), room - name - metrics::space2, upper.height()),
        fonts::small(), Colour::Muted, lines.beside, Qt::AlignLeft, Qt::ElideMiddle);
    const int right = text(lower, fonts::small(), Colour::Muted, lines.right, Qt::AlignRight, Qt::ElideRight);
    const int free = lower.width() - right - metrics::space3 - (lines.kept > 0 ? lines.kept + metrics::space2 : 0);
    text(QRect(lower.left(), lower.top(), free, lower.height()), fonts::small(), Colour::Muted, lines.below,
        Qt::AlignLeft, Qt::ElideRight);
    return lower.left() + free + metrics::space2;
}

QSize HostRowDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {0, metrics::hostRow};
}

void HostRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto host = index.data(Qt::UserRole).value<HostInfo>();
    const QList<GpuInfo> shown = host.state == HostState::Online ? host.gpus.mid(0, 8) : QList<GpuInfo>();
    const int cells = paintTwoLines(painter, option,
        {host.target.isEmpty() ? QStringLiteral("computer") : QStringLiteral("host"), host.label,
            host.target == host.label ? QString() : host.target, hostShape(host), hostStateText(host),
            machineText(host), sinceText(host), shown.isEmpty() ? 0 : int(gpuCellsWidth(shown.size()))});
    if (!shown.isEmpty()) {
        const QRect lower = option.rect.adjusted(0, option.rect.height() / 2, 0, -4);
        paintGpuCells(
            painter, QPointF(cells, lower.center().y() - metrics::gpuCellHeight / 2.0), shown, option.palette);
    }
}

} // namespace trainyard
