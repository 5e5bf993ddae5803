// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/queueplace.h"

#include "engine/api/jobfacts.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard
{

QHash<QString, QueuePlace> queuePlaces(const QList<JobSummary> &jobs)
{
    QList<const JobSummary *> queue;
    for (const JobSummary &job : jobs) {
        if (isQueued(job) && (job.target.isEmpty() || job.target == "pool"_L1)) {
            queue.append(&job);
        }
    }
    std::sort(queue.begin(), queue.end(), [](const JobSummary *a, const JobSummary *b) {
        return std::tie(b->priority, a->order, a->id) < std::tie(a->priority, b->order, b->id);
    });
    QHash<QString, QueuePlace> places;
    for (qsizetype i = 0; i < queue.size(); ++i) {
        places.insert(queue.at(i)->uuid, {int(i) + 1, int(queue.size())});
    }
    return places;
}

} // namespace trainyard
