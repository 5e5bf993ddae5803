// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/tries.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/client.h"
#include "engine/agent/processes.h"
#include "engine/agent/pump.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitRecord;
using contract::StartedRecord;

namespace
{

// The lock of a try: >= 0 taken by us, -1 held by its keeper, -2 could not (errno).
int tryLock(const std::string &dir, bool create)
{
    const std::string path = dir + '/' + file::lock;
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0600);
    if (fd < 0) {
        return -2;
    }
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return fd;
    }
    const int error = errno;
    ::close(fd);
    errno = error;
    return error == EWOULDBLOCK ? -1 : -2;
}

ProcessInfo processOf(const contract::ProcessIdentity &identity)
{
    ProcessInfo process;
    process.pid = static_cast<pid_t>(identity.pid);
    process.startTime = identity.startTime;
    return process;
}

// It began, or has a container that waits for that. With the lock free nobody is at it.
bool needsRecovery(const std::string &dir)
{
    return ::access((dir + '/' + file::started).c_str(), F_OK) == 0
        || ::access((dir + '/' + file::container).c_str(), F_OK) == 0;
}

std::uint64_t outputBytes(const std::string &dir)
{
    struct stat info;
    return ::stat((dir + '/' + file::output).c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

} // namespace

Tries::Tries(Loop &loop, Connection &connection, const Account &account)
    : m_loop(loop), m_connection(connection), m_account(account), m_host(hostName()),
      m_bootId(contract::currentBootId())
{
    setClientEnvironment({});
}

void Tries::setClientEnvironment(const std::vector<std::string> &login)
{
    m_clientEnvironment = filterEnvironment(ownEnvironment(), {});
    const auto has = [this](std::string_view assignment) {
        return std::any_of(m_clientEnvironment.begin(), m_clientEnvironment.end(),
            [assignment](const std::string &entry) { return entry.starts_with(assignment); });
    };
    for (const std::string &entry : filterEnvironment(login, {})) {
        if (!has(entry.substr(0, entry.find('=') + 1))) {
            m_clientEnvironment.push_back(entry);
        }
    }
    // A connection of ssh without a session has none, and podman then uses another place than in the user's terminal.
    const std::string runtime = "/run/user/" + std::to_string(::getuid());
    if (!has("XDG_RUNTIME_DIR=") && ::access(runtime.c_str(), W_OK) == 0) {
        m_clientEnvironment.push_back("XDG_RUNTIME_DIR=" + runtime);
    }
    if (!has("HOME=")) {
        m_clientEnvironment.push_back("HOME=" + m_account.home);
    }
}

std::int64_t Tries::oomKills()
{
    const std::int64_t now = monotonicMs();
    if (m_oomKillsAt < 0 || now - m_oomKillsAt >= cachedOomMs) {
        m_oomKills = hostOomKills();
        m_oomKillsAt = now;
    }
    return m_oomKills;
}

void Tries::answer(const Waiting &waiting, const Try &found, const char *launched, const char *observed,
    const std::optional<ExitRecord> &exit)
{
    if (waiting.id == 0) {
        return;
    }
    if (waiting.asked == Asked::Launch) {
        m_connection.send(waiting.id, contract::Launched{found.dir, found.tryUuid, launched, found.started, exit});
    } else {
        m_connection.send(waiting.id,
            contract::Observed{found.dir, found.tryUuid, observed, found.started, contract::readStopRecord(found.dir),
                exit, outputBytes(found.dir)});
    }
}

// Its keeper was killed after the result was written down.
void Tries::removeLeftContainer(const std::string &dir)
{
    if (::access((dir + '/' + file::container).c_str(), F_OK) != 0) {
        return;
    }
    const int lock = tryLock(dir, false);
    if (lock < 0) {
        return; // the keeper is at it
    }
    KeeperTask task;
    task.launch.dir = dir;
    task.clientEnvironment = m_clientEnvironment;
    task.lock = lock;
    task.notes = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    forkRecovery(task);
    ::close(task.notes);
    ::close(lock);
}

void Tries::answerEnded(const Waiting &waiting, const std::string &dir, const ExitRecord &exit)
{
    removeLeftContainer(dir);
    Try ended;
    ended.dir = dir;
    ended.started = contract::readStartedRecord(dir);
    ended.tryUuid = ended.started ? ended.started->tryUuid : "";
    if (ended.tryUuid.empty()) {
        const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(dir);
        ended.tryUuid = keeper ? keeper->tryUuid : "";
    }
    answer(waiting, ended, "ended", "ended", exit);
}

void Tries::failLaunch(std::int64_t id, const contract::Launch &launch, const char *code, int error)
{
    ExitRecord exit;
    exit.kind = contract::ExitKind::StartFailed;
    exit.value = error;
    const bool full = error == ENOSPC || error == EDQUOT;
    const bool open = error == EMFILE || error == ENFILE;
    exit.reason = full ? "launch.disk-full" : open ? "launch.descriptors" : code;
    exit.reason += ' ' + launch.dir;
    exit.began = exit.ended = utcMs();
    m_connection.send(id, contract::Launched{launch.dir, launch.plan.tryUuid, "ended", std::nullopt, exit});
}

Tries::Try &Tries::add(const std::string &dir, const std::string &tryUuid)
{
    std::unique_ptr<Try> &entry = m_tries[dir];
    entry = std::make_unique<Try>();
    entry->dir = dir;
    entry->tryUuid = tryUuid;
    return *entry;
}

void Tries::launch(std::int64_t id, contract::Launch &&launch, const std::vector<std::string> &login)
{
    if (launch.dir.empty() || launch.dir[0] != '/' || launch.plan.tryUuid.empty()) {
        m_connection.fail(id, "launch.malformed", launch.dir, EINVAL);
        return;
    }
    const auto known = m_tries.find(launch.dir);
    if (known != m_tries.end()) {
        if (known->second->running) {
            answer({id, Asked::Launch, false}, *known->second, "adopted", "running", std::nullopt);
        } else {
            known->second->waiting.push_back({id, Asked::Launch, false});
        }
        return;
    }
    bool fresh = false;
    int lock = tryLock(launch.dir, true);
    if (lock == -2 && errno == ENOENT) {
        if (const int error = contract::makeFolders(launch.dir)) {
            failLaunch(id, launch, "launch.folder-unwritable", error);
            return;
        }
        fresh = true;
        lock = tryLock(launch.dir, true);
    }
    if (lock == -2) {
        failLaunch(id, launch, "launch.folder-unwritable", errno);
        return;
    }
    if (lock == -1) {
        // Its record is whole as soon as it is there, though the keeper may still be about to leave.
        if (const std::optional<ExitRecord> exit = contract::readExitRecord(launch.dir)) {
            answerEnded({id, Asked::Launch, false}, launch.dir, *exit);
            return;
        }
        Try &entry = add(launch.dir, launch.plan.tryUuid);
        entry.waiting.push_back({id, Asked::Launch, false});
        adopt(entry);
        return;
    }
    if (!fresh) {
        if (const std::optional<ExitRecord> exit = contract::readExitRecord(launch.dir)) {
            ::close(lock);
            answerEnded({id, Asked::Launch, false}, launch.dir, *exit);
            return;
        }
        if (::access((launch.dir + '/' + file::started).c_str(), F_OK) == 0) {
            recover(launch.dir, lock, {id, Asked::Launch, false});
            return;
        }
    }
    KeeperTask task;
    task.launch = std::move(launch);
    task.baseEnvironment
        = filterEnvironment(task.launch.cleanEnvironment ? cleanEnvironment(m_account) : login, task.launch.keepNames);
    if (!task.launch.plan.container.runtime.empty()) {
        setClientEnvironment(login);
        task.clientEnvironment = m_clientEnvironment;
    }
    task.host = m_host;
    task.bootId = m_bootId;
    task.oomKillsBefore = oomKills();
    task.lock = lock;
    Try &entry = add(task.launch.dir, task.launch.plan.tryUuid);
    entry.waiting.push_back({id, Asked::Launch, true});
    entry.limits = {task.launch.plan.limits.memoryBytes, task.launch.plan.limits.cpuWeight};
    task.cgroup = m_cgroups.take(entry.limits);
    int error = 0;
    if (!startProcess(entry, task, false, error)) {
        if (!task.cgroup.empty()) {
            keepCgroup(entry.limits, task.cgroup);
        }
        m_tries.erase(task.launch.dir);
        failLaunch(id, task.launch, error == EAGAIN ? "launch.processes" : "launch.memory", error);
    }
    ::close(lock);
    // Secrets do not stay in freed memory.
    ::explicit_bzero(task.launch.script.data(), task.launch.script.size());
    ::explicit_bzero(task.launch.registry.password.data(), task.launch.registry.password.size());
    for (std::string &value : task.launch.maskValues) {
        ::explicit_bzero(value.data(), value.size());
    }
}

bool Tries::startProcess(Try &entry, KeeperTask &task, bool recovery, int &error)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        error = errno;
        return false;
    }
    task.notes = ends[1];
    const pid_t keeper = recovery ? forkRecovery(task) : forkKeeper(task);
    error = errno;
    ::close(ends[1]);
    if (keeper < 0) {
        ::close(ends[0]);
        return false;
    }
    entry.notes = ends[0];
    entry.recovering = recovery;
    ::fcntl(entry.notes, F_SETFL, O_NONBLOCK);
    m_loop.watch(entry.notes, EPOLLIN, [this, dir = entry.dir](std::uint32_t) { readNotes(dir); });
    return true;
}

