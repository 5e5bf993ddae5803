// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/changedsince.h"
#include "engine/agent/containerfaults.h"
#include "engine/agent/datastore.h"
#include "engine/agent/detach.h"
#include "engine/agent/gitfind.h"
#include "engine/agent/imagepull.h"
#include "engine/agent/keeper_p.h"
#include "engine/agent/locks.h"
#include "engine/agent/scriptlink.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitRecord;
using contract::StartedRecord;
using contract::Stream;

namespace
{

constexpr std::int64_t gpuPatienceMs = 3000; // the keeper before is about to leave: its result is known before that
constexpr int gpuPauseMs = 30;

bool failStart(ExitRecord &record, const char *code, const std::string &argument, int error)
{
    record.value = error;
    return failContainer(record, code, argument);
}

bool failWrite(ExitRecord &record, const char *name, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    return failStart(record, full ? "launch.disk-full" : "launch.folder-unwritable", name, error);
}

} // namespace

bool Keeper::checkFolder(const std::string &cwd, ExitRecord &failed)
{
    struct stat info;
    if (::stat(cwd.c_str(), &info) != 0) {
        return failStart(failed, errno == EACCES ? "launch.cwd-denied" : "launch.cwd-missing", cwd, errno);
    }
    if (!S_ISDIR(info.st_mode)) {
        return failStart(failed, "launch.cwd-missing", cwd, ENOTDIR);
    }
    if (::access(cwd.c_str(), X_OK) != 0) {
        return failStart(failed, "launch.cwd-denied", cwd, errno);
    }
    return true;
}

// Writes the files that say what will run, and takes what must be free for it.
bool Keeper::prepare(ExitRecord &failed)
{
    const contract::Launch &launch = m_task.launch;
    contract::KeeperRecord record;
    record.host = m_task.host;
    record.process.bootId = m_task.bootId;
    record.process.pid = ::getpid();
    if (const std::optional<ProcessInfo> self = ownProcess()) {
        record.process.startTime = self->startTime;
    }
    record.tryUuid = launch.plan.tryUuid;
    record.at = utcMs();
    m_scope.keeper = ::getpid();
    m_scope.keeperStart = record.process.startTime;
    m_scope.tryUuid = launch.plan.tryUuid;
    m_record = record.format();
    if (const int error = contract::writeAtomically(file::keeper, m_record, false)) {
        return failWrite(failed, file::keeper, error);
    }
    if (const int error = contract::reserveRecord(file::reserve)) {
        return failWrite(failed, file::exit, error);
    }

    if (!m_task.environmentNote.empty() && launch.plan.container.runtime.empty()) {
        appendRuntimeLog(m_task.environmentNote);
    }
    if (!m_task.leftOutNote.empty()) {
        appendRuntimeLog(m_task.leftOutNote);
    }
    contract::Plan plan = launch.plan;
    if (plan.argv.empty() && !plan.container.runtime.empty()) {
        plan.argv = plan.container.run;
    } else if (plan.argv.empty()) {
        if (launch.sealed) {
            makeScriptLink(launch.dir + '/' + file::sealed);
        }
        plan.argv = {launch.shell, scriptPathOf(launch)};
    }
    plan.cwd = launch.cwd;
    if (plan.envNames.empty()) {
        for (const contract::Variable &variable : launch.env) {
            plan.envNames.push_back(variable.name);
        }
    }
    if (const int error = writeFile(file::plan, contract::planJson(plan))) {
        return failWrite(failed, file::plan, error);
    }
    if (const int error = writeFile(file::script, launch.sealed ? launch.maskedScript : launch.script)) {
        return failWrite(failed, file::script, error);
    }
    if (const int error = m_pump.open()) {
        return failWrite(failed, file::output, error);
    }
    for (const int port : launch.checkPorts) {
        if (!isPortFree(port)) {
            return failStart(failed, "launch.port-busy", std::to_string(port), EADDRINUSE);
        }
    }
    for (const std::string &tree : launch.dataTrees) {
        lockDataTree(tree); // kept until this process ends
    }
    if (!launch.gpuLocks.empty()) {
        std::vector<int> held; // kept until this process ends
        int error = 0;
        const std::string folder = gpuLockFolder(launch.gpuLockFolder);
        std::vector<GpuLock> wanted;
        for (std::size_t i = 0; i < launch.gpuLocks.size(); ++i) {
            wanted.push_back(
                {launch.gpuLocks[i], launch.gpuShareMiB, i < launch.gpuMemoryMiB.size() ? launch.gpuMemoryMiB[i] : 0});
        }
        std::string busy;
        const std::int64_t until = monotonicMs() + gpuPatienceMs;
        do {
            busy = takeGpuLocks(folder, wanted, held, error, launch.dir);
            if (!busy.empty() && error == 0) {
                pollfd nothing{-1, 0, 0};
                ::poll(&nothing, 1, gpuPauseMs);
            }
        } while (!busy.empty() && error == 0 && monotonicMs() < until);
        if (!busy.empty()) {
            return failStart(failed, error != 0 ? "launch.gpu-lock-failed" : "launch.gpu-busy", busy, error);
        }
        m_kernelLog = std::make_unique<KernelLog>();
    }
    // Only git tells what was changed, and most starts need not wait for the next tick of the kernel.
    const std::string &cwd = launch.cwd;
    if (!repositoryOf(cwd.empty() ? launch.dir + '/' + file::work : cwd).empty()) {
        awaitLaterStamps(m_task.moment);
    }
    return true;
}

