// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plot/curveline.h"

namespace trainyard
{

// Of a task's tries over which a curve continues, in their order, the one that was running at a time. None: nothing is
// known.
std::optional<TryBegin> tryAt(const QList<TryBegin> &tries, qint64 time);
// As a part of a sentence, with as much as distinguishes them: "attempt 2", "try 3", "attempt 2, try 3".
QString tryName(const QList<TryBegin> &tries, const TryBegin &one);
// One for each but the first: "Attempt 2 begins here.", with the label of the line where there are several.
QList<CurveMark> tryMarks(const CurveLine &line, bool areSeveral);
// The position of a try's first value on the axis; nothing if it has none there.
std::optional<double> placeOfTry(const CurveLine &line, qint64 begin, const CurveLook &look);

} // namespace trainyard
