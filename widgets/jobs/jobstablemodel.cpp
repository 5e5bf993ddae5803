// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobstablemodel.h"

#include "widgets/jobs/jobcolumns.h"

#include <QDateTime>
#include <QScopedValueRollback>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int laterMs = 200;

qint64 nowUtc() { return QDateTime::currentMSecsSinceEpoch(); }

} // namespace

JobsTableModel::JobsTableModel(QObject *parent)
    : QAbstractItemModel(parent), m_columns(usualJobColumns()), m_sortKey(u"id"_s)
{
    m_later.setSingleShot(true);
    m_later.setInterval(laterMs);
    connect(&m_later, &QTimer::timeout, this, [this] {
        const QScopedValueRollback<bool> byNews(m_isRearrangedByNews, true);
        rearrange();
    });
}

// Whether the filter is asked at all.
bool JobsTableModel::isListed(const JobSummary &job) const
{
    return job.id != 0 && (!job.labels.isArchived || m_filter.saysArchived()) && !m_hidden.contains(job.uuid);
}

bool JobsTableModel::isShown(const JobSummary &job, qint64 now) const
{
    return isListed(job) && (m_filter.isEmpty() || m_filter.matches(job, now));
}

bool JobsTableModel::isNewestFirst() const { return m_sortKey == "id"_L1 && m_order == Qt::DescendingOrder; }

// A change that leaves the row where it is; false when it does not.
bool JobsTableModel::applyInPlace(int index, const JobSummary &job, qint64 now)
{
    const JobSummary before = std::exchange(m_jobs[index], job);
    const bool wasShown = isShown(before, now);
    if (wasShown != isShown(job, now)) {
        return false;
    }
    if (!wasShown || before == job) {
        return true;
    }
    if (m_sortKey != "id"_L1) {
        const JobSortKey one = jobSortKey(before, m_sortKey, now);
        const JobSortKey other = jobSortKey(job, m_sortKey, now);
        if (one.number != other.number || one.text != other.text) {
            return false;
        }
    }
    if (before.group != job.group) {
        return false;
    }
    noteChanged(indexOf(job.uuid));
    return true;
}

void JobsTableModel::noteChanged(const QModelIndex &at)
{
    if (const QModelIndex above = parent(at); above.isValid()) {
        m_groups.at(std::size_t(m_shown.at(std::size_t(above.row())).group)).cells.clear();
        noteChanged(above);
    }
    if (at.isValid()) {
        Q_EMIT dataChanged(at, at.siblingAtColumn(columnCount() - 1));
    }
}

void JobsTableModel::add(const QList<JobSummary> &jobs)
{
    const qint64 now = nowUtc();
    const int before = jobCount();
    std::vector<int> fresh; // rows of new jobs that are shown
    bool isInPlace = true;
    for (const JobSummary &job : jobs) {
        if (const auto known = m_rows.constFind(job.uuid); known != m_rows.cend()) {
            isInPlace = applyInPlace(*known, job, now) && isInPlace;
            continue;
        }
        m_rows.insert(job.uuid, int(m_jobs.size()));
        if (isShown(job, now)) {
            fresh.push_back(int(m_jobs.size()));
        }
        m_jobs.append(job);
    }
    if (!m_later.isActive() && areOldest(fresh)) {
        appendShown(fresh);
    } else if (!fresh.empty()) {
        isInPlace = false;
    }
    if (!isInPlace && !m_later.isActive()) {
        m_later.start();
    }
    if (jobCount() != before) {
        Q_EMIT jobCountChanged(); // also when none of them is shown
    }
}

// Whether their rows belong below all others, as those of the next page do. A job of a group may belong to another row.
bool JobsTableModel::areOldest(const std::vector<int> &fresh) const
{
    const auto isNewer = [this](int a, int b) { return m_jobs.at(a).id > m_jobs.at(b).id; };
    const auto isAlone = [this](int each) { return m_jobs.at(each).group.isEmpty(); };
    return isNewestFirst() && !fresh.empty() && std::is_sorted(fresh.cbegin(), fresh.cend(), isNewer)
        && std::all_of(fresh.cbegin(), fresh.cend(), isAlone)
        && (m_shown.empty() || isNewer(m_shown.back().job, fresh.front()));
}