// Everything is blocked from here on: a signal to the child before it has reset what we ignore would be lost, and waits
// for it like this.
bool Keeper::openSignals(ExitRecord &failed)
{
    sigset_t all, wanted;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    ::sigemptyset(&wanted);
    ::sigaddset(&wanted, SIGCHLD);
    ::sigaddset(&wanted, SIGUSR1);
    if (m_task.isInStep) {
        ::sigaddset(&wanted, SIGTERM); // blocked, it is seen although it is ignored
    }
    m_signals = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    return m_signals >= 0 || failStart(failed, "launch.descriptors", {}, errno);
}

StartedRecord Keeper::startedRecord(pid_t main) const
{
    StartedRecord record;
    record.host = m_task.host;
    record.process.bootId = m_task.bootId;
    record.process.pid = main;
    if (const std::optional<ProcessInfo> info = processInfo(main)) {
        record.process.startTime = info->startTime;
    }
    record.keeperPid = m_scope.keeper;
    record.tryUuid = m_task.launch.plan.tryUuid;
    record.gpus = m_task.stepGpus;
    return record;
}

// In this order: if a busy host delays the second one, the reported end is too early, and not later than the beginning
// of the next program.
void Keeper::noteBegin()
{
    m_began = utcMs();
    m_beganMonotonic = monotonicMs();
    m_beganSinceBoot = sinceBootMs();
}

// Says that the task began when that was noted. Returns an errno.
int Keeper::writeStarted(StartedRecord record)
{
    record.at = m_began;
    const std::string text = record.format();
    const int error = contract::writeAtomically(file::started, text, false);
    if (error == 0) {
        // The agent has no use for the first before there is the second, and is woken once for both.
        sendNotes(m_task.notes, noteBytes(note::keeper, m_record) + noteBytes(note::started, text));
    }
    return error;
}

// The container runs at once, and its first process waits for what it is to do: that is the gate.
bool Keeper::startContainer(ExitRecord &failed)
{
    m_container = std::make_unique<ContainerTask>(m_task);
    if (!m_container->prepareImage(failed) || !openSignals(failed) || !m_container->start(failed)) {
        return false;
    }
    m_sources[0].fd = m_container->takeOutput();
    m_sources[1].fd = m_container->takeErrors();
    m_sources[1].stream = Stream::Err;
    const StartedRecord record = startedRecord(static_cast<pid_t>(m_container->pid()));
    noteBegin();
    m_meterAt = m_container->pid() > 0 ? m_beganMonotonic + meterMs / 4 : -1;
    if (const int error = writeStarted(record)) {
        m_container->remove();
        return failWrite(failed, file::started, error);
    }
    m_container->watch();
    m_container->releaseProgram();
    return true;
}

