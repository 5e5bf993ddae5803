// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmbackend.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

// Tries that a lead starts by itself, after one that has ended: the core decides on each of them again, by the same
// rules, and then finds it running.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QLatin1StringView aboveRuns{"/../../../.."}; // of an allocation: RunFolders::state()
constexpr int awayLookMs = 60'000;

} // namespace

// True: whether the lead follows this try with another one is not known yet. The core would submit another one.
bool SlurmBackend::isAwaited(
    const LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record)
{
    SlurmAllocation &allocation = submission.allocation;
    const bool isProgram = record.kind == contract::ExitKind::Exited || record.kind == contract::ExitKind::Signaled;
    const std::optional<contract::LeadRetries> &retries = allocation.plan().retries;
    const bool isGood = record.isGood();
    const core::TaskState &state = entry.job->state.task(entry.task).state;
    if (!retries || !isProgram || (isGood && retries->budget != -2) || isStopped(submission, entry.position)
        || std::holds_alternative<core::Stopping>(state)) {
        return false;
    }
    if (allocation.isUndecided(entry.position)) {
        // A lead that is gone reports nothing more.
        constexpr qint64 writtenMs = 15'000;
        const bool isGone = absentMs(allocation.idOf(entry.position)) >= m_options.goneMs; // however it ended
        if (isGone || finalState(submission, entry.position, writtenMs)) {
            return false;
        }
        allocation.refresh(entry.position);
        if (m_site) {
            m_site->lookSoon();
        }
        return true;
    }
    if (!allocation.isFollowed(entry.position)) {
        return false;
    }
    const std::optional<QUuid> next = allocation.linkNext(entry.position);
    if (!next) {
        return true; // its folder cannot be written now
    }
    const core::Allocation *place = core::placeOf(state);
    const SlurmLedBook::Note note{
        allocation.folder(), entry.position, allocation.idOf(entry.position), markOf(submission)};
    m_led[*next] = {entry.job, entry.task, tryUuid, note.id, note.allocation, note.position, note.mark,
        place ? place->ports : core::PortTable()};
    m_ledBook.add(note);
    m_timer.start();
    return false;
}

// The cluster was asked twice, as an answer was lost, and has taken both. The tasks are those of the job whose lead
// came first; the other one finds nothing to start.
void SlurmBackend::followLead(const LiveTask &entry, Submission &submission)
{
    SlurmAllocation &allocation = submission.allocation;
    const contract::LeadPlaces *places = allocation.plan().isArray ? nullptr : allocation.places(entry.position);
    const QString former = allocation.id(), id = places ? QString::fromStdString(places->clusterId) : QString();
    if (submission.isAsking || id.isEmpty() || former.isEmpty() || id == former) {
        return;
    }
    m_queue.unfollow(former);
    endUnwanted({{}, {former}, markOf(submission)});
    allocation.setId(id);
    allocation.keepId();
    m_queue.follow(id, markOf(submission));
    if (!submission.stopped.empty()) {
        submission.asked.clear();
        cancel(submission);
    }
}

void SlurmBackend::lookAtLed()
{
    std::vector<QUuid> tries;
    for (const auto &each : m_led) {
        tries.push_back(each.first);
    }
    for (const QUuid &tryUuid : tries) {
        const auto it = m_led.find(tryUuid);
        if (it == m_led.end()) {
            continue;
        }
        const Led led = it->second;
        const core::JobState &job = led.job->state;
        const QUuid current = core::tryUuid(job, led.task);
        const core::TaskState &state = job.task(led.task).state;
        const bool isOver = std::holds_alternative<core::Ended>(state);
        if (isOver || (current != tryUuid && current != led.former)) {
            // The task is over for the core, which has been asked to stop, or uses other rules since.
            m_led.erase(it);
            endLed(led);
            continue;
        }
        const auto *waiting = current == tryUuid ? std::get_if<core::Waiting>(&state) : nullptr;
        if (waiting && waiting->notBefore > 0) { // the pause is the lead's
            post(*led.job, core::event::RetryDue{job.attempt(), led.task, 0});
        }
    }
}

void SlurmBackend::endLed(const Led &led) { endNoted({led.allocation, led.position, led.id, led.mark}); }

// The note stays until the cluster has heard it.
void SlurmBackend::endNoted(const SlurmLedBook::Note &note)
{
    endUnwanted({{u"--batch"_s, u"--signal=TERM"_s}, {note.id}, note.mark},
        [this, note] { m_ledBook.remove(note.allocation, note.position); });
}

// ---- after a restart ----

namespace
{

// As the job lists them, which is also the order of a draw; a plan has them by their labels.
core::PortTable inOrder(core::PortTable ports, const core::Needs &needs)
{
    const auto placeOf = [&needs](const auto &entry) {
        return std::ranges::find(needs.ports, entry.first, &Port::label) - needs.ports.cbegin();
    };
    std::ranges::stable_sort(ports, {}, placeOf);
    return ports;
}

} // namespace

