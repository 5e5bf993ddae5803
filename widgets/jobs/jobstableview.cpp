// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobstableview.h"

#include "widgets/jobs/jobstablemodel.h"

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
    if (!m_isUnfolding && isOpen) {
        m_unfolded.insert(groupAt(at));
    } else if (!m_isUnfolding) {
        m_unfolded.remove(groupAt(at));
    }
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

QList<JobSummary> JobsTableView::selected() const
{
    QList<JobSummary> jobs;
    const QModelIndexList rows = selectedRows();
    for (const QModelIndex &row : rows) {
        if (!row.parent().isValid() || !selectionModel()->isSelected(row.parent())) {
            jobs += m_model->jobsAt(row); // once, also where their group is selected with them
        }
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
            setExpanded(at, m_unfolded.contains(group) || at.data(JobsTableModel::PartRole).toBool());
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
        selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    }
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    verticalScrollBar()->setValue(m_keptScroll);
    Q_EMIT selectionRestored();
}

} // namespace trainyard
