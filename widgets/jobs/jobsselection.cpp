// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsselection.h"

#include "engine/api/foreignid.h"
#include "widgets/jobs/jobsmodel.h"

#include <QTreeView>

#include <algorithm>

namespace trainyard
{

QList<JobSummary> selectedJobs(const QTreeView *view)
{
    QModelIndexList rows = view->selectionModel()->selectedRows();
    rows.removeIf([](const QModelIndex &row) { return row.data(JobsModel::IsGroupRole).toBool(); });
    std::sort(rows.begin(), rows.end(), [](const QModelIndex &one, const QModelIndex &other) {
        return std::pair(one.parent().row(), one.row()) < std::pair(other.parent().row(), other.row());
    });
    QList<JobSummary> jobs;
    for (const QModelIndex &row : std::as_const(rows)) {
        jobs.append(row.data(JobsModel::SummaryRole).value<JobSummary>());
    }
    return jobs;
}

QStringList idsOfJobs(const QList<JobSummary> &jobs, bool deletable)
{
    QStringList ids;
    for (const JobSummary &job : jobs) {
        if (!deletable || (isFinal(job.state) && !isForeign(job.uuid))) {
            ids.append(job.uuid);
        }
    }
    return ids;
}

} // namespace trainyard
