// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/jobremoval.h"

#include "app/gui/controllers/undobars.h"
#include "app/gui/pages/runtab.h"
#include "app/gui/workbench/workbench.h"
#include "engine/client/diskuse.h"
#include "engine/client/engineclient.h"
#include "widgets/common/infobar.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QPushButton>

namespace trainyard
{
namespace
{
constexpr std::chrono::seconds grace{30};
const QString ofDeletion = QStringLiteral("deletedJob");
} // namespace

JobRemoval::JobRemoval(Workbench *workbench, EngineClient *client, UndoBars *undo, QObject *parent)
    : QObject(parent), m_workbench(workbench), m_client(client), m_undo(undo), m_pending(grace)
{
    connect(&m_pending, &PendingRemovals::due, this, &JobRemoval::send);
    connect(&m_pending, &PendingRemovals::changed, this, [this] {
        if (m_pending.waiting().isEmpty()) {
            m_bytes = 0;
            m_kept = 0;
            ++m_round;
        }
        Q_EMIT hiddenChanged(m_pending.hidden());
        markPages();
        tell();
    });
    connect(client, &EngineClient::jobRemoved, &m_pending, &PendingRemovals::settled);
    connect(workbench, &Workbench::frontChanged, this, &JobRemoval::markPages); // a link may have opened one
}

void JobRemoval::remove(const QStringList &uuids, int kept)
{
    if (uuids.isEmpty()) {
        m_workbench->say(
            tr("All of these jobs that have ended have a star and are kept. Remove the stars, or delete each job by "
               "itself."),
            false);
        return;
    }
    QStringList fresh = uuids;
    fresh.removeIf([this](const QString &uuid) { return m_pending.hidden().contains(uuid); });
    m_undo->drop(ofDeletion); // with these, it is the latest act again
    m_kept += kept;
    m_pending.add(fresh);
    measure(fresh);
}

// The page of a job that is being deleted looks as if something could still be done with it.
void JobRemoval::markPages()
{
    const QSet<QString> hidden = m_pending.hidden();
    const QList<Page *> pages = m_workbench->pages();
    for (Page *page : pages) {
        auto *run = qobject_cast<RunTab *>(page);
        const bool isDeleted = run && hidden.contains(run->jobUuid());
        if (!run || (!isDeleted && !run->isDeleted())) {
            continue;
        }
        InfoBar *bar = m_workbench->barOf(run);
        const bool canUndo = m_pending.waiting().contains(run->jobUuid());
        if (!isDeleted) {
            bar->hideIfOf(ofDeletion);
            bar->setClosable(true);
        } else if (!run->isDeleted() || (!canUndo && bar->isOf(ofDeletion))) {
            sayDeleted(bar, run->jobUuid(), canUndo);
        }
        run->setDeleted(isDeleted);
    }
}

void JobRemoval::sayDeleted(InfoBar *bar, const QString &uuid, bool canUndo)
{
    bar->show(InfoBar::Kind::Info, tr("This job is deleted."));
    bar->setClosable(false);
    bar->setTopic(ofDeletion);
    if (canUndo) {
        QPushButton *undo = bar->addAction(tr("Undo"));
        undo->setObjectName(QStringLiteral("pageUndo"));
        connect(undo, &QPushButton::clicked, this, [this, uuid] { undoOf(uuid); });
    }
}

// The bar of a page speaks of its own job only.
void JobRemoval::undoOf(const QString &uuid)
{
    m_bytes = 0; // of the others, it is measured again
    ++m_round;
    m_pending.undoOf(uuid);
    if (const QStringList others = m_pending.waiting(); !others.isEmpty()) {
        measure(others);
    }
}

QList<JobSummary> JobRemoval::listedJobs() const
{
    QList<JobSummary> jobs = m_client->jobs();
    jobs.removeIf([hidden = hidden()](const JobSummary &job) { return hidden.contains(job.uuid); });
    return jobs;
}

void JobRemoval::finish() { m_pending.flush(); }

void JobRemoval::tell()
{
    const qsizetype count = m_pending.waiting().size();
    if (count == 0) {
        m_undo->drop(ofDeletion);
        return;
    }
    const QString jobs = count == 1 ? tr("1 job deleted") : tr("%1 jobs deleted").arg(count);
    const QString what = m_bytes > 0 ? tr("%1, %2 on the disk").arg(jobs, formatBytes(m_bytes)) : jobs;
    const QString told = m_kept == 0 ? tr("%1.").arg(what)
        : m_kept == 1                ? tr("%1; 1 with a star is kept.").arg(what)
                                     : tr("%1; %2 with a star are kept.").arg(what, QString::number(m_kept));
    m_undo->put({ofDeletion, told, [this] { m_pending.undo(); }});
}

void JobRemoval::measure(const QStringList &uuids)
{
    m_client->call<api::GetStatus>({}, this, [this, uuids, round = m_round](const Result<EngineStatus> &status) {
        if (!status) {
            return; // without the figure, then
        }
        QStringList folders;
        for (const QString &uuid : uuids) {
            folders.append(status->stateFolder + QStringLiteral("/runs/") + uuid);
        }
        measureFolders(folders, this, [this, round](qint64 bytes) {
            if (round == m_round && !m_pending.waiting().isEmpty()) {
                m_bytes += bytes;
                tell();
            }
        });
    });
}

void JobRemoval::send(const QStringList &uuids)
{
    for (const QString &uuid : uuids) {
        m_client->call<api::Remove>({uuid}, this, [this, uuid](const Result<bool> &done) {
            m_pending.settled(uuid);
            if (!done && done.error().code != QLatin1String("job.unknown")) { // another program was quicker
                m_workbench->say(errorText(done.error()));
            }
        });
    }
}

} // namespace trainyard
