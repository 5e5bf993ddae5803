// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// What is around a place of a command, as bash reads it.
enum class Quoting { None, Double, Single, Comment };
Quoting quotingAt(QStringView command, qsizetype at);

// Whether a value is another one for the shell when it stands there, or ends what is around it.
bool isChangedByShell(const QString &value, Quoting quoting);
// A shell keeps no blanks and no line ends at the end of a value.
QString withoutBlanksBehind(QString value);

} // namespace trainyard