// A try that began and whose keeper is gone: a process of its own cleans up, so the loop never waits. Takes the lock.
bool Tries::recover(const std::string &dir, int lock, const Waiting &waiting)
{
    KeeperTask task;
    task.launch.dir = dir;
    task.clientEnvironment = m_clientEnvironment;
    task.host = m_host;
    task.bootId = m_bootId;
    task.lock = lock;
    const std::optional<StartedRecord> started = contract::readStartedRecord(dir);
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(dir);
    task.launch.plan.tryUuid = started ? started->tryUuid : keeper ? keeper->tryUuid : "";
    Try &entry = add(dir, task.launch.plan.tryUuid);
    entry.started = started;
    if (waiting.id != 0) {
        entry.waiting.push_back(waiting);
    }
    int error = 0;
    const bool good = startProcess(entry, task, true, error);
    ::close(lock);
    if (!good) {
        m_tries.erase(dir);
        if (waiting.id != 0) {
            m_connection.fail(waiting.id, "agent.processes", dir, error);
        }
    }
    return good;
}

void Tries::readNotes(const std::string &dir)
{
    const auto it = m_tries.find(dir);
    if (it == m_tries.end()) {
        return;
    }
    Try &entry = *it->second;
    char buffer[8192];
    const ssize_t n = ::read(entry.notes, buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n <= 0) {
        m_loop.forget(entry.notes);
        ::close(entry.notes);
        entry.notes = -1;
        keeperGone(dir);
        return;
    }
    entry.text.append(buffer, static_cast<std::size_t>(n));
    while (entry.text.size() >= noteHeader) {
        std::size_t size = 0;
        for (int i = 0; i < 4; ++i) {
            size |= static_cast<std::size_t>(static_cast<unsigned char>(entry.text[static_cast<std::size_t>(i) + 1]))
                << (8 * i);
        }
        if (entry.text.size() < noteHeader + size) {
            return;
        }
        const char kind = entry.text[0];
        const std::string text = entry.text.substr(noteHeader, size);
        entry.text.erase(0, noteHeader + size);
        handleNote(entry, kind, text);
        if (!m_tries.contains(dir)) {
            return; // that was the last one
        }
    }
}

