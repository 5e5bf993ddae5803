// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/problemdelegate.h"

#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/severitylook.h"
#include "widgets/common/stylepaint.h"
#include "widgets/common/tokens.h"
#include "widgets/text/texts.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard
{
namespace
{

constexpr int placeWidth = 56;
constexpr int categoryWidth = 80;
constexpr int widestFixOfProblem = 240; // a name in its title may be of any length
constexpr int mostFixes = 3;
constexpr int fixGap = 6;
constexpr int widestLetter = 14; // more than any letter of a sentence takes

// Fractions of a pixel count when text is elided.
int widthOf(const QFont &font, const QString &text)
{
    return int(std::ceil(QFontMetricsF(font).horizontalAdvance(text))) + 1;
}

// Where a sentence must end at the latest: in front of the category.
int sentenceEnd(const QRect &row) { return row.right() - 2 * metrics::space3 - categoryWidth; }

} // namespace

ProblemDelegate::ProblemDelegate(QObject *parent) : QStyledItemDelegate(parent) { }

// Only what may not fit is measured: there can be a thousand rows.
QSize ProblemDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const QSize flat(200, metrics::row);
    if (!problem || problem->diagnostic.fixes.isEmpty() || !view) {
        return flat;
    }
    const QRect row(0, 0, view->viewport()->width(), metrics::row);
    const qsizetype fixes = std::min<qsizetype>(mostFixes, problem->diagnostic.fixes.size());
    const int most = int(problem->text.size()) * widestLetter + int(fixes) * (widestFixOfProblem + 2 * metrics::space3);
    if (most <= sentenceEnd(row) - textLeft(row) || !isElided(row, *problem)) {
        return flat;
    }
    return {flat.width(), metrics::row + metrics::smallButton + metrics::space1};
}

bool ProblemDelegate::isTall(const QRect &row) { return row.height() > metrics::row; }

int ProblemDelegate::textLeft(const QRect &row)
{
    return row.left() + metrics::space3 + metrics::smallIcon + placeWidth + metrics::space3;
}

int ProblemDelegate::textRight(const QRect &row, const Diagnostic &diagnostic) const
{
    const QList<QRect> fixes = isTall(row) ? QList<QRect>() : fixRects(row, diagnostic);
    return fixes.isEmpty() ? sentenceEnd(row) : fixes.first().left() - metrics::space3;
}

bool ProblemDelegate::isElided(const QRect &row, const ProblemsModel::Problem &problem) const
{
    return widthOf(fonts::ui(), problem.text) > textRight(row, problem.diagnostic) - textLeft(row);
}

QList<QRect> ProblemDelegate::fixRects(const QRect &row, const Diagnostic &diagnostic) const
{
    QList<QRect> rects;
    const QFont font = fonts::small();
    const qsizetype count = std::min<qsizetype>(mostFixes, diagnostic.fixes.size());
    const auto widthOfFix = [&](qsizetype i) {
        return std::min(widthOf(font, fixTitle(diagnostic.fixes.at(i))), widestFixOfProblem) + 2 * metrics::space2;
    };
    if (!isTall(row)) {
        int right = row.right() - metrics::space3 - categoryWidth - metrics::space3;
        for (qsizetype i = count - 1; i >= 0; --i) {
            const int width = widthOfFix(i);
            rects.prepend(QRect(
                right - width, row.top() + (row.height() - metrics::smallButton) / 2, width, metrics::smallButton));
            right = rects.first().left() - fixGap;
        }
        return rects;
    }
    // Below the sentence, from its beginning; in a very narrow row each has its share.
    const int room = row.right() - metrics::space3 - textLeft(row);
    const int share = count == 0 ? 0 : (room - int(count - 1) * fixGap) / int(count);
    int all = int(count - 1) * fixGap;
    for (qsizetype i = 0; i < count; ++i) {
        all += widthOfFix(i);
    }
    int left = textLeft(row);
    for (qsizetype i = 0; i < count; ++i) {
        const int width = all > room ? std::min(share, widthOfFix(i)) : widthOfFix(i);
        rects.append(
            QRect(left, row.bottom() + 1 - metrics::smallButton - metrics::space1, width, metrics::smallButton));
        left += width + fixGap;
    }
    return rects;
}

void ProblemDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (!problem) {
        return;
    }
    const QWidget *widget = option.widget;
    painter->save();
    const QRect row = option.rect;
    if (option.state & QStyle::State_Selected) {
        painter->fillRect(row, colour(Colour::Selection, widget));
        painter->fillRect(
            QRect(row.left(), row.top(), metrics::selectionBar, row.height()), colour(Colour::Accent, widget));
    } else if (option.state & QStyle::State_MouseOver) {
        painter->fillRect(row, colour(Colour::Hover, widget));
    }
    const Diagnostic &diagnostic = problem->diagnostic;
    const QRect line(row.left(), row.top(), row.width(), metrics::row);
    const int x = row.left() + metrics::space3;
    paintIcon(painter, problem->isGone ? QStringLiteral("check") : iconOf(diagnostic.severity),
        QRectF(x, line.top() + (line.height() - metrics::smallIcon) / 2.0, metrics::smallIcon, metrics::smallIcon),
        colour(problem->isGone ? Colour::Muted : colourOf(diagnostic.severity), widget));
    painter->setFont(option.font);
    painter->setPen(colour(Colour::Muted, widget));
    painter->drawText(QRect(x + metrics::smallIcon, line.top(), placeWidth, line.height()),
        Qt::AlignVCenter | Qt::AlignRight,
        QStringLiteral("%1:%2").arg(problem->position.line).arg(problem->position.column));
    const QList<QRect> fixes = problem->isGone ? QList<QRect>() : fixRects(row, diagnostic);
    const int room = std::max(0, textRight(row, diagnostic) - textLeft(row));
    painter->setPen(colour(problem->isGone ? Colour::Muted : Colour::Text, widget));
    painter->drawText(QRect(textLeft(row), line.top(), room, line.height()), Qt::AlignVCenter | Qt::AlignLeft,
        option.fontMetrics.elidedText(problem->text, Qt::ElideRight, room));
    painter->setFont(fonts::small());
    for (qsizetype i = 0; i < fixes.size(); ++i) {
        const bool hover = m_hoverRow == index && m_hoverFix == i && option.state & QStyle::State_MouseOver;
        stylepaint::roundedBox(painter, fixes.at(i), metrics::smallRadius,
            colour(hover ? Colour::Hover : Colour::Raised, widget), colour(Colour::Edge, widget));
        painter->setPen(colour(Colour::Text, widget));
        painter->drawText(fixes.at(i), Qt::AlignCenter,
            painter->fontMetrics().elidedText(
                fixTitle(diagnostic.fixes.at(i)), Qt::ElideMiddle, fixes.at(i).width() - 2 * metrics::space2));
    }
    painter->setPen(colour(Colour::Muted, widget));
    painter->drawText(QRect(row.right() - metrics::space3 - categoryWidth, line.top(), categoryWidth, line.height()),
        Qt::AlignVCenter | Qt::AlignRight, problem->category);
    painter->restore();
}

bool ProblemDelegate::helpEvent(
    QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (problem && !problem->isGone && event->type() == QEvent::ToolTip) {
        const QList<QRect> rects = fixRects(option.rect, problem->diagnostic);
        for (qsizetype i = 0; i < rects.size(); ++i) {
            if (rects.at(i).contains(event->pos())) {
                QToolTip::showText(event->globalPos(), plainTip(fixTitle(problem->diagnostic.fixes.at(i))), view);
                return true;
            }
        }
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

bool ProblemDelegate::editorEvent(
    QEvent *event, QAbstractItemModel *, const QStyleOptionViewItem &option, const QModelIndex &index)
{
    const auto *problem = index.data(ProblemsModel::ProblemRole).value<const ProblemsModel::Problem *>();
    if (!problem || problem->isGone
        || (event->type() != QEvent::MouseMove && event->type() != QEvent::MouseButtonPress
            && event->type() != QEvent::MouseButtonRelease)) {
        return false;
    }
    const QPoint place = static_cast<QMouseEvent *>(event)->pos();
    const QList<QRect> rects = fixRects(option.rect, problem->diagnostic);
    int over = -1;
    for (int i = 0; i < rects.size(); ++i) {
        if (rects.at(i).contains(place)) {
            over = i;
        }
    }
    if (event->type() == QEvent::MouseMove) {
        if (m_hoverRow != index || m_hoverFix != over) {
            m_hoverRow = index;
            m_hoverFix = over;
            if (auto *view = qobject_cast<QAbstractItemView *>(const_cast<QWidget *>(option.widget))) {
                view->viewport()->update();
            }
        }
        return false;
    }
    if (over < 0) {
        return false;
    }
    if (event->type() == QEvent::MouseButtonRelease) {
        m_hoverRow = QModelIndex(); // other problems come to its place, below a pointer that has not chosen them
        m_hoverFix = -1;
        Q_EMIT fixRequested(problem->diagnostic.fixes.at(over));
    }
    return true; // the row is not chosen by a click on its button
}

} // namespace trainyard
