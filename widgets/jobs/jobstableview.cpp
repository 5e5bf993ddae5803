// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobstableview.h"

#include "widgets/jobs/jobstablemodel.h"

#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QScrollBar>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int levelIndentation = 16; // of the jobs of a group

QString uuidAt(const QModelIndex &at) { return at.data(JobsTableModel::UuidRole).toString(); }
QString groupAt(const QModelIndex &at) { return at.data(JobsTableModel::GroupRole).toString(); }

} // namespace

JobsTableView::JobsTableView(JobsTableModel *model, QWidget *parent) : QTreeView(parent), m_model(model)
{
    setModel(model);
    setExpandsOnDoubleClick(false); // which opens the comparison of a group
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex &at) { noteFold(at, true); });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex &at) { noteFold(at, false); });
    connect(model, &JobsTableModel::aboutToRearrange, this, &JobsTableView::keepSelection);
    connect(model, &JobsTableModel::rearranged, this, [this] {
        showTree();
        restoreSelection();
    });
}

void JobsTableView::noteFold(const QModelIndex &at, bool isOpen)
{
    const QString group = groupAt(at);
    if (m_isUnfolding) {
        return;
    }
    if (isOpen) {
        m_unfolded.insert(group);
        m_folded.remove(group);
    } else {
        m_unfolded.remove(group);
        m_folded.insert(group);
    }
}

// A click on a star is about that job alone. The others that are selected stay so, for what is done with them next. The
// menu of the right button is about what is selected, and the row below the pointer has to be.
QItemSelectionModel::SelectionFlags JobsTableView::selectionCommand(const QModelIndex &index, const QEvent *event) const
{
    const bool isPointer = event
        && (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease
            || event->type() == QEvent::MouseMove);
    const bool isForMenu = isPointer && static_cast<const QMouseEvent *>(event)->button() == Qt::RightButton;
    return isPointer && !isForMenu && index.isValid() && m_model->columns().value(index.column()) == "star"_L1
        ? QItemSelectionModel::NoUpdate
        : QTreeView::selectionCommand(index, event);
}

QModelIndexList JobsTableView::selectedRows() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    const auto place = [](const QModelIndex &at) {
        const QModelIndex above = at.parent();
        return above.isValid() ? std::pair(above.row(), at.row()) : std::pair(at.row(), -1);
    };
    std::sort(
        rows.begin(), rows.end(), [place](const QModelIndex &a, const QModelIndex &b) { return place(a) < place(b); });
    return rows;
}

// Whether some of its jobs are selected, and not all: then its row does not stand for the others.
bool JobsTableView::isPart(const QModelIndex &group) const
{
    const int all = m_model->rowCount(group);
    int selected = 0;
    for (int row = 0; row < all; ++row) {
        selected += selectionModel()->isSelected(m_model->index(row, 0, group)) ? 1 : 0;
    }
    return selected > 0 && selected < all;
}

QList<JobSummary> JobsTableView::selected() const
{
    QList<JobSummary> jobs;
    QSet<int> whole; // rows of groups that stand for all of their jobs
    const QModelIndexList rows = selectedRows(); // a group before its jobs
    for (const QModelIndex &row : rows) {
        const QModelIndex above = row.parent();
        if (above.isValid() ? whole.contains(above.row()) : !m_model->jobAt(row) && isPart(row)) {
            continue; // each job once
        }
        if (!m_model->jobAt(row)) {
            whole.insert(row.row());
        }
        jobs += m_model->jobsAt(row);
    }
    return jobs;
}

// The arrows stand before the names, and only where there is something to unfold.
void JobsTableView::showTree()
{
    setTreePosition(std::max(0, int(m_model->columns().indexOf("name"_L1))));
    const bool isTree = m_model->isFolded() && m_model->hasGroups();
    setRootIsDecorated(isTree);
    setIndentation(isTree ? levelIndentation : 0);
    unfoldGroups();
}

