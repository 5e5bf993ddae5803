// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// The sign that the end of a run goes back to.
struct WhyRoot {
    qsizetype sign = -1; // of the signs; -1: the output shows none
    bool isNear = true; // little was written after it
    bool explains = false; // it is the cause only because something that was missing later followed from it
    qsizetype earlier = -1; // a sign before it that may have led to it, and that nothing links to it
    bool mayFollow = false; // ... and the sign may well follow from it
    bool mayBeSurvived = false; // the work went on after it, perhaps that of another program
    bool isOtherEnd = false; // Python does not end with this status after an exception
    int told = 0; // lines of the program's own behind it, no more than two
    bool isOutlived = false; // the run seems to have gone on after it: others count if they are there
};

// `status` as a shell reports it; nothing: not known.
WhyRoot rootOf(const QList<WhyLine> &lines, const QList<PythonBlock> &blocks, const WhySigns &signs, qsizetype begin,
    std::optional<int> status);

} // namespace trainyard::core
