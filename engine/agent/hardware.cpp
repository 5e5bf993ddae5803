// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hardware.h"

#include "engine/agent/cgroup.h"
#include "engine/agent/locks.h"
#include "engine/agent/processes.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
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

std::vector<std::string> splitFields(std::string_view line)
{
    std::vector<std::string> fields;
    while (true) {
        const std::size_t comma = line.find(',');
        std::string_view field = line.substr(0, comma);
        while (!field.empty() && std::strchr(" \t\r", field.front())) {
            field.remove_prefix(1);
        }
        while (!field.empty() && std::strchr(" \t\r", field.back())) {
            field.remove_suffix(1);
        }
        fields.emplace_back(field);
        if (comma == std::string_view::npos) {
            return fields;
        }
        line.remove_prefix(comma + 1);
    }
}

bool saysNone(std::string_view line) { return line.find("No devices were found") != std::string_view::npos; }

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

bool LineProgram::start(const std::vector<std::string> &arguments)
{
    stop();
    m_program = startProgram(arguments);
    if (m_program.pid < 0) {
        return false;
    }
    m_loop.watch(m_program.out, EPOLLIN, [this](std::uint32_t) { readSome(); });
    return true;
}

void LineProgram::stop()
{
    if (m_program.pid > 0) {
        m_loop.forget(m_program.out);
        ::close(m_program.out);
        ::kill(m_program.pid, SIGTERM); // the agent reaps it
        m_program = {};
        m_text.clear();
    }
}

void LineProgram::readSome()
{
    char buffer[16384];
    const ssize_t n = ::read(m_program.out, buffer, sizeof buffer);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n > 0) {
        m_text.append(buffer, static_cast<std::size_t>(n));
        if (m_text.size() > (1u << 20)) {
            m_text.clear(); // no line of ours
        }
    } else if (!m_text.empty()) {
        m_text += '\n';
    }
    std::size_t newline = 0;
    while ((newline = m_text.find('\n')) != std::string::npos) {
        const std::string line = m_text.substr(0, newline);
        m_text.erase(0, newline + 1);
        if (!line.empty()) {
            m_line(line);
        }
    }
    if (n <= 0) {
        stop();
        m_ended();
    }
}

GpuMonitor::GpuMonitor(Loop &loop)
    : m_loop(loop), m_list(
                        loop,
                        [this](std::string_view line) {
                            if (std::optional<contract::Gpu> gpu = parseRow(line)) {
                                m_fresh.push_back(std::move(*gpu));
                            } else {
                                m_freshError = "gpu.failed";
                                m_foundNone = m_foundNone || saysNone(line);
                            }
                        },
                        [this] { listEnded(); }),
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
          loop,
          [this](std::string_view line) {
              const std::vector<std::string> fields = splitFields(line);
              if (fields.size() >= 2) {
                  const long pid = std::strtol(fields[1].c_str(), nullptr, 10);
                  if (pid > 0) {
                      m_freshHolders.emplace_back(fields[0], describeProcess(static_cast<pid_t>(pid)));
                  }
                  if (pid > 0 && !hasTryMark(static_cast<pid_t>(pid), {})) {
                      m_freshForeign.push_back(fields[0]);
                  }
              }
          },
          [this] { processesEnded(); }),
      m_stream(
          loop, [this](std::string_view line) { takeStreamRow(line); },
          [this] {
              // It dies with driver updates, for one: look again later.
              if (m_streaming && m_restart == 0) {
                  m_restart = m_loop.after(restartMs, [this] {
                      m_restart = 0;
                      startStream();
                  });
              }
          })
{
}

std::optional<contract::Gpu> GpuMonitor::parseRow(std::string_view line)
{
    const std::vector<std::string> fields = splitFields(line);
    if (fields.size() < 6 || fields[0].empty()) {
        return std::nullopt;
    }
    char *end = nullptr;
    contract::Gpu gpu;
    gpu.index = static_cast<int>(std::strtol(fields[0].c_str(), &end, 10));
    if (*end != '\0') {
        return std::nullopt; // a sentence ("No devices were found", "Failed to initialize NVML")
    }
    const auto number = [&fields](std::size_t at, double missing) {
        char *stop = nullptr;
        const double value = at < fields.size() ? std::strtod(fields[at].c_str(), &stop) : missing;
        return at < fields.size() && stop != fields[at].c_str() ? value : missing; // "[N/A]"
    };
    gpu.uuid = fields[1];
    gpu.name = fields[2];
    gpu.memoryMiB = static_cast<std::int64_t>(number(3, 0));
    gpu.memoryUsedMiB = static_cast<std::int64_t>(number(4, 0));
    gpu.utilPercent = static_cast<int>(number(5, -1));
    gpu.temperature = static_cast<int>(number(6, -1));
    gpu.powerWatt = number(7, -1);
    return gpu;
}