void Tries::handleNote(Try &entry, char kind, const std::string &text)
{
    if (kind == note::keeper) {
        if (const std::optional<contract::KeeperRecord> record = contract::KeeperRecord::parse(text)) {
            entry.keeper = record->process;
        }
    } else if (kind == note::started) {
        if (std::optional<StartedRecord> record = StartedRecord::parse(text)) {
            setRunning(entry, std::move(*record));
        }
    } else if (kind == note::diskFull) {
        entry.diskFull = text == "1";
    } else if (kind == note::pulling) {
        entry.pulling = text;
    } else if (kind == note::group) {
        keepCgroup(entry.limits, text);
    } else if (kind == note::exit) {
        if (const std::optional<ExitRecord> record = ExitRecord::parse(text)) {
            finish(entry.dir, *record);
        }
    }
}

// For the next tasks; who has none for a while does not need it.
void Tries::keepCgroup(const CgroupPool::Limits &limits, const std::string &paths)
{
    m_cgroups.give(limits, paths);
    if (m_cgroupsTimer == 0) {
        m_cgroupsTimer = m_loop.after(keepCgroupsMs, [this] {
            m_cgroupsTimer = 0;
            m_cgroups.clear();
        });
    }
}

void Tries::setRunning(Try &entry, StartedRecord record)
{
    entry.started = std::move(record);
    entry.tryUuid = entry.started->tryUuid;
    entry.running = true;
    entry.pulling.clear();
    if (entry.stopWanted) {
        wake(entry);
    }
    const std::vector<Waiting> waiting = std::move(entry.waiting);
    entry.waiting.clear();
    for (const Waiting &one : waiting) {
        answer(one, entry, one.first ? "launched" : "adopted", "running", std::nullopt);
    }
}