bool Keeper::start(ExitRecord &failed)
{
    const contract::Launch &launch = m_task.launch;
    std::string cwd = launch.cwd;
    if (cwd.empty()) {
        cwd = launch.dir + '/' + file::work;
        if (::mkdir(file::work, 0700) != 0 && errno != EEXIST) {
            return failWrite(failed, file::work, errno);
        }
    } else if (!checkFolder(cwd, failed)) {
        return false;
    }
    const std::string &runtime = launch.plan.container.runtime;
    if (!runtime.empty()) {
        if (::mkdir(file::inside, 0700) != 0 && errno != EEXIST) {
            return failWrite(failed, file::inside, errno);
        }
        makeScriptLink(launch.dir + '/' + file::inside); // what starts in the container looks for it
    }
    if (contract::isDetached(runtime)) {
        return startContainer(failed);
    }
    if (!runtime.empty() && !prepareImageFile(m_task, failed)) {
        return false;
    }
    TaskChild child(m_task, cwd);
    if (!child.findShell()) {
        return failStart(failed, "launch.shell-missing", launch.shell, ENOENT);
    }
    int outPipe[2], errPipe[2];
    if (::pipe2(outPipe, O_CLOEXEC) != 0 || ::pipe2(errPipe, O_CLOEXEC) != 0) {
        return failStart(failed, "launch.descriptors", {}, errno);
    }
    if (!openSignals(failed)) {
        return false;
    }
    if (m_cgroup.path().empty()) {
        makeCgroup();
    }
    noteBegin(); // unless its own word for it comes
    m_main = child.start(
        outPipe[1], errPipe[1], [this] { return begin(); }, m_failure);
    const int error = errno;
    if (rusage own{}; ::getrusage(RUSAGE_SELF, &own) == 0) {
        m_memory.inheritedKiB = own.ru_maxrss;
    }
    ::close(outPipe[1]);
    ::close(errPipe[1]);
    if (m_main < 0) {
        return failStart(failed, error == EAGAIN ? "launch.processes" : "launch.memory", {}, error);
    }
    if (m_failure.stage == ChildFailure::Record) {
        ::waitpid(m_main, nullptr, 0);
        return failWrite(failed, file::started, m_failure.error);
    }
    m_sources[0].fd = outPipe[0];
    m_sources[1].fd = errPipe[0];
    m_sources[1].stream = Stream::Err;
    m_scope.main = m_main;
    m_meterAt = m_beganMonotonic + meterMs / 4;
    return true;
}

// In the child, which still holds the lock and the pipe of the notes: once either of them is released, the task has
// started or never will. The child tells the agent itself, because the task may stop the keeper before the keeper
// could. Returns an errno.
int Keeper::begin()
{
    StartedRecord record = startedRecord(::getpid());
    const pid_t self = record.process.pid;
    if (!m_cgroup.path().empty() && !m_cgroup.add(self)) { // one that was handed on may have been removed since
        m_cgroup.remove();
        if (makeCgroup() && !m_cgroup.add(self)) {
            m_cgroup.remove();
        }
    }
    record.cgroup = m_cgroup.path();
    noteBegin();
    const int error = writeStarted(record);
    if (error == 0) {
        // Without an agent that left a signal pending. It is blocked here and would end the task as soon as it is not.
        ::signal(SIGPIPE, SIG_IGN);
    }
    return error;
}

bool Keeper::makeCgroup()
{
    const contract::Limits &limits = m_task.launch.plan.limits;
    return (limits.memoryBytes > 0 || limits.cpuWeight > 0)
        && m_cgroup.create(m_task.launch.plan.tryUuid, limits.memoryBytes, limits.cpuWeight);
}

void Keeper::leaveCgroup()
{
    if (m_cgroup.path().empty() || (m_cgroup.isAsNew() && sendNote(m_task.notes, note::group, m_cgroup.path()))) {
        return;
    }
    m_cgroup.remove();
}

} // namespace trainyard::agent
