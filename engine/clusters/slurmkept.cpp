// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "engine/backend/clock.h"
#include "engine/backend/keptreport.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"
#include "engine/contract/pathkinds.h"
#include "model/template/pluginsteps.h"

#include <QFileInfo>

// What a job that has its nodes has written, and what holds it up: a failed task that is kept for inspection, a job
// that was suspended at the cluster, and one of which a part was cancelled there.
namespace trainyard
{

using namespace Qt::StringLiterals;

void SlurmBackend::noteGrowth(LiveTask &entry, std::map<QString, QList<LogGrowth>> &grown)
{
    const qint64 bytes = QFileInfo(entry.folder + u'/' + QLatin1StringView(contract::file::output)).size();
    if (bytes != entry.logBytes) {
        entry.logBytes = bytes;
        const core::JobState &job = entry.job->state;
        grown[entry.job->uuid()].append({job.roleName(entry.task), entry.task.index, job.attempt(), bytes});
    }
    noteKept(entry);
    if (const bool lacks = contract::lacksRoom(entry.folder.toStdString());
        std::exchange(entry.lacksRoom, lacks) != lacks) {
        Q_EMIT described(entry.job, entry.task);
    }
}

// The folder that the nodes share is full, or its quota is used up.
Error SlurmBackend::roomReason(const LiveTask &entry) const
{
    if (!entry.lacksRoom || entry.isEndKnown) {
        return {};
    }
    const bool isStopping = std::holds_alternative<core::Stopping>(entry.job->state.task(entry.task).state);
    return {isStopping ? u"stop.disk-full"_s : u"task.disk-full"_s,
        {{u"host"_s, m_target.id()}, {u"folder"_s, there(entry.job->uuid(), entry.folder)}}};
}

void SlurmBackend::noteKept(LiveTask &entry)
{
    if (entry.kept || entry.isEndKnown || !entry.job->spec || holdMinutesOf(*entry.job->spec) == 0) {
        return;
    }
    const qint64 bytes = QFileInfo(entry.folder + u'/' + QLatin1StringView(contract::file::runtime)).size();
    if (std::exchange(entry.runtimeBytes, bytes) == bytes) {
        return;
    }
    entry.kept = keptReportIn(entry.folder);
    if (entry.kept) {
        Q_EMIT described(entry.job, entry.task);
    }
}

Error SlurmBackend::keptReason(const LiveTask &entry) const
{
    const core::JobState &state = entry.job->state;
    if (!entry.kept || entry.isEndKnown || !std::holds_alternative<core::Running>(state.task(entry.task).state)) {
        return {};
    }
    return errorOf(
        reason::TaskKept{state.roleName(entry.task), entry.task.index, entry.kept->status, entry.kept->until});
}

// The state of its component of a heterogeneous job, when that has been told since its end. Empty: there is only one,
// or all of them have the same state. Nothing: it is not known yet.
std::optional<QString> SlurmBackend::stateOfPart(const LiveTask &entry, const Submission &submission) const
{
    constexpr qint64 patienceMs = 15'000;
    const contract::LeadPlan &plan = submission.allocation.plan();
    const int component = plan.tasks[std::size_t(entry.position)].component;
    if (component == 0) { // that of the lead: it says so
        return QString();
    }
    const QString id = submission.allocation.idOf(entry.position);
    const QString state = m_queue.known(id + u'+' + QString::number(component)).state;
    const bool isNew = m_queue.answeredAt() > entry.recordSeenAt && state != "COMPLETING"_L1;
    if (!isNew && steadyMs() - entry.recordSeenAt < patienceMs) {
        return std::nullopt;
    }
    return state == m_queue.known(id).state ? QString() : state;
}

// A node that goes down takes its steps along, of which the lead on another node sees only that they are gone, and the
// allocation a little later. True: that is its end, or it is not known yet.
bool SlurmBackend::isWithItsNode(
    LiveTask &entry, const QUuid &tryUuid, const Submission &submission, const contract::ExitRecord &record)
{
    constexpr qint64 patienceMs = 15'000;
    if (record.kind != contract::ExitKind::Lost || !record.reason.starts_with("cluster.step-lost")) {
        return false;
    }
    entry.recordSeenAt = entry.recordSeenAt == 0 ? steadyMs() : entry.recordSeenAt;
    const std::optional<QString> state = finalState(submission, entry.position, 0);
    const std::optional<core::TryResult> result
        = state ? slurm::resultByCluster(*state, m_target.id(), 0, 0) : std::nullopt;
    if (result && result->reason == "slurm.node-lost"_L1) {
        end(entry, tryUuid, *result, &record);
        return true;
    }
    if (state || steadyMs() - entry.recordSeenAt >= patienceMs) {
        return false;
    }
    m_queue.refresh();
    return true;
}

// By its users or administrators there, or to make room; a pause from here is another state.
Error SlurmBackend::suspendedReason(const LiveTask &entry) const
{
    const auto it = m_allocations.find(entry.allocation);
    if (entry.isEndKnown || it == m_allocations.end()) {
        return {};
    }
    const QString id = it->second->allocation.idOf(entry.position), state = m_queue.known(id).state;
    return slurm::isSuspended(state)
        ? Error{u"job.slurm-suspended"_s, {{u"target"_s, m_target.id()}, {u"number"_s, id}}}
        : Error();
}

Error SlurmBackend::holdUp(const LiveTask &entry) const
{
    for (const Error &why : {suspendedReason(entry), roomReason(entry)}) {
        if (!why.code.isEmpty()) {
            return why;
        }
    }
    return keptReason(entry);
}

// Of all its tasks, if one of them is held up.
Error SlurmBackend::holdUp(const ActiveJob &job) const
{
    Error kept, room;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (Error suspended = suspendedReason(entry); !suspended.code.isEmpty()) {
            return suspended;
        }
        room = room.code.isEmpty() ? roomReason(entry) : room;
        kept = kept.code.isEmpty() ? keptReason(entry) : kept;
    }
    return room.code.isEmpty() ? kept : room;
}

