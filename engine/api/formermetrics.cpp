// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/formermetrics.h"

#include <utility>

namespace trainyard
{

bool FormerMetrics::isRare(const QString &metric) const
{
    const int with = runs.value(metric);
    return with > 0 && 2 * with < all && !newest.contains(metric);
}

FormerMetrics formerMetrics(const QList<JobSummary> &jobs, const QString &file, const QString &name)
{
    FormerMetrics former;
    std::pair<bool, qint64> newest; // whether it has succeeded, and its number
    for (const JobSummary &job : jobs) {
        const bool isOne = job.name == name || job.group == name || (!file.isEmpty() && job.file == file);
        const QStringList names = isOne ? job.results.keys() : QStringList();
        if (names.isEmpty()) {
            continue;
        }
        for (const QString &metric : names) {
            ++former.runs[metric];
        }
        const std::pair which(job.state == State::Succeeded, job.id);
        if (former.all == 0 || which > newest) {
            newest = which;
            former.newest = names;
        }
        ++former.all;
    }
    return former;
}

QStringList metricsOfRuns(const QList<JobSummary> &jobs, const QString &file, const QString &name)
{
    return formerMetrics(jobs, file, name).runs.keys();
}

} // namespace trainyard
