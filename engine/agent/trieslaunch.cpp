// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/cgroup.h"
#include "engine/agent/changedsince.h"
#include "engine/agent/pump.h"
#include "engine/agent/smalltext.h"
#include "engine/agent/stepgpus.h"
#include "engine/agent/tries.h"
#include "engine/agent/tries_p.h"
#include "engine/agent/trynotice.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trainyard::agent
{

namespace
{

// The agent lives long, so its copies of the secrets do not outlive the launch, but for those of which the metrics of
// the try have need. This is a precaution and not a promise: the buffers of the wire had them too and are freed without
// being cleared, as in the daemon.
void wipeSecrets(contract::Launch &launch)
{
    wipeText(launch.script);
    wipeText(launch.registry.password);
    for (std::string &value : launch.maskValues) {
        wipeText(value);
    }
    for (contract::Variable &variable : launch.env) {
        wipeText(variable.value);
    }
}

} // namespace

namespace file = contract::file;
using contract::ExitRecord;
using contract::StartedRecord;

std::int64_t Tries::oomKills()
{
    const std::int64_t now = monotonicMs();
    if (m_oomKillsAt < 0 || now - m_oomKillsAt >= cachedOomMs) {
        m_oomKills = oomKillsAround();
        m_oomKillsAt = now;
    }
    return m_oomKills;
}

void Tries::failLaunch(std::int64_t id, const contract::Launch &launch, const char *code, int error)
{
    dropSecrets(launch.dir);
    ExitRecord exit;
    exit.kind = contract::ExitKind::StartFailed;
    exit.value = error;
    const bool full = error == ENOSPC || error == EDQUOT;
    const bool open = error == EMFILE || error == ENFILE;
    exit.reason = full ? "launch.disk-full" : open ? "launch.descriptors" : error == ENOMEM ? "launch.memory" : code;
    exit.reason += ' ' + launch.dir;
    exit.began = exit.ended = utcMs();
    m_connection.send(id, contract::Launched{launch.dir, launch.plan.tryUuid, "ended", std::nullopt, exit});
}

// Nothing was started now. The caller may know whether it was started before.
void Tries::refuseUnknown(std::int64_t id, contract::Launch &launch, int error)
{
    dropSecrets(launch.dir);
    m_connection.fail(id, "launch.unseen", launch.dir, error);
    wipeSecrets(launch);
}

// Returns false when it names a key that was not sent.
bool Tries::takeShared(contract::Launch &launch, KeeperTask &task) const
{
    if (!launch.sharedScript.empty()) {
        const std::shared_ptr<const SharedText> text = m_shared.find(launch.sharedScript);
        if (!text) {
            return false;
        }
        launch.script = text->script;
    }
    if (launch.sharedEnv.empty()) {
        return true;
    }
    task.sharedEnvironment = m_shared.find(launch.sharedEnv);
    // The program that starts a container gets all variables as one text.
    return task.sharedEnvironment && launch.plan.container.runtime.empty();
}

void Tries::launch(std::int64_t id, contract::Launch &&launch, const std::vector<std::string> &login)
{
    if (launch.dir.empty() || launch.dir[0] != '/' || launch.plan.tryUuid.empty()) {
        m_connection.fail(id, "launch.malformed", launch.dir, EINVAL);
        return;
    }
    hide(launch.dir, launch.maskValues); // also when it turns out that an earlier agent has started it
    const auto known = m_tries.find(launch.dir);
    if (known != m_tries.end()) {
        if (known->second->running) {
            answer({id, Asked::Launch, false}, *known->second, "adopted", "running", std::nullopt);
        } else {
            known->second->waiting.push_back({id, Asked::Launch, false});
        }
        return;
    }
    if (m_own.isAway(launch.dir)) { // it may have been launched before, and run
        tellAway(id, launch.dir);
        wipeSecrets(launch);
        return;
    }
    int lock = tryLock(launch.dir, true);
    if (lock == -2 && errno == ENOENT) {
        if (const int error = contract::makeFolders(launch.dir)) {
            failLaunch(id, launch, "launch.folder-unwritable", error);
            return;
        }
        lock = tryLock(launch.dir, true);
    }
    if (lock == -2) {
        const int error = errno;
        if (::access((launch.dir + '/' + file::keeper).c_str(), F_OK) == 0) { // it was launched before, and may run
            dropSecrets(launch.dir);
            m_connection.fail(id, "observe.unreadable", launch.dir, error);
        } else if (!isNoTry(errno)) {
            refuseUnknown(id, launch, error);
        } else {
            failLaunch(id, launch, "launch.folder-unwritable", error);
        }
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
        reattach(entry);
        return;
    }
    if (const int error = recordsError(launch.dir); error != 0) {
        ::close(lock);
        refuseUnknown(id, launch, error);
        return;
    }
    // Also of a folder that was made just now: a stop that came to another agent meanwhile has written an end into it.
    if (const std::optional<ExitRecord> exit = contract::readExitRecord(launch.dir)) {
        ::close(lock);
        answerEnded({id, Asked::Launch, false}, launch.dir, *exit);
        return;
    }
    if (::access((launch.dir + '/' + file::started).c_str(), F_OK) == 0) {
        recover(launch.dir, lock, {id, Asked::Launch, false});
        return;
    }
    KeeperTask task;
    if (!takeShared(launch, task)) {
        ::close(lock);
        dropSecrets(launch.dir);
        m_connection.fail(id, "launch.malformed", launch.dir, EINVAL);
        return;
    }
    task.launch = std::move(launch);
    task.baseEnvironment
        = filterEnvironment(task.launch.cleanEnvironment ? cleanEnvironment(m_account) : login, task.launch.keepNames);
    task.baseEnvironment = withVariables(std::move(task.baseEnvironment), m_stepVariables);
    task.stepGpus = gpuNumbersOfStep(m_stepVariables);
    task.isInStep = !m_stepVariables.empty();
    task.environmentNote = task.launch.cleanEnvironment ? std::string() : m_environmentNote;
    if (!task.launch.cleanEnvironment && task.launch.plan.container.runtime.empty()) {
        task.leftOutNote = leftOutNote(login, task.launch.keepNames, [&task](std::string_view name) {
            return (task.sharedEnvironment && task.sharedEnvironment->places.contains(std::string(name)))
                || std::any_of(task.launch.env.begin(), task.launch.env.end(),
                    [name](const contract::Variable &each) { return each.name == name; });
        });
    }
    if (!task.launch.plan.container.runtime.empty()) {
        setClientEnvironment(login);
        task.clientEnvironment = m_clientEnvironment;
        task.stepVariables = m_stepVariables;
        if (!m_stepVariables.empty()) {
            // A batch script starts with few folders, and sites put container programs where a login finds them.
            std::vector<std::string> paths = login;
            std::erase_if(paths, [](const std::string &each) { return !each.starts_with("PATH="); });
            task.clientEnvironment = withVariables(std::move(task.clientEnvironment), paths);
        }
        // A folder of the node, which the container perhaps does not have.
        std::erase_if(task.stepVariables, [](const std::string &each) { return each.starts_with("TMPDIR="); });
    }
    task.host = m_host;
    task.bootId = m_bootId;
    task.oomKillsBefore = oomKills();
    task.lock = lock;
    Try &entry = add(task.launch.dir, task.launch.plan.tryUuid);
    entry.waiting.push_back({id, Asked::Launch, true});
    entry.limits = {task.launch.plan.limits.memoryBytes, task.launch.plan.limits.cpuWeight};
    task.cgroup = m_cgroups.take(entry.limits);
    task.moment = fileClockNs();
    NoticeWriter notice(task.launch.dir, task.launch.plan.job, m_isStep);
    notice.announce(task.launch.cwd);
    entry.announced = task.launch.plan.job;
    int error = 0;
    if (!startProcess(entry, task, false, error)) {
        if (!task.cgroup.empty()) {
            keepCgroup(entry.limits, task.cgroup);
        }
        notice.withdraw();
        m_tries.erase(task.launch.dir);
        failLaunch(id, task.launch, error == EAGAIN ? "launch.processes" : "launch.memory", error);
    } else {
        entry.capture = std::make_unique<CaptureRequest>(captureOf(task));
        entry.capture->moment = task.moment;
    }
    ::close(lock);
    wipeSecrets(task.launch);
}

void Tries::dropLaunch(std::int64_t id, contract::Launch &&launch)
{
    const Waiting waiting{id, Asked::Launch, false};
    hide(launch.dir, launch.maskValues);
    if (!tell(waiting, launch.dir)) {
        if (m_own.isAway(launch.dir)) {
            tellAway(id, launch.dir);
        } else {
            failLaunch(id, launch, "launch.stopped", 0);
        }
    }
    wipeSecrets(launch);
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

// Finishes a started try whose keeper is gone. A process of its own cleans up, so that the loop never waits. Takes over
// the lock.
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
        if (waiting.id != 0) { // else it is tried again, and its metrics still hide them
            dropSecrets(dir);
            m_connection.fail(waiting.id, "agent.processes", dir, error);
        }
    }
    return good;
}

// The keeper was killed after it had written the result.
void Tries::removeLeftContainer(const std::string &dir)
{
    if (::access(contract::containerRecordPath(dir).c_str(), F_OK) != 0) {
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

} // namespace trainyard::agent
