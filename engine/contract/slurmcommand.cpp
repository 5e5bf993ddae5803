// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/slurmcommand.h"

#include <algorithm>
#include <array>

namespace trainyard::contract
{

bool isSlurmCommand(std::string_view program)
{
    // bash tries the modules of a target, which only a login shell knows.
    constexpr std::array<std::string_view, 9> known{
        "sbatch", "squeue", "sacct", "sacctmgr", "scancel", "scontrol", "sinfo", "srun", "bash"};
    return std::find(known.begin(), known.end(), program) != known.end();
}

bool changesSlurmCommands(std::string_view variable)
{
    constexpr std::array<std::string_view, 6> families{"SLURM_", "SBATCH_", "SQUEUE_", "SACCT_", "SCANCEL_", "SINFO_"};
    return variable != "SLURM_CONF" && std::any_of(families.begin(), families.end(), [variable](std::string_view each) {
        return variable.starts_with(each);
    });
}

const char *slurmTimeFormat(std::string_view program) { return program == "sbatch" ? "standard" : "%s"; }

bool isSlurmUp(std::string_view out) { return out.find(" is UP") != std::string_view::npos; }

bool isSlurmUnconfigured(std::string_view said)
{
    constexpr std::array<std::string_view, 3> words{"Could not establish a configuration source",
        "Unable to process configuration file", "Unable to process slurm.conf"};
    return std::any_of(words.begin(), words.end(),
        [said](std::string_view each) { return said.find(each) != std::string_view::npos; });
}

} // namespace trainyard::contract
