// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"
#include "widgets/common/wordsfilter.h"

#include <QSet>

namespace trainyard
{

// The jobs at the side that a filter leaves. Archived ones are left out unless it says otherwise, and so are those that
// are being removed. The row of a sweep is left when one of its jobs is; jobs are counted, not rows, and as in the
// table of all jobs, no runs of other programs: their group says how many there are.
class JobsFilter final : public WordsFilter
{
    Q_OBJECT
public:
    explicit JobsFilter(QObject *parent = nullptr);
    void setFilter(const JobFilter &filter);
    void setHidden(const QSet<QString> &uuids);
    bool isNarrowed() const override { return !m_filter.isEmpty(); }
    int shownCount() const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override; // counts are of what is left
    int allCount() const; // that are shown now, or would be without a filter
    QModelIndexList sweepsWithSomeMatches() const; // rows here of sweeps of which the filter leaves some jobs only

protected:
    bool accepts(const QModelIndex &row) const override;

private:
    int shownIn(const QModelIndex &group) const; // jobs of a group here
    int ownShownIn(const QModelIndex &group) const; // of these, those in a state of the group
    bool isListed(const QModelIndex &row) const; // of the source
    JobFilter m_filter;
    QSet<QString> m_hidden;
};

} // namespace trainyard
