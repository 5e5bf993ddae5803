// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/enginefolder.h"
#include "engine/agent/imagepull.h"
#include "engine/agent/pump.h"
#include "engine/agent/tries.h"
#include "engine/agent/tries_p.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitRecord;
using contract::StartedRecord;

void Tries::observe(std::int64_t id, const contract::Observe &request)
{
    const Waiting waiting{id, Asked::Observe, false, request.leavesMetrics};
    if (!request.leavesMetrics) {
        hide(request.dir, request.maskValues);
    }
    if (tell(waiting, request.dir)) {
        return;
    }
    if (isEngineFolderAway(request.dir)) {
        tellAway(id, request.dir);
    } else {
        tellAbsent(waiting, request.dir);
    }
}

bool Tries::runsBelow(const std::string &dir) const
{
    const auto next = m_tries.lower_bound(dir + '/');
    return next != m_tries.end() && next->first.starts_with(dir + '/');
}

bool Tries::refuseUnseen(std::int64_t id, const std::string &dir)
{
    struct stat info;
    const int error = ::stat(dir.c_str(), &info) == 0 ? 0 : errno;
    if (error == 0 || (isNoTry(error) && !isEngineFolderAway(dir))) {
        return false;
    }
    m_connection.fail(id, isNoTry(error) ? "observe.away" : "observe.unreadable", dir, error);
    return true;
}

void Tries::tellAway(std::int64_t id, const std::string &dir)
{
    dropSecrets(dir);
    m_connection.fail(id, "observe.away", dir, ENOENT);
}

void Tries::tellAbsent(const Waiting &waiting, const std::string &dir)
{
    dropSecrets(dir);
    Try absent;
    absent.dir = dir;
    answer(waiting, absent, "ended", "absent", std::nullopt);
}

void Tries::hide(const std::string &dir, const std::vector<std::string> &secrets)
{
    m_metrics.hide(dir, secrets);
    const auto known = m_tries.find(dir);
    if (known != m_tries.end() && std::exchange(known->second->leavesMetrics, false) && known->second->running) {
        m_metrics.begin(dir);
    }
}

bool Tries::tell(const Waiting &waiting, const std::string &dir)
{
    const auto known = m_tries.find(dir);
    if (known != m_tries.end()) {
        if (known->second->running && !known->second->recovering) {
            answer(waiting, *known->second, "adopted", "running", std::nullopt);
        } else {
            known->second->waiting.push_back(waiting);
        }
        return true;
    }
    if (const std::optional<ExitRecord> exit = contract::readExitRecord(dir)) {
        answerEnded(waiting, dir, *exit);
        return true;
    }
    const int lock = tryLock(dir, false);
    if (const int error = errno; lock == -2 && !isNoTry(error)) {
        m_connection.fail(waiting.id, "observe.unreadable", dir, error);
        dropSecrets(dir);
        return true;
    }
    if (const int error = lock >= 0 ? recordsError(dir) : 0; error != 0) {
        ::close(lock);
        m_connection.fail(waiting.id, "observe.unreadable", dir, error);
        dropSecrets(dir);
        return true;
    }
    if (lock == -1) {
        const std::optional<StartedRecord> started = contract::readStartedRecord(dir);
        Try &entry = add(dir, started ? started->tryUuid : "");
        entry.leavesMetrics = waiting.leavesMetrics;
        entry.waiting.push_back(waiting);
        reattach(entry);
        return true;
    }
    if (lock >= 0 && needsRecovery(dir)) {
        // It may have ended between the two looks.
        if (const std::optional<ExitRecord> exit = contract::readExitRecord(dir)) {
            ::close(lock);
            answerEnded(waiting, dir, *exit);
            return true;
        }
        recover(dir, lock, waiting);
        return true;
    }
    if (lock >= 0) {
        forgetLogin(dir);
        ::close(lock);
    }
    return false;
}

// Another process holds the lock: a keeper of an earlier agent, or one that another agent starts right now.
void Tries::reattach(Try &entry)
{
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(entry.dir);
    std::optional<StartedRecord> started = contract::readStartedRecord(entry.dir);
    if (!entry.running && contract::readExitRecord(entry.dir)) {
        keeperGone(std::string(entry.dir)); // a copy, as the entry may go
        return;
    }
    if (keeper && keeper->process.bootId == m_bootId && started) {
        entry.keeper = keeper->process;
        setRunning(entry, std::move(*started));
        watchKeeper(entry);
        return;
    }
    entry.poll = m_loop.after(reattachPollMs, [this, dir = entry.dir] { checkReattached(dir); });
}

