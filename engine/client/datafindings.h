// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

#include <optional>

namespace trainyard
{

// Findings that a check of the text alone cannot make: data that should come from this computer (extras.trainyard.data)
// and is missing. Adds "extras.data-missing" {name, path} in the order of the text. `file` is that of the job, in whose
// folder relative paths begin; empty if there is none, and then they are not checked. There is no finding for a job
// that waits for another one, which may make the data.
void addDataFindings(ParseOutcome &outcome, const QString &file);

// The same for the folder in which the tasks work (extras.trainyard.work): "extras.work-missing" {path}. There is no
// finding if the job names hosts, which may have it, or if each host has its own (~/).
void addWorkFinding(ParseOutcome &outcome, const QString &file);

// Where the commands of a job start on this computer whose file is in `folder` (empty: in none). Empty: in a folder
// that is made for the job; nothing: it is not known.
std::optional<QString> workFolderOf(const JobSpec &job, const QString &folder);

// The same of the scripts that the commands begin with and that are not in `folder`, in which they start
// (model/protocol/scriptfiles.h).
void addScriptFindings(ParseOutcome &outcome, const QString &folder);

} // namespace trainyard
