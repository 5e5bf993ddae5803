// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hardware.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/gpurows.h"
#include "engine/agent/locks.h"
#include "engine/agent/processes.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace trainyard::agent
{
namespace
{

std::string textOf(const std::string &path)
{
    std::string text = contract::readWhole(path).value_or("");
    while (!text.empty() && std::strchr(" \t\r\n", text.back())) {
        text.pop_back();
    }
    return text;
}

std::int64_t numberOf(const std::string &path, std::int64_t missing = -1)
{
    const std::string text = textOf(path);
    return text.empty() ? missing : std::strtoll(text.c_str(), nullptr, 10);
}

std::string valueAfter(const std::string &text, const std::string &key)
{
    const std::size_t at = text.starts_with(key) ? 0 : text.find('\n' + key);
    if (at == std::string::npos) {
        return {};
    }
    const std::size_t begin = text.find_first_not_of(" \t:=\"", at + key.size() + (at == 0 ? 0 : 1));
    const std::size_t end = text.find_first_of("\"\n", begin);
    return begin == std::string::npos ? std::string() : text.substr(begin, end - begin);
}

std::vector<contract::Gpu> amdGpus()
{
    // Tests give a tree of their own.
    const char *given = ::getenv("TRAINYARD_SYSFS");
    const std::string cards = std::string(given ? given : "/sys") + "/class/drm";
    std::vector<std::string> names;
    if (DIR *folder = ::opendir(cards.c_str())) {
        while (const dirent *entry = ::readdir(folder)) {
            const std::string name = entry->d_name;
            if (name.starts_with("card") && name.find('-') == std::string::npos) {
                names.push_back(name);
            }
        }
        ::closedir(folder);
    }
    std::sort(names.begin(), names.end(),
        [](const std::string &a, const std::string &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    std::vector<contract::Gpu> gpus;
    for (const std::string &name : names) {
        const std::string device = cards + '/' + name + "/device/";
        const std::int64_t memory = numberOf(device + "mem_info_vram_total");
        if (textOf(device + "vendor") != "0x1002" || memory <= 0) {
            continue;
        }
        contract::Gpu gpu;
        gpu.index = static_cast<int>(gpus.size());
        gpu.vendor = "amd";
        gpu.uuid = textOf(device + "unique_id");
        gpu.uuid = gpu.uuid.empty() ? "amd-" + name : "GPU-" + gpu.uuid;
        gpu.name = textOf(device + "product_name");
        if (gpu.name.empty()) {
            gpu.name = "AMD GPU";
        }
        gpu.memoryMiB = memory >> 20;
        gpu.memoryUsedMiB = std::max<std::int64_t>(0, numberOf(device + "mem_info_vram_used")) >> 20;
        gpu.utilPercent = static_cast<int>(numberOf(device + "gpu_busy_percent"));
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

} // namespace

void readMemory(std::int64_t &totalMiB, std::int64_t &usedMiB)
{
    const std::string text = contract::readWhole("/proc/meminfo").value_or("");
    const std::int64_t total = std::strtoll(valueAfter(text, "MemTotal").c_str(), nullptr, 10) / 1024;
    const std::int64_t available = std::strtoll(valueAfter(text, "MemAvailable").c_str(), nullptr, 10) / 1024;
    static const std::int64_t limit = cgroupMemoryLimit() >> 20;
    totalMiB = limit > 0 ? std::min(total, limit) : total;
    usedMiB = std::min(totalMiB, total - available);
}

static std::int64_t hostMemoryMiB()
{
    std::int64_t total = 0, used = 0;
    readMemory(total, used);
    return total;
}

void fillHost(contract::Inventory &inventory)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    inventory.cpus = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                                   : static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
    readMemory(inventory.memoryMiB, inventory.memoryUsedMiB);
    utsname names{};
    if (::uname(&names) == 0) {
        inventory.kernel = names.release;
    }
    inventory.os = valueAfter(contract::readWhole("/etc/os-release").value_or(""), "PRETTY_NAME");
    inventory.cpuModel = valueAfter(contract::readWhole("/proc/cpuinfo", 4 << 20).value_or(""), "model name");
}

double CpuMeter::percent()
{
    // cpu user nice system idle iowait irq softirq steal ...
    const std::string text = contract::readWhole("/proc/stat", 4 << 20).value_or("");
    const char *p = text.c_str();
    if (!text.starts_with("cpu ")) {
        return -1;
    }
    p += 4;
    std::uint64_t all = 0, idle = 0;
    for (int field = 0; field < 8; ++field) {
        char *end = nullptr;
        const std::uint64_t value = std::strtoull(p, &end, 10);
        p = end;
        all += value;
        idle += field == 3 || field == 4 ? value : 0;
    }
    const std::uint64_t busy = all - idle;
    const double percent = m_all > 0 && all > m_all
        ? 100.0 * static_cast<double>(busy - std::min(busy, m_busy)) / static_cast<double>(all - m_all)
        : -1;
    m_busy = busy;
    m_all = all;
    return percent;
}

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
        m_freshHolders.emplace_back(process->uuid, describeProcess(static_cast<pid_t>(process->pid)));
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
        stopStream(); // it tells of others
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
    if (m_streaming && !m_gpus.empty() && m_again == 0) {
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

void GpuMonitor::setStreaming(bool on, std::int64_t intervalMs)
{
    const bool same = m_streaming == on && (!on || m_interval == intervalMs);
    m_streaming = on;
    m_interval = intervalMs;
    if (same) {
        return;
    }
    stopStream();
    m_polls = false;
    if (on) {
        startStream();
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

void GpuMonitor::stopStream()
{
    m_stream.stop();
    m_loop.cancel(std::exchange(m_silence, 0));
}

void GpuMonitor::streamEnded()
{
    m_loop.cancel(std::exchange(m_silence, 0));
    if (const std::optional<std::set<std::string>> listed = m_listings.end(); m_polls && listed && m_waiting.empty()) {
        markMissing(m_gpus, *listed, m_divided);
    }
    // The stream ends with driver updates or when a GPU is lost: it is started again later.
    const std::int64_t pause = m_polls && m_rowsCame ? std::max(m_interval, pollMs) : restartMs;
    if (m_streaming && m_restart == 0) {
        m_restart = m_loop.after(pause, [this] {
            m_restart = 0;
            if (std::exchange(m_streamSaysLost, false) && m_waiting.empty()) {
                inventory([this] { startStream(); });
            } else {
                startStream();
            }
        });
    }
}

// nvidia-smi may keep its rows back until it has some kilobytes, or hang with its driver. When it is run once for each
// sample it writes everything when it ends.
void GpuMonitor::expectRows()
{
    m_loop.cancel(std::exchange(m_silence, 0));
    const std::int64_t patience = m_polls ? inventoryLimitMs : std::max<std::int64_t>(silenceMs, 4 * m_interval);
    m_silence = m_loop.after(patience, [this] {
        m_silence = 0;
        m_stream.stop();
        m_polls = true;
        m_rowsCame = false;
        if (m_restart == 0) {
            startStream();
        }
    });
}

void GpuMonitor::startStream()
{
    if (!m_streaming) {
        return;
    }
    m_listings.restart();
    m_rowsCame = false;
    m_streamOnly = m_only;
    if (!m_only.empty() && m_relook == 0) {
        m_relook = m_loop.after(relookMs, [this] {
            m_relook = 0;
            if (m_streaming && m_waiting.empty()) {
                inventory([] {});
            }
        });
    }
    std::vector<std::string> arguments
        = withOnly({"nvidia-smi", std::string("--query-gpu=") + queryColumns, "--format=csv,noheader,nounits"});
    if (!m_polls) {
        arguments.insert(arguments.end(), {"-lms", std::to_string(std::max<std::int64_t>(200, m_interval))});
    }
    const bool started = m_stream.start(arguments);
    if (started) {
        expectRows();
    } else {
        publish(withMissing(amdGpus(), m_gpus, {}));
        if (!m_gpus.empty() && m_restart == 0) {
            m_restart = m_loop.after(m_interval, [this] {
                m_restart = 0;
                startStream();
            });
        }
        return;
    }
    if (m_waiting.empty()) {
        startProcesses();
    }
}

void GpuMonitor::takeStreamRow(std::string_view line)
{
    std::optional<GpuRow> row = gpuRow(line, hostMemoryMiB());
    contract::Gpu *gpu = row ? &row->gpu : nullptr;
    if (gpu) {
        m_rowsCame = true;
        expectRows();
    }
    if (!m_waiting.empty()) { // an inventory under way uses the same list
        if (gpu) {
            m_listings.skip(gpu->index);
        }
        return;
    }
    if (!gpu) {
        SmiWords said;
        said.take(line);
        m_streamSaysLost = m_streamSaysLost || said.lostOne;
        if (said.none && !m_streamSaysLost) {
            markMissing(m_gpus, {}, m_divided);
        }
        return;
    }
    if (row->isLost) {
        gpu->uuid.clear(); // not known: the GPU that was there is missing from this listing
    }
    if (const std::optional<std::set<std::string>> before = m_listings.next(gpu->index, gpu->uuid)) {
        markMissing(m_gpus, *before, m_divided);
    }
    if (row->isLost || dividedOf(gpu->uuid)) {
        return;
    }
    for (contract::Gpu &known : m_gpus) {
        if (known.uuid == gpu->uuid) {
            gpu->foreign = known.foreign;
            gpu->undivided = known.undivided;
            gpu->holders = known.holders;
            gpu->lockedBy = known.lockedBy;
            gpu->lockedMiB = known.lockedMiB;
            known = std::move(*gpu);
            return;
        }
    }
    std::erase_if(m_gpus, [&gpu](const contract::Gpu &known) { return known.missing && known.index == gpu->index; });
    m_gpus.push_back(std::move(*gpu));
    std::sort(
        m_gpus.begin(), m_gpus.end(), [](const contract::Gpu &a, const contract::Gpu &b) { return a.index < b.index; });
}

} // namespace trainyard::agent
