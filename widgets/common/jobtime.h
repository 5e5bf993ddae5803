// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard
{

// What the time of a job counts, where one run is shown: it is that of the newest attempt, or of a former one,
// without its pauses. Lines to read beside it; none where there is nothing to tell. `now` is UTC.
QStringList jobTimeDetails(const JobSummary &job, qint64 now, const AttemptInfo *former = nullptr);
// The same for the time that lists of jobs show, which is that of all attempts together.
QStringList wholeTimeDetails(const JobSummary &job, qint64 now);

} // namespace trainyard
