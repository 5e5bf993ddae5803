// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/why/pythonblocks.h"

namespace trainyard::core
{

// The message of a shell about a line of a script that it could not run: "run.sh: line 3: 1/x: division by 0".
struct ShellError {
    QString said; // behind the place
    std::optional<WhyFrame> place; // of a script that has a file
    int row = 0; // the line of what is no such file: the commands of the task, or the argument of another shell
    // It could not open the file that it names, for a redirection, `source` or as a program.
    QString missingFile;
    // It may not open the file that it names, for a redirection or as a program: bash says the same of both.
    QString deniedFile;
};
std::optional<ShellError> shellErrorIn(QByteArrayView words);

} // namespace trainyard::core
