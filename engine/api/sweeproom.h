// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/sweep/sweepjobs.h"

namespace trainyard
{

// Where the jobs of a sweep may go. Pure.
struct SweepTarget {
    QString chosen; // a host, a cluster, "any", or empty: none
    bool worksHere = false; // as worksHere() has it
    qint64 memoryReserveMiB = 0; // the setting memory.reserveMiB: what tasks do not get of each host
    bool sharesFolders = false; // a cluster, whose nodes have the folders of this computer
};

// Whether the tasks of a job have a work folder on this computer: `work`, which its submission names, that of the job,
// or by default the folder of its `file`. Without a chosen host such a job stays on this computer if it can run there.
bool worksHere(const JobSpec &job, const QString &work, const QString &file);

// How much room the jobs of a sweep have at the same time.
struct SweepRoom {
    int jobs = 0; // at least 1; 0: it is not known, because no host has said what it has, or a cluster's queue decides
    // The number of jobs for which the GPUs and the memory are enough. More jobs never start, whatever their limit is,
    // whereas cores are shared. At least 1; 0: it is not known, or the jobs ask for neither.
    int placed = 0;
    QStringList unused; // hosts with room for one of them that get none, because all stay on this computer
    friend bool operator==(const SweepRoom &, const SweepRoom &) = default;
};

// Counts the hosts to which the jobs go and that take jobs: the one that is chosen, this computer when they stay there,
// else all that are online. Their GPUs have to be enough, or for jobs without GPUs their CPU cores, and the memory. A
// task needs all of it on one host; the tasks of a job may be on several, as far as its rules for hosts allow that.
// What other jobs use now counts, because they end. Whether a job can run on this computer is judged by its rules for
// hosts, its GPUs and its memory, which are the engine's main criteria.
SweepRoom sweepRoom(const JobSpec &job, const QList<HostInfo> &hosts, const SweepTarget &target);

// How many of the jobs of a sweep run at the same time under a limit (0: none) where there is room for so many
// (SweepRoom::placed).
qint64 jobsAtOnce(qint64 jobs, int limit, int placed);

// Whether the jobs of a sweep work in one folder of this computer, wherever they run, and no command of theirs names a
// variable by which they could keep their files apart.
bool sweepSharesFolder(const JobSpec &job, const SweepTarget &target);

// Whether a command of the job names a file or a folder that it writes and that is the same in all jobs of a sweep, by
// a redirection or by an option such as --output-dir. Files that a program writes by default are not known.
bool writesSamePath(const JobSpec &job);

} // namespace trainyard
