// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"

namespace trainyard::core
{

// An error with its stack, as Java, JavaScript, Julia, Ruby, Go, Rust, Fortran, MATLAB, Perl and pytest write it.
struct OtherStack {
    qsizetype first = 0, last = 0; // lines
    qsizetype line = -1; // the one that names the error; -1: it is not among those that are known
    QString type, message;
    std::optional<WhyFrame> own; // the innermost place in the user's own code
    bool isUncaught = false; // the program ended with it, as far as the words say
    bool isPython = false; // an exception of Python, not in the form of its tracebacks
};

QList<OtherStack> otherStacksIn(const QList<WhyLine> &lines);

} // namespace trainyard::core
