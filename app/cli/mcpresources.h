// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcparguments.h"
#include "app/cli/mcpuri.h"

#include <QJsonArray>

namespace trainyard::cli::mcp
{

// The resources that an assistant may read by address instead of calling tools: the same answers, limited, masked and
// marked alike.

// As resources/templates/list gives them.
QJsonArray resourceTemplates();

// The command that answers resources/read. The errors are sentences.
Begun beginResource(const ResourceUri &uri, const Roots &roots);

// The command that answers resources/list: the list of jobs, and those from row `from` on, each by its number. What it
// finds is {resources, nextCursor}, as the protocol has it. No name of a job is in it, since nothing marks it as data
// there.
Begun beginResourceList(qsizetype from);
Found foundResources(const QJsonDocument &ps, qsizetype from);

// The lines of a text from one on, as many as an answer can bear.
Found foundLines(const QString &text, qint64 from);

} // namespace trainyard::cli::mcp
