// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard
{

// Explains what the time of a shown run counts: the newest attempt, or a former one, without its pauses. The lines are
// shown beside it; there are none if nothing has to be explained. `now` is UTC.
QStringList jobTimeDetails(const JobSummary &job, qint64 now, const AttemptInfo *former = nullptr);
// The same for the time that lists of jobs show, which is that of all attempts together.
QStringList wholeTimeDetails(const JobSummary &job, qint64 now);

} // namespace trainyard
