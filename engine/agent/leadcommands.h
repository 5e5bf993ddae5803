// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/slurmtime.h"

#include <string>
#include <vector>

// The commands that a lead runs on its node.
namespace trainyard::agent
{

std::string leadVariable(const std::string &name); // of the environment, or empty
// The environment of srun for a step: one without GPUs has none of those that its allocation has, of which a component
// on another node may have some.
std::vector<std::string> environmentForStep(bool hasGpus);
std::string ownClusterId(); // as the cluster knows what this process runs in: a job, or an element of an array
// The output of a command; empty when it fails or takes too long.
std::string saidBy(const std::vector<std::string> &arguments);

// Whether Slurm has asked this job to make room for another one, and gives it the grace time of its partition or QOS.
bool isToMakeRoom();

// The times of this job, as Slurm reports them; nothing where they are not known.
contract::LeftOfTime::Known askForTime();

} // namespace trainyard::agent
