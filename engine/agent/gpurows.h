// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// Reads the output of nvidia-smi line by line. docs/gpus.md lists its odd answers.

constexpr const char *queryColumns
    = "index,uuid,name,memory.total,memory.used,utilization.gpu,temperature.gpu,power.draw";

struct GpuRow {
    contract::Gpu gpu;
    bool isLost = false; // the driver has its number and cannot speak to it
};
// One row as nvidia-smi prints it for `queryColumns`. `hostMiB` is the memory of a GPU that shares the host's.
std::optional<GpuRow> gpuRow(std::string_view line, std::int64_t hostMiB);

// A GPU of which nothing but its number is known.
contract::Gpu unknownGpu(int index);

// A row of the query "gpu_uuid,pid,used_memory".
struct GpuProcess {
    std::string uuid;
    std::int64_t pid = 0; // 0: hidden
};
std::optional<GpuProcess> gpuProcess(std::string_view line);

// The text of the other lines together.
struct SmiWords {
    bool none = false; // no GPU is there
    bool lostOne = false; // one cannot be spoken to, and hides the others
    std::string place; // where it is on the bus: "0000:3B:00"; empty: not said
    bool cutRow = false; // it died in the middle of a row
    bool mismatch = false; // the driver was updated, and the one in the kernel is the old one
    bool driver = false; // its driver does not answer
    bool other = false;
    void take(std::string_view line);
    std::string error() const; // "gpu.none", "gpu.failed", "gpu.mismatch", "gpu.driver"
};

std::vector<std::string> splitFields(std::string_view line);
// A line of nvidia-smi -L about a MIG instance of this GPU.
std::optional<contract::Gpu> migInstance(const std::string &line, const contract::Gpu &parent);

} // namespace trainyard::agent