// "  MIG 1g.10gb     Device  0: (UUID: MIG-5c3f...)" and "  MIG 1c.3g.20gb Device 1: (UUID: ...)".
std::optional<contract::Gpu> GpuMonitor::parseMigLine(const std::string &line, const contract::Gpu &parent)
{
    char profile[64];
    int number = 0, used = 0;
    if (std::sscanf(line.c_str(), " MIG %63s Device %d: (UUID: %n", profile, &number, &used) < 2 || used == 0) {
        return std::nullopt;
    }
    const std::size_t end = line.find(')', static_cast<std::size_t>(used));
    if (end == std::string::npos || number < 0 || number >= migStep) {
        return std::nullopt;
    }
    contract::Gpu gpu;
    gpu.index = (parent.index + 1) * migStep + number;
    gpu.uuid = line.substr(static_cast<std::size_t>(used), end - static_cast<std::size_t>(used));
    gpu.name = parent.name + " MIG " + profile;
    // No query tells a plain user: the name does, in gigabytes.
    const char *gb = std::strstr(profile, "gb");
    const char *begin = gb;
    while (begin && begin > profile && begin[-1] >= '0' && begin[-1] <= '9') {
        --begin;
    }
    gpu.memoryMiB = gb ? std::strtoll(begin, nullptr, 10) * 1000 * 1000 * 1000 / (1024 * 1024) : 0;
    return gpu.uuid.empty() ? std::nullopt : std::optional(gpu);
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
    if (std::optional<contract::Gpu> gpu = parseMigLine(line, *parent)) {
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

// One that could be divided and has no instances is whole, or MIG is on and nobody has made any yet.
void GpuMonitor::lookAtMigMode()
{
    const bool mayBeOn = std::any_of(m_fresh.begin(), m_fresh.end(),
        [](const contract::Gpu &gpu) { return gpu.utilPercent < 0 && !gpu.uuid.starts_with("MIG-"); });
    // Asked for apart from the rest: a driver that does not know MIG would answer nothing at all.
    if (!mayBeOn || !m_migMode.start({"nvidia-smi", "--query-gpu=uuid,mig.mode.current", "--format=csv,noheader"})) {
        listComplete();
    }
}

void GpuMonitor::listComplete()
{
    publish(withMissing(std::move(m_fresh), m_gpus, m_divided));
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
    m_freshError.clear();
    m_foundNone = false;
    m_limit = m_loop.after(inventoryLimitMs, [this] {
        m_limit = 0;
        m_list.stop();
        m_mig.stop();
        m_migMode.stop();
        m_processes.stop();
        m_freshError = m_gpus.empty() ? "gpu.slow" : "gpu.failed";
        answer();
        if (m_gpus.empty() && m_waiting.empty()) { // nobody knows yet what there is
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

void GpuMonitor::listEnded()
{
    if (m_fresh.empty()) {
        const bool isAmd = m_gpus.empty() || m_gpus.front().vendor == "amd";
        m_fresh = isAmd ? amdGpus() : std::vector<contract::Gpu>();
        if (m_fresh.empty() && m_freshError.empty()) {
            m_freshError = "gpu.none";
        }
        if (isAmd || m_foundNone) {
            publish(withMissing(std::move(m_fresh), m_gpus, {}));
        } // else it failed, and that says nothing of those that are known
        answer();
        return;
    }
    m_freshError.clear();
    // One that is divided tells no load of its own.
    m_divided.clear();
    m_migParent = -1;
    const bool mayBeDivided
        = std::any_of(m_fresh.begin(), m_fresh.end(), [](const contract::Gpu &gpu) { return gpu.utilPercent < 0; });
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
    if (!m_processes.start(
            {"nvidia-smi", "--query-compute-apps=gpu_uuid,pid,used_memory", "--format=csv,noheader,nounits"})) {
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
        // Which of its instances a program uses is told by nobody: then none of them is free.
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
    m_stream.stop();
    if (on) {
        startStream();
    }
}

void GpuMonitor::startStream()
{
    if (!m_streaming) {
        return;
    }
    m_listings.restart();
    const bool started = m_stream.start({"nvidia-smi", std::string("--query-gpu=") + queryColumns,
        "--format=csv,noheader,nounits", "-lms", std::to_string(std::max<std::int64_t>(200, m_interval))});
    if (!started) {
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
    std::optional<contract::Gpu> gpu = parseRow(line);
    if (!m_waiting.empty()) { // an inventory under way uses the same list
        if (gpu) {
            m_listings.skip(gpu->index);
        }
        return;
    }
    if (!gpu) {
        if (saysNone(line)) {
            markMissing(m_gpus, {}, m_divided);
        }
        return;
    }
    if (const std::optional<std::set<std::string>> before = m_listings.next(gpu->index, gpu->uuid)) {
        markMissing(m_gpus, *before, m_divided);
    }
    if (dividedOf(gpu->uuid)) {
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
