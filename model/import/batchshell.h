// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchscript.h"

#include <QByteArray>
#include <QString>

// The shell that a script is for, and the systems for batches other than Slurm.
namespace trainyard::batch
{

struct Shell {
    QString name; // "bash", "zsh"; empty: the program is not a shell of this family
    QByteArray settings; // the lines of bash that do what its options do: "set -eu"; empty: it has none
};
// Reads the first line of a script, without "#!".
Shell shellOf(const QString &interpreter);

struct ForeignMark {
    QString mark; // "#PBS"
    ByteRange at; // of the first line with it
};
// The marks with which lines of the script say options of other systems, each once.
QList<ForeignMark> foreignMarks(const Script &script);

} // namespace trainyard::batch
