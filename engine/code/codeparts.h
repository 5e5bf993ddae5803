// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/code/codefiles.h"

namespace trainyard
{

// A part of the files that are copied: one file, or a folder with all of its files that are copied.
struct CodePart {
    QByteArray path; // of a folder with "/" at its end
    qint64 bytes = 0;
    qsizetype files = 0;
    friend bool operator==(const CodePart &, const CodePart &) = default;
};

// The parts that make the files so large: the whole in at most `count` parts if possible, in which the largest folders
// are replaced by their contents. The largest come first.
QList<CodePart> biggestPartsOf(const CodeFiles &files, qsizetype count);

} // namespace trainyard
