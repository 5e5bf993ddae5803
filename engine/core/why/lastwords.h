// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

#include <optional>

namespace trainyard::core
{

// What a program prints right before it ends by itself, where nothing has the form of an error.
struct LastWords {
    enum class Kind {
        Reason, // in words of its own, as sys.exit("...") and die write it
        Difference, // diff and cmp found one
        Other, // what it writes anyway
    };
    Kind kind = Kind::Other;
    qsizetype line = -1; // index; -1: there is no output
};
// What of the lines was written to standard error.
struct ErrorLines {
    qsizetype last = -1; // index of the last one, or -1
    bool isOnlyOne = false;
};
// `errors`: nothing if it is not known.
LastWords lastWordsOf(
    const QList<WhyLine> &lines, qsizetype begin, const std::optional<ErrorLines> &errors, int status);

} // namespace trainyard::core
