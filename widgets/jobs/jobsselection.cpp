// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsselection.h"

#include "engine/api/foreignid.h"
#include "widgets/jobs/jobsmodel.h"

#include <QTreeView>

#include <algorithm>
#include <tuple>

namespace trainyard
{

QList<JobSummary> selectedJobs(const QTreeView *view)
{
    QModelIndexList rows = view->selectionModel()->selectedRows();
    rows.removeIf([](const QModelIndex &row) { return row.data(JobsModel::IsGroupRole).toBool(); });
    const auto placeOf = [](const QModelIndex &row) {
        const QModelIndex above = row.parent();
        return above.parent().isValid() ? std::tuple(above.parent().row(), above.row(), row.row())
                                        : std::tuple(above.row(), row.row(), -1);
    };
    std::sort(rows.begin(), rows.end(),
        [&placeOf](const QModelIndex &one, const QModelIndex &other) { return placeOf(one) < placeOf(other); });
    QList<JobSummary> jobs;
    QModelIndex whole; // of a sweep, all of whose jobs are taken
    for (const QModelIndex &row : std::as_const(rows)) {
        if (!row.data(JobsModel::SweepRole).toString().isEmpty()) {
            whole = row;
            for (int place = 0; place < view->model()->rowCount(row); ++place) {
                jobs.append(view->model()->index(place, 0, row).data(JobsModel::SummaryRole).value<JobSummary>());
            }
        } else if (!whole.isValid() || row.parent() != whole) {
            jobs.append(row.data(JobsModel::SummaryRole).value<JobSummary>());
        }
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

Deletion deletionOf(const QList<JobSummary> &jobs)
{
    Deletion deletion;
    for (const JobSummary &job : jobs) {
        if (!isFinal(job.state) || isForeign(job.uuid)) {
            continue;
        }
        if (jobs.size() > 1 && job.labels.isStarred) {
            ++deletion.kept;
        } else {
            deletion.uuids.append(job.uuid);
        }
    }
    return deletion;
}

} // namespace trainyard
