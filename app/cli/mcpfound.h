// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcptext.h"

#include <QJsonDocument>

namespace trainyard::cli::mcp
{

// A part of a list.
struct Part {
    qsizetype from = 0, limit = 0;
};

// The JSON of a command, reduced to what an assistant needs: no empty members, times as text, paged.
Found foundJobs(const QJsonDocument &ps, const Part &part);
Found foundJob(const QJsonDocument &show, const Part &part);
Found foundHosts(const QJsonDocument &hosts, const Part &part);
Found foundTargets(const QJsonDocument &targets, const Part &part);
Found foundComparison(const QJsonDocument &compare);
Found foundFindings(const QJsonDocument &check, const Part &part);
Found foundPlan(const QJsonDocument &render, const Part &part, bool withEnvironment);
// When no field was named, this says of all fields only what they are about.
Found foundExplanation(const QJsonDocument &explain, const Part &part, bool isList);

} // namespace trainyard::cli::mcp
