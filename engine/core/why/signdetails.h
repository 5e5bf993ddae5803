// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whysigns.h"

namespace trainyard::core
{

// What the line of a sign, and those around it, tell beside the cause.

// The place that a line itself names: Perl and PHP behind what they say, Lua and `assert` of C before it.
std::optional<WhyFrame> placeNamedIn(const QString &text, const WhySign &sign);
// Above what pytest could not collect: "tests/test_a.py:1: in <module>", "    import pkg", "E   ModuleNotFoundError:
// ...".
std::optional<WhyFrame> placeAbove(const QList<WhyLine> &lines, qsizetype line);
// Each function completes the signs of one cause and leaves all others as they are.
void completeAnnounced(const QList<WhyLine> &lines, WhySign &sign);
void completeModules(const QList<WhyLine> &lines, WhySign &sign);
void completeCommand(const QList<WhyLine> &lines, WhySign &sign);
void completeUnpickler(const QList<WhyLine> &lines, WhySign &sign);
void completeNccl(const FailureCauses &causes, const QList<WhyLine> &lines, WhySign &sign);
// A message may go on behind an empty line, as those of Keras do: what is known of its next paragraph is known of the
// exception. The signs are in the order of their lines.
void takeParagraphs(const QList<WhyLine> &lines, QList<WhySign> &signs);
// "BackendCompilerFailed: backend='inductor' raised:" shows less than the error that it passes on, right below.
qsizetype passedOnBelow(const QList<WhyLine> &lines, qsizetype line); // its index, or -1

// Torchrun's table lists what failed later before what failed first: the lines of those others, above this one.
QList<qsizetype> linesOfLaterFailures(const QList<WhyLine> &lines, qsizetype rootCause);

// Takes signs in these lines (their numbers, in order) for those of steps whose failure is ignored.
WhySigns ignoringLines(WhySigns signs, const QList<WhyLine> &lines, const QList<qint64> &ignored);

} // namespace trainyard::core
