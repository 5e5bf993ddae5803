// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/linediff.h"

namespace trainyard
{

// One row of a shown difference. In the side-by-side view a row has both sides; in the unified view it has one.
struct DiffRow {
    enum class Kind : char { Equal, Changed, Removed, Added, Fold };
    Kind kind = Kind::Equal;
    qsizetype oldLine = -1;
    qsizetype newLine = -1;
    qsizetype change = -1; // its number, -1 for equal lines
    qsizetype folded = 0; // lines that a Fold hides; oldLine and newLine are the first of them
    friend bool operator==(const DiffRow &, const DiffRow &) = default;
};

// Equal lines further than `context` from a change are folded, except for folds whose first old line is in `opened`.
QList<DiffRow> diffRows(const QByteArray &oldText, const QByteArray &newText, const LineDiff &diff, bool sideBySide,
    qsizetype context, const QList<qsizetype> &opened);

} // namespace trainyard
