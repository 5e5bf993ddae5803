// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/otherstacks.h"

namespace trainyard::core
{

// The error of GNU Fortran that a line names, with the place that stands above it: "At line 4 of file t.f90 (unit = 11,
// file = 'in.dat')", "Fortran runtime error: End of file". Most programs have no other place to tell. Nothing for other
// lines.
std::optional<OtherStack> fortranErrorAt(const QList<WhyLine> &lines, qsizetype index);

} // namespace trainyard::core
