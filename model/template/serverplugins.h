// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/value.h"

#include <QStringList>

// The commands that the runtime of a cluster writes for its plugins, from their parameters. Used only to show what a
// cluster would make of a job. Internal to model/template.
namespace trainyard
{

// The plugin ssh. Without gang allocation there is no ssh between tasks.
QStringList serverSshCommands(const Value &parameters, bool gang);

// The plugin git. The clone itself happens before the task starts; this puts it where it is wanted.
QStringList serverGitCommands(const Value &parameters);

} // namespace trainyard
