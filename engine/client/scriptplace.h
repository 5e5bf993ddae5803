// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"
#include "model/protocol/scriptfiles.h"

namespace trainyard
{

// A folder of this computer for checkScriptFiles(). Its files are listed only when they are asked for, and not all of
// those of a large folder.
ScriptPlace scriptPlace(const QString &folder);
// The one in which the commands of a job of this file started; without a folder where it is not known. `work` is the
// folder that its submission named (JobDetail::work).
ScriptPlace scriptPlaceOf(const JobSpec &job, const QString &file, const QString &work);

} // namespace trainyard
