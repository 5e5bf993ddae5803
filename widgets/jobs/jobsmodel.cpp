// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobsmodel.h"

#include "engine/api/foreignid.h"
#include "widgets/common/labels.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QDateTime>

#include <algorithm>
#include <tuple>

namespace trainyard
{
namespace
{
constexpr quintptr groupId = 0; // internal id of group rows; of jobs: group + 1
}

JobsModel::JobsModel(QObject *parent) : QAbstractItemModel(parent) { }

JobsModel::Group JobsModel::groupOf(const JobSummary &job)
{
    if (isForeign(job.uuid)) {
        return FromFiles;
    }
    switch (job.state) {
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
    return group == Waiting ? Place{group, job.priority, job.order, job.id} : Place{group, 0, 0, job.id};
}

bool JobsModel::isBefore(const Place &a, const Place &b)
{
    if (a.group == Waiting) {
        return std::tie(b.priority, a.order, a.id) < std::tie(a.priority, b.order, b.id);
    }
    return a.id > b.id;
}

qsizetype JobsModel::position(const Place &place) const
{
    const QList<JobSummary> &jobs = m_groups.at(place.group);
    const auto at = std::lower_bound(jobs.cbegin(), jobs.cend(), place,
        [](const JobSummary &job, const Place &wanted) { return isBefore(placeOf(job), wanted); });
    return at - jobs.cbegin();
}

void JobsModel::setJobs(const QList<JobSummary> &jobs)
{
    beginResetModel();
    m_places.clear();
    for (auto &group : m_groups) {
        group.clear();
    }
    for (const JobSummary &job : jobs) {
        const Place place = placeOf(job);
        m_groups.at(place.group).append(job);
        m_places.insert(job.uuid, place);
    }
    for (auto &group : m_groups) {
        std::sort(
            group.begin(), group.end(), [](const auto &a, const auto &b) { return isBefore(placeOf(a), placeOf(b)); });
    }
    endResetModel();
}

void JobsModel::insert(const JobSummary &job)
{
    const Place place = placeOf(job);
    const Group group = place.group;
    const int row = int(position(place));
    beginInsertRows(index(group, 0), row, row);
    m_groups.at(group).insert(row, job);
    m_places.insert(job.uuid, place);
    endInsertRows();
    Q_EMIT dataChanged(index(group, 0), index(group, 0), {CountRole});
}

void JobsModel::apply(const JobSummary &job)
{
    const auto place = m_places.constFind(job.uuid);
    if (place == m_places.constEnd()) {
        insert(job);
        return;
    }
    if (*place == placeOf(job)) {
        QList<JobSummary> &jobs = m_groups.at(place->group);
        const int row = int(position(*place));
        if (jobs.at(row) == job) {
            return;
        }
        jobs[row] = job;
        const QModelIndex at = index(row, 0, index(place->group, 0));
        Q_EMIT dataChanged(at, at);
        return;
    }
    remove(job.uuid);
    insert(job);
}

void JobsModel::remove(const QString &uuid)
{
    const auto place = m_places.constFind(uuid);
    if (place == m_places.constEnd()) {
        return;
    }
    const Group group = place->group;
    QList<JobSummary> &jobs = m_groups.at(group);
    const int row = int(position(*place));
    beginRemoveRows(index(group, 0), row, row);
    jobs.removeAt(row);
    m_places.erase(place);
    endRemoveRows();
    Q_EMIT dataChanged(index(group, 0), index(group, 0), {CountRole});
}

QModelIndex JobsModel::indexOf(const QString &uuid) const
{
    const auto place = m_places.constFind(uuid);
    if (place == m_places.constEnd()) {
        return {};
    }
    return index(int(position(*place)), 0, index(place->group, 0));
}

std::optional<JobSummary> JobsModel::job(const QModelIndex &at) const
{
    if (!at.isValid() || at.internalId() == groupId) {
        return {};
    }
    return m_groups.at(at.internalId() - 1).value(at.row());
}

int JobsModel::jobCount() const { return int(m_places.size()); }

QList<JobSummary> JobsModel::jobs() const { return m_groups.at(Running) + m_groups.at(Waiting) + m_groups.at(Done); }

QModelIndex JobsModel::index(int row, int column, const QModelIndex &parent) const
{
    if (column != 0 || row < 0 || row >= rowCount(parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : groupId);
}

QModelIndex JobsModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == groupId) {
        return {};
    }
    return createIndex(int(child.internalId() - 1), 0, groupId);
}

int JobsModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid()) {
        return groupCount;
    }
    return parent.internalId() == groupId ? int(m_groups.at(size_t(parent.row())).size()) : 0;
}

