// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/whylines.h"

namespace trainyard::core
{

// Whether words at a place of a line stand within quotes, single or double ones: the program may only show what it
// works on. Characters that are not words, such as a carriage return in the name of a file, say the same in quotes.
bool isQuotedAt(QByteArrayView line, qsizetype at, QByteArrayView words);
// Whether a line is nothing but texts in quotes, perhaps behind the names of settings: "['Killed', 'no space left']".
// What programs say of errors has words around it, or the place is in a field of that name.
bool isOnlyQuoted(QByteArrayView line, qsizetype at = 0);
// Whether words at a place of a line belong to a row of a table, behind a number or another column: "2,ERROR,Killed".
bool isInRow(QByteArrayView line, qsizetype at);
// Whether a line says how often something was, as the one above or below it does: "Killed: 12".
bool isCounted(const QList<WhyLine> &lines, qsizetype index);
// Whether the words before a quote speak of an error.
bool namesError(QByteArrayView words);
// Whether a sentence without a word of an error, an item of a list or a line that was found in a file tells of words:
// "a1b2c3d Fix CUDA out of memory", "- Connection refused", "notes.md:40:Permission denied".
bool isToldOf(QByteArrayView line, qsizetype at, QByteArrayView words);
// Whether words at a place of a line belong to what a program works on, by the label before them or the name of the
// field of an object: "prompt 3: ModuleNotFoundError: ...", "{"sample": "Killed"}", "app.log:99: Permission denied".
bool isOfData(const QList<WhyLine> &lines, qsizetype index, qsizetype at);
// Whether such a label stands at the beginning of a line, or it is a command, a commit, or what grep has found.
bool isLineOfData(const QList<WhyLine> &lines, qsizetype index);
// Whether a line only announces such words: "Sample:", "### Response:".
bool announcesData(QByteArrayView line);
// Whether what stands before words says that they are only spoken of: "if the disk is full (No space left on device)".
bool isSupposed(QByteArrayView line, qsizetype at);
// Whether a shell that traces its commands has printed a line by the one above: "+ echo 'the disk is full'".
bool isEchoed(const QList<WhyLine> &lines, qsizetype index);
// Whether a line is an item of a list that has others beside it.
bool isOfList(const QList<WhyLine> &lines, qsizetype index);
// Whether a line is an item of a list, or marked by a word in brackets that names neither a process nor a level: "- out
// of memory: use a smaller batch", "[sample] Killed". The program may only show it.
bool isShownText(QByteArrayView line);

} // namespace trainyard::core
