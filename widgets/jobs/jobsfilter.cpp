// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsfilter.h"

#include "widgets/jobs/jobsmodel.h"

#include <QDateTime>

namespace trainyard
{

JobsFilter::JobsFilter(QObject *parent) : WordsFilter(JobsModel::SearchRole, parent) { }

void JobsFilter::setFilter(const JobFilter &filter)
{
    m_filter = filter;
    invalidateFilter();
}

void JobsFilter::setHidden(const QSet<QString> &uuids)
{
    if (m_hidden != uuids) {
        m_hidden = uuids;
        invalidateFilter();
    }
}

int JobsFilter::shownCount() const
{
    int shown = 0;
    for (int row = 0; row < rowCount(); ++row) {
        shown += rowCount(index(row, 0));
    }
    return shown;
}

int JobsFilter::allCount() const
{
    int all = 0;
    const QAbstractItemModel *model = sourceModel();
    for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex group = model->index(row, 0);
        for (int place = 0; place < model->rowCount(group); ++place) {
            const QModelIndex at = model->index(place, 0, group);
            const auto job = at.data(JobsModel::SummaryRole).value<JobSummary>();
            const bool isListed = !job.labels.isArchived && !m_hidden.contains(job.uuid);
            all += isListed || accepts(at) ? 1 : 0;
        }
    }
    return all;
}

bool JobsFilter::accepts(const QModelIndex &row) const
{
    const auto job = row.data(JobsModel::SummaryRole).value<JobSummary>();
    return !m_hidden.contains(job.uuid) && (!job.labels.isArchived || m_filter.saysArchived())
        && (m_filter.isEmpty() || m_filter.matches(job, QDateTime::currentMSecsSinceEpoch(), textOf(row)));
}

} // namespace trainyard
