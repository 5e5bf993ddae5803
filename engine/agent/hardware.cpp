// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hardware.h"

#include "engine/agent/cgroup.h"
#include "engine/contract/taskfolder.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

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

std::int64_t hostMemoryMiB()
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

} // namespace trainyard::agent
