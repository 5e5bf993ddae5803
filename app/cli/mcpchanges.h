// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpuri.h"
#include "engine/api/values.h"

#include <QList>

namespace trainyard::cli::mcp
{

// Whether a change of a job changes the contents of an address. Progress, and results while it runs, change all the
// time: they count only for its metrics, so that a client that waits for its end sleeps until then.
bool isChangeOf(ResourceUri::Kind kind, const JobSummary &before, const JobSummary &after);

// Whether it has changed because these logs of its job grew.
bool isGrowthOf(const ResourceUri &uri, const QList<LogGrowth> &logs);

// How long an update of an address must wait after the one before, in ms: outputs grow all the time.
qint64 restOf(ResourceUri::Kind kind);

} // namespace trainyard::cli::mcp
