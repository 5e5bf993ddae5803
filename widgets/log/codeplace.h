// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace trainyard
{

// Where in the code a line of output points: `  File "train.py", line 12, in main` of Python, `src/net.cu:12: error` of
// compilers and `at train.js:12:5` of others. The file is as the line names it, and may not exist.
struct CodePlace {
    QString file;
    int line = 0; // from 1
    qsizetype begin = 0, end = 0; // of the words that name it
    friend bool operator==(const CodePlace &, const CodePlace &) = default;
};
std::optional<CodePlace> codePlaceIn(const QString &text);

// `      ~~~~^^^^` below a line of code: it has no meaning by itself.
bool isPointerLine(const QString &text);

} // namespace trainyard
