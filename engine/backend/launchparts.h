// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/backend/baseenvironment.h"
#include "engine/contract/messages.h"
#include "engine/launch/launchplan.h"

namespace trainyard
{

// The parts of a launch that are the same wherever a try runs: started by the pool on a host, or by the lead of an
// allocation.

// As QString::toStdString(), and faster: most of what a launch says is plain, and there are hundreds of texts in each.
std::string launchText(const QString &string);
// Which try it is, and what its role asks for.
launch::LaunchInput inputOfTry(const ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, const TaskRole &role);
// Which try it is, its ports, its files of metrics, the time it has to stop, and how much it may write; what its
// environment begins with. The task has an allocation.
void sayTry(contract::Launch &message, const ActiveJob &job, core::TaskRef task, const launch::LaunchInput &input,
    const BaseEnvironment &base, const Settings &settings);
void sayProgram(contract::Launch &message, const launch::LaunchPlan &plan); // all but the script itself

} // namespace trainyard
