// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

namespace trainyard::core
{

// Lines that a program works on, by their form and that of the lines beside them: rows, lists, what grep has found.

// Whether words at a place of a line belong to a row of a table, behind a number or another column: "2,ERROR,Killed".
bool isInRow(QByteArrayView line, qsizetype at);
// Whether a line says how often something was, as the one above or below it does: "Killed: 12".
bool isCounted(const QList<WhyLine> &lines, qsizetype index);
// Whether words at a place of a line belong to what a program works on, by the label before them or the name of the
// field of an object: "prompt 3: ModuleNotFoundError: ...", "{"sample": "Killed"}", "app.log:99: Permission denied".
bool isOfData(const QList<WhyLine> &lines, qsizetype index, qsizetype at);
// Whether such a label stands at the beginning of a line, or it is a command, a commit, or what grep has found.
bool isLineOfData(const QList<WhyLine> &lines, qsizetype index);
// Whether a line only announces such words: "Sample:", "### Response:".
bool announcesData(QByteArrayView line);
// Whether a line has columns that begin where those of the line above or below it do.
bool isInColumns(const QList<WhyLine> &lines, qsizetype index);
// Whether what stands behind a name says that there was none of it: ": 0".
bool isCountedAsNone(QByteArrayView behind);
// Whether a line is an item of a list that has others beside it.
bool isOfList(const QList<WhyLine> &lines, qsizetype index);
// Whether a line is an item of a list, or marked by a word in brackets that names neither a process nor a level: "- out
// of memory: use a smaller batch", "[sample] Killed". The program may only show it.
bool isShownText(QByteArrayView line);

} // namespace trainyard::core
