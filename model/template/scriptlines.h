// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"
#include "model/template/render.h"
#include "model/yaml/yamlpath.h"

namespace trainyard
{

// A line of the commands of a role. A reference that spans lines makes its whole command one line here.
struct ScriptLine {
    YamlPath path; // of the command
    int line = 0; // in it, from 0
    QString text; // as the job has it
    QString filled; // with its references filled in, but for secrets: it may have become several lines
    QList<FilledValue> values; // in `filled`
    int rows = 1; // how many lines of the script it is, with its secrets; 0: the script begins behind it
};

// The lines that the shell of a role runs, in their order: those of its commands, and those that its active deployment
// puts before and after them. Pure; for any thread.
QList<ScriptLine> scriptLines(const JobSpec &job, const TaskRole &role);

// The line that is line `row` (from 1) of the script; null: there is none.
const ScriptLine *scriptLineAt(const QList<ScriptLine> &lines, int row);

} // namespace trainyard
