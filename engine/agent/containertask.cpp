// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/containertask.h"

#include "engine/agent/client.h"
#include "engine/agent/containerfaults.h"
#include "engine/agent/detach.h"
#include "engine/agent/imagepull.h"
#include "engine/agent/processes.h"
#include "engine/agent/pump.h"
#include "engine/agent/stoprequest.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard::agent
{
namespace
{

namespace file = contract::file;
using contract::ContainerStatus;
using contract::ExitKind;
using contract::ExitRecord;

constexpr std::int64_t longestPauseMs = 5000;
constexpr std::int64_t orphanedMs = 1000; // whose monitor is dead
constexpr std::int64_t missedMs = 3000; // a slow disk holds a monitor up
constexpr int mostMissed = 5;

int openPipe(const std::string &path, int flags)
{
    // A file of an earlier keeper is of no use, since it is about another container.
    ::unlink(path.c_str());
    return ::mkfifo(path.c_str(), 0600) == 0 ? ::open(path.c_str(), flags | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW) : -1;
}

} // namespace

ContainerTask::ContainerTask(const KeeperTask &task)
    : m_task(task),
      m_container(task.launch.plan.container), m_record{m_container.runtime, m_container.name, m_container.image},
      m_environment(task.clientEnvironment), m_pipes(task.launch.dir + '/' + file::pipes)
{
}

ContainerTask::~ContainerTask()
{
    for (const int fd : {m_in, m_out, m_err, m_waiterOut, m_stopperOut, m_mainDescriptor}) {
        if (fd >= 0) {
            ::close(fd);
        }
    }
}

bool ContainerTask::prepareImage(ExitRecord &failed)
{
    if (findProgram(m_container.runtime, m_environment).empty()) {
        return failContainer(failed, "launch.runtime-missing", m_container.runtime);
    }
    if (::mkdir(m_pipes.c_str(), 0700) != 0 && errno != EEXIST) {
        failed.value = errno;
        return failContainer(failed, errno == ENOSPC ? "launch.disk-full" : "launch.folder-unwritable", file::pipes);
    }
    if (!foldersAreThere(m_container, failed)) {
        return false;
    }
    // An earlier keeper may have died after the container had started and before it reported that.
    if (const auto left = contract::readContainerRecord(m_task.launch.dir);
        left && !removeContainer(*left, m_environment)) {
        return failContainer(failed, "launch.container-left", left->name);
    }
    ClientOptions options;
    options.mayGoOn = [] { return !isStopRequested(); }; // a service that hangs never answers
    const ClientResult exists = runClient(contract::imageExistsCommand(m_container), m_environment, options);
    if (exists.error != 0) {
        return failProcess(failed, exists.error);
    }
    if (exists.given) {
        return failContainer(failed, "launch.stopped", {});
    }
    if (exists.status == 0) {
        return true;
    }
    // It is not known that the image is missing.
    if (isServiceAway(exists.said, failed)) {
        failed.value = exists.status;
        appendRuntimeLog("The container service does not answer: " + contract::lastWords(exists.said));
        return false;
    }
    return pullImage(m_task, m_environment, failed);
}

bool ContainerTask::start(ExitRecord &failed)
{
    if (isStopRequested()) {
        return failContainer(failed, "launch.stopped", {});
    }
    ::unlink((m_pipes + "/main").c_str());
    // Opened before the container is there: nothing waits for the other end, and no output is lost.
    m_out = openPipe(m_pipes + "/out", O_RDONLY);
    m_err = openPipe(m_pipes + "/err", O_RDONLY);
    m_in = openPipe(m_pipes + "/in", O_RDWR);
    if (m_in < 0 || m_out < 0 || m_err < 0) {
        failed.value = errno;
        return failContainer(failed, "launch.folder-unwritable", file::pipes);
    }
    if (const int error
        = contract::writeAtomically(contract::containerRecordPath(m_task.launch.dir), m_record.format(), false)) {
        failed.value = error;
        return failContainer(failed, error == ENOSPC ? "launch.disk-full" : "launch.folder-unwritable", "container");
    }
    ClientOptions options;
    options.mayGoOn = [] { return !isStopRequested(); };
    contract::CommandLine line = m_container.run;
    ClientResult result = runClient(line, m_environment, options);
    while (result.status != 0 && !result.given) {
        contract::CommandLine less = contract::withoutWhatIsMissing(line, result.said);
        if (less.empty()) {
            break;
        }
        appendRuntimeLog(
            "This host cannot give the container all of it, so it does without: " + contract::lastWords(result.said));
        runClient(contract::removeCommand(m_record), m_environment, options);
        line = std::move(less);
        result = runClient(line, m_environment, options);
    }
    m_isLimited = std::find(line.begin(), line.end(), "--memory") != line.end();
    if (result.status != 0) {
        failed.value = result.status;
        if (result.error != 0) {
            failProcess(failed, result.error);
        } else {
            result.given ? failContainer(failed, "launch.stopped", {}) : failRun(failed, m_container, result);
        }
        if (!result.given && result.error == 0) {
            appendRuntimeLog("The container could not be started: " + contract::lastWords(result.said));
        }
        remove();
        return false;
    }
    if (const std::optional<ContainerStatus> status = inspect()) {
        m_pid = status->pid;
    }
    if (m_pid > 0) {
        m_mainDescriptor = openPidfd(static_cast<pid_t>(m_pid));
        if (m_mainDescriptor >= 0) {
            ::fcntl(m_mainDescriptor, F_SETFD, FD_CLOEXEC);
        }
    }
    return true;
}

bool ContainerTask::releaseProgram()
{
    std::vector<std::pair<std::string, std::string>> variables;
    for (const contract::Variable &variable : m_task.launch.env) {
        variables.emplace_back(variable.name, variable.value);
    }
    variables.emplace_back("TRAINYARD_TRY", m_task.launch.plan.tryUuid);
    if (!m_task.markWord.empty()) {
        variables.emplace_back(markVariable, m_task.markWord);
    }
    std::string input = contract::containerInput(variables, m_task.launch.script);
    std::string_view rest = input;
    while (!rest.empty() && !m_ended && !isStopRequested()) { // a shell that never reads must not outlive a stop
        const ssize_t n = ::write(m_in, rest.data(), rest.size());
        if (n > 0) {
            rest.remove_prefix(static_cast<std::size_t>(n));
            m_given += static_cast<int>(n);
            continue;
        }
        pollfd polled[2] = {{m_in, POLLOUT, 0}, {m_mainDescriptor, POLLIN, 0}};
        ::poll(polled, 2, 100);
        if (polled[1].revents != 0 && m_mainDescriptor >= 0) {
            mainEnded();
        }
        int status = 0;
        const pid_t pid = m_waiter > 0 ? ::waitpid(m_waiter, &status, WNOHANG) : 0;
        if (pid > 0) {
            reaped(pid, status);
        }
        tick();
    }
    ::explicit_bzero(input.data(), input.size());
    return rest.empty();
}

void ContainerTask::watch()
{
    m_watchAt = -1;
    const ClientProcess process = startClient(contract::waitCommand(m_record), m_environment, {});
    if (process.pid < 0) {
        m_watchAt = monotonicMs() + longestPauseMs; // no memory for a process: later
        return;
    }
    m_waiter = process.pid;
    m_waiterOut = process.out;
}

std::int64_t ContainerTask::due() const
{
    return m_watchAt < 0 || (m_missedAt >= 0 && m_missedAt < m_watchAt) ? m_missedAt : m_watchAt;
}

void ContainerTask::tick()
{
    if (m_watchAt >= 0 && monotonicMs() >= m_watchAt) {
        watch();
    }
    if (m_missedAt >= 0 && monotonicMs() >= m_missedAt) {
        endUnwatched();
    }
}

void ContainerTask::mainEnded()
{
    if (m_mainDescriptor >= 0) {
        ::close(std::exchange(m_mainDescriptor, -1));
    }
    if (!m_ended && m_missedAt < 0) {
        m_missedAt = monotonicMs() + (m_mainStatus ? orphanedMs : missedMs);
    }
}

// The container's first process is gone, but the container program has not reported it, because its monitor was killed.
// The program then takes the container to be running, and waits forever.
void ContainerTask::endUnwatched()
{
    m_missedAt = -1;
    if (m_ended) {
        return;
    }
    const std::optional<ContainerStatus> status = inspect();
    const bool isOver
        = status && (status->status == "exited" || status->status == "stopped" || status->status == "dead");
    if (!isOver && !m_mainStatus && (!status || ++m_missed < mostMissed)) {
        m_missedAt = monotonicMs() + missedMs; // a service that is away tells later
        return;
    }
    m_status = isOver ? std::optional(status->exitCode) : m_mainStatus;
    m_isUnwatched = !isOver;
    m_ended = true;
    if (m_isUnwatched) {
        appendRuntimeLog("The monitor of the container " + m_record.name + " was ended from outside"
            + (m_status ? "." : "; nobody knows how the task ended."));
    }
    if (m_waiter > 0) {
        ::kill(m_waiter, SIGKILL); // reaped with the others
    }
}

bool ContainerTask::reaped(pid_t pid, int status)
{
    if (std::erase(m_formerStoppers, pid) > 0) {
        return true;
    }
    if (pid == m_pid) { // only a dead monitor leaves it to the keeper
        m_mainStatus = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        m_missedAt = -1;
        mainEnded();
        return false; // what it used is the task's
    }
    if (pid == m_stopper) {
        m_stopper = 0;
        ::close(std::exchange(m_stopperOut, -1));
        return true;
    }
    if (pid != m_waiter) {
        return false;
    }
    m_waiter = 0;
    std::string said;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(m_waiterOut, buffer, sizeof buffer)) > 0;) {
        said.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(std::exchange(m_waiterOut, -1));
    if (m_ended) {
        return true;
    }
    const std::optional<int> code = contract::parseWaitStatus(said);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && code) {
        m_status = code;
        m_ended = true;
    } else if (isContainerGone(said)) {
        m_ended = true; // it was removed: how it ended is not known
    } else {
        // The process that waits was ended, or the container service is away for a while: ask again.
        m_watchAt = monotonicMs() + m_watchPause;
        m_watchPause = std::min(m_watchPause * 2, longestPauseMs);
    }
    return true;
}

} // namespace trainyard::agent