// Those that the user has unfolded, and those of which the filter has found some jobs.
void JobsTableView::unfoldGroups()
{
    const QScopedValueRollback<bool> alone(m_isUnfolding, true);
    for (int row = 0; row < m_model->rowCount() && m_model->hasGroups(); ++row) {
        const QModelIndex at = m_model->index(row, 0);
        if (const QString group = groupAt(at); !group.isEmpty()) {
            const bool isFound = at.data(JobsTableModel::PartRole).toBool();
            if (!isFound) {
                m_folded.remove(group);
            }
            setExpanded(at, m_unfolded.contains(group) || (isFound && !m_folded.contains(group)));
        }
    }
}

void JobsTableView::keepSelection()
{
    m_kept.clear();
    m_keptGroups.clear();
    const QModelIndexList rows = selectionModel()->selectedRows();
    for (const QModelIndex &row : rows) {
        const QString group = groupAt(row);
        (group.isEmpty() ? m_kept : m_keptGroups).insert(group.isEmpty() ? uuidAt(row) : group);
    }
    m_keptCurrent = uuidAt(currentIndex());
    m_keptCurrentGroup = groupAt(currentIndex());
    m_keptScroll = verticalScrollBar()->value();
    const QModelIndex top = indexAt({0, 0});
    m_keptTop = uuidAt(top);
    m_keptTopGroup = groupAt(top);
    m_keptTopY = visualRect(top).top();
}

// The rows of jobs that were selected, below `parent`: those next to each other as one range.
void JobsTableView::selectKept(QItemSelection *selection, const QModelIndex &parent) const
{
    const auto isKept = [&](int row) {
        const QModelIndex at = m_model->index(row, 0, parent);
        const JobSummary *job = m_model->jobAt(at);
        return job ? m_kept.contains(job->uuid) : m_keptGroups.contains(groupAt(at));
    };
    const int last = m_model->columnCount() - 1;
    const int rows = m_model->rowCount(parent);
    for (int row = 0; row < rows; ++row) {
        const QModelIndex at = m_model->index(row, 0, parent);
        if (!parent.isValid() && !m_model->jobAt(at)) {
            selectKept(selection, at);
        }
        int end = row;
        while (end < rows && isKept(end) && (end == row || m_model->jobAt(m_model->index(end, 0, parent)))) {
            ++end;
        }
        if (end > row) {
            selection->select(at, m_model->index(end - 1, last, parent));
            row = end - 1;
        }
    }
}

void JobsTableView::restoreSelection()
{
    QItemSelection selection;
    if (!m_kept.isEmpty() || !m_keptGroups.isEmpty()) {
        selectKept(&selection, {});
    }
    const QModelIndex current
        = m_keptCurrentGroup.isEmpty() ? m_model->indexOf(m_keptCurrent) : m_model->indexOfGroup(m_keptCurrentGroup);
    if (current.isValid()) {
        // The current row is not scrolled to, because that would unfold its group.
        setAutoScroll(false);
        selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        setAutoScroll(true);
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    verticalScrollBar()->setValue(m_keptScroll);
    if (m_keptScroll > 0 && m_model->isRearrangedByNews()) { // at the upper end what is new is seen
        showKeptTop();
    }
    Q_EMIT selectionRestored();
}

// The visible rows do not move down with each new job above them.
void JobsTableView::showKeptTop()
{
    QModelIndex top = m_keptTopGroup.isEmpty() ? m_model->indexOf(m_keptTop) : m_model->indexOfGroup(m_keptTopGroup);
    if (top.parent().isValid() && !isExpanded(top.parent())) {
        top = top.parent();
    }
    if (!top.isValid()) {
        return;
    }
    const int across = horizontalScrollBar()->value();
    scrollTo(top, PositionAtTop);
    if (verticalScrollMode() == ScrollPerPixel) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - m_keptTopY);
    }
    horizontalScrollBar()->setValue(across);
}

} // namespace trainyard
