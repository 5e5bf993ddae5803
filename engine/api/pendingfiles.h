// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/broughtfiles.h"

#include <QStringList>

namespace trainyard::api
{

struct JobIds {
    QStringList ids; // UUIDs
};
template <typename Io> void fields(Io &io, Of<Io, JobIds> &m) { members(io, "ids", m.ids); }

// How much of the results of a job is still to come to this computer, in a few numbers: clients ask for many jobs at
// once, and again and again.
struct PendingFiles {
    QString id; // of the job
    int tasks = 0; // that have ended, and of which more is to come
    int heldHere = 0; // of these: isHeldHere()
    QString role = {}; // of the first one
    int index = 0;
    // Of all of them, as in BroughtFiles.
    int files = 0;
    qint64 bytes = 0, arrived = 0, expected = 0;
    friend bool operator==(const PendingFiles &, const PendingFiles &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, PendingFiles> &m)
{
    members(io, "id", m.id, "tasks", m.tasks, "heldHere", m.heldHere, "role", m.role, "index", m.index, "files",
        m.files, "bytes", m.bytes, "arrived", m.arrived, "expected", m.expected);
}

inline PendingFiles pendingFilesOf(const QString &job, const QList<BroughtFiles> &tasks)
{
    PendingFiles all{job};
    for (const BroughtFiles &task : tasks) {
        if (!task.isPending) {
            continue;
        }
        if (all.tasks++ == 0) {
            all.role = task.role;
            all.index = task.index;
        }
        all.heldHere += isHeldHere(task) ? 1 : 0;
        all.files += task.files;
        all.bytes += task.bytes;
        all.arrived += task.arrived;
        all.expected += task.expected;
    }
    return all;
}

} // namespace trainyard::api
