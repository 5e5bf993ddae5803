// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// The initial environment of a job's tasks on a host or a cluster: the job's choice, otherwise the setting
// hostEnvironment.NAME, otherwise the setting for all.
struct BaseEnvironment {
    bool clean = false;
    QString command; // that makes the rest, or empty
    QString setBy; // the field of the job or the setting that says the command
};
BaseEnvironment baseEnvironmentOf(const JobSpec &job, const QString &host, const Settings &settings);

} // namespace trainyard
