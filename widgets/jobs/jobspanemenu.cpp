// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the rows of the list at the side.
#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"
#include "widgets/common/chooserow.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/jobs/jobsfilter.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/jobs/jobspane.h"
#include "widgets/jobs/jobsselection.h"
#include "widgets/jobs/labelactions.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTreeView>

#include <utility>

namespace trainyard
{

void JobsPane::showMenu(const QPoint &at)
{
    const QModelIndex index = m_view->indexAt(at);
    const bool isSweep = !index.data(JobsModel::SweepRole).toString().isEmpty();
    const auto job = m_model->job(m_filter->mapToSource(index));
    if (!job && !isSweep) {
        return;
    }
    if (isSweep && !m_view->selectionModel()->isSelected(index)) {
        chooseRow(m_view, index);
    }
    if (const QList<JobSummary> all = selectedJobs(m_view);
        isSweep || (all.size() > 1 && m_view->selectionModel()->isSelected(index))) {
        const bool isAlone = isSweep && m_view->selectionModel()->selectedRows().size() == 1;
        showMenuOfSeveral(all, at, isAlone ? index : QModelIndex());
        return;
    }
    const QString uuid = job->uuid;
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // they say why an entry is off
    menu->addAction(tr("Open"), this, [this, uuid] { Q_EMIT openRequested(uuid, false); });
    if (isForeign(uuid)) {
        menu->addAction(icon(QStringLiteral("chart")), tr("Compare with…"), this,
            [this, uuid] { Q_EMIT compareRequested({uuid}); });
        menu->addAction(icon(QStringLiteral("remove")), tr("Remove from the list"), this,
            [this, uuid] { Q_EMIT forgetRequested(uuid); });
        menu->popup(m_view->viewport()->mapToGlobal(at));
        return;
    }
    menu->addAction(
        icon(QStringLiteral("restart")), tr("Run again"), this, [this, uuid] { Q_EMIT runAgainRequested(uuid); });
    if (isFinal(job->state)) {
        enableOr(menu->addAction(tr("Retry failed tasks"), this, [this, uuid] { Q_EMIT retryRequested(uuid, true); }),
            canRetryFailed(*job), tr("No task has failed."));
        menu->addAction(
            tr("Retry all tasks in a new attempt"), this, [this, uuid] { Q_EMIT retryRequested(uuid, false); });
    }
    menu->addAction(
        icon(QStringLiteral("edit")), tr("Edit as new"), this, [this, uuid] { Q_EMIT editAsNewRequested(uuid); });
    menu->addAction(
        icon(QStringLiteral("chart")), tr("Compare with…"), this, [this, uuid] { Q_EMIT compareRequested({uuid}); });
    if (const QString group = job->group; !group.isEmpty()) {
        menu->addAction(plainCaption(tr("Compare the runs of %1").arg(group)), this,
            [this, group] { Q_EMIT compareGroupRequested(group); });
    }
    menu->addAction(
        icon(QStringLiteral("folder")), tr("Open folder"), this, [this, uuid] { Q_EMIT openFolderRequested(uuid); });
    menu->addAction(icon(QStringLiteral("copy")), tr("Copy number"), this,
        [id = job->id] { QApplication::clipboard()->setText(QStringLiteral("#%1").arg(id)); });
    menu->addAction(tr("Copy as YAML"), this, [this, uuid] { Q_EMIT copyYamlRequested(uuid); });
    menu->addSeparator();
    addLabelActions(menu, this, {*job},
        {[this](const QStringList &uuids, bool note) { Q_EMIT labelsRequested(uuids, note); },
            [this](const QStringList &uuids, bool on) { Q_EMIT starRequested(uuids, on); },
            [this](const QStringList &uuids, bool on) { Q_EMIT archiveRequested(uuids, on); }});
    menu->addSeparator();
    if (isFinal(job->state)) {
        menu->addAction(icon(QStringLiteral("remove")), tr("Delete"), QKeySequence(Qt::Key_Delete), this,
            [this, uuid] { Q_EMIT removeRequested({uuid}); });
    } else {
        if (isQueued(*job)) {
            const QString head = m_model->queueHead();
            const bool isMember = index.parent().parent().isValid();
            enableOr(menu->addAction(tr("Move to the front of the queue"), this,
                         [this, uuid, head] { Q_EMIT moveRequested(uuid, head); }),
                head != uuid, tr("The job is the first in the queue."));
            for (const int rows : {-1, 1}) {
                enableOr(
                    menu->addAction(rows < 0 ? tr("Move up") : tr("Move down"),
                        QKeySequence(rows < 0 ? moveUpKey : moveDownKey), this,
                        [this, uuid, rows] { moveInQueue(m_filter->mapFromSource(m_model->indexOf(uuid)), rows); }),
                    !isMember && !index.sibling(index.row() + rows, 0).data(JobsModel::QueueRole).toString().isEmpty(),
                    isMember       ? tr("The jobs of a sweep are listed by number, not in the order of the queue.")
                        : rows < 0 ? tr("The job is the first in the queue.")
                                   : tr("The job is the last in the queue."));
            }
            menu->addAction(tr("Move to the end of the queue"), this, [this, uuid] { Q_EMIT moveRequested(uuid, {}); });
        }
        const bool paused = job->paused;
        enableOr(menu->addAction(paused ? tr("Resume") : tr("Pause"), this,
                     [this, uuid, paused] { Q_EMIT pauseRequested(uuid, !paused); }),
            !job->stopRequested, tr("The job is being stopped."));
        menu->addAction(icon(QStringLiteral("stop")), tr("Stop"), this, [this, uuid] { Q_EMIT stopRequested(uuid); });
    }
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

void JobsPane::showMenuOfSeveral(const QList<JobSummary> &jobs, const QPoint &at, const QModelIndex &sweep)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true); // they say why an entry is off
    if (sweep.isValid()) {
        menu->addAction(tr("Open"), this,
            [this, name = sweep.data(JobsModel::SweepRole).toString()] { Q_EMIT compareGroupRequested(name); });
        const bool isOpen = m_view->isExpanded(sweep);
        menu->addAction(isOpen ? tr("Fold") : tr("Unfold"), this,
            [this, row = QPersistentModelIndex(sweep), isOpen] { m_view->setExpanded(row, !isOpen); });
    } else {
        menu->addAction(icon(QStringLiteral("chart")), tr("Compare"), this,
            [this, all = idsOfJobs(jobs)] { Q_EMIT compareRequested(all); });
    }
    QList<JobSummary> own = jobs;
    own.removeIf([](const JobSummary &job) { return isForeign(job.uuid); });
    if (!own.isEmpty()) {
        menu->addSeparator();
        addLabelActions(menu, this, own,
            {[this](const QStringList &uuids, bool note) { Q_EMIT labelsRequested(uuids, note); },
                [this](const QStringList &uuids, bool on) { Q_EMIT starRequested(uuids, on); },
                [this](const QStringList &uuids, bool on) { Q_EMIT archiveRequested(uuids, on); }});
        menu->addSeparator();
        const QStringList over = idsOfJobs(own, true);
        QStringList active = idsOfJobs(own);
        active.removeIf([&over](const QString &uuid) { return over.contains(uuid); });
        QStringList going, paused; // those that are being stopped are neither
        for (const JobSummary &job : std::as_const(own)) {
            if (!isFinal(job.state) && !job.stopRequested) {
                (job.paused ? paused : going).append(job.uuid);
            }
        }
        const auto pauseAll = [this](const QStringList &uuids, bool on) {
            for (const QString &uuid : uuids) {
                Q_EMIT pauseRequested(uuid, on);
            }
        };
        enableOr(menu->addAction(tr("Pause"), this, [pauseAll, going] { pauseAll(going, true); }), !going.isEmpty(),
            active.isEmpty() ? tr("All of these jobs have ended.") : tr("None of these jobs can be paused now."));
        enableOr(menu->addAction(tr("Resume"), this, [pauseAll, paused] { pauseAll(paused, false); }),
            !paused.isEmpty(), tr("None of these jobs is paused."));
        enableOr(menu->addAction(icon(QStringLiteral("stop")), tr("Stop"), this,
                     [this, active] { Q_EMIT stopSeveralRequested(active); }),
            !active.isEmpty(), tr("All of these jobs have ended."));
        enableOr(menu->addAction(icon(QStringLiteral("remove")), tr("Delete"), QKeySequence(Qt::Key_Delete), this,
                     [this, deletion = deletionOf(own)] { Q_EMIT removeRequested(deletion.uuids, deletion.kept); }),
            !over.isEmpty(), tr("None of these jobs has ended."));
    }
    QStringList foreign = idsOfJobs(jobs);
    foreign.removeIf([](const QString &uuid) { return !isForeign(uuid); });
    if (!foreign.isEmpty()) {
        menu->addSeparator();
        menu->addAction(icon(QStringLiteral("remove")),
            own.isEmpty() ? tr("Remove from the list") : tr("Remove the runs from files from the list"), this,
            [this, foreign] {
                for (const QString &uuid : foreign) {
                    Q_EMIT forgetRequested(uuid);
                }
            });
    }
    menu->popup(m_view->viewport()->mapToGlobal(at));
}

} // namespace trainyard
