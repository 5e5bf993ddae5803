// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/amdgpus.h"

#include "engine/contract/taskfolder.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

} // namespace

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

} // namespace trainyard::agent
