// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QSet>
#include <QTreeView>

namespace trainyard
{

class JobsTableModel;

/**
 * The rows of the table of all jobs. What is selected, in sight and unfolded stays so when rows get other places: the
 * groups that the user has unfolded, and those of which a filter has found some jobs.
 */
class JobsTableView : public QTreeView
{
    Q_OBJECT
public:
    explicit JobsTableView(JobsTableModel *model, QWidget *parent = nullptr);

    QModelIndexList selectedRows() const; // in the order of the table
    QList<JobSummary> selected() const; // likewise, each once; those of a group where its row is selected
    void showTree(); // after the columns have changed

Q_SIGNALS:
    void selectionRestored();

protected:
    QItemSelectionModel::SelectionFlags selectionCommand(
        const QModelIndex &index, const QEvent *event = nullptr) const override;

private:
    bool isPart(const QModelIndex &group) const;
    void noteFold(const QModelIndex &at, bool isOpen);
    void keepSelection();
    void restoreSelection();
    void selectKept(QItemSelection *selection, const QModelIndex &parent) const;
    void unfoldGroups();
    void showKeptTop();

    JobsTableModel *m_model;
    QSet<QString> m_unfolded; // groups, by name
    QSet<QString> m_folded; // of those that a filter has unfolded, until they are shown otherwise
    bool m_isUnfolding = false;
    QSet<QString> m_kept, m_keptGroups; // that were selected: UUIDs of jobs, names of groups
    QString m_keptCurrent, m_keptCurrentGroup;
    int m_keptScroll = 0;
    QString m_keptTop, m_keptTopGroup; // the row at the upper edge
    int m_keptTopY = 0;
};

} // namespace trainyard
