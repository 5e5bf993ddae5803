// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/tries.h"

#include "engine/agent/pump.h"
#include "engine/agent/tries_p.h"
#include "engine/agent/trynotice.h"
#include "engine/contract/metricbook.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitRecord;
using contract::StartedRecord;

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

bool isNoTry(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == EISDIR; // what is there is not ours
}

int recordsError(const std::string &dir)
{
    for (const std::string &path :
        {dir + '/' + file::exit, dir + '/' + file::started, contract::containerRecordPath(dir)}) {
        const int error = contract::readError(path);
        const bool isOfTask = error == EAGAIN || error == ENXIO; // a pipe or socket that it has put there
        if (error != 0 && !isNoTry(error) && !isOfTask) {
            return error;
        }
    }
    return 0;
}

ProcessInfo processOf(const contract::ProcessIdentity &identity)
{
    ProcessInfo process;
    process.pid = static_cast<pid_t>(identity.pid);
    process.startTime = identity.startTime;
    return process;
}

bool needsRecovery(const std::string &dir)
{
    return ::access((dir + '/' + file::started).c_str(), F_OK) == 0
        || ::access(contract::containerRecordPath(dir).c_str(), F_OK) == 0;
}

std::uint64_t outputBytes(const std::string &dir)
{
    struct stat info;
    return ::stat((dir + '/' + file::output).c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Tries::Tries(Loop &loop, Connection &connection, const Account &account)
    : m_loop(loop), m_connection(connection), m_account(account), m_host(hostName()),
      m_bootId(contract::currentBootId()), m_captures(loop), m_metrics(loop)
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

void Tries::answerEnded(const Waiting &waiting, const std::string &dir, const ExitRecord &exit)
{
    removeLeftContainer(dir);
    if (!waiting.leavesMetrics) {
        finishMetrics(dir);
    }
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

// An agent that ended before the task did has left something to be read.
void Tries::finishMetrics(const std::string &dir)
{
    constexpr std::size_t longest = 16U << 20;
    const std::optional<std::string> book = contract::readWhole(dir + '/' + file::metricBook, longest);
    if (book && !contract::MetricBook::parse(*book).isOver) {
        m_metrics.end(dir);
    } else {
        dropSecrets(dir);
    }
}

void Tries::dropSecrets(const std::string &dir)
{
    if (!m_metrics.isBusy(dir)) {
        m_metrics.forget(dir);
    }
}

Tries::Try &Tries::add(const std::string &dir, const std::string &tryUuid)
{
    std::unique_ptr<Try> &entry = m_tries[dir];
    entry = std::make_unique<Try>();
    entry->dir = dir;
    entry->tryUuid = tryUuid;
    return *entry;
}

void Tries::finish(const std::string &dir, const ExitRecord &exit)
{
    const auto it = m_tries.find(dir);
    if (it == m_tries.end()) {
        return;
    }
    const std::unique_ptr<Try> entry = std::move(it->second);
    m_tries.erase(it);
    entry->figures.reset(); // is complete before the end is reported
    if (entry->running && !entry->leavesMetrics) {
        m_metrics.end(dir);
    } else {
        m_metrics.forget(dir);
    }
    if (!entry->running && !entry->announced.empty()) {
        NoticeWriter(dir, entry->announced, false).withdraw();
    }
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
        m_exited[dir] = {dir, entry->tryUuid, exit, contract::readStopRecord(dir)};
        if (!m_isStep || !m_metrics.isBusy(dir)) {
            metricsDone(dir);
        }
    }
    if (m_ended) {
        m_ended(dir);
    }
}

// The lead of an allocation ends it after the last end that it hears: what a task has left in its files is read before.
void Tries::metricsDone(const std::string &dir)
{
    const auto exited = m_exited.find(dir);
    if (exited != m_exited.end()) {
        m_connection.send(0, std::move(exited->second));
        m_exited.erase(exited);
    }
}

void Tries::stop(std::int64_t id, const contract::Stop &request)
{
    // Where its folder is not to be seen, the keeper would not find the record of the stop, and an end that is written
    // in its place would be one of a try that may run.
    if (refuseUnseen(id, request.dir)) {
        return;
    }
    // The stop is recorded first, so that every later reader knows that the end was requested.
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
            // A full disk must not keep a task alive. Over its plan, since what is only given back to the disk may be
            // taken by the task's own output; over an earlier wish, when there was one.
            error = contract::writeOver(request.dir + '/' + file::plan, path, record.format(), true);
            error = error == ENOENT ? contract::writeOver(path, path, record.format(), true) : error;
        }
        if (error != 0) {
            m_connection.fail(id, "stop.unwritable", request.dir, error);
            return;
        }
    }
    const auto known = m_tries.find(request.dir);
    if (known == m_tries.end()) {
        const Waiting waiting{id, Asked::Observe, false, request.leavesMetrics};
        if (!request.leavesMetrics) {
            hide(request.dir, {});
        }
        if (!tell(waiting, request.dir)
            && (request.hasBegun || barLaunch(request.dir) || !tell(waiting, request.dir))) {
            tellAbsent(waiting, request.dir);
        }
        const auto found = m_tries.find(request.dir);
        if (found != m_tries.end()) {
            wake(*found->second);
        }
        return;
    }
    wake(*known->second);
    observe(id, {request.dir, {}, request.leavesMetrics});
}

// A launch may still be on its way: the network can bring what was sent over an earlier connection late, to an agent
// that does not know yet that its engine is gone. It finds an end then. Where the disk has no room for that there is
// none for the launch.
bool Tries::barLaunch(const std::string &dir)
{
    if (contract::makeFolders(dir) != 0) {
        return true;
    }
    const int lock = tryLock(dir, true);
    if (lock < 0) {
        return lock != -1;
    }
    const bool isFree = recordsError(dir) == 0 && !contract::readExitRecord(dir) && !needsRecovery(dir);
    if (isFree) {
        ExitRecord exit;
        exit.kind = contract::ExitKind::StartFailed;
        exit.reason = "launch.stopped " + dir;
        exit.began = exit.ended = utcMs();
        contract::writeAtomically(dir + '/' + file::exit, exit.format(), true);
    }
    ::close(lock);
    return isFree;
}

// This is not recorded: the engine repeats it to the agent that watches the try next.
void Tries::pause(std::int64_t id, const contract::Pause &request)
{
    if (refuseUnseen(id, request.dir)) {
        return; // which processes it has is in there
    }
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(request.dir);
    const std::optional<StartedRecord> started = contract::readStartedRecord(request.dir);
    // After another boot the same numbers belong to other processes.
    const bool isHere
        = keeper && started && started->process.bootId == m_bootId && !contract::readExitRecord(request.dir);
    // A try that is being stopped needs its processes awake.
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
    // They may have been stopped together with all others: the task's first process, for which the keeper waits until
    // it has become the program, and the keeper itself.
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
        if (entry->notes < 0) { // its keeper is of an agent before this one
            entry->diskFull = contract::lacksRoom(dir);
        }
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
