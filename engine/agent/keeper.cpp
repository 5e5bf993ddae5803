// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/keeper.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/containertask.h"
#include "engine/agent/detach.h"
#include "engine/agent/imagepull.h"
#include "engine/agent/kernellog.h"
#include "engine/agent/locks.h"
#include "engine/agent/processes.h"
#include "engine/agent/pump.h"
#include "engine/agent/taskchild.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>

namespace trainyard::agent
{
namespace
{

namespace file = contract::file;
using contract::ExitKind;
using contract::ExitRecord;
using contract::StartedRecord;
using contract::Stream;

constexpr std::size_t defaultPipe = 64 * 1024;
constexpr std::size_t largePipe = 1024 * 1024;
constexpr int fullReadsBeforeLarge = 3;
constexpr std::int64_t leftoverQuietMs = 250; // what still prints after the main program gets this long without a word,
constexpr std::int64_t leftoverMaxMs = 5000; // and this long in all: `exec > >(tee log)` must not lose its last lines
constexpr std::int64_t retryMs = 1000;
constexpr std::int64_t monitorMs = 1000;
constexpr std::int64_t signalAgainMs = 1000;
constexpr std::int64_t giveUpMs = 10000; // of killing: what is there then waits in the kernel, or is somebody else's
constexpr std::int64_t meterMs = 2000; // between two looks at the memory of all processes; a look costs at most ...
constexpr std::int64_t meterShare = 1000; // ... a thousandth of the time
constexpr std::int64_t gpuPatienceMs = 3000; // the keeper before is about to leave: its result is known before that
constexpr int gpuPauseMs = 30;

class Keeper
{
public:
    explicit Keeper(const KeeperTask &task)
        : m_task(task), m_secrets(task.launch.maskValues), m_pump(m_secrets, task.launch.plan.limits.outputBytes)
    {
        m_cgroup.adopt(task.cgroup);
    }
    void run();

private:
    struct Source {
        int fd = -1;
        Stream stream = Stream::Out;
        std::size_t capacity = defaultPipe;
        int fullReads = 0;
    };

    const KeeperTask &m_task;
    const Secrets m_secrets;
    Pump m_pump;
    TaskCgroup m_cgroup;
    Source m_sources[2];
    int m_signals = -1;
    pid_t m_main = 0;
    ChildFailure m_failure;
    TaskScope m_scope;
    std::unique_ptr<ContainerTask> m_container; // instead of processes of our own
    std::int64_t m_containerEnded = -1; // monotonic ms
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_bufferSize = 0;

    std::int64_t m_began = 0, m_beganMonotonic = 0;
    bool m_mainEnded = false, m_childrenGone = false;
    int m_mainStatus = 0;
    std::int64_t m_maxRssKiB = 0, m_userMs = 0, m_systemMs = 0;

    bool m_stopping = false, m_stoppedMainOnly = false;
    std::int64_t m_killAt = -1; // monotonic ms of the end of the grace, or of the patience with what is left
    std::int64_t m_killPause = 10; // between two rounds of killing
    std::int64_t m_killingSince = -1;
    std::int64_t m_signalAgainAt = -1;
    int m_stopSignal = 0;
    std::vector<ProcessInfo> m_signalled; // who was there when it was sent
    std::string m_left; // who could not be ended
    std::int64_t m_meterAt = -1, m_maxSumKiB = 0;
    std::int64_t m_clientRssKiB = 0; // of the container program itself
    bool m_killing = false, m_killedLeftovers = false;
    std::int64_t m_leftoversSince = -1;
    bool m_saidFull = false;
    std::int64_t m_retryAt = -1;

