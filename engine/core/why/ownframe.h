// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// The innermost place in the user's own code: of the error itself, of one that passed it on, or of another process that
// reports it.
std::optional<WhyFrame> ownFrameOf(const WhySign &sign, const QList<WhyLine> &lines, const QList<PythonBlock> &blocks,
    const WhySigns &signs, qsizetype begin);

} // namespace trainyard::core
