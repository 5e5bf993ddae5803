// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QByteArrayView>

namespace trainyard
{

// Lines [oldBegin, oldEnd) of the old text became lines [newBegin, newEnd) of the new one. Lines count from 0; one of
// the two may be empty, and there is always an equal line between two changes.
struct LineChange {
    qsizetype oldBegin = 0, oldEnd = 0;
    qsizetype newBegin = 0, newEnd = 0;
    friend bool operator==(const LineChange &, const LineChange &) = default;
};

struct LineDiff {
    QList<ByteRange> oldLines, newLines; // with their line ends; no empty line after the last line end
    QList<LineChange> changes;
    bool onlyLineEnds = false; // the texts differ in nothing but line ends
};

// The changes between two texts, by lines, with the algorithm of Myers: the shortest script, except for texts of
// thousands of lines with little in common, where it may be somewhat longer. It takes less than a second for any 10,000
// lines.
LineDiff diffLines(const QByteArray &oldText, const QByteArray &newText);

// Which lines of a change belong together: pairs of (old, new), -1 where there is no partner; both sides ascending.
QList<std::pair<qsizetype, qsizetype>> alignChange(
    const QByteArray &oldText, const QByteArray &newText, const LineDiff &diff, const LineChange &change);

// The differences within one line, as ranges of bytes of each text. There are none if the lines have too little in
// common for marks to be useful. Ranges never begin or end inside a UTF-8 character.
struct InlineDiff {
    QList<ByteRange> oldMarks, newMarks;
    bool similar = false;
};
InlineDiff diffWithin(QByteArrayView oldLine, QByteArrayView newLine);

} // namespace trainyard
