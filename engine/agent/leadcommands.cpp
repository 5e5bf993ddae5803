// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadcommands.h"

#include "engine/agent/client.h"
#include "engine/agent/environment.h"
#include "engine/agent/pump.h"
#include "engine/contract/slurmtime.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace trainyard::agent
{
namespace
{

constexpr int leadCommandMs = 30'000;

} // namespace

std::string leadVariable(const std::string &name)
{
    const char *value = std::getenv(name.c_str());
    return value ? value : "";
}

std::string saidBy(const std::vector<std::string> &arguments)
{
    const std::int64_t until = monotonicMs() + leadCommandMs;
    ClientOptions options;
    options.mayGoOn = [until] { return monotonicMs() < until; };
    const ClientResult result = runClient(arguments, ownEnvironment(), options);
    return result.status == 0 ? result.said : std::string();
}

std::vector<std::string> environmentForStep(bool hasGpus)
{
    static constexpr std::string_view ofGpus[] = {"SLURM_JOB_GPUS=", "CUDA_VISIBLE_DEVICES=", "NVIDIA_VISIBLE_DEVICES=",
        "ROCR_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=", "GPU_DEVICE_ORDINAL=", "ZE_AFFINITY_MASK="};
    std::vector<std::string> variables = ownEnvironment();
    if (!hasGpus) {
        std::erase_if(variables, [](const std::string &entry) {
            return std::any_of(std::begin(ofGpus), std::end(ofGpus),
                [&entry](std::string_view beginning) { return entry.starts_with(beginning); });
        });
        variables.push_back("CUDA_VISIBLE_DEVICES="); // unset, it would mean all of the node
    }
    return variables;
}

std::string ownClusterId()
{
    const std::string array = leadVariable("SLURM_ARRAY_JOB_ID");
    return array.empty() ? leadVariable("SLURM_JOB_ID") : array + '_' + leadVariable("SLURM_ARRAY_TASK_ID");
}

// A heterogeneous job has a record for each component.
bool isToMakeRoom()
{
    constexpr std::string_view name = " PreemptTime=";
    const std::string said = saidBy({"scontrol", "show", "job", ownClusterId()});
    for (std::size_t at = said.find(name); at != std::string::npos; at = said.find(name, at + 1)) {
        const std::string_view value = std::string_view(said).substr(at + name.size());
        if (!value.starts_with("None")) {
            return true;
        }
    }
    return false;
}

// A heterogeneous job has a line for each component, and all have the same time. In an array, one of the elements has
// the number of the array itself, for which all elements answer, so each is queried as an element.
contract::LeftOfTime::Known askForTime()
{
    const std::string said
        = saidBy({"squeue", "--noheader", "--states=all", "--format=%L %l", "--jobs=" + ownClusterId()});
    const std::string line = said.substr(0, said.find('\n'));
    const std::size_t blank = line.find(' ');
    const std::string_view left = std::string_view(line).substr(0, blank);
    std::string_view limit = blank == std::string::npos ? "" : std::string_view(line).substr(blank + 1);
    limit = limit.substr(0, limit.find_last_not_of(' ') + 1);
    constexpr std::int64_t forEver = std::int64_t(1) << 40;
    return {left == "UNLIMITED" ? std::optional(forEver) : contract::slurmSeconds(left), contract::slurmSeconds(limit)};
}

} // namespace trainyard::agent
