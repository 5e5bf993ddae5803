// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/broughtfiles.h"

#include <QStringList>

namespace trainyard
{

// Texts about results that were brought to this computer. Times are local; `now` decides how they are written.

QString filesText(qsizetype files, qint64 bytes); // "12 files (3.4 MiB)"
// "12 files (3.4 MiB) in /home/ada/results/41-net/worker-0, the last at 14:02"
QString broughtText(const BroughtFiles &files, qint64 now);
// Sums up all tasks of a job: "24 files (7 MiB) of 2 tasks". Empty without tasks.
QString broughtText(const QList<BroughtFiles> &tasks, qint64 now);
// A sentence for each thing that people are to know.
QStringList broughtProblems(const BroughtFiles &files);

} // namespace trainyard
