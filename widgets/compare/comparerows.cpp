// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/comparerows.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/icons.h"
#include "widgets/common/linesample.h"
#include "widgets/common/meters.h"
#include "widgets/common/style.h"
#include "widgets/common/stylepaint.h"
#include "widgets/compare/comparemodel.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int barWidth = 58, sampleWidth = 24, cellMargin = 6;
constexpr int stateSign = 20;
} // namespace

int CompareDelegate::stateWidth(int words) { return words + stateSign + 2 * cellMargin + metrics::space1; }

QSize CompareDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    // Either font may be the wider one, and a pixel too few makes dots of three digits.
    const QString shown = index.data().toString();
    const int widest = std::max(QFontMetrics(fonts::semibold()).horizontalAdvance(shown),
        QFontMetrics(QApplication::font("QTreeView")).horizontalAdvance(shown));
    const int text = widest + 2 * cellMargin + metrics::space1;
    const int shape = CompareModel::partOf(index) == CompareModel::Part::Best ? barWidth + metrics::space2
        : CompareModel::partOf(index) == CompareModel::Part::State            ? stateSign
                                                                              : 0;
    Q_UNUSED(option)
    return {text + shape, metrics::row};
}

void CompareDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QPalette &palette = option.palette;
    const QRect r = option.rect;
    stylepaint::rowGround(painter, r, palette, option.state.testFlag(QStyle::State_Selected),
        option.state.testFlag(QStyle::State_MouseOver), index.column() == 0);
    const QList<qsizetype> row = CompareModel::runsOf(index);
    const JobSummary &job = m_runs->runs().at(row.constFirst()).job;
    const int look = lookOfRow(*m_runs, row);
    const bool isBest = index.data(CompareModel::IsBestRole).toBool();
    QRect area = r.adjusted(cellMargin, 0, -metrics::space2, 0); // ends where the head does
    switch (CompareModel::partOf(index)) {
    case CompareModel::Part::Check:
        stylepaint::checkBox(painter,
            QRect(r.left() + metrics::space2, r.center().y() - metrics::checkBox / 2 + 1, metrics::checkBox,
                metrics::checkBox),
            palette, {}, look < 0 ? Qt::Unchecked : Qt::Checked);
        break;
    case CompareModel::Part::Line:
        if (look >= 0) {
            paintLineSample(painter, QRectF(r.left() + 2, r.top(), sampleWidth, r.height()), look, palette);
        }
        break;
    case CompareModel::Part::Star:
        if (job.labels.isStarred || option.state.testFlag(QStyle::State_MouseOver)) {
            paintIcon(painter, job.labels.isStarred ? QStringLiteral("star-filled") : QStringLiteral("star"),
                QRectF(r.center().x() - 7, r.center().y() - 6, 14, 14),
                colour(job.labels.isStarred ? Colour::Waiting : Colour::Edge, palette));
        }
        break;
    case CompareModel::Part::State:
        if (!saysState(job)) {
            paintText(painter, option, index, area, isBest, std::nullopt);
            break;
        }
        paintState(painter, shapeOf(job), QRectF(r.left() + cellMargin, r.center().y() - 6.5, 14, 14), palette);
        area.setLeft(r.left() + 26);
        [[fallthrough]];
    default:
        paintText(painter, option, index, area, isBest, shapeOf(job));
    }
    painter->restore();
}

void CompareDelegate::paintText(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index,
    QRect area, bool isBest, std::optional<StateShape> shape)
{
    const QPalette &palette = option.palette;
    if (const QVariant share = index.data(CompareModel::ShareRole); share.isValid()) {
        paintProgress(painter,
            QRectF(area.left(), area.center().y() - metrics::progressBar / 2.0 + 1, barWidth, metrics::progressBar),
            share.toDouble(), colour(isBest ? Colour::Accent : Colour::Mark, palette), palette);
        area.setLeft(area.left() + barWidth + metrics::space2);
    }
    const CompareModel::Part part = CompareModel::partOf(index);
    QFont font = isBest ? fonts::semibold() : option.font;
    font.setItalic(index.data(Qt::FontRole).value<QFont>().italic()); // not final
    painter->setFont(font);
    const bool isMuted = !isBest && (part == CompareModel::Part::Time || part == CompareModel::Part::Step);
    const bool isState = part == CompareModel::Part::State;
    const Colour ink = isState && shape ? colourOf(*shape) : isState || isMuted ? Colour::Muted : Colour::Text;
    painter->setPen(colour(ink, palette));
    painter->drawText(area,
        int(part == CompareModel::Part::State || part == CompareModel::Part::Run ? Qt::AlignLeft : Qt::AlignRight)
            | Qt::AlignVCenter | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, area.width()));
}

void CompareRowsView::drawRow(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QTreeView::drawRow(painter, option, index);
    const int end = header()->length() - header()->offset();
    if (end < viewport()->width() && selectionModel()->isSelected(index)) {
        const QRect rest(end, option.rect.top(), viewport()->width() - end, option.rect.height());
        stylepaint::rowGround(painter, rest, palette(), true, false, false);
    }
}

} // namespace trainyard
