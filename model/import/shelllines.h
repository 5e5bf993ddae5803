// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QList>

namespace trainyard::batch
{

// The meaning of a line of a script for the shell that reads it.
struct ShellLine {
    bool isText = false; // of a heredoc, or the word that ends it: not a command
    bool isContinued = false; // the next line belongs to it: by '\' at its end, or by quotes that are open
    bool isInside = false; // it begins within parentheses or quotes of lines above
};

// The lines of a script for sh or bash, without their ends, as the shell reads them. A word behind "<<" that ends no
// line below is taken for an operator of arithmetic, and quotes that nothing closes are taken for letters. Pure.
QList<ShellLine> readShellLines(const QByteArrayList &lines);

} // namespace trainyard::batch
