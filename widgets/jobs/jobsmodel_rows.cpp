// SPDX-License-Identifier: GPL-3.0-or-later
// How jobs and sweeps become rows of the list of jobs.
#include "widgets/jobs/jobsmodel.h"

namespace trainyard
{

JobsModel::Sweep *JobsModel::addSweep(const QString &name)
{
    std::unique_ptr<Sweep> &sweep = m_sweeps[name];
    if (!sweep) {
        sweep = std::make_unique<Sweep>(Sweep{JobSweep(name), {}});
    }
    return sweep.get();
}

void JobsModel::insertRow(const Row &row)
{
    const Group group = row.place.group;
    const int at = int(position(row.place));
    beginInsertRows(index(group, 0), at, at);
    m_groups.at(group).insert(at, row);
    endInsertRows();
    Q_EMIT dataChanged(index(group, 0), index(group, 0), {CountRole, OwnCountRole});
}

void JobsModel::removeRow(const Place &place)
{
    const Group group = place.group;
    const int at = int(position(place));
    beginRemoveRows(index(group, 0), at, at);
    m_groups.at(group).removeAt(at);
    endRemoveRows();
    Q_EMIT dataChanged(index(group, 0), index(group, 0), {CountRole, OwnCountRole});
}

void JobsModel::insert(const JobSummary &job)
{
    const QString fold = foldNameOf(job);
    if (const auto known = fold.isEmpty() ? m_sweeps.end() : m_sweeps.find(fold); known != m_sweeps.end()) {
        insertMember(*known->second, job);
        return;
    }
    if (const QString other = fold.isEmpty() ? QString() : m_alone.value(fold); !other.isEmpty()) {
        // The second one: from now on they are one row.
        const JobSummary first = *jobAt(indexOf(other));
        remove(other);
        Sweep *sweep = addSweep(fold);
        for (const JobSummary *each : {&first, &job}) {
            sweep->jobs.insert(*each);
            m_homes.insert(each->uuid, {placeOf(*each), sweep});
        }
        sweep->place = placeOf(sweep->jobs);
        insertRow({sweep->place, {}, sweep});
        return;
    }
    if (!fold.isEmpty()) {
        m_alone.insert(fold, job.uuid);
    }
    const Place place = placeOf(job);
    m_homes.insert(job.uuid, {place});
    insertRow({place, job});
}

void JobsModel::insertMember(Sweep &sweep, const JobSummary &job)
{
    const int at = int(sweep.jobs.placeOf(job.id));
    beginInsertRows(indexOf(sweep), at, at);
    sweep.jobs.insert(job);
    m_homes.insert(job.uuid, {placeOf(job), &sweep});
    endInsertRows();
    settle(sweep);
}

void JobsModel::replaceMember(Sweep &sweep, const JobSummary &job)
{
    const qsizetype at = sweep.jobs.placeOf(job.id);
    if (sweep.jobs.members().at(at) == job) {
        return;
    }
    sweep.jobs.replace(at, job);
    m_homes.insert(job.uuid, {placeOf(job), &sweep});
    const QModelIndex changed = index(int(at), 0, indexOf(sweep));
    Q_EMIT dataChanged(changed, changed);
    settle(sweep);
}

void JobsModel::removeMember(Sweep &sweep, const JobSummary &job)
{
    const int at = int(sweep.jobs.placeOf(job.id));
    if (sweep.jobs.size() > 2) {
        beginRemoveRows(indexOf(sweep), at, at);
        sweep.jobs.removeAt(at);
        m_homes.remove(job.uuid);
        endRemoveRows();
        settle(sweep);
        return;
    }
    // The one that is left is a job like any other.
    const JobSummary other = sweep.jobs.members().at(1 - at);
    m_homes.remove(job.uuid);
    m_homes.remove(other.uuid);
    removeRow(sweep.place);
    m_sweeps.erase(m_sweeps.find(foldNameOf(other)));
    insert(other);
}

// After a change of one of its jobs: its row may belong elsewhere.
void JobsModel::settle(Sweep &sweep)
{
    const Place now = placeOf(sweep.jobs);
    QList<Row> &rows = m_groups.at(sweep.place.group);
    const qsizetype at = position(sweep.place);
    const bool stays = now.group == sweep.place.group && (at == 0 || isBefore(rows.at(at - 1).place, now))
        && (at + 1 == rows.size() || isBefore(now, rows.at(at + 1).place));
    if (stays) {
        rows[at].place = sweep.place = now;
        Q_EMIT dataChanged(indexOf(sweep), indexOf(sweep));
        const QModelIndex group = index(now.group, 0);
        Q_EMIT dataChanged(group, group, {CountRole, OwnCountRole});
        return;
    }
    removeRow(sweep.place);
    sweep.place = now;
    insertRow({now, {}, &sweep});
}

} // namespace trainyard
