// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// The quoting around a position of a command, as bash reads it.
enum class Quoting { None, Double, Single, Comment };
Quoting quotingAt(QStringView command, qsizetype at);

// Whether the shell would change the value at that position, or the value would end the surrounding quotes.
bool isChangedByShell(const QString &value, Quoting quoting);
// A shell keeps no blanks and no line ends at the end of a value.
QString withoutBlanksBehind(QString value);

} // namespace trainyard
