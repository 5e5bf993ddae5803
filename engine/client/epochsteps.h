// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/series.h"

namespace trainyard
{

// Moves a curve from epochs to steps: `epochs` is the column of a file that has the number of the epoch at every step,
// and each point goes to the last step of its epoch. Programs that print the first epoch as 1 and write it as 0 are
// understood. Points whose epoch the column does not have are left out. Returns nothing if the column has less than
// half of them: then it counts something else.
std::optional<series::Series> atStepsOfEpochs(const series::Series &curve, const series::Series &epochs);

} // namespace trainyard
