// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace trainyard::core
{

// Bytes of an output that went to one of its two streams.
struct StreamPart {
    qint64 length = 0;
    bool isError = false;
};

// An output whose lines are whole, as a program wrote them: its two streams interleave at any byte.
struct StreamLines {
    QByteArray
        text; // the lines in the order in which they end; unfinished lines are last, but no bar before other lines
    qint64 lastError = 0; // number of the last line on standard error that is not blank, from 1; 0: there is none
    qint64 errors = 0; // such lines
};

// Text that `parts` does not cover belongs to standard output.
StreamLines linesOfStreams(QByteArrayView output, const QList<StreamPart> &parts);

} // namespace trainyard::core
