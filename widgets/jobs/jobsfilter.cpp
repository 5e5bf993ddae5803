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
        const QModelIndex group = index(row, 0);
        shown += mapToSource(group).row() == JobsModel::FromFiles ? 0 : shownIn(group);
    }
    return shown;
}

int JobsFilter::shownIn(const QModelIndex &group) const
{
    int shown = rowCount(group);
    const QModelIndexList sweeps = static_cast<const JobsModel *>(sourceModel())->sweeps();
    for (const QModelIndex &each : sweeps) {
        const QModelIndex at = each.parent().row() == mapToSource(group).row() ? mapFromSource(each) : QModelIndex();
        shown += at.isValid() ? rowCount(at) - 1 : 0;
    }
    return shown;
}

int JobsFilter::ownShownIn(const QModelIndex &group) const
{
    const int all = shownIn(group);
    const QModelIndex source = mapToSource(group);
    if (all == source.data(JobsModel::CountRole).toInt()) {
        return source.data(JobsModel::OwnCountRole).toInt();
    }
    int others = 0;
    const QModelIndexList sweeps = static_cast<const JobsModel *>(sourceModel())->sweeps();
    for (const QModelIndex &each : sweeps) {
        const QModelIndex at = each.parent().row() == source.row() ? mapFromSource(each) : QModelIndex();
        for (int row = 0; at.isValid() && row < rowCount(at); ++row) {
            const auto job = index(row, 0, at).data(JobsModel::SummaryRole).value<JobSummary>();
            others += JobsModel::groupOf(job) == source.row() ? 0 : 1;
        }
    }
    return all - others;
}

QVariant JobsFilter::data(const QModelIndex &index, int role) const
{
    if (role == JobsModel::CountRole && index.isValid() && !index.parent().isValid()) {
        return shownIn(index);
    }
    if (role == JobsModel::OwnCountRole && index.isValid() && !index.parent().isValid()) {
        return ownShownIn(index);
    }
    const QVariant whole = WordsFilter::data(index, role);
    if (role != JobsModel::SweepRowRole || !whole.isValid()) {
        return whole;
    }
    auto row = whole.value<SweepRow>();
    row.shown = rowCount(index);
    if (row.shown == row.all) {
        return whole;
    }
    row.all = row.ended = row.failed = 0;
    const QModelIndex source = mapToSource(index);
    for (int place = 0; place < sourceModel()->rowCount(source); ++place) {
        const QModelIndex at = sourceModel()->index(place, 0, source);
        if (isListed(at)) {
            const State state = at.data(JobsModel::SummaryRole).value<JobSummary>().state;
            ++row.all;
            row.ended += isFinal(state) ? 1 : 0;
            row.failed += state == State::Failed ? 1 : 0;
        }
    }
    return QVariant::fromValue(row);
}

int JobsFilter::allCount() const
{
    int all = 0;
    const QAbstractItemModel *model = sourceModel();
    for (int row = 0; row < model->rowCount(); ++row) {
        const QModelIndex group = model->index(row, 0);
        if (row == JobsModel::FromFiles) {
            continue;
        }
        for (int place = 0; place < model->rowCount(group); ++place) {
            const QModelIndex at = model->index(place, 0, group);
            const int members = model->rowCount(at);
            for (int member = 0; member < members; ++member) {
                all += isListed(model->index(member, 0, at)) ? 1 : 0;
            }
            all += members == 0 && isListed(at) ? 1 : 0;
        }
    }
    return all;
}

// Whether it would be shown without a filter, or is with it.
bool JobsFilter::isListed(const QModelIndex &row) const
{
    const QAbstractItemModel *model = row.model();
    if (const int members = model->rowCount(row); members > 0) {
        for (int place = 0; place < members; ++place) {
            if (isListed(model->index(place, 0, row))) {
                return true;
            }
        }
        return false;
    }
    const auto job = row.data(JobsModel::SummaryRole).value<JobSummary>();
    return (!job.labels.isArchived && !m_hidden.contains(job.uuid)) || accepts(row);
}

QModelIndexList JobsFilter::sweepsWithSomeMatches() const
{
    QModelIndexList found;
    for (int group = 0; isNarrowed() && group < rowCount(); ++group) {
        for (int row = 0; row < rowCount(index(group, 0)); ++row) {
            const QModelIndex at = index(row, 0, index(group, 0));
            if (rowCount(at) < sourceModel()->rowCount(mapToSource(at))) {
                found.append(at);
            }
        }
    }
    return found;
}

bool JobsFilter::accepts(const QModelIndex &row) const
{
    // The row of a sweep is there for its jobs.
    if (const int members = row.model()->rowCount(row); members > 0) {
        for (int place = 0; place < members; ++place) {
            if (accepts(row.model()->index(place, 0, row))) {
                return true;
            }
        }
        return false;
    }
    const auto job = row.data(JobsModel::SummaryRole).value<JobSummary>();
    return !m_hidden.contains(job.uuid) && (!job.labels.isArchived || m_filter.saysArchived())
        && (m_filter.isEmpty() || m_filter.matches(job, QDateTime::currentMSecsSinceEpoch(), textOf(row)));
}

} // namespace trainyard
