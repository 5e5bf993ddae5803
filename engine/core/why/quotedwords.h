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
// Whether words speak of an error, and whether those before the first quote of a line do.
bool saysError(QByteArrayView words);
bool namesError(QByteArrayView words);
// Whether a sentence without a word of an error, an item of a list or a line that was found in a file tells of words:
// "a1b2c3d Fix CUDA out of memory", "- Connection refused", "notes.md:40:Permission denied".
bool isToldOf(QByteArrayView line, qsizetype at, QByteArrayView words);
// Whether what stands before words says that they are only spoken of: "if the disk is full (No space left on device)".
bool isSupposed(QByteArrayView line, qsizetype at);
// Whether a shell that traces its commands has printed a line by the one above: "+ echo 'the disk is full'".
bool isEchoed(const QList<WhyLine> &lines, qsizetype index);

} // namespace trainyard::core
