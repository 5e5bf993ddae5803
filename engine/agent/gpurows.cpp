// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/gpurows.h"

#include "engine/agent/gpulistings.h"
#include "engine/agent/smalltext.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t columnCount = 8;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// Where a uuid should be: "[Unknown Error]", "[GPU is lost]", "ERR!".
bool isGpuUuid(std::string_view text)
{
    return !text.empty() && text.front() != '[' && !text.starts_with("ERR!") && text != "N/A" && text != "-";
}

bool isNotTold(std::string_view field) { return field == "[N/A]" || field == "[Not Supported]" || field == "N/A"; }

// "GPU 0000:3B:00.0: GPU is lost", "GPU0: 0000:3B:00.0: Unknown Error", "GPU0000:3B:00.0".
std::string placeIn(std::string_view line)
{
    const auto isHex = [&line](std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count; ++i) {
            if (i >= line.size() || !std::isxdigit(static_cast<unsigned char>(line[i]))) {
                return false;
            }
        }
        return true;
    };
    for (std::size_t at = 0; at + 10 <= line.size(); ++at) {
        if (isHex(at, 4) && line[at + 4] == ':' && isHex(at + 5, 2) && line[at + 7] == ':' && isHex(at + 8, 2)) {
            return std::string(line.substr(at, 10));
        }
    }
    return {};
}

// These words mean a lost GPU in any column; the others also appear for a broken fan.
bool saysLost(std::string_view field) { return has(field, "GPU is lost") || has(field, "requires reset"); }

bool startsWithNumber(std::string_view line)
{
    return !line.empty() && line.front() >= '0' && line.front() <= '9' && has(line, ",");
}

} // namespace

std::vector<std::string> splitFields(std::string_view line)
{
    std::vector<std::string> fields;
    while (true) {
        const std::size_t comma = line.find(',');
        fields.emplace_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return fields;
        }
        line.remove_prefix(comma + 1);
    }
}

std::optional<GpuRow> gpuRow(std::string_view line, std::int64_t hostMiB)
{
    const std::vector<std::string> fields = splitFields(line);
    if (fields.size() < columnCount || fields[0].empty()) {
        return std::nullopt; // a sentence, or a row that was cut
    }
    char *end = nullptr;
    GpuRow row;
    contract::Gpu &gpu = row.gpu;
    gpu.index = static_cast<int>(std::strtol(fields[0].c_str(), &end, 10));
    if (*end != '\0' || gpu.index < 0) {
        return std::nullopt;
    }
    const auto number = [&fields](std::size_t at, double missing) {
        char *stop = nullptr;
        const double value = std::strtod(fields[at].c_str(), &stop);
        return stop != fields[at].c_str() ? value : missing; // "[N/A]"
    };
    gpu.uuid = fields[1];
    gpu.name = fields[2];
    if (isNotTold(gpu.uuid)) {
        gpu.uuid = "index-" + fields[0]; // a small driver that tells none
    }
    row.isLost = !isGpuUuid(gpu.uuid) || std::any_of(fields.begin(), fields.end(), saysLost);
    gpu.memoryMiB = static_cast<std::int64_t>(number(3, 0));
    gpu.memoryUsedMiB = static_cast<std::int64_t>(number(4, 0));
    // A GPU without memory of its own uses the host's.
    if (isNotTold(fields[3])) {
        gpu.memoryMiB = hostMiB;
    }
    gpu.utilPercent = static_cast<int>(number(5, -1));
    gpu.temperature = static_cast<int>(number(6, -1));
    gpu.powerWatt = number(7, -1);
    return row;
}

contract::Gpu unknownGpu(int index)
{
    contract::Gpu gpu;
    gpu.index = index;
    gpu.uuid = "unknown-" + std::to_string(index);
    gpu.name = "GPU";
    gpu.missing = true;
    return gpu;
}

std::optional<GpuProcess> gpuProcess(std::string_view line)
{
    const std::vector<std::string> fields = splitFields(line);
    if (fields.size() < 3 || !isGpuUuid(fields[0])) {
        return std::nullopt; // "No running processes found", or a row that was cut
    }
    return GpuProcess{fields[0], std::max<std::int64_t>(0, std::strtoll(fields[1].c_str(), nullptr, 10))};
}

void SmiWords::take(std::string_view line)
{
    if (has(line, "No devices were found")) {
        none = true;
    } else if (has(line, "Unable to determine the device handle") || has(line, "GPU is lost")
        || has(line, "Reboot the system to recover")) {
        lostOne = true;
        place = place.empty() ? placeIn(line) : place;
    } else if (has(line, "version mismatch")) {
        mismatch = true;
    } else if (has(line, "Failed to initialize NVML") || has(line, "NVIDIA-SMI has failed")) {
        driver = true;
    } else if (startsWithNumber(line)) {
        cutRow = true;
    } else {
        other = true;
    }
}

std::string SmiWords::error() const
{
    return mismatch         ? "gpu.mismatch"
        : driver            ? "gpu.driver"
        : lostOne || cutRow ? "gpu.failed"
        : none              ? "gpu.none"
        : other             ? "gpu.failed"
                            : "gpu.none";
}

// "  MIG 1g.10gb     Device  0: (UUID: MIG-5c3f...)" and "  MIG 1c.3g.20gb Device 1: (UUID: ...)".
std::optional<contract::Gpu> migInstance(const std::string &line, const contract::Gpu &parent)
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
    // No query tells a plain user the memory, but the name does, in gigabytes.
    const char *gb = std::strstr(profile, "gb");
    const char *begin = gb;
    while (begin && begin > profile && begin[-1] >= '0' && begin[-1] <= '9') {
        --begin;
    }
    gpu.memoryMiB = gb ? std::strtoll(begin, nullptr, 10) * 1000 * 1000 * 1000 / (1024 * 1024) : 0;
    return gpu.uuid.empty() ? std::nullopt : std::optional(gpu);
}

} // namespace trainyard::agent
