// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

namespace trainyard
{

inline constexpr qsizetype longestListedCommand = 300; // characters, with the dots for what is cut off

// What the first role of the job runs, for lists: its commands with their values in one line, without comments and the
// options of the shell. Secrets stay references.
QString listedCommand(const JobSpec &job);

} // namespace trainyard
