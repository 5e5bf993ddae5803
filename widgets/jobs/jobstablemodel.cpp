// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobstablemodel.h"

#include "widgets/common/jobtime.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/jobs/jobcolumns.h"

#include <QDateTime>

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
    : QAbstractTableModel(parent), m_columns(usualJobColumns()), m_sortKey(u"id"_s)
{
    m_later.setSingleShot(true);
    m_later.setInterval(laterMs);
    connect(&m_later, &QTimer::timeout, this, &JobsTableModel::rearrange);
}

bool JobsTableModel::isShown(const JobSummary &job, qint64 now) const
{
    return job.id != 0 && (!job.labels.isArchived || m_filter.saysArchived()) && !m_hidden.contains(job.uuid)
        && (m_filter.isEmpty() || m_filter.matches(job, now));
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
    if (const int row = rowOf(job.uuid); row >= 0) {
        Q_EMIT dataChanged(this->index(row, 0), this->index(row, columnCount() - 1));
    }
    return true;
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
    const bool areOldest = isNewestFirst() && !m_later.isActive() && !fresh.empty()
        && std::is_sorted(
            fresh.cbegin(), fresh.cend(), [this](int a, int b) { return m_jobs.at(a).id > m_jobs.at(b).id; })
        && (m_shown.empty() || m_jobs.at(m_shown.back()).id > m_jobs.at(fresh.front()).id);
    if (areOldest) {
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

void JobsTableModel::appendShown(const std::vector<int> &fresh)
{
    beginInsertRows({}, int(m_shown.size()), int(m_shown.size() + fresh.size()) - 1);
    m_shown.insert(m_shown.end(), fresh.cbegin(), fresh.cend());
    endInsertRows();
}

void JobsTableModel::remove(const QString &uuid)
{
    const auto known = m_rows.constFind(uuid);
    if (known == m_rows.cend()) {
        return;
    }
    const int row = rowOf(uuid);
    const int index = *known;
    m_rows.erase(known);
    if (row >= 0) {
        beginRemoveRows({}, row, row);
        m_shown.erase(m_shown.begin() + row);
        endRemoveRows();
    }
    m_jobs[index] = {}; // the places of the others stay
    Q_EMIT jobCountChanged();
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
    Q_EMIT aboutToRearrange();
    beginResetModel();
    m_shown.resize(rows.size());
    std::transform(rows.cbegin(), rows.cend(), m_shown.begin(), [](const Row &row) { return row.index; });
    endResetModel();
    Q_EMIT rearranged();
}

QList<JobSummary> JobsTableModel::shownJobs() const
{
    QList<JobSummary> jobs;
    jobs.reserve(qsizetype(m_shown.size()));
    for (const int index : m_shown) {
        jobs.append(m_jobs.at(index));
    }
    return jobs;
}

int JobsTableModel::rowOf(const QString &uuid) const
{
    const auto known = m_rows.constFind(uuid);
    if (known == m_rows.cend()) {
        return -1;
    }
    const auto at = std::find(m_shown.cbegin(), m_shown.cend(), *known);
    return at == m_shown.cend() ? -1 : int(at - m_shown.cbegin());
}

int JobsTableModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : int(m_shown.size()); }

int JobsTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

Qt::ItemFlags JobsTableModel::flags(const QModelIndex &index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

QVariant JobsTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const JobSummary &one = job(index.row());
    const QString &key = m_columns.at(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return jobCellText(one, key, nowUtc());
    case Qt::DecorationRole:
        return key == "state"_L1 ? QVariant(stateIcon(shapeOf(one))) : QVariant();
    case Qt::TextAlignmentRole:
        return int(isNumberColumn(key) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        QString text = key == "note"_L1 ? one.labels.note
            : key == "why"_L1           ? jobCellValue(one, key, nowUtc())
                                        : jobCellText(one, key, nowUtc());
        if (key == "time"_L1) {
            text = (QStringList(text) + wholeTimeDetails(one, nowUtc())).join(u'\n');
        }
        return text.isEmpty() ? QVariant() : QVariant(plainTip(text));
    }
    case UuidRole:
        return one.uuid;
    default:
        return {};
    }
}

QVariant JobsTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size()) {
        return {};
    }
    const QString &key = m_columns.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return key == "star"_L1 ? QString() : jobColumnTitle(key);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return plainTip(jobColumnTitle(key));
    case Qt::TextAlignmentRole:
        return int(isNumberColumn(key) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace trainyard