void JobsTableModel::appendShown(const std::vector<int> &fresh)
{
    beginInsertRows({}, int(m_shown.size()), int(m_shown.size() + fresh.size()) - 1);
    for (const int job : fresh) {
        m_shown.push_back({job});
    }
    endInsertRows();
}

void JobsTableModel::remove(const QString &uuid)
{
    const auto known = m_rows.constFind(uuid);
    if (known == m_rows.cend()) {
        return;
    }
    removeRow(indexOf(uuid));
    m_jobs[*known] = {}; // the places of the others stay
    m_rows.erase(known);
    Q_EMIT jobCountChanged();
}

void JobsTableModel::removeRow(const QModelIndex &at)
{
    if (const QModelIndex above = parent(at); above.isValid()) {
        Group &group = m_groups.at(std::size_t(m_shown.at(std::size_t(above.row())).group));
        beginRemoveRows(above, at.row(), at.row());
        group.jobs.erase(group.jobs.begin() + at.row());
        group.cells.clear();
        endRemoveRows();
        if (group.jobs.empty()) {
            removeRow(above);
        } else {
            noteChanged(above);
            m_later.start(); // the last one of a group is a row like others
        }
    } else if (at.isValid()) {
        beginRemoveRows({}, at.row(), at.row());
        if (const int group = m_shown.at(std::size_t(at.row())).group; group >= 0) {
            m_groupOf.remove(m_groups.at(std::size_t(group)).name);
        }
        m_shown.erase(m_shown.begin() + at.row());
        for (Group &group : m_groups) {
            group.row -= group.row > at.row() ? 1 : 0;
        }
        endRemoveRows();
    }
}

void JobsTableModel::setFilter(const JobFilter &filter)
{
    m_filter = filter;
    rearrange();
}

void JobsTableModel::setHidden(const QSet<QString> &uuids)
{
    if (m_hidden != uuids) {
        m_hidden = uuids;
        rearrange();
    }
}

void JobsTableModel::setColumns(const QStringList &keys)
{
    if (keys != m_columns) {
        Q_EMIT aboutToRearrange();
        beginResetModel();
        m_columns = keys;
        endResetModel();
        Q_EMIT rearranged();
    }
}

void JobsTableModel::setFolded(bool on)
{
    if (m_isFolded != on) {
        m_isFolded = on;
        rearrange();
    }
}

void JobsTableModel::sort(int column, Qt::SortOrder order)
{
    const QString key = m_columns.value(column, u"id"_s);
    if (key != m_sortKey || order != m_order) {
        m_sortKey = key;
        m_order = order;
        rearrange();
    }
}

