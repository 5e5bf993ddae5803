// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveline.h"

namespace trainyard
{

// Of the tries of a task over which a curve goes on, in their order, the one that was running at a time. None: nothing
// is known of any.
std::optional<TryBegin> tryAt(const QList<TryBegin> &tries, qint64 time);
// In a sentence that goes on, as far as it tells them apart: "attempt 2", "try 3", "attempt 2, try 3".
QString tryName(const QList<TryBegin> &tries, const TryBegin &one);
// One for each but the first: "Attempt 2 begins here.", with the label of the line where there are several.
QList<CurveMark> tryMarks(const CurveLine &line, bool areSeveral);
// Where the first value that a try told stands on the axis; nothing when it has none there.
std::optional<double> placeOfTry(const CurveLine &line, qint64 begin, const CurveLook &look);

} // namespace trainyard
