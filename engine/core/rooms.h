// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobpolicy.h"

#include <QSet>
#include <QStringList>

#include <climits>
#include <vector>

namespace trainyard::core
{

// A GPU on which a task can still be placed.
struct GpuRoom {
    int index = 0;
    int rank = INT_MAX; // smaller goes first
    qint64 totalMiB = 0; // 0: not known; then it cannot be shared
    qint64 freeMiB = 0; // not promised to any task
    bool whole = true; // no task is on it
    QString name = {}; // as its driver says it
    qint64 keptMiB = 0; // for the head of the queue: what others that share may not take
    bool instance = false; // of MIG
};

// The free capacity of one host while a placement is planned.
struct FreeCapacity {
    QString host;
    QStringList labels = {}; // of the host
    int gpu = 0; // those that are whole
    std::vector<GpuRoom> gpus; // by index
    bool sharing = false; // tasks that say how much GPU memory they need may share a GPU
    qint64 memoryMiB = 0;
    bool memoryKnown = true; // false: memory does not limit here
    bool gpusKnown = true; // false: its driver has not answered yet
    int cpus = 1;
    double cpuUsed = 0;
    int totalGpu = 0;
    QStringList gpuNames; // of all of these, also of those in use
    QStringList wholeNames; // without instances of MIG
    qint64 totalMemoryMiB = 0;
    QSet<int> takenPorts; // of tries, or kept for the head of the queue; looked at for ports that a job fixes
    // Kept for the head of the queue; other jobs may not take it.
    int keptGpu = 0;
    int keptWhole = 0; // of these the ones that it would not share
    qint64 keptMemoryMiB = 0;

    // Whether tasks with these needs may run on the host at all, by its name and labels.
    bool admits(const Needs &needs) const;
    // How many tasks with these needs fit, at most `most`.
    int fits(const Needs &needs, int most) const;
    // Takes room for tasks that fit. Returns the GPUs of each of them; empty when they need none.
    std::vector<QList<int>> take(const Needs &needs, int count);
    bool shares(const Needs &needs) const { return sharing && needs.gpu > 0 && needs.gpuMemoryMiB > 0; }
    int totalOfType(const QString &type) const; // of totalGpu
    int totalFor(const Needs &needs) const; // that one of its tasks may have some of
    bool hasInstances() const { return wholeNames.size() != gpuNames.size(); }
    int wholeTaken(const Needs &needs) const; // GPUs that one task more would begin to use
    double load() const { return cpuUsed / cpus; }
};
using FreeCapacities = std::vector<FreeCapacity>;

// Whether a task could have this GPU if it were free.
bool suits(const GpuRoom &gpu, const Needs &needs);

// The smallest run of neighbouring indexes that is large enough, else the lowest ones.
QList<int> pickGpus(const QList<int> &freeIndexes, int count);

} // namespace trainyard::core