// The keeper ended without its last word, or it was not ours: the folder tells.
void Tries::keeperGone(const std::string &dir)
{
    const auto it = m_tries.find(dir);
    if (it == m_tries.end()) {
        return;
    }
    Try &entry = *it->second;
    if (const std::optional<ExitRecord> exit = contract::readExitRecord(dir)) {
        finish(dir, *exit);
        return;
    }
    const bool began = ::access((dir + '/' + file::started).c_str(), F_OK) == 0;
    const int lock = needsRecovery(dir) ? tryLock(dir, false) : -2;
    if (lock >= 0 && !entry.recovering) {
        const std::vector<Waiting> waiting = std::move(entry.waiting);
        const bool wasRunning = entry.running;
        if (recover(dir, lock, {})) {
            Try &again = *m_tries.at(dir);
            again.waiting = waiting;
            again.running = wasRunning;
        }
        return;
    }
    if (lock == -1) {
        adopt(entry); // another agent is at it already
        return;
    }
    if (lock >= 0) {
        ::close(lock);
    }
    ExitRecord exit;
    exit.kind = began ? contract::ExitKind::Lost : contract::ExitKind::StartFailed;
    exit.reason = began ? "keeper.died" : "launch.keeper-died";
    exit.ended = utcMs();
    finish(dir, exit);
}

void Tries::finish(const std::string &dir, const ExitRecord &exit)
{
    const auto it = m_tries.find(dir);
    if (it == m_tries.end()) {
        return;
    }
    const std::unique_ptr<Try> entry = std::move(it->second);
    m_tries.erase(it);
    if (entry->notes >= 0) {
        m_loop.forget(entry->notes);
        ::close(entry->notes);
    }
    if (entry->pidfd >= 0) {
        m_loop.forget(entry->pidfd);
        ::close(entry->pidfd);
    }
    if (entry->poll != 0) {
        m_loop.cancel(entry->poll);
    }
    for (const Waiting &one : entry->waiting) {
        answer(one, *entry, "ended", "ended", exit);
    }
    if (entry->running) {
        m_connection.send(0, contract::Exited{dir, entry->tryUuid, exit, contract::readStopRecord(dir)});
    }
    if (m_ended) {
        m_ended(dir);
    }
}

// Somebody holds the lock: a keeper of an earlier agent, or one that another agent starts right now.
void Tries::adopt(Try &entry)
{
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(entry.dir);
    std::optional<StartedRecord> started = contract::readStartedRecord(entry.dir);
    if (!entry.running && contract::readExitRecord(entry.dir)) {
        keeperGone(entry.dir);
        return;
    }
    if (keeper && keeper->process.bootId == m_bootId && started) {
        entry.keeper = keeper->process;
        setRunning(entry, std::move(*started));
        watchKeeper(entry);
        return;
    }
    entry.poll = m_loop.after(adoptPollMs, [this, dir = entry.dir] { checkAdopted(dir); });
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
        && m_loop.watch(entry.pidfd, EPOLLIN, [this, dir = entry.dir](std::uint32_t) { checkAdopted(dir); })) {
        return;
    }
    if (entry.pidfd >= 0) {
        ::close(entry.pidfd);
        entry.pidfd = -1;
    }
    entry.poll = m_loop.after(same ? deathPollMs : adoptPollMs, [this, dir = entry.dir] { checkAdopted(dir); });
}

void Tries::checkAdopted(const std::string &dir)
{
    const auto it = m_tries.find(dir);
    if (it == m_tries.end()) {
        return;
    }
    Try &entry = *it->second;
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
            adopt(entry);
        }
        return;
    }
    if (lock >= 0) {
        ::close(lock);
    }
    keeperGone(dir);
}

void Tries::observe(std::int64_t id, const contract::Observe &request)
{
    const Waiting waiting{id, Asked::Observe, false};
    const auto known = m_tries.find(request.dir);
    if (known != m_tries.end()) {
        if (known->second->running && !known->second->recovering) {
            answer(waiting, *known->second, "adopted", "running", std::nullopt);
        } else {
            known->second->waiting.push_back(waiting);
        }
        return;
    }
    if (const std::optional<ExitRecord> exit = contract::readExitRecord(request.dir)) {
        answerEnded(waiting, request.dir, *exit);
        return;
    }
    const int lock = tryLock(request.dir, false);
    if (lock == -1) {
        const std::optional<StartedRecord> started = contract::readStartedRecord(request.dir);
        Try &entry = add(request.dir, started ? started->tryUuid : "");
        entry.waiting.push_back(waiting);
        adopt(entry);
        return;
    }
    if (lock >= 0 && needsRecovery(request.dir)) {
        // It may have ended between the two looks.
        if (const std::optional<ExitRecord> exit = contract::readExitRecord(request.dir)) {
            ::close(lock);
            answerEnded(waiting, request.dir, *exit);
            return;
        }
        recover(request.dir, lock, waiting);
        return;
    }
    if (lock >= 0) {
        ::close(lock);
    }
    Try absent;
    absent.dir = request.dir;
    answer(waiting, absent, "ended", "absent", std::nullopt);
}

