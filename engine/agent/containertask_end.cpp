// SPDX-License-Identifier: GPL-3.0-or-later
// How a container is stopped, what its end means, and how it is removed.
#include "engine/agent/cgroup.h"
#include "engine/agent/client.h"
#include "engine/agent/containerfaults.h"
#include "engine/agent/containertask.h"
#include "engine/agent/detach.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trainyard::agent
{
namespace
{

using contract::ContainerStatus;
using contract::ExitKind;
using contract::ExitRecord;

constexpr int removeRounds = 5;

constexpr std::int64_t inspectMs = 30'000; // of a service that hangs nothing is learned

} // namespace

std::optional<ContainerStatus> ContainerTask::inspect() const
{
    ClientOptions options;
    options.limitMs = inspectMs;
    const ClientResult result = runClient(contract::inspectCommand(m_record), m_environment, options);
    return result.status == 0 ? contract::parseContainerStatus(result.said) : std::nullopt;
}

void ContainerTask::startStopper(const contract::CommandLine &line)
{
    if (m_stopper > 0) {
        ::kill(m_stopper, SIGKILL); // the client alone; reaped with the others
        ::close(std::exchange(m_stopperOut, -1));
        m_formerStoppers.push_back(std::exchange(m_stopper, 0));
    }
    const ClientProcess process = startClient(line, m_environment, {});
    if (process.pid > 0) {
        m_stopper = process.pid;
        m_stopperOut = process.out;
    }
}

void ContainerTask::stop(const contract::StopRecord &record)
{
    if (record.onlyMain) {
        startStopper(contract::signalMainCommand(m_record, record.signal, m_pipes));
    } else if (record.graceMs < 1000) {
        // A second is the shortest grace that stop knows.
        startStopper(contract::signalCommand(m_record, record.graceMs <= 0 ? SIGKILL : record.signal));
    } else if (record.signal == SIGTERM) {
        startStopper(contract::stopCommand(m_record, static_cast<int>((record.graceMs + 999) / 1000)));
    } else {
        startStopper(contract::signalCommand(m_record, record.signal));
    }
}

void ContainerTask::kill() { startStopper(contract::killCommand(m_record)); }

void ContainerTask::fillResult(ExitRecord &record, bool stopping, std::int64_t oomKillsBefore) const
{
    if (!m_status) {
        record.kind = ExitKind::Lost;
        record.reason = (m_isUnwatched ? "container.monitor-died " : "container.removed ") + m_container.name;
        return;
    }
    record.kind = ExitKind::Exited;
    record.value = *m_status;
    if (*m_status == 0) {
        return;
    }
    const std::optional<ContainerStatus> status = inspect();
    const bool killed = *m_status == 128 + SIGKILL;
    if (status && *m_status >= 125 && *m_status <= 127 && (!status->started || !status->error.empty())) {
        // The program's own status, not that of the task.
        record.kind = ExitKind::StartFailed;
        record.reason = "launch.container-failed " + status->error;
        return;
    }
    // Under an init the container starts whatever is in it: unread input was for a shell that is not there.
    int unread = 0;
    if (!stopping && *m_status < 128 && m_given > 0 && ::ioctl(m_in, FIONREAD, &unread) == 0 && unread == m_given) {
        failContainer(record, "launch.container-shell-missing", m_container.image);
        return;
    }
    // podman's monitor leaves this file in the folder that it was started in, where podman itself does not look.
    const bool monitorSaw = ::access("oom", F_OK) == 0;
    if (monitorSaw || (status && status->oomKilled)
        || (killed && !stopping && oomKillsBefore >= 0 && oomKillsAround() > oomKillsBefore)) {
        record.kind = ExitKind::Oom;
        record.status = *m_status;
        record.value = SIGKILL;
        record.reason = m_isLimited ? "oom.limit" : "oom.host";
    }
}

void ContainerTask::remove()
{
    if (m_stopper > 0) {
        ::kill(m_stopper, SIGKILL);
    }
    ::unlink("oom");
    if (removeContainer(m_record, m_environment, m_ended)) {
        ::unlink(contract::containerRecordPath(m_task.launch.dir).c_str());
        for (const char *name : {"/in", "/out", "/err", "/main", "/boss"}) {
            ::unlink((m_pipes + name).c_str());
        }
        ::rmdir(m_pipes.c_str());
    } else {
        appendRuntimeLog("The container " + m_record.name
            + " could not be removed. Remove it by hand: " + m_record.runtime + " rm -f " + m_record.name);
    }
}

bool removeContainer(const contract::ContainerRecord &record, const std::vector<std::string> &environment, bool isOver,
    std::int64_t answerMs)
{
    ClientOptions options;
    options.limitMs = answerMs;
    std::int64_t pause = 100;
    for (int round = 0; round < removeRounds; ++round) {
        if (!isOver || round > 0) {
            // A removal alone would ask the program to end and wait.
            if (runClient(contract::killCommand(record), environment, options).late) {
                return false;
            }
        }
        const ClientResult result = runClient(contract::removeCommand(record), environment, options);
        if (result.status == 0 || isContainerGone(result.said)) {
            return true;
        }
        if (result.late || (result.status < 0 && result.error == 0)) {
            return false; // it hangs, or there is no such program
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, static_cast<int>(pause));
        pause *= 3;
    }
    return false;
}

} // namespace trainyard::agent
