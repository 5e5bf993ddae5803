// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobdocument.h"

namespace trainyard::cli
{

struct MadeFix {
    int line = 0; // of the finding, in the text that it was found in; from 1
    QString code; // of the finding
    QString title; // of the fix, as the user reads it
};

struct FixedText {
    QByteArray bytes;
    QList<MadeFix> made; // in their order
};

// A text with the first fix of each finding for which that is safe, one after the other: it only writes in another way
// what was meant, such as a misspelt name, tabs, or quotes. What removes or adds something, or what there are several
// of, is left to the user, as is the value of a secret. A fix that leaves more errors is not made.
FixedText withSafeFixes(const QByteArray &bytes, CheckMode mode, const CatalogueLookup &catalogue);

} // namespace trainyard::cli
