// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

#include <optional>

namespace trainyard
{

// What a check of the text alone cannot know: data that is to come from this computer (extras.trainyard.data) and is
// not there. Adds "extras.data-missing" {name, path} in the order of the text. `file` is that of the job, in whose
// folder relative paths begin; empty where there is none, and then they are not looked for. Nothing is said of a job
// that waits for another one, which may make the data.
void addDataFindings(ParseOutcome &outcome, const QString &file);

// The same of the folder that the tasks are to work in (extras.trainyard.work): "extras.work-missing" {path}. Nothing
// is said where the job names hosts, which may have it, or where it is one of each host's own (~/).
void addWorkFinding(ParseOutcome &outcome, const QString &file);

// Where the commands of a job start on this computer whose file is in `folder` (empty: in none). Empty: in a folder
// that is made for the job; nothing: it is not known.
std::optional<QString> workFolderOf(const JobSpec &job, const QString &folder);

// The same of the scripts that the commands begin with and that are not in `folder`, in which they start
// (model/protocol/scriptfiles.h).
void addScriptFindings(ParseOutcome &outcome, const QString &folder);

} // namespace trainyard
