// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"

#include <algorithm>

// The tasks of a role without a gang as several arrays, where the cluster has no room for all of them in one, or takes
// no array of that size. Each part is an allocation of its own; the former one was certainly not taken.
namespace trainyard
{

using namespace Qt::StringLiterals;

// Makes the allocations of the parts, which are submitted as any other.
bool SlurmBackend::splitTasks(const QString &folder, const PartsWait &wait)
{
    Submission &whole = *m_allocations.at(folder);
    ActiveJob &job = *whole.job;
    whole.allocation.forgetSent();
    if (!whole.stopped.empty()) {
        endStopped(whole);
    }
    std::vector<QUuid> all; // with those that have ended, and are not released yet
    std::vector<core::TaskRef> left;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        if (m_tries.at(tryUuid).allocation == folder) {
            all.push_back(tryUuid);
        }
    }
    std::sort(all.begin(), all.end(),
        [this](const QUuid &a, const QUuid &b) { return m_tries.at(a).position < m_tries.at(b).position; });
    for (const QUuid &tryUuid : all) {
        if (const LiveTask &entry = m_tries.at(tryUuid); !entry.isEndKnown) {
            left.push_back(entry.task);
        }
    }
    const std::vector<std::size_t> parts = slurm::partsOf(left.size(), m_arraySizes);
    // With secrets that are lost since, it can only be sent as it was written.
    if (left.empty() || parts.size() < 2 || !makerFor(job).make(job, left) || !whole.allocation.noteSplit()) {
        return false;
    }
    for (const QUuid &tryUuid : all) {
        LiveTask &entry = m_tries.at(tryUuid);
        leave(entry);
        entry.allocation.clear();
        entry.position = -1;
    }
    auto from = left.cbegin();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto to = from + std::ptrdiff_t(parts[i]);
        Submission *made = allocate(job, {from, to});
        from = to;
        const qint64 waitMs = i == 0 ? wait.firstMs : wait.othersMs;
        if (!made) {
            continue;
        }
        made->refusals = wait.refusals;
        if (waitMs == 0) {
            submit(*made);
        } else {
            made->retryAt = steadyMs() + waitMs;
            made->trouble = wait.why;
        }
    }
    Q_EMIT described(&job, std::nullopt);
    return true;
}

// What sbatch has refused. If it is split, the submission is gone.
bool SlurmBackend::splitRefused(const Submission &submission, slurm::Refusal refusal, const Error &why)
{
    const contract::LeadPlan &plan = submission.allocation.plan();
    if (!plan.isArray) {
        return false;
    }
    using Split = slurm::ArraySizes::Split;
    const Split split = m_arraySizes.refused(refusal, plan.tasks.size());
    PartsWait wait;
    if (split == Split::Later) { // the others follow the first one sooner, when that is taken
        wait.refusals = submission.refusals + 1;
        wait.firstMs = SlurmPause::msAfter(wait.refusals);
        wait.othersMs = 2 * wait.firstMs;
        wait.why = why;
    }
    if (split == Split::None || !splitTasks(submission.allocation.folder(), wait)) {
        return false;
    }
    if (split == Split::Later) {
        m_pause.refused(steadyMs());
        m_refusal = why;
    }
    return true;
}

bool SlurmBackend::isLarge(const Submission &submission) const
{
    const contract::LeadPlan &plan = submission.allocation.plan();
    return plan.isArray && plan.tasks.size() > m_arraySizes.most() && !submission.allocation.wasSent();
}

bool SlurmBackend::isUntaken(const Submission &submission) const
{
    return submission.allocation.id().isEmpty() && !submission.isRefused
        && (submission.isAsking || submission.retryAt > 0);
}

// The rest of an array of which a part was tried alone. As long as a smaller one waits, it is that which finds out
// whether there is room.
void SlurmBackend::splitLarge()
{
    const qint64 now = steadyMs();
    std::vector<QString> due;
    bool isSmallerWaiting = false;
    for (const auto &[folder, submission] : m_allocations) {
        if (!isUntaken(*submission)) {
            continue;
        }
        if (!isLarge(*submission)) {
            isSmallerWaiting = true;
        } else if (!submission->isAsking && submission->stopped.empty() && now >= submission->retryAt) {
            due.push_back(folder);
        }
    }
    for (const QString &folder : due) {
        const Submission &submission = *m_allocations.at(folder);
        const PartsWait wait{0, SlurmPause::msAfter(submission.refusals + 1), submission.refusals, submission.trouble};
        if (isSmallerWaiting) {
            m_allocations.at(folder)->retryAt = now + wait.othersMs;
            continue;
        }
        isSmallerWaiting = splitTasks(folder, wait);
    }
}

} // namespace trainyard
