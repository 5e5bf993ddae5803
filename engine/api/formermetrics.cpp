// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/formermetrics.h"

namespace trainyard
{

QStringList metricsOfRuns(const QList<JobSummary> &jobs, const QString &file, const QString &name)
{
    QStringList names;
    for (const JobSummary &job : jobs) {
        if (job.name == name || job.group == name || (!file.isEmpty() && job.file == file)) {
            names += job.results.keys();
        }
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

} // namespace trainyard