void Tries::watchKeeper(Try &entry)
{
    entry.pidfd = openPidfd(static_cast<pid_t>(entry.keeper.pid));
    const std::optional<ProcessInfo> now = processInfo(static_cast<pid_t>(entry.keeper.pid));
    const bool same = now && now->startTime == entry.keeper.startTime;
    if (entry.pidfd >= 0) {
        ::fcntl(entry.pidfd, F_SETFD, FD_CLOEXEC);
    }
    if (entry.pidfd >= 0 && same
        && m_loop.watch(entry.pidfd, EPOLLIN, [this, dir = entry.dir](std::uint32_t) { checkReattached(dir); })) {
        return;
    }
    if (entry.pidfd >= 0) {
        ::close(entry.pidfd);
        entry.pidfd = -1;
    }
    entry.poll = m_loop.after(same ? deathPollMs : reattachPollMs, [this, dir = entry.dir] { checkReattached(dir); });
}

Tries::Try *Tries::find(const std::string &dir)
{
    const auto it = m_tries.find(dir);
    return it == m_tries.end() ? nullptr : it->second.get();
}

void Tries::checkReattached(const std::string &dir)
{
    Try *const found = find(dir);
    if (!found) {
        return;
    }
    Try &entry = *found;
    entry.poll = 0;
    if (entry.pidfd >= 0) {
        m_loop.forget(entry.pidfd);
        ::close(entry.pidfd);
        entry.pidfd = -1;
    }
    const int lock = tryLock(dir, false);
    if (lock == -1) {
        if (entry.running) {
            watchKeeper(entry);
        } else {
            reattach(entry);
        }
        return;
    }
    if (lock >= 0) {
        ::close(lock);
    }
    keeperGone(dir);
}

// The keeper's records are in a folder that may not be mounted now.
bool Tries::isAwayForNow(Try &entry)
{
    if (!isEngineFolderAway(entry.dir)) {
        entry.awaySince = 0;
        return false;
    }
    entry.awaySince = entry.awaySince == 0 ? monotonicMs() : entry.awaySince;
    return monotonicMs() - entry.awaySince < longestAwayMs;
}

// The keeper ended without a last note, or it was not ours: the folder tells what happened.
void Tries::keeperGone(const std::string &dir)
{
    Try *const found = find(dir);
    if (!found) {
        return;
    }
    Try &entry = *found;
    if (const std::optional<ExitRecord> exit = contract::readExitRecord(dir)) {
        finish(dir, *exit);
        return;
    }
    // A running try has begun, even if its folder no longer exists.
    const bool began = entry.running || ::access((dir + '/' + file::started).c_str(), F_OK) == 0;
    const int lock = tryLock(dir, false);
    const int error = lock == -2 ? errno : lock >= 0 ? recordsError(dir) : 0;
    const bool isNone = lock == -2 && isNoTry(error);
    if ((error != 0 && !isNone) || (isNone && isAwayForNow(entry))) {
        if (lock >= 0) {
            ::close(lock);
        }
        entry.recovering = false; // the process that handled it could not read it either
        entry.poll = m_loop.after(unreadablePollMs, [this, dir] { checkReattached(dir); });
        return;
    }
    if (lock >= 0 && needsRecovery(dir) && entry.recovering && entry.vainRecoveries < mostVainRecoveries) {
        // The process that handled it ended without a result: it could not read the records then, or it was killed. The
        // processes of the task may still run.
        ::close(lock);
        ++entry.vainRecoveries;
        entry.recovering = false;
        entry.poll = m_loop.after(unreadablePollMs, [this, dir] { checkReattached(dir); });
        return;
    }
    if (lock >= 0 && needsRecovery(dir) && !entry.recovering) {
        const std::vector<Waiting> waiting = std::move(entry.waiting);
        const int vainRecoveries = entry.vainRecoveries;
        const bool wasRunning = entry.running, leavesMetrics = entry.leavesMetrics;
        const std::optional<StartedRecord> started = entry.started;
        const std::string tryUuid = entry.tryUuid;
        const bool isBegun = recover(dir, lock, {});
        Try &again = isBegun ? *m_tries.at(dir) : add(dir, tryUuid);
        again.waiting = waiting;
        again.running = wasRunning;
        again.leavesMetrics = leavesMetrics; // it is not known yet what is to be hidden in them
        again.vainRecoveries = vainRecoveries;
        if (!isBegun) { // there is no room for a process now, and nothing else would end what is left
            again.started = started;
            again.poll = m_loop.after(unreadablePollMs, [this, dir] { checkReattached(dir); });
        }
        return;
    }
    if (lock == -1) {
        reattach(entry); // another agent is at it already
        return;
    }
    ExitRecord exit;
    exit.kind = began ? contract::ExitKind::Lost : contract::ExitKind::StartFailed;
    exit.reason = began ? "keeper.died" : "launch.keeper-died";
    exit.ended = utcMs();
    if (lock >= 0) {
        forgetLogin(dir);
        // A later reader of the folder has to find the end that was reported.
        contract::writeAtomically(dir + '/' + file::exit, exit.format(), true);
        ::close(lock);
    }
    finish(dir, exit);
}

} // namespace trainyard::agent