QList<KeptTask> SlurmBackend::keptTasks(const ActiveJob &job) const
{
    constexpr int most = 100;
    QList<KeptTask> held;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (held.size() >= most || keptReason(entry).code.isEmpty()) {
            continue;
        }
        const auto it = m_allocations.find(entry.allocation);
        const contract::LeadPlaces *places
            = it == m_allocations.end() ? nullptr : it->second->allocation.places(entry.position);
        const QString node
            = places ? u'/' + QString::fromStdString(places->tasks[std::size_t(entry.position)].node) : QString();
        held.append({job.state.roleName(entry.task), m_target.id() + node, entry.task.index, entry.kept->status,
            entry.kept->until});
    }
    std::ranges::sort(held, {}, [](const KeptTask &task) { return std::pair(task.role, task.index); });
    return held;
}

bool SlurmBackend::release(ActiveJob &job, const QStringList &tasks)
{
    if (m_site && !m_site->isOnline()) {
        return false;
    }
    bool isAny = false;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        const QString label = taskLabel(job.state.roleName(entry.task), entry.task.index);
        if (keptReason(entry).code.isEmpty() || (!tasks.isEmpty() && !tasks.contains(label))) {
            continue;
        }
        isAny = true;
        if (m_site) {
            const QString folder = there(job.uuid(), entry.folder);
            m_site->deliver(foldersThere(job.uuid()).state(),
                {{folder + releaseFiles[0], {}}, {folder + releaseFiles[1], {}}}, [](const Result<void> &) {});
            continue;
        }
        for (const QLatin1StringView name : releaseFiles) {
            const QString file = entry.folder + name;
            if (contract::isRealFolderAt(pathBytes(QFileInfo(file).path()))) {
                contract::writeAtomically(pathBytes(file), {}, false);
            }
        }
    }
    return isAny;
}

} // namespace trainyard
