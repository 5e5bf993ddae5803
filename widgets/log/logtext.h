// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logindex.h"
#include "widgets/log/logsource.h"

#include <QList>
#include <QString>

namespace trainyard
{

// One line as it lies in the file, shortened when it is very long.
struct RawLine {
    qint64 offset = 0;
    qint64 length = 0; // without the line feed
    QByteArray bytes; // of a progress line only its last state
    bool isProgress = false; // overwrote itself with carriage returns
    bool isCut = false; // `bytes` holds the beginning only
};

// Keeps of a line that went back to its start what a terminal would show: the last thing written that is not empty.
// False: it did not go back.
bool keepLastState(QByteArray &bytes);
// Splits the bytes of an interval; the end of a long last line is read from `source`.
QList<RawLine> splitInterval(LogSource &source, const LogIndex::Interval &interval);

// One line as it is drawn: without control sequences and the long names that bash gives to the scripts of runs, with
// tabs as spaces, and with the colours separate.
struct LogText {
    // 0 to 15: the terminal's colours; -1: the text's own; otherwise 0x1000000 | RGB.
    struct Run {
        qsizetype begin = 0;
        qsizetype length = 0;
        int colour = -1;
        bool bold = false;
        int ground = -1; // as colour
        bool reversed = false; // colour and ground change places
        bool italic = false;
        bool underlined = false;
    };
    QString text;
    QList<Run> runs; // covers the text; empty: all plain
    QString folder; // of a script of a run, which is not drawn
    qsizetype folderAt = 0; // where it would be in the text
};
LogText decodeLine(const RawLine &line);
// A larger text without terminal sequences, for searching.
QString withoutEscapes(const QString &text);

// A place in the text of a log.
struct LogPosition {
    qint64 line = 0;
    qsizetype column = 0;
    auto operator<=>(const LogPosition &) const = default;
};

} // namespace trainyard
