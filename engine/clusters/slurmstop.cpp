// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"
#include "engine/clusters/slurmend.h"

#include <algorithm>
#include <iterator>

// What makes a stop certain that comes before the lead of the allocation runs: the cluster has started the job, and its
// signals reach nothing.
namespace trainyard
{

using namespace Qt::StringLiterals;

void SlurmBackend::noteStop(Submission &submission)
{
    const SlurmAllocation &allocation = submission.allocation;
    if (submission.noted == submission.stopped || !allocation.wasSent()) {
        return;
    }
    std::set<int> fresh;
    if (isAllStopped(submission)) {
        fresh.insert(-1);
    } else {
        std::set_difference(submission.stopped.begin(), submission.stopped.end(), submission.noted.begin(),
            submission.noted.end(), std::inserter(fresh, fresh.end()));
    }
    submission.noted = submission.stopped;
    if (!m_site) {
        for (const int position : fresh) {
            allocation.noteStop(position);
        }
        return;
    }
    const QString job = submission.job->uuid(), folder = there(job, allocation.folder());
    std::vector<LoginSite::File> files;
    for (const int position : fresh) {
        const SlurmAllocation::Part part = allocation.stopPart(position);
        files.push_back({folder + u'/' + part.name, part.bytes});
    }
    m_site->deliver(foldersThere(job).state(), files, [](const Result<void> &) {}); // reached() notes it again
}

// Repeats the request until the lead says that it ends the tasks, whose grace period begins then.
void SlurmBackend::followStop(Submission &submission, qint64 now)
{
    constexpr qint64 firstMs = 1000, mostMs = 15'000;
    if (submission.asked.empty() || submission.isForced) {
        return;
    }
    const SlurmAllocation &allocation = submission.allocation;
    std::set<int> unheeded;
    for (const int position : submission.asked) {
        const LiveTask *entry = live(allocation.tryAt(position));
        if (!entry || entry->isEndKnown || submission.heeded.contains(position)) {
            continue;
        }
        if (!allocation.stopping(position) && !allocation.end(position)) {
            unheeded.insert(position);
            continue;
        }
        submission.heeded.insert(position);
        submission.forceAt = now + allocation.plan().stopGraceMs + m_options.forceMs;
    }
    if (unheeded.empty() || now < submission.repeatAt) {
        return;
    }
    const bool isFirst = submission.repeatAt == 0; // the request has just been sent
    submission.repeatAt = now + std::min(mostMs, firstMs << std::min(submission.repeats, 4));
    if (!isFirst) {
        ++submission.repeats;
        cancelAtCluster(submission, unheeded, false);
    }
}

// Slurm keeps nothing of an element that was cancelled while it waited, neither in the queue nor in the accounts. It
// has others of the array, so it has not lost its state.
bool SlurmBackend::isForgottenElement(const LiveTask &entry, const Submission &submission) const
{
    constexpr qint64 forMs = 15'000;
    const QString id = submission.allocation.idOf(entry.position);
    const SlurmQueue::Known known = m_queue.known(id);
    const bool wereAsked = known.accountsAt >= known.since && m_queue.accountsProblem().code.isEmpty();
    return !entry.isPlaced && m_queue.problem().code.isEmpty() && m_queue.hasOthersOf(id) && wereAsked
        && absentMs(id) >= std::min(forMs, m_options.goneMs);
}

// Others of its array go on: not all of it was cancelled.
bool SlurmBackend::isAlone(const LiveTask &entry, const Submission &submission) const
{
    const std::set<QUuid> &own = m_triesOf.of(submission.job);
    return submission.allocation.plan().isArray && std::any_of(own.begin(), own.end(), [&](const QUuid &each) {
        const LiveTask &other = m_tries.at(each);
        return other.allocation == entry.allocation && other.position != entry.position && !other.isEndKnown
            && slurm::goesOn(m_queue.known(submission.allocation.idOf(other.position)).state);
    });
}

void SlurmBackend::stopJobOnce(LiveTask &entry, const QString &state)
{
    if (!entry.job->state.stopRequested) {
        post(*entry.job,
            core::event::StopRequested{{u"slurm.cancelled"_s, {{u"target"_s, m_target.id()}, {u"state"_s, state}}}});
    }
}

} // namespace trainyard
