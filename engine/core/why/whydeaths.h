// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// Which program a sign tells the end of, seen from the traceback of a Python program before it: a script goes on after
// a program that failed, and the next one may die as well.
enum class DyingProgram {
    Same, // Python, whose libraries may abort while it ends
    Other,
    Unknown,
};
DyingProgram endedAfter(const PythonBlock &traceback, const QList<WhyLine> &lines, const WhySign &death);

// Whether a sign can be how the program of a traceback before it ended. What a program itself says of its end is of
// that program unless it shows that it is of a library of Python; a crash is of Python unless a shell names another.
bool canBeEndOf(const PythonBlock &traceback, const QList<WhyLine> &lines, const WhySign &death);

} // namespace trainyard::core
