// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// The position of a job in the queue of this computer and its hosts. The first job starts first, unless a later one
// fits where the first does not.
struct QueuePlace {
    int position = 0; // from 1; 0: it is not in the queue
    int length = 0;
    friend bool operator==(const QueuePlace &, const QueuePlace &) = default;
};

// By UUID, of the jobs that wait in the queue. `jobs` are all that are active; those of clusters wait elsewhere.
QHash<QString, QueuePlace> queuePlaces(const QList<JobSummary> &jobs);

} // namespace trainyard