    bool prepare(ExitRecord &failed);
    bool checkFolder(const std::string &cwd, ExitRecord &failed);
    bool openSignals(ExitRecord &failed);
    bool start(ExitRecord &failed);
    bool startContainer(ExitRecord &failed);
    int begin(std::string &text);
    bool makeCgroup();
    void leaveCgroup();
    StartedRecord startedRecord(pid_t main) const;
    bool isOver();
    void loop();
    int timeout() const;
    std::size_t readSource(Source &source);
    void drain();
    void reap();
    void handleStop();
    void pursue();
    void killAll();
    void signalAgain();
    void signalMissed();
    void lookWhoIsLeft();
    void measure();
    void checkDisk();
    ExitRecord result() const;
    void tellGpuErrors(const ExitRecord &record) const;
    void finish(const ExitRecord &record);
};

bool failStart(ExitRecord &record, const char *code, const std::string &argument, int error)
{
    record.kind = ExitKind::StartFailed;
    record.value = error;
    record.reason = code;
    if (!argument.empty()) {
        record.reason += ' ' + argument;
    }
    return false;
}

bool failWrite(ExitRecord &record, const char *name, int error)
{
    const bool full = error == ENOSPC || error == EDQUOT;
    return failStart(record, full ? "launch.disk-full" : "launch.folder-unwritable", name, error);
}

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

// The files that say what will run, and the things that must be free for it.
bool Keeper::prepare(ExitRecord &failed)
{
    const contract::Launch &launch = m_task.launch;
    contract::KeeperRecord record;
    record.host = m_task.host;
    record.process.bootId = m_task.bootId;
    record.process.pid = ::getpid();
    if (const std::optional<ProcessInfo> self = processInfo(::getpid())) {
        record.process.startTime = self->startTime;
    }
    record.tryUuid = launch.plan.tryUuid;
    record.at = utcMs();
    m_scope.keeper = ::getpid();
    m_scope.keeperStart = record.process.startTime;
    m_scope.tryUuid = launch.plan.tryUuid;
    const std::string keeperText = record.format();
    if (const int error = contract::writeAtomically(file::keeper, keeperText, false)) {
        return failWrite(failed, file::keeper, error);
    }
    sendNote(m_task.notes, note::keeper, keeperText);

    contract::Plan plan = launch.plan;
    if (plan.argv.empty() && !plan.container.runtime.empty()) {
        plan.argv = plan.container.run;
    } else if (plan.argv.empty()) {
        plan.argv = {launch.shell, launch.sealed ? std::string("/dev/fd/9") : launch.dir + '/' + file::script};
    }
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
            busy = takeGpuLocks(folder, wanted, held, error);
            if (!busy.empty() && error == 0) {
                pollfd nothing{-1, 0, 0};
                ::poll(&nothing, 1, gpuPauseMs);
            }
        } while (!busy.empty() && error == 0 && monotonicMs() < until);
        if (!busy.empty()) {
            return failStart(failed, error != 0 ? "launch.gpu-lock-failed" : "launch.gpu-busy", busy, error);
        }
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
    return record;
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
    StartedRecord record = startedRecord(static_cast<pid_t>(m_container->pid()));
    m_began = record.at = utcMs();
    m_beganMonotonic = monotonicMs();
    m_meterAt = m_container->pid() > 0 ? m_beganMonotonic + meterMs / 4 : -1;
    const std::string text = record.format();
    if (const int error = contract::writeAtomically(file::started, text, false)) {
        m_container->remove();
        return failWrite(failed, file::started, error);
    }
    sendNote(m_task.notes, note::started, text);
    m_container->watch();
    m_container->letGo();
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
    if (contract::isDetached(launch.plan.container.runtime)) {
        return startContainer(failed);
    }
    if (!launch.plan.container.runtime.empty() && !prepareImageFile(m_task, failed)) {
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
    std::string started; // what the child has written down, as the last thing before it works for the task
    m_main = child.start(
        outPipe[1], errPipe[1], [&] { return begin(started); }, m_failure);
    const int error = errno;
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
    sendNote(m_task.notes, note::started, started);
    return true;
}

// In the child, which still holds the lock and the pipe of the notes: who sees either of them let go knows that the
// task has begun, or never will. Gives an errno.
int Keeper::begin(std::string &text)
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
    m_beganMonotonic = monotonicMs();
    m_began = record.at = utcMs();
    text = record.format();
    return contract::writeAtomically(file::started, text, false);
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

void Keeper::run()
{
    ExitRecord failed;
    failed.began = utcMs();
    if (!prepare(failed) || !start(failed)) {
        failed.ended = utcMs();
        leaveCgroup();
        const std::string text = failed.format();
        contract::writeAtomically(file::exit, text, false);
        sendNote(m_task.notes, note::exit, text);
        return;
    }
    for (const Source &source : m_sources) {
        ::fcntl(source.fd, F_SETFL, O_NONBLOCK); // the task may read its own output
    }
    m_bufferSize = defaultPipe;
    m_buffer = std::make_unique_for_overwrite<char[]>(m_bufferSize);
    handleStop(); // one that came before the signal could be seen
    loop();
    drain();
    finish(result());
    if (m_container) {
        m_container->remove(); // the last of all: the result is safe
    }
}

int Keeper::timeout() const
{
    std::int64_t due = -1;
    const auto consider = [&due](std::int64_t at) {
        if (at >= 0 && (due < 0 || at < due)) {
            due = at;
        }
    };
    if (m_pump.blocked() == 0) { // else it is due and cannot be done: the retry is what to wait for
        consider(m_pump.flushDue());
    }
    consider(m_retryAt);
    consider(m_killAt);
    consider(m_meterAt);
    consider(m_signalAgainAt);
    if (m_container) {
        consider(m_container->due());
        consider(m_containerEnded >= 0 ? m_containerEnded + monitorMs : -1);
    }
    if (due < 0) {
        return -1;
    }
    return static_cast<int>(std::clamp<std::int64_t>(due - monotonicMs(), 0, 60000));
}

// A container's monitor is waited for a little: it knows what the task used.
bool Keeper::isOver()
{
    if (!m_left.empty()) {
        return true;
    }
    if (!m_container) {
        return m_childrenGone;
    }
    if (m_container->hasEnded() && m_containerEnded < 0) {
        m_containerEnded = monotonicMs();
    }
    return m_containerEnded >= 0 && (m_childrenGone || monotonicMs() >= m_containerEnded + monitorMs);
}

void Keeper::loop()
{
    while (!isOver()) {
        pollfd polled[3] = {{m_signals, POLLIN, 0}, {m_sources[0].fd, POLLIN, 0}, {m_sources[1].fd, POLLIN, 0}};
        if (m_pump.blocked() != 0) {
            polled[1].fd = -1;
            polled[2].fd = -1;
        }
        if (::poll(polled, 3, timeout()) < 0 && errno != EINTR) {
            break; // cannot happen with these arguments; the drain below still takes what is there
        }
        for (int i = 0; i < 2; ++i) {
            if (polled[i + 1].revents != 0 && polled[i + 1].fd >= 0) {
                readSource(m_sources[i]);
            }
        }
        if (polled[0].revents & POLLIN) {
            signalfd_siginfo info[8];
            bool asked = false;
            ssize_t n = 0;
            while ((n = ::read(m_signals, info, sizeof info)) > 0) {
                for (std::size_t i = 0; i < static_cast<std::size_t>(n) / sizeof info[0]; ++i) {
                    asked = asked || info[i].ssi_signo == SIGUSR1;
                }
            }
            if (asked) {
                handleStop();
            }
            reap();
        }
        const std::int64_t now = monotonicMs();
        if (m_pump.flushDue() >= 0 && now >= m_pump.flushDue() && m_pump.blocked() == 0) {
            m_pump.flushIndex();
        }
        checkDisk();
        if (m_killAt >= 0 && now >= m_killAt) {
            pursue();
        }
        if (m_signalAgainAt >= 0 && now >= m_signalAgainAt) {
            signalAgain();
        }
        if (m_meterAt >= 0 && now >= m_meterAt) {
            measure();
        }
        if (m_container) {
            m_container->tick();
        }
    }
}

std::size_t Keeper::readSource(Source &source)
{
    const ssize_t n = ::read(source.fd, m_buffer.get(), m_bufferSize);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
        return 0; // whoever else has it open to read was quicker
    }
    if (n <= 0) {
        ::close(source.fd);
        source.fd = -1;
        m_pump.finishStream(source.stream);
        return 0;
    }
    m_pump.take(source.stream, std::string_view(m_buffer.get(), static_cast<std::size_t>(n)));
    if (m_leftoversSince >= 0 && !m_killing && !m_stopping) { // after a stop they have its grace
        m_killAt = std::min(monotonicMs() + leftoverQuietMs, m_leftoversSince + leftoverMaxMs);
    }
    if (source.capacity == defaultPipe && static_cast<std::size_t>(n) >= defaultPipe
        && ++source.fullReads == fullReadsBeforeLarge) {
        if (::fcntl(source.fd, F_SETPIPE_SZ, static_cast<int>(largePipe)) > 0) {
            source.capacity = largePipe;
            if (m_bufferSize < largePipe) {
                m_bufferSize = largePipe;
                m_buffer = std::make_unique_for_overwrite<char[]>(m_bufferSize);
            }
        }
    }
    return static_cast<std::size_t>(n);
}

// All processes are gone: what is in the pipes now is all there will be. Whoever writes on is no part of the task.
void Keeper::drain()
{
    for (Source &source : m_sources) {
        int unread = 0;
        if (source.fd >= 0 && ::ioctl(source.fd, FIONREAD, &unread) != 0) {
            unread = 0;
        }
        while (source.fd >= 0) {
            while (m_pump.blocked() != 0) {
                checkDisk();
                pollfd nothing{-1, 0, 0};
                ::poll(&nothing, 1, timeout());
            }
            const std::size_t n = unread > 0 ? readSource(source) : 0;
            unread -= static_cast<int>(n);
            if (n == 0 && source.fd >= 0) {
                ::close(source.fd);
                source.fd = -1;
                m_pump.finishStream(source.stream);
            }
        }
    }
    m_pump.flushIndex();
    while (m_pump.blocked() != 0) {
        checkDisk();
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, timeout());
    }
}

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
        m_maxRssKiB = std::max<std::int64_t>(m_maxRssKiB, usage.ru_maxrss);
        m_userMs += usage.ru_utime.tv_sec * 1000 + usage.ru_utime.tv_usec / 1000;
        m_systemMs += usage.ru_stime.tv_sec * 1000 + usage.ru_stime.tv_usec / 1000;
        if (pid == m_main) {
            m_mainEnded = true;
            m_mainStatus = status;
            signalMissed();
        }
    }
    if (m_mainEnded && !m_childrenGone && m_leftoversSince < 0) {
        m_leftoversSince = monotonicMs();
        if (m_stoppedMainOnly) {
            signalTask(m_scope, SIGTERM); // the others have not been asked yet
        }
        // After a stop of everything the others have the rest of the grace to save what they hold.
        if (m_killAt < 0 || !m_stopping) {
            m_killAt = m_leftoversSince + leftoverQuietMs;
        }
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
    m_stoppedMainOnly = record->onlyMain;
    if (m_container) {
        m_container->stop(*record);
    } else if (!record->onlyMain) {
        m_signalled = signalTask(m_scope, record->signal);
        m_stopSignal = record->signal;
        m_signalAgainAt = now + signalAgainMs;
    } else if (const std::optional<ProcessInfo> main = processInfo(m_main); main && !m_mainEnded) {
        signalProcess(*main, record->signal);
        continueTask(m_scope); // who is stopped could not hear it, or help it to end
    }
    m_stopping = true;
}

