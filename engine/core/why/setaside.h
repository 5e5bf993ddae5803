// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

namespace trainyard::core
{

// The lines of a text, without the words of those that a program only shows, by the structure around them: what a test
// runner has captured, what tests that passed have printed, the hunks of a diff, and blocks that Markdown fences.
QList<WhyLine> saidLinesOf(QByteArrayView text, qint64 firstNumber);

inline bool isBlank(const WhyLine &line) { return line.words.trimmed().isEmpty() && line.aside.trimmed().isEmpty(); }

} // namespace trainyard::core
