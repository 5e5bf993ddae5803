// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "model/template/pluginsteps.h"

#include <QFileInfo>

#include <algorithm>

// Work through a login node: files that an allocation needs are written there before it is sent, and files that the
// nodes write are copied from there into the folders of this computer.
namespace trainyard
{

using namespace Qt::StringLiterals;

void SlurmBackend::connectSite()
{
    connect(m_site, &LoginSite::looked, this, &SlurmBackend::look);
    connect(m_site, &LoginSite::reached, this, &SlurmBackend::reached);
    connect(m_site, &LoginSite::roomChanged, this, [this](const QUuid &tryUuid) {
        if (const auto it = m_tries.find(tryUuid); it != m_tries.end()) {
            Q_EMIT described(it->second.job, std::nullopt);
        }
    });
    connect(m_site, &LoginSite::left, this, [this] {
        std::set<ActiveJob *> jobs;
        for (const auto &[folder, submission] : m_allocations) {
            jobs.insert(submission->job);
        }
        for (ActiveJob *job : jobs) {
            Q_EMIT described(job, std::nullopt);
        }
    });
}

Error SlurmBackend::problem() const
{
    if (!m_site) {
        return m_queue.problem();
    }
    return m_site->isOnline() ? m_site->inItsWords(m_queue.problem()) : m_site->absence();
}

// The same folder below that of the job's runs.
QString SlurmBackend::there(const QString &job, const QString &here) const
{
    return m_site ? foldersThere(job).state() + here.mid(foldersOfJob(job).state().size()) : here;
}

SlurmLaunches SlurmBackend::elsewhere(const ActiveJob &job) const
{
    SlurmLaunches launches(m_target, foldersThere(job.uuid()), m_settings);
    launches.setElsewhere(m_site->home(), job.document.copiesWork ? m_code->folder(job) : QString());
    return launches;
}

// A folder of this computer goes along, as to any host.
Result<void> SlurmBackend::settleElsewhere(Prepared &prepared) const
{
    StoredDocument &document = prepared.document;
    const bool isNamed = !document.work.isEmpty();
    const QString folder = isNamed ? document.work
        : document.file.isEmpty()  ? QString()
                                   : QFileInfo(document.file).path();
    if (folder.startsWith(u'/') && copiesWork(prepared.spec)) {
        if (isNamed && !QFileInfo(folder).isDir()) {
            return fail(
                QFileInfo::exists(folder) ? u"job.work-no-folder"_s : u"job.work-missing"_s, {{u"folder"_s, folder}});
        }
        document.copiesWork = m_code->isWanted(prepared, folder);
        if (isNamed && !document.copiesWork) {
            return fail(u"slurm.login-work"_s,
                {{u"folder"_s, folder}, {u"target"_s, m_target.id()}, {u"host"_s, m_site->host()}});
        }
        if (document.copiesWork) {
            prepared.notes.append(JobNote{u"work.copied"_s, {{u"folder"_s, folder}, {u"host"_s, m_site->host()}}});
        }
    }
    for (core::RolePolicy &role : prepared.policy.roles) {
        role.needs.gpuType.clear(); // the words of the pool; the target's options choose among the cluster's
    }
    return {};
}

// ---- before it is connected ----

void SlurmBackend::hold(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    m_held[&job].insert(tasks.begin(), tasks.end());
    Q_EMIT described(&job, std::nullopt);
}

// The allocations that still wait for their start.
void SlurmBackend::launchHeld()
{
    std::vector<std::pair<ActiveJob *, std::set<core::TaskRef>>> held;
    for (auto &[job, tasks] : std::exchange(m_held, {})) {
        held.emplace_back(job, std::move(tasks));
    }
    std::sort(held.begin(), held.end(),
        [](const auto &a, const auto &b) { return a.first->state.meta.id < b.first->state.meta.id; });
    for (const auto &[job, tasks] : held) {
        std::vector<core::TaskRef> waiting;
        std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(waiting), [&job = job, this](core::TaskRef task) {
            const LiveTask *entry = live(core::tryUuid(job->state, task));
            return entry && !entry->isEndKnown && std::holds_alternative<core::Launching>(job->state.task(task).state);
        });
        if (!waiting.empty()) {
            launch(*job, waiting);
        }
    }
}

void SlurmBackend::describeHeld()
{
    for (const auto &each : m_held) {
        Q_EMIT described(each.first, std::nullopt);
    }
}

// Its tasks begin when the copy of its work folder is there; those of a gang have one.
bool SlurmBackend::isHeldForCode(ActiveJob &job, const std::vector<core::TaskRef> &tasks)
{
    if (!job.document.copiesWork) {
        return false;
    }
    const bool isAwaited = std::count_if(tasks.begin(), tasks.end(), [this, &job](core::TaskRef task) {
        return m_code->isAwaited(job, core::tryUuid(job.state, task));
    }) > 0;
    if (isAwaited) {
        hold(job, tasks);
        return true;
    }
    if (const std::optional<Error> problem = m_code->problem(job)) {
        refuse(job, tasks, *problem, slurm::codeNotStarted);
        return true;
    }
    return false;
}