// A shell's child that has not become its program yet swallows the signal in the shell's handler and then goes on as if
// there had been none. Who has a handler of its own is left in peace: it has heard. So is who came later: a handler
// started it, to save what there is.
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
// never gets what waited for its parent. Who ended by the signal had no handler, so nobody was started to save anything.
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

// The patience is over: kill, look again, until nobody is left.
void Keeper::pursue()
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
    constexpr std::size_t most = 20;
    std::vector<ProcessInfo> found;
    if (!m_container) {
        found = findTaskProcesses(m_scope);
    } else if (const auto first = processInfo(static_cast<pid_t>(m_container->pid()))) {
        TaskScope inside;
        inside.keeper = first->pid;
        inside.keeperStart = first->startTime;
        found = findTaskProcesses(inside);
    }
    if (m_container && found.empty()) {
        m_left = m_task.launch.plan.container.name;
    }
    for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
        m_left += (i > 0 ? ", " : "") + describeProcess(found[i].pid);
    }
    if (found.size() > most) {
        m_left += ", ...";
    }
}

// What one process used at most the kernel knows when it ends; of several at the same time nobody but who looks.
void Keeper::measure()
{
    const std::int64_t before = monotonicMs();
    m_maxSumKiB = std::max(m_maxSumKiB,
        m_container ? containerMemoryKiB(static_cast<pid_t>(m_container->pid())) : descendantsMemoryKiB(::getpid()));
    const std::int64_t now = monotonicMs();
    const bool isOver = m_container ? m_container->hasEnded() : m_mainEnded;
    m_meterAt = isOver ? -1 : now + std::max(meterMs, (now - before) * meterShare);
}

