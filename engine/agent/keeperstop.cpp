// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/keeper_p.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

namespace file = contract::file;

namespace
{

constexpr std::int64_t signalAgainMs = 1000;

} // namespace

void Keeper::reap()
{
    m_childrenGone = false; // a container program may have been started since
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
        if (pid == 0 || (pid < 0 && errno == EINTR)) {
            break;
        }
        if (pid < 0) {
            m_childrenGone = true;
            break;
        }
        if (m_container && m_container->reaped(pid, status)) {
            m_clientRssKiB = std::max<std::int64_t>(m_clientRssKiB, usage.ru_maxrss);
            continue;
        }
        std::int64_t &peak = pid == m_main ? m_memory.firstKiB : m_memory.othersKiB;
        peak = std::max<std::int64_t>(peak, usage.ru_maxrss);
        m_userMs += usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
        m_systemMs += usage.ru_stime.tv_sec * 1000 + usage.ru_stime.tv_usec / 1000;
        if (pid == m_main) {
            m_mainEnded = true;
            m_endedUnasked = !isToEnd() && m_askedAt == 0;
            m_mainStatus = status;
            signalMissed();
        }
    }
    if (m_mainEnded && !m_childrenGone && m_leftoversSince < 0) {
        m_leftoversSince = monotonicMs();
        if (m_stoppedMainOnly) {
            signalTask(m_scope, SIGTERM); // the others have not been asked yet
        }
        // After a stop of all processes the others have the rest of the grace period to save their data.
        if (m_killAt < 0 || !m_stopping) {
            m_killAt = leftoversUntil();
        }
    }
}

std::int64_t Keeper::leftoversUntil() const
{
    return std::max(m_askedUntil, std::min(monotonicMs() + leftoverQuietMs, m_leftoversSince + leftoverMaxMs));
}

// A cluster asks all processes of a step at once, as when the job has to make room for another one. The shell ends by
// that at once, while a program that it has started may still save its state.
void Keeper::askedByCluster()
{
    if (m_stopping || m_killing) {
        return; // they have the grace of that
    }
    m_askedAt = utcMs();
    m_askedUntil = monotonicMs() + roomMs;
    if (m_leftoversSince >= 0) {
        m_killAt = leftoversUntil();
    }
}

void Keeper::handleStop()
{
    const std::string path = file::stop;
    const std::optional<std::string> text = contract::readWhole(path, 4096);
    const std::optional<contract::StopRecord> record = text ? contract::StopRecord::parse(*text) : std::nullopt;
    if (!record || m_childrenGone || (m_container && m_container->hasEnded())) {
        return;
    }
    const std::int64_t now = monotonicMs();
    const std::int64_t killAt = now + std::max<std::int64_t>(0, record->graceMs);
    if (m_stopping && m_killAt >= 0) {
        m_killAt = std::min(m_killAt, killAt); // asked again: only to be quicker
    } else if (!m_killing) {
        m_killAt = killAt;
    }
    if (m_stopping && m_stopSignal == record->signal && m_stoppedMainOnly == record->onlyMain) {
        return; // all have heard, and what came since is a handler's helper: an engine that came back asks again
    }
    m_stopping = true;
    m_stopSignal = record->signal;
    m_stoppedMainOnly = record->onlyMain;
    if (m_container) {
        m_container->stop(*record);
    } else if (!record->onlyMain) {
        m_signalled = signalTask(m_scope, record->signal);
        m_signalAgainAt = now + signalAgainMs;
    } else if (m_mainEnded) {
        signalTask(m_scope, SIGTERM); // there are only others
    } else if (const std::optional<ProcessInfo> main = processInfo(m_main)) {
        signalProcess(*main, record->signal);
        continueTask(m_scope); // a stopped process could not handle the signal
    }
}

