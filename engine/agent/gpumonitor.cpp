// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gpumonitor.h"

#include "engine/agent/amdgpus.h"
#include "engine/agent/hardware.h"
#include "engine/agent/locks.h"
#include "engine/agent/processes.h"
#include "engine/agent/processowner.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trainyard::agent
{

GpuMonitor::GpuMonitor(Loop &loop)
    : m_loop(loop), m_list(
                        loop, [this](std::string_view line) { takeListRow(line); }, [this] { listEnded(); }),
      m_probe(loop, [this] { probeEnded(); }),
      m_mig(
          loop, [this](std::string_view line) { takeMigLine(std::string(line)); }, [this] { migEnded(); }),
      m_migMode(
          loop,
          [this](std::string_view line) {
              const std::vector<std::string> fields = splitFields(line);
              for (contract::Gpu &gpu : m_fresh) {
                  gpu.undivided
                      = gpu.undivided || (fields.size() == 2 && fields[0] == gpu.uuid && fields[1] == "Enabled");
              }
          },
          [this] { listComplete(); }),
      m_processes(
          loop, [this](std::string_view line) { takeProcess(line); }, [this] { processesEnded(); }),
      m_stream(
          loop, [this](std::string_view line) { takeStreamRow(line); }, [this] { streamEnded(); })
{
}

void GpuMonitor::takeListRow(std::string_view line)
{
    if (std::optional<GpuRow> row = gpuRow(line, hostMemoryMiB())) {
        if (row->isLost) {
            m_lost.insert(row->gpu.index);
        } else {
            m_fresh.push_back(std::move(row->gpu));
        }
        return;
    }
    m_said.take(line);
}

void GpuMonitor::takeProcess(std::string_view line)
{
    const std::optional<GpuProcess> process = gpuProcess(line);
    if (!process) {
        return;
    }
    if (process->pid > 0) {
        const auto pid = static_cast<pid_t>(process->pid);
        m_freshHolders.emplace_back(process->uuid, describeProcess(pid) + otherOwner(pid));
    }
    // A process without a number is only known to exist: it may belong to a task that has the GPU.
    const GpuLockState lock
        = process->pid > 0 ? GpuLockState{} : lookAtGpuLock(gpuLockFolder({}), {process->uuid, 0, 0});
    const bool isTask
        = process->pid > 0 ? hasTryMark(static_cast<pid_t>(process->pid), {}) : !lock.by.empty() || lock.sharedMiB > 0;
    if (!isTask) {
        m_freshForeign.push_back(process->uuid);
    }
}

const DividedGpu *GpuMonitor::dividedOf(const std::string &uuid) const
{
    const auto it
        = std::find_if(m_divided.begin(), m_divided.end(), [&uuid](const DividedGpu &one) { return one.uuid == uuid; });
    return it == m_divided.end() ? nullptr : &*it;
}

void GpuMonitor::takeMigLine(const std::string &line)
{
    int index = -1;
    if (std::sscanf(line.c_str(), "GPU %d:", &index) == 1) {
        m_migParent = index;
        return;
    }
    const auto parent = std::find_if(
        m_fresh.begin(), m_fresh.end(), [this](const contract::Gpu &gpu) { return gpu.index == m_migParent; });
    if (parent == m_fresh.end()) {
        return;
    }
    if (std::optional<contract::Gpu> gpu = migInstance(line, *parent)) {
        if (!dividedOf(parent->uuid)) {
            m_divided.push_back({parent->uuid, parent->index});
        }
        m_fresh.push_back(std::move(*gpu));
    }
}

void GpuMonitor::migEnded()
{
    std::erase_if(m_fresh, [this](const contract::Gpu &gpu) { return dividedOf(gpu.uuid) != nullptr; });
    lookAtMigMode();
}

// A GPU that could be divided and has no instances is whole, or MIG is on and none were made yet.
void GpuMonitor::lookAtMigMode()
{
    const bool mayBeOn = std::any_of(m_fresh.begin(), m_fresh.end(),
        [](const contract::Gpu &gpu) { return gpu.utilPercent < 0 && !gpu.missing && !gpu.uuid.starts_with("MIG-"); });
    // This is a separate query, since a driver that does not know MIG would not answer at all.
    if (!mayBeOn || !m_migMode.start({"nvidia-smi", "--query-gpu=uuid,mig.mode.current", "--format=csv,noheader"})) {
        listComplete();
    }
}

void GpuMonitor::listComplete()
{
    publish(withMissing(std::move(m_fresh), m_gpus, m_divided));
    if (m_streaming && m_only != m_streamOnly) {
        stopStream(); // it reports others
        startStream();
    }
    startProcesses();
}

void GpuMonitor::inventory(std::function<void()> done)
{
    if (!m_waiting.empty()) {
        m_next.push_back(std::move(done));
        return;
    }
    m_waiting.push_back(std::move(done));
    beginInventory();
}

void GpuMonitor::beginInventory()
{
    m_processes.stop(); // it may have looked before this was asked, and would answer it
    m_fresh.clear();
    m_lost.clear();
    m_freshError.clear();
    m_said = {};
    m_limit = m_loop.after(inventoryLimitMs, [this] {
        m_limit = 0;
        m_list.stop();
        m_probe.stop();
        m_mig.stop();
        m_migMode.stop();
        m_processes.stop();
        m_freshError = m_gpus.empty() ? "gpu.slow" : "gpu.failed";
        answer();
        if (m_gpus.empty() && m_waiting.empty()) { // what there is is not known yet
            m_loop.after(restartMs, [this] {
                if (m_gpus.empty() && m_waiting.empty()) {
                    inventory([] {});
                }
            });
        }
    });
    if (!m_list.start({"nvidia-smi", std::string("--query-gpu=") + queryColumns, "--format=csv,noheader,nounits"})) {
        listEnded();
    }
}

// With a lost GPU nvidia-smi may list none: then each is queried by itself, and also when nvidia-smi died halfway.
void GpuMonitor::listEnded()
{
    m_only.clear();
    if (m_said.lostOne || m_said.cutRow) {
        int known = 0;
        for (const contract::Gpu &gpu : m_gpus) {
            known = gpu.index < migStep ? std::max(known, gpu.index + 1) : known;
        }
        m_fresh.clear();
        m_probe.start(known, m_lost);
        return;
    }
    rowsComplete();
}

void GpuMonitor::probeEnded()
{
    m_fresh = m_probe.takeFound();
    m_lost = m_probe.lost();
    if (m_fresh.empty() && m_lost.empty()) {
        m_freshError = m_said.error(); // those that are known stay, and that nothing is heard of them is said
    }
    for (const contract::Gpu &gpu : m_gpus) {
        if (m_probe.silent().contains(gpu.index)) {
            m_fresh.push_back(gpu); // as it was
        }
    }
    if (!m_lost.empty()) {
        for (const contract::Gpu &gpu : m_fresh) {
            if (gpu.missing) {
                continue;
            }
            m_only += (m_only.empty() ? "" : ",") + std::to_string(gpu.index);
        }
    }
    m_said.cutRow = false;
    rowsComplete();
}

// A known GPU stays in the list as missing; of one that was never seen only the number is known.
void GpuMonitor::addLost()
{
    for (const int index : m_lost) {
        const auto isIt
            = [index](const contract::Gpu &gpu) { return gpu.index == index || gpu.index / migStep == index + 1; };
        if (std::none_of(m_gpus.cbegin(), m_gpus.cend(), isIt)) {
            m_fresh.push_back(unknownGpu(index));
        }
    }
}

void GpuMonitor::rowsComplete()
{
    if (m_fresh.empty() && m_lost.empty()) {
        const bool isAmd = m_gpus.empty() || m_gpus.front().vendor == "amd";
        m_fresh = isAmd ? amdGpus() : std::vector<contract::Gpu>();
        m_freshError = !m_fresh.empty() ? "" : m_said.error();
        if (isAmd || m_said.none) {
            publish(withMissing(std::move(m_fresh), m_gpus, {}));
        } // else it failed, and that says nothing of those that are known
        answer();
        return;
    }
    addLost();
    // A divided GPU reports no load of its own.
    m_divided.clear();
    m_migParent = -1;
    const bool mayBeDivided = std::any_of(
        m_fresh.begin(), m_fresh.end(), [](const contract::Gpu &gpu) { return gpu.utilPercent < 0 && !gpu.missing; });
    if (!mayBeDivided || !m_mig.start({"nvidia-smi", "-L"})) {
        migEnded();
    }
}

void GpuMonitor::startProcesses()
{
    if (m_processes.isRunning()) {
        return; // an inventory has stopped the look that was too old for it
    }
    m_freshForeign.clear();
    m_freshHolders.clear();
    if (!m_listsProcesses) {
        processesEnded();
        return;
    }
    if (!m_processes.start(withOnly(
            {"nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"}))) {
        processesEnded();
    }
}

void GpuMonitor::processesEnded()
{
    m_foreign = m_freshForeign;
    m_holders = m_freshHolders;
    publish(std::move(m_gpus));
    answer();
    if (m_streaming && m_listsProcesses && !m_gpus.empty() && m_again == 0) {
        m_again = m_loop.after(processesMs, [this] {
            m_again = 0;
            if (m_streaming && m_waiting.empty()) { // an inventory under way looks anyway
                startProcesses();
            }
        });
    }
}

void GpuMonitor::publish(std::vector<contract::Gpu> gpus)
{
    m_gpus = std::move(gpus);
    for (contract::Gpu &gpu : m_gpus) {
        gpu.foreign = std::find(m_foreign.begin(), m_foreign.end(), gpu.uuid) != m_foreign.end();
        // Which of its instances a program uses cannot be found out: then none of them is free.
        for (const DividedGpu &one : m_divided) {
            const bool isPart = gpu.index / migStep == one.index + 1;
            gpu.foreign
                = gpu.foreign || (isPart && std::find(m_foreign.begin(), m_foreign.end(), one.uuid) != m_foreign.end());
        }
        gpu.holders.clear();
        for (const auto &[uuid, holder] : m_holders) {
            if (uuid == gpu.uuid) {
                gpu.holders.push_back(holder);
            }
        }
    }
}

void GpuMonitor::lookAtLocks()
{
    const std::string folder = gpuLockFolder({});
    for (contract::Gpu &gpu : m_gpus) {
        const GpuLockState state = lookAtGpuLock(folder, {gpu.uuid, 0, gpu.memoryMiB});
        gpu.lockedBy = state.by;
        gpu.lockedMiB = state.sharedMiB;
    }
}

void GpuMonitor::answer()
{
    m_error = m_freshError;
    if (m_limit != 0) {
        m_loop.cancel(m_limit);
        m_limit = 0;
    }
    const std::vector<std::function<void()>> waiting = std::move(m_waiting);
    m_waiting.clear();
    m_waiting = std::move(m_next);
    m_next.clear();
    if (!m_waiting.empty()) {
        beginInventory();
    }
    for (const std::function<void()> &done : waiting) {
        done();
    }
}

// Only the GPUs that answer are queried when a lost one would make the query fail for all.
std::vector<std::string> GpuMonitor::withOnly(std::vector<std::string> arguments) const
{
    if (!m_only.empty()) {
        arguments.insert(arguments.end(), {"-i", m_only});
    }
    return arguments;
}

} // namespace trainyard::agent
