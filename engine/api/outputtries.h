// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// A try of a task that has begun, for readers of its output and its files.
struct OutputTry {
    QString folder;
    int attempt = 0; // from 0, of the job: in which it ran
    int number = 0; // from 0, of the task in that attempt
    friend bool operator==(const OutputTry &, const OutputTry &) = default;
};

// The number of the newest try of a task that has begun: between two tries it has no host, and its log is that of the
// one before.
inline int newestBegunTry(const TaskInfo &task)
{
    return task.tries > 0 && task.host.isEmpty() ? task.tries - 1 : task.tries;
}

// Of tries in any order, those of each task ("worker/0") in the order in which they ran. An attempt may have kept what
// a former one did, so a folder counts once.
QHash<QString, QList<OutputTry>> outputTries(const QList<TaskInfo> &tries);

// The most tries of a task that are read before its newest one; of more tries, the last ones are read.
constexpr qsizetype mostEarlierTries = 16;

} // namespace trainyard