void Keeper::checkDisk()
{
    if (m_pump.blocked() == 0) {
        m_retryAt = -1;
        if (m_saidFull) {
            m_saidFull = false;
            sendNote(m_task.notes, note::diskFull, "0");
        }
        return;
    }
    const std::int64_t now = monotonicMs();
    if (!m_saidFull) {
        m_saidFull = true;
        sendNote(m_task.notes, note::diskFull, "1");
        sayInRuntimeLog(std::string("The output cannot be written (") + std::strerror(m_pump.blocked())
            + "). The task waits; nothing is lost. Make room on the disk, it then goes on by itself.");
        m_retryAt = now + retryMs;
    } else if (now >= m_retryAt) {
        m_pump.retry();
        m_retryAt = m_pump.blocked() != 0 ? now + retryMs : -1;
        if (m_pump.blocked() == 0) {
            checkDisk();
        }
    }
}

ExitRecord Keeper::result() const
{
    ExitRecord record;
    record.began = m_began;
    record.ended = m_began + (monotonicMs() - m_beganMonotonic);
    // A container's monitor tells the peak of all that it has waited for: that is the container program, too.
    const bool isProgram = m_container && m_maxRssKiB < 2 * m_clientRssKiB;
    record.maxRssKiB = std::max(isProgram ? 0 : m_maxRssKiB, m_maxSumKiB);
    record.left = m_left;
    record.userMs = m_userMs;
    record.systemMs = m_systemMs;
    record.bytes = m_pump.bytes();
    record.masked = m_pump.masked();
    if (m_container) {
        m_container->fillResult(record, m_stopping, m_task.oomKillsBefore);
        if (!m_left.empty()) {
            record.reason = "stop.not-ended";
        }
        return record;
    }
    if (m_failure.stage != 0) {
        describeChildFailure(m_failure, m_task.launch, record);
        return record;
    }
    if (!m_mainEnded) {
        record.kind = ExitKind::Lost; // someone else took its status: nobody knows it any more
        record.reason = m_left.empty() ? "keeper.status-lost" : "stop.not-ended";
    } else if (WIFSIGNALED(m_mainStatus)) {
        record.kind = ExitKind::Signaled;
        record.value = WTERMSIG(m_mainStatus);
    } else {
        record.kind = ExitKind::Exited;
        record.value = WEXITSTATUS(m_mainStatus);
    }
    const bool killed = (record.kind == ExitKind::Signaled && record.value == SIGKILL)
        || (record.kind == ExitKind::Exited && record.value == 128 + SIGKILL);
    const bool failedSomehow = record.kind != ExitKind::Exited || record.value != 0;
    if (failedSomehow && m_cgroup.sawOomKill()) {
        record.kind = ExitKind::Oom;
        record.value = SIGKILL;
        record.reason = "oom.limit";
    } else if (killed && !m_stopping && m_task.oomKillsBefore >= 0 && hostOomKills() > m_task.oomKillsBefore) {
        record.kind = ExitKind::Oom;
        record.value = SIGKILL;
        record.reason = "oom.host";
    }
    return record;
}