void JobsTableModel::rearrange()
{
    m_later.stop();
    const qint64 now = nowUtc();
    struct Row {
        int index;
        JobSortKey key;
    };
    std::vector<Row> rows;
    rows.reserve(std::size_t(m_rows.size()));
    const bool isById = m_sortKey == "id"_L1;
    for (int i = 0; i < int(m_jobs.size()); ++i) {
        const JobSummary &job = m_jobs.at(i);
        if (isShown(job, now)) {
            rows.push_back({i, isById ? JobSortKey{double(job.id)} : jobSortKey(job, m_sortKey, now)});
        }
    }
    const bool isDown = m_order == Qt::DescendingOrder;
    std::stable_sort(rows.begin(), rows.end(), [isDown, this](const Row &a, const Row &b) {
        if (a.key.isEmpty() != b.key.isEmpty()) {
            return b.key.isEmpty(); // those without a value come last in either order
        }
        const JobSortKey &first = isDown ? b.key : a.key;
        const JobSortKey &second = isDown ? a.key : b.key;
        if (first.number && second.number && *first.number != *second.number) {
            return *first.number < *second.number;
        }
        if (first.number.has_value() != second.number.has_value()) {
            return first.number.has_value();
        }
        const int order = first.number ? 0 : first.text.compare(second.text, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : m_jobs.at(a.index).id > m_jobs.at(b.index).id;
    });
    std::vector<int> sorted(rows.size());
    std::transform(rows.cbegin(), rows.cend(), sorted.begin(), [](const Row &row) { return row.index; });
    Q_EMIT aboutToRearrange();
    beginResetModel();
    arrange(sorted);
    endResetModel();
    Q_EMIT rearranged();
}

// Makes the rows of jobs in this order.
void JobsTableModel::arrange(const std::vector<int> &sorted)
{
    struct Members {
        int all = 0, shown = 0;
    };
    QHash<QString, Members> members;
    for (const JobSummary &job : std::as_const(m_jobs)) {
        if (!job.group.isEmpty() && isListed(job)) {
            ++members[job.group].all;
        }
    }
    for (const int job : sorted) {
        if (const QString &name = m_jobs.at(job).group; !name.isEmpty()) {
            ++members[name].shown;
        }
    }
    m_hasGroups = std::any_of(members.cbegin(), members.cend(), [](const Members &each) { return each.shown > 1; });
    m_shown.clear();
    m_groups.clear();
    m_groupOf.clear();
    for (const int job : sorted) {
        const QString &name = m_jobs.at(job).group;
        const Members of = m_isFolded && !name.isEmpty() ? members.value(name) : Members();
        if (of.shown < 2) {
            m_shown.push_back({job});
            continue;
        }
        auto known = m_groupOf.constFind(name);
        if (known == m_groupOf.cend()) {
            known = m_groupOf.insert(name, int(m_groups.size()));
            m_groups.push_back({name, {}, int(m_shown.size()), of.shown < of.all, {}, 0});
            m_shown.push_back({job, *known});
        }
        m_groups.at(std::size_t(*known)).jobs.push_back(job);
    }
}

QList<JobSummary> JobsTableModel::shownJobs() const
{
    QList<JobSummary> jobs;
    jobs.reserve(shownCount());
    for (int row = 0; row < int(m_shown.size()); ++row) {
        jobs += jobsAt(index(row, 0));
    }
    return jobs;
}

int JobsTableModel::shownCount() const
{
    std::size_t count = m_shown.size() - std::size_t(m_groupOf.size());
    for (const int group : m_groupOf) {
        count += m_groups.at(std::size_t(group)).jobs.size();
    }
    return int(count);
}

QModelIndex JobsTableModel::indexOf(const QString &uuid) const
{
    const auto known = m_rows.constFind(uuid);
    if (known == m_rows.cend()) {
        return {};
    }
    if (const QModelIndex above = indexOfGroup(m_jobs.at(*known).group); above.isValid()) {
        const std::vector<int> &jobs = groupAt(above)->jobs;
        const auto at = std::find(jobs.cbegin(), jobs.cend(), *known);
        return at == jobs.cend() ? QModelIndex() : index(int(at - jobs.cbegin()), 0, above);
    }
    const auto at = std::find_if(
        m_shown.cbegin(), m_shown.cend(), [job = *known](const Row &row) { return row.job == job && row.group < 0; });
    return at == m_shown.cend() ? QModelIndex() : index(int(at - m_shown.cbegin()), 0);
}

QModelIndex JobsTableModel::indexOfGroup(const QString &name) const
{
    const auto known = m_groupOf.constFind(name);
    return known == m_groupOf.cend() ? QModelIndex() : index(m_groups.at(std::size_t(*known)).row, 0);
}

QModelIndex JobsTableModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(
        row, column, parent.isValid() ? quintptr(m_shown.at(std::size_t(parent.row())).group) + 1 : quintptr(0));
}

QModelIndex JobsTableModel::parent(const QModelIndex &child) const
{
    return child.internalId() == 0 ? QModelIndex()
                                   : createIndex(m_groups.at(child.internalId() - 1).row, 0, quintptr(0));
}

int JobsTableModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return int(m_shown.size());
    }
    const Group *group = parent.column() == 0 ? groupAt(parent) : nullptr;
    return group ? int(group->jobs.size()) : 0;
}

int JobsTableModel::columnCount(const QModelIndex &) const { return int(m_columns.size()); }

} // namespace trainyard