bool SlurmBackend::isHeld(const ActiveJob &job) const { return m_held.contains(&job); }

Error SlurmBackend::heldReason(const ActiveJob &job) const
{
    if (!isHeld(job)) {
        return {};
    }
    if (m_site && !m_site->isOnline()) {
        return m_site->absence();
    }
    const Error code = m_site ? m_code->reason(job) : Error();
    return code.code.isEmpty() && m_options.supply ? m_options.supply->dataReason(job) : code;
}

void SlurmBackend::reached()
{
    launchHeld();
    m_queue.refresh();
    std::vector<QString> folders;
    for (const auto &each : m_allocations) {
        folders.push_back(each.first);
    }
    for (const QString &folder : folders) {
        const auto it = m_allocations.find(folder);
        if (it == m_allocations.end()) {
            continue;
        }
        Submission &submission = *it->second;
        if (submission.retryAt > 0) {
            submission.retryAt = steadyMs(); // look() tries it again
        }
        if (!submission.stopped.empty() && !submission.isAsking) {
            // A request to end may not have been received; receiving it twice does no harm.
            submission.asked.clear();
            submission.noted.clear();
            submission.isForced = false;
            cancel(submission);
        }
    }
    look();
}

// ---- what is written there ----

Result<void> SlurmBackend::pack(
    Submission &submission, const QByteArray &script, const std::vector<contract::Launch> &launches)
{
    const Result<std::vector<SlurmAllocation::Part>> parts = submission.allocation.parts(script, launches);
    if (!parts) {
        return tl::unexpected<Error>(parts.error());
    }
    const QString job = submission.job->uuid();
    // Tasks find the folder of checkpoints there, although nothing has been written into it yet.
    submission.parcel.push_back({foldersThere(job).checkpoint(job) + u"/.trainyard"_s, {}});
    const QString folder = there(job, submission.allocation.folder());
    for (const SlurmAllocation::Part &part : *parts) {
        submission.parcel.push_back({folder + u'/' + part.name, part.bytes});
    }
    return {};
}

void SlurmBackend::deliver(Submission &submission)
{
    submission.isAsking = true;
    m_site->deliver(foldersThere(submission.job->uuid()).state(), submission.parcel,
        [self = QPointer(this), folder = submission.allocation.folder()](const Result<void> &done) {
            if (self) {
                self->delivered(folder, done);
            }
        });
}

void SlurmBackend::delivered(const QString &folder, const Result<void> &done)
{
    const auto it = m_allocations.find(folder);
    if (it == m_allocations.end()) {
        return; // its tasks have ended, which has removed what was written
    }
    Submission &submission = *it->second;
    submission.isAsking = false;
    if (!done) {
        submitLater(submission, done.error().code == "host.gone"_L1 ? m_site->absence() : done.error());
        return;
    }
    // The records of this computer say that all of it is there.
    if (const Result<void> kept = submission.allocation.writeKept(m_site->host()); !kept) {
        submitLater(submission, kept.error());
        return;
    }
    submission.parcel.clear();
    submit(submission);
}

void SlurmBackend::removeLaunchesThere(const ActiveJob &job, const QString &allocation) const
{
    if (m_site && QFileInfo::exists(folderNote(job.uuid()))) {
        m_site->removeLaunches(foldersThere(job.uuid()).state(), job.uuid(), allocation);
    }
}

// ---- what comes from there ----

void SlurmBackend::watch(const LiveTask &entry, const QUuid &tryUuid)
{
    if (!m_site) {
        return;
    }
    const QString job = entry.job->uuid(), root = foldersThere(job).state();
    m_site->watch(root, there(job, entry.allocation), entry.allocation,
        m_allocations.at(entry.allocation)->allocation.leadFiles(entry.position));
    m_site->watchTry(tryUuid, root, there(job, entry.folder), entry.folder);
}

void SlurmBackend::unwatch(const LiveTask &entry)
{
    if (m_site && !entry.allocation.isEmpty()) {
        m_site->unwatch(entry.folder);
    }
}

// There certainly is no record of an end if everything was read some time after the cluster had reported the end, and
// no file is on its way.
bool SlurmBackend::isSeenThere(const LiveTask &entry, const Submission &submission) const
{
    constexpr qint64 writtenMs = 5000;
    if (!m_site) {
        return true;
    }
    const qint64 since = m_queue.known(submission.allocation.idOf(entry.position)).since;
    return m_site->lookedAt() > since + writtenMs && !m_site->isEndOnItsWay(entry.folder);
}

} // namespace trainyard