// A shell's child that has not become its program yet swallows the signal in the shell's handler and then goes on as if
// there had been none. A process with a handler of its own has got the signal and is left alone. So is one that started
// later: a handler started it, to save what there is.
void Keeper::signalAgain()
{
    m_signalAgainAt = -1;
    if (m_childrenGone || m_killing || m_stoppedMainOnly) {
        return;
    }
    for (const ProcessInfo &process : findTaskProcesses(m_scope)) {
        const bool wasThere = std::any_of(m_signalled.begin(), m_signalled.end(),
            [&process](const ProcessInfo &one) { return isSame(one, process); });
        if (wasThere && endsBy(process.pid, m_stopSignal)) {
            signalProcess(process, m_stopSignal);
        }
    }
    m_signalAgainAt = monotonicMs() + signalAgainMs;
}

// A shell holds the signal back while it forks, and ends by it right after: its child came too late to be seen, and
// never gets the signal that waited for its parent. A process that the signal ended had no handler, so no process was
// started to save anything.
void Keeper::signalMissed()
{
    const bool endedByIt = m_stopSignal != 0 && WIFSIGNALED(m_mainStatus) && WTERMSIG(m_mainStatus) == m_stopSignal;
    if (!endedByIt || m_stoppedMainOnly || m_killing) {
        return;
    }
    std::vector<pid_t> parents = {m_scope.keeper}; // it inherits them
    const std::vector<ProcessInfo> found = findTaskProcesses(m_scope);
    for (std::size_t i = 0; i < parents.size(); ++i) {
        for (const ProcessInfo &process : found) {
            const bool knew = std::any_of(m_signalled.begin(), m_signalled.end(),
                [&process](const ProcessInfo &one) { return isSame(one, process); });
            if (process.parent == parents[i] && !knew && signalProcess(process, m_stopSignal)) {
                m_signalled.push_back(process);
                parents.push_back(process.pid);
            }
        }
    }
}

// The grace period is over: kills and looks again until no process is left.
void Keeper::escalateKill()
{
    const std::int64_t now = monotonicMs();
    m_killingSince = m_killingSince < 0 ? now : m_killingSince;
    if (m_container) {
        const std::int64_t until = m_killingSince + giveUpMs;
        if (m_container->hasEnded()) {
            m_killAt = -1;
        } else if (now >= until) {
            lookWhoIsLeft();
        } else {
            m_container->kill();
            m_killPause = std::clamp<std::int64_t>(m_killPause * 2, 500, 10000);
            m_killAt = std::min(now + m_killPause, until);
        }
        return;
    }
    if (!m_killing) {
        m_killing = true;
        m_killedLeftovers = m_mainEnded && !m_stopping;
        signalTask(m_scope, SIGKILL); // all at once: none lives to complain about another's death
    }
    killAll();
    reap();
    if (!m_childrenGone && monotonicMs() >= m_killingSince + giveUpMs) {
        lookWhoIsLeft();
    }
    m_killAt = monotonicMs() + m_killPause;
    m_killPause = std::min<std::int64_t>(m_killPause * 2, 1000);
}

void Keeper::killAll()
{
    // A tree that forks as it dies needs more than one look.
    for (int round = 0; round < 20; ++round) {
        const std::vector<ProcessInfo> found = findTaskProcesses(m_scope);
        if (found.empty()) {
            return;
        }
        for (const ProcessInfo &process : found) {
            signalProcess(process, SIGKILL);
        }
        reap();
        if (m_childrenGone) {
            return;
        }
    }
}

void Keeper::lookWhoIsLeft()
{
    TaskScope scope = m_scope;
    if (m_container) {
        scope = {};
        if (const auto first = processInfo(static_cast<pid_t>(m_container->pid()))) {
            scope.keeper = first->pid;
            scope.keeperStart = first->startTime;
        }
    }
    const std::vector<ProcessInfo> found = scope.keeper > 0 ? findTaskProcesses(scope) : std::vector<ProcessInfo>();
    // When no process can be seen, one has ended and its tracer keeps its status.
    m_left = !found.empty() ? describeProcesses(found) : m_container ? m_task.launch.plan.container.name : "?";
}

} // namespace trainyard::agent
