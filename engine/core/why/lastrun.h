// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// The line at which the last run of an output begins: files are often appended to.
qsizetype lastRunBegin(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs);

} // namespace trainyard::core
