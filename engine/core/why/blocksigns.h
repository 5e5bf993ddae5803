// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// Which exception of a block is the one that the others followed from.
qsizetype rootErrorOf(const FailureCauses &causes, const PythonBlock &block);

// The sign that a traceback is; `index`: of the block.
WhySign signOfBlock(const FailureCauses &causes, const PythonBlock &block, qsizetype index);

} // namespace trainyard::core
