// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/clock.h"
#include "engine/client/pathbytes.h"
#include "engine/clusters/slurmbackend.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

// Tries of a former run of the engine of which nothing can be seen now: what they have noted is looked for again and
// again.
namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

QString planIn(const QString &allocation) { return allocation + u'/' + QLatin1StringView(contract::leadfile::plan); }

} // namespace

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

// What is there is known without a look for each of its tasks: they are told of often.
Error SlurmBackend::whyUnread(const ActiveJob &job) const
{
    const auto unread = [&job, this](const QString &folder, int error) {
        return error == ENOENT
            ? Error{u"slurm.folder-away"_s, {{u"folder"_s, foldersOfJob(job.uuid()).state()}}}
            : Error{u"slurm.folder-unread"_s,
                {{u"folder"_s, folder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}}};
    };
    std::optional<bool> away;
    for (const QUuid &tryUuid : m_triesOf.of(&job)) {
        const LiveTask &entry = m_tries.at(tryUuid);
        if (entry.isEndKnown) {
            continue;
        }
        const int sought = entry.soughtSince > 0 ? SlurmAllocation::unreadError(entry.folder) : 0;
        if (const int error = sought != 0 ? sought : entry.unread; error != 0) {
            return unread(entry.folder, error);
        }
        away = entry.soughtSince > 0 && !away ? isAway(job) : away;
        if (entry.soughtSince > 0 && *away) {
            return unread(entry.folder, ENOENT);
        }
    }
    for (const QString &folder : m_allocationsOf.of(&job)) {
        if (const int error = m_allocations.at(folder)->unread; error != 0) {
            return unread(folder, error);
        }
    }
    return {};
}

void SlurmBackend::noteUnread(LiveTask &entry, int error)
{
    if (std::exchange(entry.unread, error) != error) {
        Q_EMIT described(entry.job, std::nullopt);
    }
}

// What the nodes write would not be seen, and nothing would say so. A login node tells this by itself. Nothing writes
// there for what waits in the queue, and what is not handed over says why itself.
void SlurmBackend::lookAtFolders()
{
    if (m_site || m_folderLook.isBusy()) {
        return;
    }
    QHash<QString, FolderLook::Wanted> wanted; // by allocation
    for (const auto &[tryUuid, entry] : m_tries) {
        Submission *submission = entry.isEndKnown ? nullptr : submissionOf(entry);
        if (!submission || submission->allocation.id().isEmpty() || wanted.contains(entry.allocation)) {
            continue;
        }
        const QString id = submission->allocation.idOf(entry.position);
        if (entry.isPlaced || slurm::phaseOf(m_queue.known(id).state) != slurm::Phase::Pending) {
            if (submission->runs.isEmpty()) {
                submission->runs = foldersOfJob(submission->job->uuid()).state();
            }
            wanted.insert(entry.allocation, {submission->runs, planIn(entry.allocation)});
        }
    }
    if (wanted.isEmpty()) {
        takeFolders({});
    } else {
        m_folderLook.begin(wanted.values(), [this](const FolderLook::Errors &errors) { takeFolders(errors); });
    }
}

void SlurmBackend::takeFolders(const FolderLook::Errors &errors)
{
    for (const auto &[folder, submission] : m_allocations) {
        const int error = errors.value(planIn(folder));
        if (std::exchange(submission->unread, error) != error) {
            Q_EMIT described(submission->job, std::nullopt);
        }
    }
}

// What was begun on a file system that is not there yet, or cannot be read now. What is not there is taken as gone
// after a while; what cannot be read may run.
void SlurmBackend::lookForSought()
{
    std::vector<QUuid> sought;
    for (const auto &[tryUuid, entry] : m_tries) {
        if (entry.soughtSince > 0) {
            sought.push_back(tryUuid);
        }
    }
    std::vector<JobEffect> again;
    std::map<const ActiveJob *, bool> away; // those that were looked at
    for (const QUuid &tryUuid : sought) {
        LiveTask &entry = m_tries.at(tryUuid);
        if (SlurmAllocation::unreadError(entry.folder) != 0) {
            entry.soughtSince = steadyMs();
            continue;
        }
        const bool isGivenUp = steadyMs() - entry.soughtSince >= awayMs;
        if (!away.contains(entry.job)) {
            away[entry.job] = isAway(*entry.job);
        }
        if (away[entry.job] && !isGivenUp) {
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
