// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/stepgpus.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace trainyard::agent
{
namespace
{

bool isIn(const std::vector<std::string> &variables, std::string_view name)
{
    return std::any_of(variables.begin(), variables.end(), [name](std::string_view each) {
        return each.starts_with(name) && each.size() > name.size() && each[name.size()] == '=';
    });
}

std::vector<std::string_view> listIn(const std::vector<std::string> &variables, std::string_view name)
{
    std::vector<std::string_view> entries;
    for (const std::string &variable : variables) {
        std::string_view rest = variable;
        if (!rest.starts_with(name) || rest.size() <= name.size() || rest[name.size()] != '=') {
            continue;
        }
        rest.remove_prefix(name.size() + 1);
        while (!rest.empty()) {
            const std::size_t comma = rest.find(',');
            if (const std::string_view entry = rest.substr(0, comma); !entry.empty()) {
                entries.push_back(entry);
            }
            rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        }
    }
    return entries;
}

std::optional<int> gpuNumber(std::string_view text)
{
    int number = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() && end.ptr == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                        : std::nullopt;
}

// What programs of the step see. Where a step has none, Slurm says "NoDevFiles", or nothing.
std::vector<std::string_view> visibleIn(const std::vector<std::string> &variables)
{
    for (const std::string_view name :
        {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
        std::vector<std::string_view> entries = listIn(variables, name);
        if (entries.empty() && isIn(variables, name)) {
            return {}; // the others may be those of the allocation
        }
        if (!entries.empty()) {
            return entries == std::vector<std::string_view>{"NoDevFiles"} ? std::vector<std::string_view>() : entries;
        }
    }
    return {};
}

// An entry is a number, or the UUID of a GPU or of an instance of one, of which the beginning is enough.
bool isGpuMeant(std::string_view entry, const contract::Gpu &gpu)
{
    const std::optional<int> number = gpuNumber(entry);
    return number ? gpu.index == *number : !gpu.uuid.empty() && std::string_view(gpu.uuid).starts_with(entry);
}

} // namespace

std::vector<int> gpuNumbersOfStep(const std::vector<std::string> &variables)
{
    const std::vector<std::string_view> visible = visibleIn(variables);
    const std::vector<std::string_view> onNode = listIn(variables, "SLURM_STEP_GPUS");
    std::vector<int> numbers;
    for (const std::string_view entry : onNode.size() == visible.size() ? onNode : visible) {
        if (const std::optional<int> number = gpuNumber(entry)) {
            numbers.push_back(*number);
        }
    }
    return numbers;
}

bool hasGpusInStep(const std::vector<std::string> &variables) { return !visibleIn(variables).empty(); }

std::vector<contract::Gpu> gpusOfStep(
    const std::vector<std::string> &variables, const std::vector<contract::Gpu> &listed)
{
    const std::vector<std::string_view> visible = visibleIn(variables);
    const std::vector<std::string_view> onNode = listIn(variables, "SLURM_STEP_GPUS");
    std::vector<contract::Gpu> gpus;
    for (std::size_t i = 0; i < visible.size(); ++i) {
        const auto it = std::find_if(listed.begin(), listed.end(),
            [entry = visible[i]](const contract::Gpu &gpu) { return isGpuMeant(entry, gpu); });
        if (it == listed.end()) {
            continue;
        }
        gpus.push_back(*it);
        if (onNode.size() == visible.size()) {
            gpus.back().index = gpuNumber(onNode[i]).value_or(it->index);
        }
    }
    return gpus;
}

} // namespace trainyard::agent
