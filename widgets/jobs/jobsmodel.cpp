// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsmodel.h"

#include "engine/api/foreignid.h"
#include "engine/api/jobfacts.h"

#include <algorithm>
#include <tuple>

namespace trainyard
{
namespace
{
// Internal id of group rows; of the rows in them: group + 1; of the jobs of a sweep: where the sweep is kept.
constexpr quintptr groupId = 0;

} // namespace

JobsModel::JobsModel(QObject *parent) : QAbstractItemModel(parent) { }

QString JobsModel::foldNameOf(const JobSummary &job) { return isForeign(job.uuid) ? QString() : job.group; }

JobsModel::Group JobsModel::groupOf(const JobSummary &job)
{
    if (isForeign(job.uuid)) {
        return FromFiles;
    }
    return isStoppedUnstarted(job) ? Waiting : groupOf(job.state);
}

JobsModel::Group JobsModel::groupOf(State state)
{
    switch (state) {
    case State::Running:
    case State::Stopping:
        return Running;
    case State::Waiting:
        return Waiting;
    case State::Succeeded:
    case State::Failed:
    case State::Stopped:
    case State::Unknown:
        return Done;
    }
    return Done;
}

QString JobsModel::groupName(Group group)
{
    switch (group) {
    case Running:
        return tr("Running");
    case Waiting:
        return tr("Waiting");
    case Done:
        return tr("Done");
    case FromFiles:
        return tr("From files");
    }
    return {};
}

JobsModel::Place JobsModel::placeOf(const JobSummary &job)
{
    const Group group = groupOf(job);
    return group == Waiting ? Place{group, job.state != State::Waiting, job.priority, job.order, job.id}
                            : Place{group, false, 0, 0, job.id};
}

bool JobsModel::isBefore(const Place &a, const Place &b)
{
    if (a.group == Waiting) {
        return std::tie(a.hasLeftQueue, b.priority, a.order, a.id)
            < std::tie(b.hasLeftQueue, a.priority, b.order, b.id);
    }
    return a.id > b.id;
}

JobsModel::Place JobsModel::placeOf(const JobSweep &sweep)
{
    const State state = sweep.state();
    const bool isUnstarted = state == State::Stopping && sweep.stoppedUnstarted() == sweep.count(state);
    const Group group = isUnstarted ? Waiting : groupOf(state);
    const JobSummary *first = group == Waiting ? sweep.firstWaiting() : nullptr;
    return first ? placeOf(*first) : Place{group, group == Waiting, 0, 0, sweep.number()};
}

int JobsModel::ownCount(const JobSweep &sweep, Group group)
{
    int count = group == Waiting ? sweep.stoppedUnstarted() : group == Running ? -sweep.stoppedUnstarted() : 0;
    for (std::size_t state = 0; state < sweep.counts().size(); ++state) {
        count += groupOf(State(state)) == group ? sweep.counts().at(state) : 0;
    }
    return count;
}

qsizetype JobsModel::position(const Place &place) const
{
    const QList<Row> &rows = m_groups.at(place.group);
    const auto at = std::lower_bound(rows.cbegin(), rows.cend(), place,
        [](const Row &row, const Place &wanted) { return isBefore(row.place, wanted); });
    return at - rows.cbegin();
}

void JobsModel::setJobs(const QList<JobSummary> &jobs)
{
    beginResetModel();
    m_homes.clear();
    m_alone.clear();
    for (auto &group : m_groups) {
        group.clear();
    }
    m_sweeps.clear();
    QHash<QString, int> sizes;
    for (const JobSummary &job : jobs) {
        ++sizes[foldNameOf(job)];
    }
    for (const JobSummary &job : jobs) {
        const QString fold = foldNameOf(job);
        if (!fold.isEmpty() && sizes.value(fold) > 1) {
            Sweep *sweep = addSweep(fold);
            sweep->jobs.insert(job);
            m_homes.insert(job.uuid, {placeOf(job), sweep});
            continue;
        }
        const Place place = placeOf(job);
        m_groups.at(place.group).append({place, job});
        m_homes.insert(job.uuid, {place});
        if (!fold.isEmpty()) {
            m_alone.insert(fold, job.uuid);
        }
    }
    for (const auto &[name, sweep] : m_sweeps) {
        sweep->place = placeOf(sweep->jobs);
        m_groups.at(sweep->place.group).append({sweep->place, {}, sweep.get()});
    }
    for (auto &group : m_groups) {
        std::sort(group.begin(), group.end(), [](const Row &a, const Row &b) { return isBefore(a.place, b.place); });
    }
    endResetModel();
}

void JobsModel::apply(const JobSummary &job)
{
    const auto known = m_homes.constFind(job.uuid);
    if (known == m_homes.constEnd()) {
        insert(job);
        return;
    }
    const Home home = *known;
    const QString fold = foldNameOf(job);
    if (home.sweep && home.sweep->jobs.name() == fold && home.place.id == job.id) {
        replaceMember(*home.sweep, job);
        return;
    }
    if (!home.sweep && home.place == placeOf(job)) {
        QList<Row> &rows = m_groups.at(home.place.group);
        const qsizetype row = position(home.place);
        if (rows.at(row).job == job) {
            return;
        }
        if (foldNameOf(rows.at(row).job) == fold) {
            rows[row].job = job;
            const QModelIndex at = index(int(row), 0, index(home.place.group, 0));
            Q_EMIT dataChanged(at, at);
            return;
        }
    }
    remove(job.uuid);
    insert(job);
}

void JobsModel::remove(const QString &uuid)
{
    const auto known = m_homes.constFind(uuid);
    if (known == m_homes.constEnd()) {
        return;
    }
    const Home home = *known;
    const JobSummary job = *jobAt(indexOf(uuid));
    if (home.sweep) {
        removeMember(*home.sweep, job);
        return;
    }
    m_alone.remove(foldNameOf(job));
    m_homes.remove(uuid);
    removeRow(home.place);
}

QModelIndex JobsModel::indexOf(const Sweep &sweep) const
{
    const QList<Row> &rows = m_groups.at(sweep.place.group);
    const qsizetype at = position(sweep.place);
    const bool isThere = at < rows.size() && rows.at(at).sweep == &sweep; // not while it goes from place to place
    return isThere ? createIndex(int(at), 0, quintptr(sweep.place.group) + 1) : QModelIndex();
}

QModelIndex JobsModel::indexOf(const QString &uuid) const
{
    const auto home = m_homes.constFind(uuid);
    if (home == m_homes.constEnd()) {
        return {};
    }
    if (home->sweep) {
        const QModelIndex row = indexOf(*home->sweep);
        return row.isValid() ? index(int(home->sweep->jobs.placeOf(home->place.id)), 0, row) : QModelIndex();
    }
    return index(int(position(home->place)), 0, index(home->place.group, 0));
}

QModelIndex JobsModel::indexOfSweep(const QString &name) const
{
    const auto known = m_sweeps.find(name);
    return known == m_sweeps.end() ? QModelIndex() : indexOf(*known->second);
}

QModelIndexList JobsModel::sweeps() const
{
    QModelIndexList all;
    for (const auto &[name, sweep] : m_sweeps) {
        if (const QModelIndex at = indexOf(*sweep); at.isValid()) {
            all.append(at);
        }
    }
    return all;
}

// The first row of those that wait is not all: jobs of a sweep of which others run may be before it.
QString JobsModel::queueHead() const
{
    const JobSummary *head = nullptr;
    const auto take = [&head](const JobSummary *job) {
        head = job && (!head || isBefore(placeOf(*job), placeOf(*head))) ? job : head;
    };
    for (const Row &row : m_groups.at(Running)) {
        take(row.sweep ? row.sweep->jobs.firstWaiting() : nullptr);
    }
    if (!m_groups.at(Waiting).isEmpty()) {
        const Row &row = m_groups.at(Waiting).constFirst();
        take(row.sweep ? row.sweep->jobs.firstWaiting() : row.place.hasLeftQueue ? nullptr : &row.job);
    }
    return head ? head->uuid : QString();
}

// Null for all other rows.
const JobsModel::Sweep *JobsModel::sweepAt(const QModelIndex &at) const
{
    return !at.isValid() || at.internalId() == groupId || isMember(at)
        ? nullptr
        : m_groups.at(at.internalId() - 1).at(at.row()).sweep;
}

const JobSummary *JobsModel::jobAt(const QModelIndex &at) const
{
    if (!at.isValid() || at.internalId() == groupId) {
        return nullptr;
    }
    if (isMember(at)) {
        return &static_cast<const Sweep *>(at.internalPointer())->jobs.members().at(at.row());
    }
    const Row &row = m_groups.at(at.internalId() - 1).at(at.row());
    return row.sweep ? nullptr : &row.job;
}

std::optional<JobSummary> JobsModel::job(const QModelIndex &at) const
{
    const JobSummary *job = jobAt(at);
    return job ? std::optional(*job) : std::nullopt;
}

int JobsModel::jobCount() const { return int(m_homes.size()); }

QList<JobSummary> JobsModel::jobs() const
{
    QList<JobSummary> all;
    for (const Group group : {Running, Waiting, Done}) {
        for (const Row &row : m_groups.at(group)) {
            all += row.sweep ? row.sweep->jobs.members() : QList<JobSummary>{row.job};
        }
    }
    return all;
}

QModelIndex JobsModel::index(int row, int column, const QModelIndex &parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent)) {
        return {};
    }
    if (const Sweep *sweep = sweepAt(parent)) {
        return createIndex(row, column, sweep);
    }
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : groupId);
}

QModelIndex JobsModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == groupId) {
        return {};
    }
    if (isMember(child)) {
        return indexOf(*static_cast<const Sweep *>(child.internalPointer()));
    }
    return createIndex(int(child.internalId() - 1), 0, groupId);
}

int JobsModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return groupCount;
    }
    if (parent.internalId() == groupId) {
        return int(m_groups.at(size_t(parent.row())).size());
    }
    const Sweep *sweep = sweepAt(parent);
    return sweep ? int(sweep->jobs.size()) : 0;
}

int JobsModel::columnCount(const QModelIndex &) const { return 1; }

Qt::ItemFlags JobsModel::flags(const QModelIndex &at) const
{
    if (!at.isValid()) {
        return Qt::NoItemFlags;
    }
    if (at.internalId() == groupId) {
        return Qt::ItemIsEnabled;
    }
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return sweepAt(at) ? flags : flags | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

} // namespace trainyard
