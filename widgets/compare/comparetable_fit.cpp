// SPDX-License-Identifier: GPL-3.0-or-later
// How wide the columns of the table of compared runs are, and how high its lines.
#include "engine/api/values.h"
#include "widgets/common/labels.h"
#include "widgets/common/ownwidths.h"
#include "widgets/compare/comparerows.h"
#include "widgets/compare/comparetable.h"
#include "widgets/compare/comparetablehead.h"
#include "widgets/jobs/filterfield.h"
#include "widgets/text/texts.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{

using Part = CompareModel::Part;

constexpr int widestText = 220, headMargins = 20, arrowRoom = 18;

} // namespace

// A low page, such as that of a small screen at 150 %, shows some runs first; the details say the same.
void CompareTablePane::fitLines()
{
    const int field = m_field->isHidden() ? 0 : m_field->sizeHint().height();
    int room = isVisible() ? height() - m_head->height() - field - m_view->minimumHeight() : QWIDGETSIZE_MAX;
    for (const auto &[line, isWanted] : {std::pair{m_otherLine, m_hasOther}, std::pair{m_sameLine, m_hasSame}}) {
        const bool hasRoom = isWanted && room >= metrics::row;
        line->setVisible(hasRoom);
        room -= hasRoom ? metrics::row : 0;
    }
}

// After the columns have changed: as wide as what is in them, or as a person has made them; sorted as before.
void CompareTablePane::fitColumns()
{
    const QStringList selectedBefore = m_selectedJobs; // the table may have been made again
    QHeaderView *header = m_view->header();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const Part part = m_model->part(column);
        if (part == Part::Check || part == Part::Line || part == Part::Star) {
            header->setSectionResizeMode(column, QHeaderView::Fixed);
            header->resizeSection(column, part == Part::Check ? 32 : part == Part::Line ? 30 : 26);
            continue;
        }
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        header->resizeSection(column, m_widths->width(title, neededWidth(column)));
    }
    int sorted = -1;
    for (int column = 0; column < m_model->columnCount() && !m_sortTitle.isEmpty(); ++column) {
        if (m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole) == m_sortTitle) {
            sorted = column;
        }
    }
    bool isUp = header->sortIndicatorOrder() == Qt::AscendingOrder;
    if (sorted < 0) { // the best first
        sorted = m_model->columnOf(Part::Best);
        isUp = sorted < 0 || m_runs->better() == Better::Lower;
        sorted = sorted < 0 ? m_model->columnOf(Part::Run) : sorted;
    }
    {
        const QSignalBlocker quiet(header);
        header->setSortIndicator(sorted, isUp ? Qt::AscendingOrder : Qt::DescendingOrder);
    }
    m_filter->sort(sorted, isUp ? Qt::AscendingOrder : Qt::DescendingOrder);
    followBest();
    selectAgain(selectedBefore);
    m_head->refresh();
    updateHead();
    Q_EMIT wantedWidthChanged();
}

int CompareTablePane::neededWidth(int column) const
{
    constexpr int measured = 200; // rows
    const Part part = m_model->part(column);
    const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    // The arrow of the order has room in the column that is sorted at first.
    const Part first = m_model->columnOf(Part::Best) < 0 ? Part::Run : Part::Best;
    int width
        = m_view->header()->fontMetrics().horizontalAdvance(title) + headMargins + (part == first ? arrowRoom : 0);
    for (int state = 0; part == Part::State && state <= int(State::Unknown); ++state) { // it changes
        width = std::max(
            width, CompareDelegate::stateWidth(m_view->fontMetrics().horizontalAdvance(stateText(State(state)))));
    }
    for (int row = 0; row < std::min(m_filter->rowCount(), measured); ++row) {
        width = std::max(width, m_view->itemDelegate()->sizeHint({}, m_filter->index(row, column)).width());
    }
    return std::min(width, widestText);
}

// Values of runs that go on get longer. No column gets narrower while the user reads.
void CompareTablePane::growColumns()
{
    QHeaderView *header = m_view->header();
    bool hasGrown = false;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const Part part = m_model->part(column);
        const bool isFixed = part == Part::Check || part == Part::Line || part == Part::Star;
        const QString title = m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int width = isFixed || m_widths->width(title, -1) >= 0 ? 0 : neededWidth(column);
        if (width > header->sectionSize(column)) {
            header->resizeSection(column, width);
            hasGrown = true;
        }
    }
    if (hasGrown) {
        Q_EMIT wantedWidthChanged();
    }
}

int CompareTablePane::wantedWidth() const
{
    int width = m_view->verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < m_model->columnCount() && m_model->part(column) != Part::State; ++column) {
        width += m_view->header()->sectionSize(column);
    }
    return width;
}

} // namespace trainyard
