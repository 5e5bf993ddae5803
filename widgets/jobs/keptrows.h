// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QModelIndex>
#include <QObject>
#include <QSet>
#include <QString>

class QTreeView;

namespace trainyard
{

class JobsFilter;
class JobsModel;

// Which row of the list at the side is current, and which are selected, over all that happens to the rows: a job that
// goes to another group is taken out and put in again, a filter hides what it shows later, and the whole list is read
// again when the engine is back. What is kept is given up when the user goes to another row.
class KeptRows : public QObject
{
    Q_OBJECT
public:
    // Before the view has the model: what goes is noted before the view hears of it and takes another row.
    KeptRows(QTreeView *view, JobsFilter *filter, JobsModel *model);
    void followView(); // it has the model now

    // They become current; one that is not in the list yet, when it comes. Empty: no row is.
    void chooseJob(const QString &uuid);
    void chooseGroup(const QString &name); // the row of the jobs that were submitted together
    void takeAgain(); // after rows have come

private:
    QModelIndex rowOf(const QString &uuid) const;
    QModelIndex leavingRow() const;
    void keepRemoved(const QModelIndex &parent, int first, int last);
    void keepAll();
    void keep(const QModelIndexList &selected);
    void giveUp();
    void selectAgain();
    QTreeView *m_view;
    JobsFilter *m_filter;
    JobsModel *m_model;
    QString m_awaited; // a job that becomes current when it comes
    QString m_leaving; // the current job, while it goes from one place of the list to another
    QString m_leavingSweep; // the same of the row of a sweep
    bool m_areSeveral = false; // more than one row was selected when some went
    QSet<QString> m_jobs, m_sweeps; // of the selected rows that went; for the change that is under way
    bool m_isOwn = false; // what changes the current row is not the user
};

} // namespace trainyard
