// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Why a job waits or failed, in a few words for the column of a list: "waits for 2 GPUs", "File missing". The sentence
// if there are no such words. For a job that ended well, which of its values is not a number: "loss is NaN since step
// 400"; empty if there is none.
QString whyBrief(const JobSummary &job);

} // namespace trainyard
