// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Why a job waits or failed, in a few words for the column of a list: "waits for 2 GPUs", "File missing". The sentence
// where there are no such words. Of a job that ended well, which of its values is not a number: "loss is NaN since step
// 400"; empty where there is nothing to say.
QString whyBrief(const JobSummary &job);

} // namespace trainyard