void Tries::stop(std::int64_t id, const contract::Stop &request)
{
    // The wish is written down first: whoever comes later knows that the death was asked for.
    struct stat info;
    if (::stat(request.dir.c_str(), &info) == 0 && !contract::readExitRecord(request.dir)) {
        contract::StopRecord record;
        record.signal = request.signal;
        record.graceMs = request.graceMs;
        record.onlyMain = request.onlyMain;
        record.at = utcMs();
        if (request.graceMs < 0) {
            const std::optional<std::string> text = contract::readWhole(request.dir + '/' + file::plan);
            const std::optional<contract::Plan> plan = text ? contract::parsePlan(*text) : std::nullopt;
            record.graceMs = plan ? plan->stopGraceMs : contract::Plan{}.stopGraceMs;
        }
        const std::string path = request.dir + '/' + file::stop;
        int error = contract::writeAtomically(path, record.format(), true);
        if (error == ENOSPC || error == EDQUOT) {
            // A full disk must not keep a task alive. The record is small enough to overwrite in place of its plan.
            ::unlink((request.dir + '/' + file::plan).c_str());
            error = contract::writeAtomically(path, record.format(), true);
        }
        if (error != 0) {
            m_connection.fail(id, "stop.unwritable", request.dir, error);
            return;
        }
    }
    const auto known = m_tries.find(request.dir);
    if (known == m_tries.end()) {
        observe(id, {request.dir});
        const auto found = m_tries.find(request.dir);
        if (found != m_tries.end()) {
            wake(*found->second);
        }
        return;
    }
    wake(*known->second);
    observe(id, {request.dir});
}

// Nothing is written down: the engine says it again to whoever watches the try next.
void Tries::pause(std::int64_t id, const contract::Pause &request)
{
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(request.dir);
    const std::optional<StartedRecord> started = contract::readStartedRecord(request.dir);
    // A boot later the same numbers are somebody else's.
    const bool isHere
        = keeper && started && started->process.bootId == m_bootId && !contract::readExitRecord(request.dir);
    // One that is being ended needs its processes awake.
    const bool wanted = isHere && !(request.on && contract::readStopRecord(request.dir));
    if (const auto container = wanted ? contract::readContainerRecord(request.dir) : std::nullopt) {
        m_pauses.ask(request.dir, request.on, pauserOf(request.dir, *container, m_clientEnvironment));
    } else if (wanted) {
        TaskScope scope;
        scope.keeper = static_cast<pid_t>(keeper->process.pid);
        scope.keeperStart = keeper->process.startTime;
        scope.main = static_cast<pid_t>(started->process.pid);
        scope.tryUuid = started->tryUuid;
        m_pauses.ask(request.dir, request.on, pauserOf(scope));
    }
    m_connection.send(id, contract::Done{});
}

void Tries::wake(Try &entry)
{
    if (entry.recovering) {
        return; // its processes are being ended already
    }
    if (entry.keeper.pid <= 0 || !entry.running) {
        entry.stopWanted = true;
        return;
    }
    entry.stopWanted = false;
    // Somebody may have stopped them with all others: the task's first process, for which the keeper waits until it has
    // become the program, and the keeper itself.
    if (entry.started->process.pid > 0) {
        signalProcess(processOf(entry.started->process), SIGCONT);
    }
    const ProcessInfo keeper = processOf(entry.keeper);
    signalProcess(keeper, SIGUSR1);
    signalProcess(keeper, SIGCONT);
}

std::vector<contract::TrySample> Tries::samples()
{
    std::vector<contract::TrySample> samples;
    for (const auto &[dir, entry] : m_tries) {
        const std::uint64_t bytes = outputBytes(dir);
        if (bytes != entry->seenBytes || entry->diskFull != entry->saidFull || entry->pulling != entry->saidPulling) {
            entry->seenBytes = bytes;
            entry->saidFull = entry->diskFull;
            entry->saidPulling = entry->pulling;
            samples.push_back({dir, bytes, entry->diskFull, entry->pulling});
        }
    }
    return samples;
}

} // namespace trainyard::agent
