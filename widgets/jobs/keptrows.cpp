// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/keptrows.h"

#include "widgets/common/chooserow.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobsmodel.h"

#include <QScopedValueRollback>
#include <QTreeView>

namespace trainyard
{

KeptRows::KeptRows(QTreeView *view, JobsFilter *filter, JobsModel *model)
    : QObject(view), m_view(view), m_filter(filter), m_model(model)
{
    connect(filter, &QAbstractItemModel::rowsAboutToBeRemoved, this, &KeptRows::keepRemoved);
    connect(filter, &QAbstractItemModel::modelAboutToBeReset, this, &KeptRows::keepAll);
}

void KeptRows::followView()
{
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_isOwn = false;
        m_view->setAutoScroll(true);
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        if (!m_isOwn) {
            giveUp();
        }
    });
}

void KeptRows::giveUp()
{
    m_awaited.clear();
    m_leaving.clear();
    m_leavingSweep.clear();
}

// The row of the job in the list: that of its sweep while the sweep is folded.
QModelIndex KeptRows::rowOf(const QString &uuid) const
{
    const QModelIndex at = uuid.isEmpty() ? QModelIndex() : m_filter->mapFromSource(m_model->indexOf(uuid));
    return at.parent().parent().isValid() && !m_view->isExpanded(at.parent()) ? at.parent() : at;
}

QModelIndex KeptRows::leavingRow() const
{
    return m_leavingSweep.isEmpty() ? rowOf(m_leaving) : m_filter->mapFromSource(m_model->indexOfSweep(m_leavingSweep));
}

void KeptRows::chooseJob(const QString &uuid)
{
    const QScopedValueRollback<bool> alone(m_isOwn, true);
    giveUp();
    if (const QModelIndex at = rowOf(uuid); at.isValid()) {
        chooseRow(m_view, at);
    } else {
        m_view->selectionModel()->clear();
        m_awaited = uuid;
    }
}

void KeptRows::chooseGroup(const QString &name)
{
    const QScopedValueRollback<bool> alone(m_isOwn, true);
    giveUp();
    if (const QModelIndex at = m_filter->mapFromSource(m_model->indexOfSweep(name)); at.isValid()) {
        chooseRow(m_view, at);
    } else {
        m_view->selectionModel()->clear();
        m_leavingSweep = name; // its jobs are on their way
    }
}

// Nothing scrolls while rows go and come: where the user looks meanwhile is the user's business.
void KeptRows::keepRemoved(const QModelIndex &parent, int first, int last)
{
    const auto goes = [&](QModelIndex at) {
        while (at.isValid() && at.parent() != parent) {
            at = at.parent();
        }
        return at.isValid() && at.row() >= first && at.row() <= last;
    };
    m_isOwn = true; // until they are gone: the view takes another row
    QModelIndexList selected = m_view->selectionModel()->selectedRows();
    const bool areSeveral = selected.size() > 1;
    selected.removeIf([&goes](const QModelIndex &row) { return !goes(row); });
    if (areSeveral && !selected.isEmpty()) {
        keep(selected);
    }
    if (const QModelIndex current = m_view->currentIndex(); goes(current)) {
        const QString job = current.data(JobsModel::UuidRole).toString();
        const QString sweep = current.data(JobsModel::SweepRole).toString();
        if (!job.isEmpty() || !sweep.isEmpty()) { // its empty group goes after it
            m_leaving = job;
            m_leavingSweep = sweep;
        }
        m_view->setAutoScroll(false);
    }
}

void KeptRows::keepAll()
{
    if (const QModelIndexList selected = m_view->selectionModel()->selectedRows(); selected.size() > 1) {
        keep(selected);
    }
    const QModelIndex current = m_view->currentIndex();
    if (current.isValid()) {
        m_leaving = current.data(JobsModel::UuidRole).toString();
        m_leavingSweep = current.data(JobsModel::SweepRole).toString();
    }
}

// Until the event loop runs again: rows that come back do so in the same change, while a filter, or the undo of a
// removal, shows others that the user no longer means.
void KeptRows::keep(const QModelIndexList &selected)
{
    if (!m_areSeveral) {
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_areSeveral = false;
                m_jobs.clear();
                m_sweeps.clear();
            },
            Qt::QueuedConnection);
    }
    m_areSeveral = true;
    for (const QModelIndex &row : selected) {
        const QString sweep = row.data(JobsModel::SweepRole).toString();
        (sweep.isEmpty() ? m_jobs : m_sweeps)
            .insert(sweep.isEmpty() ? row.data(JobsModel::UuidRole).toString() : sweep);
    }
}

void KeptRows::takeAgain()
{
    const QScopedValueRollback<bool> alone(m_isOwn, true);
    if (const QModelIndex awaited = rowOf(m_awaited); awaited.isValid()) {
        giveUp();
        chooseRow(m_view, awaited);
        return;
    }
    if (const QModelIndex at = leavingRow(); at.isValid()) {
        giveUp();
        m_view->setAutoScroll(false);
        // Several that are selected stay so.
        const bool several = m_areSeveral || m_view->selectionModel()->selectedRows().size() > 1;
        m_view->selectionModel()->setCurrentIndex(at,
            several ? QItemSelectionModel::NoUpdate : QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        m_view->setAutoScroll(true);
    }
    selectAgain();
}

// Each of them once: they come one by one, and there may be thousands.
void KeptRows::selectAgain()
{
    QModelIndexList back;
    m_jobs.removeIf([&](const QString &job) {
        const QModelIndex at = m_filter->mapFromSource(m_model->indexOf(job));
        const bool isSeen = at.isValid() && rowOf(job) == at; // not below a row that is folded
        if (isSeen) {
            back.append(at);
        }
        return isSeen;
    });
    m_sweeps.removeIf([&](const QString &sweep) {
        const QModelIndex at = m_filter->mapFromSource(m_model->indexOfSweep(sweep));
        if (at.isValid()) {
            back.append(at);
        }
        return at.isValid();
    });
    for (const QModelIndex &at : std::as_const(back)) {
        m_view->selectionModel()->select(at, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
}

} // namespace trainyard
