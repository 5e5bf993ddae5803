// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"

namespace trainyard::core
{

// What single lines of a traceback are, whatever stands around them.

inline constexpr QByteArrayView tracebackMark = "Traceback (most recent call last)";

QString readWords(QByteArrayView words); // as much of a line as is looked at
bool isBlankWords(QByteArrayView words);
bool isMarks(QByteArrayView words); // "^^^^" and "~~~^"
// "*****", as some messages begin and end.
bool isRuleOfMessage(QByteArrayView words);

// Reads the frames of Python itself, of IPython and of rich: the last two have no quotes. Something between may have
// taken the indentation; then only what names a function as well is a frame.
std::optional<WhyFrame> frameIn(QByteArrayView words);
// A line that names an exception. `follows`: it stands directly below a frame, where anything but an exception would be
// odd.
std::optional<WhyError> errorIn(QByteArrayView words, bool follows);
// "During handling of the above exception, ..." and the like.
std::optional<WhyError::Via> linkIn(QByteArrayView words);

// What programs do in `finally`, `except` and `__exit__`, by the name of a function or of what a line calls.
bool isCleanupName(const QString &name);
// The function that a statement calls: of "  self.log.close()" it is "close".
QString calledIn(QByteArrayView words);

} // namespace trainyard::core
