// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/tasksview.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/tasks/tasksmodel.h"
#include "widgets/tasks/taskspane.h"
#include "widgets/tasks/taskuse.h"

#include <QPainter>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastRoleName = 60;
} // namespace

QSize TasksDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return {QStyledItemDelegate::sizeHint(option, index).width(), metrics::row};
}

void TasksDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    if (index.data(TasksModel::IsRoleRole).toBool()) {
        paintRole(painter, option, index);
    } else {
        paintTask(painter, option, index);
    }
    painter->restore();
}

// The use of a task that is over has no number: it would say nothing about the whole.
void TasksDelegate::paintUse(
    QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index, bool isOver) const
{
    const TaskSparks::Spark *spark = m_use->of(index.data(TasksModel::KeyRole).toString());
    if (!spark) {
        return;
    }
    const QRect r = option.rect;
    const QColor ink = colour(isOver || !spark->isGpu ? Colour::Muted : Colour::Accent, option.palette);
    paintSparkline(painter,
        QRectF(r.left() + cellSpace, r.center().y() - metrics::sparkHeight / 2.0 + 0.5, metrics::sparkWidth,
            metrics::sparkHeight),
        spark->values, ink);
    if (!isOver) {
        painter->setFont(option.font);
        painter->setPen(colour(Colour::Text, option.palette));
        painter->drawText(r.adjusted(0, 0, -cellSpace, 0), Qt::AlignVCenter | Qt::AlignRight,
            TasksPane::tr("%1 %").arg(spark->percent));
    }
}

void TasksDelegate::paintRole(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QPalette &palette = option.palette;
    const QRect r = option.rect;
    painter->fillRect(r, colour(Colour::Window, palette));
    if (index.column() != 0) {
        return;
    }
    paintIcon(painter,
        option.state.testFlag(QStyle::State_Open) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
        QRectF(r.left() + 8, r.center().y() - 6, 14, 14), colour(Colour::Text, palette));
    const auto counts = index.data(TasksModel::CountsRole).value<ShapeCounts>();
    constexpr StateShape order[] = {StateShape::Running, StateShape::Paused, StateShape::Stopping,
        StateShape::Succeeded, StateShape::Failed, StateShape::Lost, StateShape::Stopped, StateShape::Waiting};
    int countsWidth = 0; // the name gives way to them
    for (const int count : counts) {
        countsWidth += 29 + QFontMetrics(fonts::small()).horizontalAdvance(QString::number(count));
    }
    painter->setFont(fonts::medium());
    painter->setPen(colour(Colour::Text, palette));
    const QString name = painter->fontMetrics().elidedText(
        index.data().toString(), Qt::ElideMiddle, std::max(leastRoleName, r.width() - 26 - 14 - countsWidth));
    painter->drawText(r.adjusted(26, 0, 0, 0), Qt::AlignVCenter, name);
    int x = r.left() + 26 + painter->fontMetrics().horizontalAdvance(name) + 14;
    painter->setFont(fonts::small());
    for (const StateShape shape : order) {
        const int count = counts.value(shape);
        if (count == 0) {
            continue;
        }
        paintState(painter, shape, QRectF(x, r.center().y() - 5.5, 12, 12), palette);
        painter->setPen(colour(colourOf(shape), palette));
        const QString number = QString::number(count);
        const int width = painter->fontMetrics().horizontalAdvance(number);
        painter->drawText(QRect(x + 17, r.top(), width + 2, r.height()), Qt::AlignVCenter, number);
        x += 17 + width + 12;
    }
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        stylepaint::focusRing(painter, r, metrics::smallRadius, colour(Colour::Accent, palette));
    }
}

void TasksDelegate::paintTask(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QPalette &palette = option.palette;
    const QRect r = option.rect;
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    stylepaint::rowGround(
        painter, r, palette, selected, option.state.testFlag(QStyle::State_MouseOver), index.column() == 0);
    const StateShape shape = StateShape(index.data(TasksModel::ShapeRole).toInt());
    QString text = index.data().toString();
    QRect area = r.adjusted(6, 0, -6, 0);
    QColor ink = colour(Colour::Text, palette);
    switch (TasksModel::Column(index.column())) {
    case TasksModel::NameColumn:
        area.setLeft(r.left() + numberIndent);
        break;
    case TasksModel::StateColumn:
        paintState(painter, shape, QRectF(r.left() + 6, r.center().y() - 6.5, 14, 14), palette);
        area.setLeft(r.left() + 26);
        ink = colour(colourOf(shape), palette);
        if (index.data(TasksModel::HealthRole).toBool()) {
            area.setRight(area.right() - healthWidth);
            paintIcon(painter, QStringLiteral("warning"), QRectF(area.right() + 2, r.center().y() - 6.5, 14, 14),
                colour(Colour::Waiting, palette));
        }
        break;
    case TasksModel::ExitColumn:
        ink = colour(shape == StateShape::Failed ? Colour::Failed : Colour::Muted, palette);
        if (const QVariant progress = index.data(TasksModel::ProgressRole);
            progress.isValid() && area.width() >= progressWidth + leastExit) {
            paintProgress(painter,
                QRectF(area.left(), r.center().y() - metrics::progressBar / 2.0 + 0.5, progressWidth,
                    metrics::progressBar),
                progress.toDouble(), colour(colourOf(shape), palette), palette);
            area.setLeft(area.left() + progressWidth + cellSpace);
        }
        break;
    case TasksModel::UseColumn:
        paintUse(painter, option, index, isFinal(State(index.data(TasksModel::StateRole).toInt())));
        return;
    case TasksModel::TimeColumn:
        ink = colour(Colour::Muted, palette);
        break;
    default:
        break;
    }
    if (index.column() == TasksModel::TimeColumn) {
        area.setRight(r.right() - timeEdge);
    }
    painter->setFont(option.font);
    painter->setPen(ink);
    const QStringList shorter = index.data(TasksModel::ShorterRole).toStringList();
    for (const QString &words : shorter) {
        if (painter->fontMetrics().horizontalAdvance(text) <= area.width()) {
            break;
        }
        text = words;
    }
    const auto align = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
    painter->drawText(area, int(align == 0 ? Qt::AlignVCenter | Qt::AlignLeft : align) | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(text,
            index.column() == TasksModel::ExitColumn || index.column() == TasksModel::HostColumn ? Qt::ElideRight
                                                                                                 : Qt::ElideMiddle,
            area.width()));
}

void TasksView::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (index.data(TasksModel::IsRoleRole).toBool()) {
        QStyleOptionViewItem whole(option);
        whole.rect.setLeft(0);
        whole.rect.setWidth(viewport()->width());
        whole.state.setFlag(QStyle::State_Open, isExpanded(index));
        whole.state.setFlag(QStyle::State_HasFocus, hasFocus() && currentIndex().siblingAtColumn(0) == index);
        itemDelegate()->paint(painter, whole, index.siblingAtColumn(0));
        return;
    }
    QTreeView::drawRow(painter, option, index);
}

} // namespace trainyard
