// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"

namespace trainyard::core
{

// A traceback that the end of the lines cuts off before its error, or one whose error has no message, which looks
// alike.
struct CutTraceback {
    qsizetype head = 0; // index of its first line
    bool isInName = false; // its last line may be the beginning of the name of an error
    QByteArrayView stream; // whose it is
    std::optional<WhyFrame> own; // the innermost place in the user's own code
};
std::optional<CutTraceback> cutTracebackIn(const QList<WhyLine> &lines);

} // namespace trainyard::core
