// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcptools.h"

namespace trainyard::cli::mcp
{

// The tools that propose something to a person, and that submit what a person has approved.
QList<Tool> proposalTools();

} // namespace trainyard::cli::mcp