int JobsModel::columnCount(const QModelIndex &) const { return 1; }

Qt::ItemFlags JobsModel::flags(const QModelIndex &at) const
{
    if (!at.isValid()) {
        return Qt::NoItemFlags;
    }
    return at.internalId() == groupId
        ? Qt::ItemIsEnabled
        : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
}

QString JobsModel::whyText(const JobSummary &job) const
{
    const QJsonObject args = withHostLabels(job.reasonArgs, m_hostLabels);
    QStringList lines{reasonText(job.reason, args)};
    lines += waitDetails(job.reason, args);
    return lines.join(QLatin1Char('\n'));
}

QVariant JobsModel::data(const QModelIndex &at, int role) const
{
    if (!at.isValid()) {
        return {};
    }
    if (at.internalId() == groupId) {
        const auto group = Group(at.row());
        switch (role) {
        case Qt::DisplayRole:
            return groupName(group);
        case GroupRole:
            return group;
        case IsGroupRole:
            return true;
        case CountRole:
            return int(m_groups.at(group).size());
        default:
            return {};
        }
    }
    const JobSummary &job = m_groups.at(at.internalId() - 1).at(at.row());
    switch (role) {
    case Qt::DisplayRole:
        return job.name;
    case Qt::AccessibleTextRole:
        return isForeign(job.uuid)
            ? tr("%1, from %2").arg(job.name, job.file)
            : tr("%1, number %2, %3").arg(job.name, QString::number(job.id), stateText(job.state));
    case Qt::ToolTipRole: {
        if (isForeign(job.uuid)) {
            return plainTip(job.name + QLatin1Char('\n') + job.file);
        }
        QString tip = tr("%1  #%2\n%3").arg(job.name, QString::number(job.id), stateText(job.state));
        const QString reason = reasonText(job.reason, withHostLabels(job.reasonArgs, m_hostLabels));
        if (!reason.isEmpty()) {
            tip += QStringLiteral(": ") + reason;
        }
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const HealthMark &mark : job.health) {
            tip += QLatin1Char('\n') + healthLine(mark, job.totalTasks, now);
        }
        const QString by = submittedByText(job.assistant, now);
        for (const QString &line : {parameterWords(job.parameters).join(QStringLiteral(", ")),
                 by.isEmpty() ? QString() : tr("Submitted by %1").arg(by), job.labels.tags.join(QStringLiteral(", ")),
                 job.labels.note, job.file}) {
            tip += line.isEmpty() ? QString() : QString(QLatin1Char('\n') + line);
        }
        return plainTip(tip);
    }
    case SummaryRole:
        return QVariant::fromValue(job);
    case UuidRole:
        return job.uuid;
    case GroupRole:
        return int(at.internalId() - 1);
    case IsGroupRole:
        return false;
    case SearchRole:
        return QString(job.name + QStringLiteral(" #") + QString::number(job.id) + QLatin1Char(' ')
            + stateText(job.state) + QLatin1Char(' ') + stateWord(job.state) + QLatin1Char(' ')
            + job.hosts.join(QLatin1Char(' ')) + QLatin1Char(' ') + job.file + QLatin1Char(' ')
            + job.labels.tags.join(QLatin1Char(' ')) + QLatin1Char(' ') + causeText(job));
    default:
        return {};
    }
}

QString JobsModel::causeText(const JobSummary &job)
{
    if (job.state != State::Failed) {
        return {};
    }
    const QString brief = failureBrief(job);
    return brief.isEmpty() ? tr("failed") : brief;
}

} // namespace trainyard
