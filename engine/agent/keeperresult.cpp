// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/detach.h"
#include "engine/agent/keeper_p.h"
#include "engine/agent/scriptlink.h"
#include "engine/agent/storagelinks.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>

namespace trainyard::agent
{

namespace file = contract::file;
using contract::ExitKind;
using contract::ExitRecord;

ExitRecord Keeper::result() const
{
    ExitRecord record;
    record.began = m_began;
    // In the clock of the output: a computer that slept meanwhile has not gone back in time.
    record.ended = m_began + (sinceBootMs() - m_beganSinceBoot);
    // The monitor of a container reports the peak of everything that it has waited for, which includes the container
    // program.
    const bool isProgram = m_container && m_memory.othersKiB < 2 * m_clientRssKiB;
    record.maxRssKiB = isProgram ? m_memory.sumKiB : m_memory.peakKiB();
    record.left = m_left;
    record.userMs = m_userMs;
    record.systemMs = m_systemMs;
    record.bytes = m_pump.bytes();
    record.masked = m_pump.masked();
    record.lost = m_pump.lost();
    record.asked = m_askedAt;
    record.isOwn = m_endedUnasked;
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
        record.kind = ExitKind::Lost; // another process took its status: it is not known any more
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
    const bool failedSomehow = !record.isGood();
    const int status = record.shellStatus(); // a shell may outlive the child that was killed
    const std::optional<bool> killedInGroup = m_cgroup.sawOomKill();
    if (failedSomehow && killedInGroup.value_or(false)) {
        record.kind = ExitKind::Oom;
        record.status = status;
        record.value = SIGKILL;
        record.reason = "oom.limit";
    } else if (killed && !m_stopping && !killedInGroup && m_task.oomKillsBefore >= 0
        && oomKillsAround() > m_task.oomKillsBefore) {
        record.kind = ExitKind::Oom;
        record.status = status;
        record.value = SIGKILL;
        record.reason = "oom.host";
    }
    return record;
}

// The driver's reports about the GPUs are not in the output. The engine reads them as well.
void Keeper::tellGpuErrors(const ExitRecord &record) const
{
    const bool isGood = record.isGood();
    if (isGood || m_stopping || !m_kernelLog) {
        return;
    }
    const std::vector<std::string> records = m_kernelLog->xids();
    for (const std::string &gpu : m_task.launch.gpuLocks) {
        for (const std::string &line : xidsOf(records, gpu)) {
            appendRuntimeLog("The kernel of this host said of " + gpu + ": " + line);
        }
    }
}

void Keeper::finish(const ExitRecord &record)
{
    leaveCgroup();
    if (m_task.launch.plan.container.runtime.empty()) { // a container mounts them
        releaseStorageLinks(m_task.launch.plan.tryUuid);
    }
    removeSshKey();
    if (m_steps && m_steps->isHandedOver() && record.isGood()) {
        appendTextToRuntimeLog(runtimeLogHead("openpai-runtime") + "[INFO] USER COMMAND END\n");
    }
    tellGpuErrors(record);
    if (!m_left.empty()) {
        appendRuntimeLog("These processes could not be ended, and may still be there: " + m_left);
    } else if (m_killedLeftovers) {
        appendRuntimeLog("The main program had ended; processes that it left behind were ended too.");
    }
    if (m_pump.lost() > 0) {
        appendRuntimeLog("The disk was full when the task was stopped: the last " + std::to_string(m_pump.lost())
            + " bytes of its output are lost.");
    }
    if (m_pump.isCut()) {
        appendRuntimeLog(
            "The output passed its limit: of what came after it only the newest part is kept (output.tail).");
    }
    removeScriptLinks("."); // the try's folder, which has a long path
    const bool sync = monotonicMs() - m_beganMonotonic >= 1000 || m_pump.bytes() >= (1u << 20);
    if (sync) {
        m_pump.sync();
    }
    const std::string text = record.format();
    writeExit(text, sync);
    sendNote(m_task.notes, note::exit, text);
}

// The record is written last, however long it takes: without it the result would be lost with this process.
void Keeper::writeExit(const std::string &text, bool sync)
{
    while (contract::writeOver(file::reserve, file::exit, text, sync) != 0
        && contract::writeAtomically(file::exit, text, sync) != 0) {
        if (!m_saidFull) {
            sayFull(true);
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, static_cast<int>(retryMs));
        struct stat info;
        if (::stat(".", &info) == 0 && info.st_nlink == 0) {
            break; // the folder was removed: no process will read it
        }
    }
}

} // namespace trainyard::agent
