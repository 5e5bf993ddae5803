// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "tests/helpers/writtenlog.h"

// A task that trains: its log has a line with a loss and an accuracy for each step.

inline trainyard::TaskInfo taskOf(const WrittenLog &log, int index = 0)
{
    trainyard::TaskInfo task;
    task.role = QStringLiteral("worker");
    task.index = index;
    task.state = trainyard::State::Running;
    task.logFolder = log.folder();
    return task;
}

inline double lossAt(int step) { return 4.0 / (1 + step); }

// A line for each of the steps, a second apart.
inline void writeSteps(WrittenLog &log, int from, int to)
{
    for (int step = from; step < to; ++step) {
        log.writeAt((WrittenLog::start + step * 1000) * 1'000'000,
            "step " + QByteArray::number(step) + " loss: " + QByteArray::number(lossAt(step), 'g', 6)
                + " accuracy: " + QByteArray::number(1 - lossAt(step) / 10, 'g', 6) + '\n');
    }
}
