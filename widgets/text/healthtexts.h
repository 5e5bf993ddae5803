// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Whether the step of the mark is an epoch.
bool countsEpochs(const HealthMark &mark);
// The sentence of a health mark, with what was seen. Times are local; `now` decides how they are written.
QString healthText(const HealthMark &mark, qint64 now);
// ... with the task in front where the job has several: "worker/1: ...".
QString healthLine(const HealthMark &mark, int tasks, qint64 now);
// The kind in a few words, for rows that have no room: "NaN", "Loss jumped", "Silent".
QString healthWords(const QString &code);
// The same with what the mark is about where the kind says too little: "loss is NaN since step 400".
QString healthBrief(const HealthMark &mark);
// How a job ended that failed in nothing, and whose values are none: healthBrief() of the first mark of such a value.
// Empty: it has none.
QString brokenBrief(const JobSummary &job);

} // namespace trainyard
