// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// The rules about the commands of Slurm that the engine and its helper on a login node share. Standard library only.
namespace trainyard::contract
{

// Whether a helper runs this program for the engine. It runs no others.
bool isSlurmCommand(std::string_view program);

// Whether this variable would change what the commands do or say: an engine or a helper that was started in an
// allocation would submit as a part of it.
bool changesSlurmCommands(std::string_view variable);

// The value of SLURM_TIME_FORMAT: seconds, but in what sbatch says for people.
const char *slurmTimeFormat(std::string_view program);

// Whether `scontrol ping` has found a controller, by its output.
bool isSlurmUp(std::string_view out);

// Whether what a command says, in its own words, is that it does not know where its cluster is.
bool isSlurmUnconfigured(std::string_view said);

} // namespace trainyard::contract
