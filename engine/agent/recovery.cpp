// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/recovery.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/containertask.h"
#include "engine/agent/detach.h"
#include "engine/agent/keeper_p.h"
#include "engine/agent/processes.h"
#include "engine/agent/pump.h"
#include "engine/agent/storagelinks.h"
#include "engine/agent/tries_p.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitKind;
using contract::ExitRecord;
using contract::StartedRecord;

std::string endProcesses(const TaskScope &scope, std::int64_t patienceMs)
{
    std::int64_t pause = 2;
    const std::int64_t until = monotonicMs() + patienceMs;
    for (int quiet = 0; quiet < 2;) {
        bool isWhole = false;
        const std::vector<ProcessInfo> found = findTaskProcesses(scope, &isWhole);
        const bool isQuiet = found.empty() && isWhole;
        if (!isQuiet && monotonicMs() >= until) {
            return found.empty() ? "?" : describeProcesses(found);
        }
        quiet = isQuiet ? quiet + 1 : 0;
        for (const ProcessInfo &process : found) {
            signalProcess(process, SIGKILL);
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, static_cast<int>(pause));
        pause = isQuiet ? 2 : std::min<std::int64_t>(pause * 2, 1000);
    }
    return {};
}

void recover(const KeeperTask &task)
{
    if (recordsError(task.launch.dir) != 0) {
        return; // it is not known now how it ended, or whether it has a container
    }
    ExitRecord record;
    record.kind = ExitKind::Lost;
    record.reason = "keeper.died";
    const auto container = contract::readContainerRecord(task.launch.dir);
    if (container) {
        // The container comes before any signal, since its monitor has to see the end of its processes.
        if (removeContainer(*container, task.clientEnvironment)) {
            ::unlink(contract::containerRecordPath(task.launch.dir).c_str());
        } else {
            appendRuntimeLog("The container " + container->name + " may still be there. Look: " + container->runtime
                + " rm -f " + container->name);
        }
    }
    const std::optional<StartedRecord> started = contract::readStartedRecord(".");
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(".");
    // After they were read: what is missing because it could not be read does not say which processes are the task's.
    if (contract::readExitRecord(".") || recordsError(task.launch.dir) != 0) {
        return; // it has ended well, and only its container was left; or it is no longer known how it has ended
    }
    TaskCgroup cgroup;
    // A host that lost its power may have left `started` empty: after another boot the same numbers belong to other
    // processes.
    const bool otherBoot
        = started ? started->process.bootId != task.bootId : keeper && keeper->process.bootId != task.bootId;
    if (otherBoot) {
        record.reason = "host.restarted";
    } else {
        TaskScope scope;
        if (container) {
            // The container of an earlier version could write to the other records: they may name processes that are
            // not the task's. This name is enough to find what is the task's.
            scope.tryUuid = container->tryUuid();
        } else {
            scope.tryUuid = started ? started->tryUuid : keeper ? keeper->tryUuid : task.launch.plan.tryUuid;
            if (keeper) {
                scope.keeper = static_cast<pid_t>(keeper->process.pid);
                scope.keeperStart = keeper->process.startTime;
            }
            if (started) {
                cgroup.takeOver(started->cgroup);
            }
        }
        record.left = endProcesses(scope, giveUpMs);
        cgroup.remove();
    }
    if (::access(file::started, F_OK) != 0) {
        record.kind = ExitKind::StartFailed; // what waited in its container was never released
        record.reason = "launch.keeper-died";
    }
    record.began = started ? started->at : 0;
    record.ended = utcMs();
    struct stat info;
    record.bytes = ::stat(file::output, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
    if (!container) { // a container mounts them, and one of an earlier version can write what is read here
        releaseStorageLinks(task.launch.plan.tryUuid);
    }
    removeSshKey();
    const std::string text = record.format();
    if (contract::writeAtomically(file::exit, text, true) != 0) {
        contract::writeOver(file::reserve, file::exit, text, true);
    }
    ::unlink(file::reserve);
    sendNote(task.notes, note::exit, text);
}

} // namespace trainyard::agent