// What the driver says of the GPUs stands in no output. The engine reads it beside that.
void Keeper::tellGpuErrors(const ExitRecord &record) const
{
    constexpr std::int64_t slackMs = 1000; // the kernel's clock of its log is another
    const bool isGood = record.kind == ExitKind::Exited && record.value == 0;
    if (isGood || m_stopping || m_task.launch.gpuLocks.empty()) {
        return;
    }
    for (const std::string &line : xidsSince((m_beganMonotonic - slackMs) * 1000, m_task.launch.gpuLocks)) {
        sayInRuntimeLog("The kernel of this host said: " + line);
    }
}

void Keeper::finish(const ExitRecord &record)
{
    leaveCgroup();
    tellGpuErrors(record);
    if (!m_left.empty()) {
        sayInRuntimeLog("These processes could not be ended, and may still be there: " + m_left);
    } else if (m_killedLeftovers) {
        sayInRuntimeLog("The main program had ended; processes that it left behind were ended too.");
    }
    if (m_pump.isCut()) {
        sayInRuntimeLog(
            "The output passed its limit: of what came after it only the newest part is kept (output.tail).");
    }
    const bool sync = monotonicMs() - m_beganMonotonic >= 1000 || m_pump.bytes() >= (1u << 20);
    if (sync) {
        m_pump.sync();
    }
    const std::string text = record.format();
    // Last of all, and for as long as it takes: without it the result would be lost with this process.
    while (contract::writeAtomically(file::exit, text, sync) != 0) {
        if (!m_saidFull) {
            m_saidFull = true;
            sendNote(m_task.notes, note::diskFull, "1");
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, static_cast<int>(retryMs));
        struct stat info;
        if (::stat(".", &info) == 0 && info.st_nlink == 0) {
            break; // the folder was removed: nobody will read it
        }
    }
    sendNote(m_task.notes, note::exit, text);
}

