// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

namespace trainyard::core
{

// Takes what loggers, launchers and journals put before the words of a line from them: times, ranks, names of
// processes. What names the process is kept.
void takePrefix(WhyLine &line);

} // namespace trainyard::core
