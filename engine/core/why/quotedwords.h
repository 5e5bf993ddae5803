// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

namespace trainyard::core
{

// Whether words at a place of a line stand within quotes, single or double ones: the program may only show what it
// works on. Characters that are no words, such as a carriage return in the name of a file, say the same in quotes.
bool isQuotedAt(QByteArrayView line, qsizetype at, QByteArrayView words);

} // namespace trainyard::core