// The tries that leads have started behind those that were the last to be written down.
void SlurmBackend::resumeLed(ActiveJob &job)
{
    std::map<QString, std::optional<SlurmAllocation>> known;
    for (std::size_t i = 0; i < job.state.tasks.size() && !job.state.policy.gang; ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        const core::Task &task = job.state.task(ref);
        if (!std::holds_alternative<core::Waiting>(task.state) || task.tryIndex == 0) {
            continue;
        }
        const QString role = job.state.roleName(ref);
        const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(
            foldersOfJob(job.uuid()).ofTry(job.uuid(), job.state.attempt(), role, ref.index, task.tryIndex - 1));
        if (!link) {
            continue;
        }
        if (!known.contains(link->folder)) {
            known.emplace(link->folder, SlurmAllocation::load(link->folder));
        }
        std::optional<SlurmAllocation> &allocation = known.at(link->folder);
        const QUuid former = core::tryUuid(job.state.uuid, job.state.attempt(), role, ref.index, task.tryIndex - 1);
        const std::optional<SlurmAllocation::Follower> follower
            = allocation ? allocation->followerOf(link->position, former) : std::nullopt;
        if (follower && follower->tryUuid == core::tryUuid(job.state, ref)) {
            const SlurmLedBook::Note note{
                link->folder, link->position, allocation->idOf(link->position), markOf(job, *allocation)};
            const core::PortTable ports = inOrder(follower->ports, job.state.policy.roles[std::size_t(ref.role)].needs);
            m_led[follower->tryUuid] = {&job, ref, former, note.id, note.allocation, note.position, note.mark, ports};
            m_ledBook.add(note);
            m_timer.start();
        }
    }
}

// Tries that leads had to start when the engine was killed, and for which no job waits: the job is over, or uses other
// rules since. `only`: those of these allocations, which were tried before; empty: all. The others have been asked to
// end, and are asked again until the cluster has received it.
void SlurmBackend::lookAtNotes(const std::set<QString> &only)
{
    std::set<QString> away;
    std::set<std::pair<QString, int>> awaited;
    for (const auto &[tryUuid, led] : m_led) {
        awaited.emplace(led.allocation, led.position);
    }
    std::map<QString, std::optional<SlurmAllocation>> known;
    for (const SlurmLedBook::Note &note : m_ledBook.notes()) {
        if (awaited.contains({note.allocation, note.position}) || (!only.empty() && !only.contains(note.allocation))) {
            continue;
        }
        if (!known.contains(note.allocation)) {
            known.emplace(note.allocation, SlurmAllocation::load(note.allocation));
        }
        const std::optional<SlurmAllocation> &allocation = known.at(note.allocation);
        // Its file system has perhaps not been mounted yet: what is written there decides.
        if (!allocation && !QFileInfo(QDir::cleanPath(note.allocation + aboveRuns)).isDir()) {
            away.insert(note.allocation);
            continue;
        }
        const bool fits
            = allocation && note.position >= 0 && std::size_t(note.position) < allocation->plan().tasks.size();
        if (fits && allocation->end(note.position)) {
            m_ledBook.remove(note.allocation, note.position);
            continue;
        }
        const std::vector<QUuid> tries = fits ? allocation->triesOf(note.position) : std::vector<QUuid>();
        const bool isFollowed = std::any_of(tries.begin(), tries.end(), [this, &note](const QUuid &tryUuid) {
            const LiveTask *entry = live(tryUuid);
            return entry && (entry->allocation.isEmpty() || entry->allocation == note.allocation);
        });
        if (!isFollowed) { // one that is followed is taken up, or ended with it
            endNoted(fits ? SlurmLedBook::Note{note.allocation, note.position, note.id,
                         {note.mark.names, allocation->comments()}}
                          : note);
        }
    }
    if (!away.empty()) {
        QTimer::singleShot(awayLookMs, this, [this, away] { lookAtNotes(away); });
    }
}

// A task that has ended by itself is over when it is to be stopped. Its lead may not have heard that, and try it again.
void SlurmBackend::endUnheard(const LiveTask &entry, const Submission &submission)
{
    const SlurmAllocation &allocation = submission.allocation;
    const QString id = allocation.idOf(entry.position), state = m_queue.known(id).state;
    const bool isOver = !state.isEmpty() && slurm::phaseOf(state) == slurm::Phase::Over;
    if (isStopped(submission, entry.position) && !isOver && allocation.mayStartAnother(entry.position)) {
        const SlurmLedBook::Note note{allocation.folder(), entry.position, id, markOf(submission)};
        m_ledBook.add(note); // before this end is written down
        endNoted(note);
    }
}

} // namespace trainyard
