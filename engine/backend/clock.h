// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"

namespace trainyard
{

qint64 nowMs(); // UTC
core::BootTime bootNow();
qint64 steadyMs(); // advances evenly whatever happens to the time of day; compared only within one process
void stepClockForTests(qint64 ms); // as if the user set the clock of this computer

} // namespace trainyard