// A try whose keeper was killed, or whose host went down. With a result only its container is removed.
void recover(const KeeperTask &task)
{
    const std::optional<StartedRecord> started = contract::readStartedRecord(".");
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(".");
    ExitRecord record;
    record.kind = ExitKind::Lost;
    record.reason = "keeper.died";
    if (const auto container = contract::readContainerRecord(".")) {
        // Before anything is signalled: its monitor has to see the end of its processes.
        if (removeContainer(*container, task.clientEnvironment)) {
            ::unlink(file::container);
        } else {
            sayInRuntimeLog("The container " + container->name + " may still be there. Look: " + container->runtime
                + " rm -f " + container->name);
        }
    }
    if (contract::readExitRecord(".")) {
        return; // it has ended well; only its container was left
    }
    TaskCgroup cgroup;
    // A host that lost its power may have left `started` empty: the numbers of another boot are somebody else's now.
    const bool otherBoot
        = started ? started->process.bootId != task.bootId : keeper && keeper->process.bootId != task.bootId;
    if (otherBoot) {
        record.reason = "host.restarted";
    } else {
        TaskScope scope;
        scope.tryUuid = started ? started->tryUuid : keeper ? keeper->tryUuid : task.launch.plan.tryUuid;
        if (keeper) {
            scope.keeper = static_cast<pid_t>(keeper->process.pid);
            scope.keeperStart = keeper->process.startTime;
        }
        if (started) {
            cgroup.adopt(started->cgroup);
        }
        // Verified: nobody is found twice in a row.
        std::int64_t pause = 2;
        const std::int64_t until = monotonicMs() + giveUpMs;
        for (int quiet = 0; quiet < 2;) {
            const std::vector<ProcessInfo> found = findTaskProcesses(scope);
            if (!found.empty() && monotonicMs() >= until) {
                for (const ProcessInfo &process : found) {
                    record.left += (record.left.empty() ? "" : ", ") + describeProcess(process.pid);
                }
                break;
            }
            quiet = found.empty() ? quiet + 1 : 0;
            for (const ProcessInfo &process : found) {
                signalProcess(process, SIGKILL);
            }
            pollfd nothing{-1, 0, 0};
            ::poll(&nothing, 1, static_cast<int>(pause));
            pause = found.empty() ? 2 : std::min<std::int64_t>(pause * 2, 1000);
        }
        cgroup.remove();
    }
    record.began = started ? started->at : 0;
    record.ended = utcMs();
    struct stat info;
    record.bytes = ::stat(file::output, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
    const std::string text = record.format();
    contract::writeAtomically(file::exit, text, true);
    sendNote(task.notes, note::exit, text);
}

pid_t forkDetached(KeeperTask &task, void (*work)(const KeeperTask &))
{
    const pid_t keeper = ::fork();
    if (keeper != 0) {
        return keeper;
    }
    if (detach(task)) {
        work(task);
    }
    ::_exit(0);
}

} // namespace

pid_t forkKeeper(KeeperTask &task)
{
    return forkDetached(task, [](const KeeperTask &own) {
        Keeper keeper(own);
        keeper.run();
        ::_exit(0); // nothing is freed: each page touched for that would first be copied from the agent's
    });
}

pid_t forkRecovery(KeeperTask &task) { return forkDetached(task, recover); }

} // namespace trainyard::agent
