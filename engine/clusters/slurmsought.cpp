// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/clusters/slurmbackend.h"

#include <algorithm>
#include <cstring>

// Tries of a former run of the engine of which nothing can be seen now: what they have noted is looked for again and
// again.
namespace trainyard
{

using namespace Qt::StringLiterals;

void SlurmBackend::seek(LiveTask &entry)
{
    if (entry.soughtSince == 0) {
        entry.soughtSince = steadyMs();
        m_timer.start();
        Q_EMIT described(entry.job, std::nullopt);
    }
}

// A job that was noted for a try of a former run of the engine may be there nevertheless.
bool SlurmBackend::isUnseen(const LiveTask &entry) const
{
    return entry.isResumed && (isAway(*entry.job) || SlurmAllocation::unreadError(entry.folder) != 0);
}

Error SlurmBackend::whyUnread(const ActiveJob &job) const
{
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        const int error = entry.soughtSince > 0 ? SlurmAllocation::unreadError(entry.folder) : 0;
        if (error != 0) {
            return {u"slurm.folder-unread"_s,
                {{u"folder"_s, entry.folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}}};
        }
    }
    return {};
}

// Tries on a file system that is not there yet, or cannot be read now. Missing ones count as gone after a while; those
// that cannot be read may be running.
void SlurmBackend::lookForSought()
{
    std::vector<QUuid> sought;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (entry.soughtSince > 0) {
            sought.push_back(tryUuid);
        }
    }
    std::vector<JobEffect> again;
    for (const QUuid &tryUuid : sought) {
        LiveTask &entry = m_tries.at(tryUuid);
        if (SlurmAllocation::unreadError(entry.folder) != 0) {
            entry.soughtSince = steadyMs();
            continue;
        }
        const bool isGivenUp = steadyMs() - entry.soughtSince >= awayMs;
        if (isAway(*entry.job) && !isGivenUp) {
            continue;
        }
        entry.soughtSince = 0;
        entry.isResumed = !isGivenUp;
        Q_EMIT described(entry.job, std::nullopt);
        if (core::tryUuid(entry.job->state, entry.task) != tryUuid) {
            continue;
        }
        const core::TaskState &state = entry.job->state.task(entry.task).state;
        if (std::holds_alternative<core::Stopping>(state)) {
            again.push_back({entry.job, core::effect::StopTry{entry.task, tryUuid}});
        } else if (std::holds_alternative<core::Running>(state)) {
            again.push_back({entry.job, core::effect::ObserveTry{entry.task, tryUuid}});
        } else if (std::holds_alternative<core::Launching>(state)) {
            again.push_back({entry.job, core::effect::LaunchTry{entry.task, tryUuid}});
        }
    }
    // In the order of their tasks, as the core asks for them.
    std::sort(again.begin(), again.end(), [](const JobEffect &a, const JobEffect &b) {
        const auto taskOf = [](const JobEffect &each) {
            return std::visit(
                [](const auto &effect) {
                    if constexpr (requires { core::TaskRef(effect.task); }) {
                        return core::TaskRef(effect.task);
                    } else {
                        return core::TaskRef();
                    }
                },
                each.effect);
        };
        return std::pair(a.job->state.meta.id, taskOf(a)) < std::pair(b.job->state.meta.id, taskOf(b));
    });
    perform(again);
}

} // namespace trainyard
