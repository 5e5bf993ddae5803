// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace trainyard::cli
{

// The ways to write a command, without the program's name: "hosts add TARGET [--name NAME]".
QStringList synopses(const Command &command);

// "0 ok; 2 wrong usage", for one paragraph.
QString exitsText(const QList<ExitMeaning> &exits);

// The output of `trainyardctl --help` and `trainyardctl COMMAND --help`, with the lines broken at this width.
inline constexpr int helpWidth = 100;
// The width for a terminal with so many columns: lines are short enough to read, and longer than a word.
int helpWidthOf(int columns);
QString programHelp(int width = helpWidth);
QString helpOf(const Command &command, int width = helpWidth);
// The part of a command that is one of its forms: "hosts drain". Of its text, it keeps the first paragraph and those
// about the form.
Command partOfForm(const Command &command, const QString &word);

} // namespace trainyard::cli
