// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Whether the text at this position of a command stays within the shell: in the value of a variable, among the words of
// a builtin such as echo, or in a text for standard input (<<<). Otherwise it is in the arguments of a program, where
// everyone on the host can read it.
bool isKeptByShell(const QString &command, qsizetype at);

} // namespace trainyard
