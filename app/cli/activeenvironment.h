// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "model/protocol/jobspec.h"

#include <QProcessEnvironment>

namespace trainyard::cli
{

// The environment of Python that is active in the terminal.
struct ActiveEnvironment {
    QString folder; // empty: none
    QString activation; // the command that activates it
};
// From VIRTUAL_ENV, CONDA_PREFIX and CONDA_DEFAULT_ENV. The base environment of conda is active in most terminals of
// its users, and does not show which environment a job needs.
ActiveEnvironment activeEnvironment(const QProcessEnvironment &variables);

// Whether a job that runs on this computer calls Python, and neither its text nor the settings name an environment:
// then the active one was probably meant. `startUp`: the texts of the files that a login shell reads, which may
// activate one.
bool leavesUnused(
    const ActiveEnvironment &active, const JobSpec &job, const Settings &settings, const QString &startUp);

// Says in a line on stderr that the environment that is active in this terminal is not used by the job. Only on a
// terminal.
void sayUnusedEnvironment(const QByteArray &yaml, const QString &target, const QString &runIn);

} // namespace trainyard::cli
