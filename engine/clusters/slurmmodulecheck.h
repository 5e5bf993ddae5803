// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmcommands.h"
#include "model/base/result.h"

#include <QStringList>

// Whether the modules of a target can be loaded where its jobs are submitted. The nodes may have other ones, so what it
// finds is a warning at most. Pure.
namespace trainyard::slurm
{

// Of bash: it loads them in a login shell, in the same way as a task does.
QStringList moduleCheckArguments(const QStringList &modules);

// What has come of it: nothing if all were loaded; otherwise a code and its arguments: "slurm.module-unloaded"
// {module, detail}, "slurm.module-no-command" {module}, or "slurm.modules-unknown" {detail}.
Error moduleFault(const SlurmCommands::Answer &answer);

} // namespace trainyard::slurm
