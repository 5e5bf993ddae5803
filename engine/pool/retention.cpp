// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/retention.h"

#include "engine/backend/keptreport.h"
#include "engine/client/pathbytes.h"
#include "engine/contract/removetree.h"
#include "model/base/threads.h"
#include "model/template/pluginsteps.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

// The suffix of a job's folder that is being removed.
constexpr QLatin1StringView removedSuffix{".removed"};

} // namespace

QList<KeptTask> Retention::keptTasks(const ActiveJob &job) const
{
    constexpr int most = 100;
    QList<KeptTask> held;
    const PoolJob *known = m_jobs.find(job);
    if (!known || !job.spec || holdMinutesOf(*job.spec) == 0) {
        return held;
    }
    for (const core::TaskRef &ref : known->placed) {
        const auto *running = std::get_if<core::Running>(&job.state.task(ref).state);
        if (held.size() >= most || !running) {
            continue;
        }
        const QString role = job.state.roleName(ref);
        const QString folder
            = m_folders.local().ofTry(job.uuid(), job.state.attempt(), role, ref.index, job.state.task(ref).tryIndex);
        if (const std::optional<launch::HoldReport> report = keptReportIn(folder)) {
            held.append({role, running->place.host, ref.index, report->status, report->until});
        }
    }
    return held;
}

void Retention::release(const LiveTry &entry) const
{
    // In both places where it may be looked for: what the task runs in is not known any more after a restart.
    for (const QLatin1StringView name : releaseFiles) {
        contract::Put mark;
        mark.path = QString(entry.folder + name).toStdString();
        m_hosts.find(entry.host)->agent->request(mark);
    }
}

// The rest takes its time on a thread.
void Retention::makeRoom(const QString &job) const
{
    constexpr qint64 large = 256 * 1024;
    constexpr int mostLooked = 5000;
    QDirIterator it(
        m_folders.local().ofJob(job), QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    for (int looked = 0; it.hasNext() && looked < mostLooked; ++looked) {
        it.next();
        if (it.fileInfo().size() >= large) {
            QFile::remove(it.filePath());
        }
    }
}

void Retention::remove(const QString &job, const QStringList &hosts) const
{
    const QString below = m_folders.belowState(m_folders.local().ofJob(job));
    bool isHeldHere = false;
    for (const QString &name : hosts) {
        const PoolHost *there = m_hosts.find(name);
        // Files that the job needs elsewhere on this computer come first.
        const bool isHeld = there && m_results.holdsRemoval(job, name, below);
        if (there && there->isLocal()) {
            isHeldHere = isHeld;
        } else if (there && !isHeld) {
            removeOn(name, below);
        }
    }
    if (!isHeldHere) {
        removeHere(job);
    }
    m_results.forget(job);
}

void Retention::removeOn(const QString &host, const QString &belowState) const
{
    const PoolHost *there = m_hosts.find(host);
    if (there && there->mirrors) {
        there->mirrors->removeRemote(belowState);
    } else if (there && there->isLocal()) {
        const QString job = belowState.section(u'/', -1);
        if (m_folders.belowState(m_folders.local().ofJob(job)) == belowState) {
            removeHere(job);
        }
    }
}

void Retention::removeHere(const QString &job) const
{
    if (QUuid::fromString(job).isNull()) {
        return;
    }
    // There may be thousands of files, so this is not done in this thread. The folder is renamed first, because half of
    // it would look like the folder of a job that was lost.
    const QString folder = m_folders.local().ofJob(job);
    const QString aside = folder + removedSuffix;
    const QString doomed = QDir().rename(folder, aside) ? aside : folder;
    threads::runOnPool([doomed] { contract::removeTree(pathBytes(doomed)); });
}

void Retention::removeLeftovers() const
{
    threads::runOnPool([runs = m_folders.local().runs()] {
        const QStringList names = QDir(runs).entryList(
            {QString(u'*' + removedSuffix)}, QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
        for (const QString &name : names) {
            contract::removeTree(pathBytes(runs + u'/' + name));
        }
    });
}

} // namespace trainyard
