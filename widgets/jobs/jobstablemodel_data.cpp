// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the rows in the table of all jobs.
#include "widgets/common/celldelegate.h"
#include "widgets/common/icons.h"
#include "widgets/common/jobtime.h"
#include "widgets/common/labels.h"
#include "widgets/common/statepainter.h"
#include "widgets/jobs/groupcells.h"
#include "widgets/jobs/jobcolumns.h"
#include "widgets/jobs/jobstablemodel.h"
#include "widgets/text/resulttexts.h"

#include <QDateTime>
#include <QFont>

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

bool isOfResults(const QString &key)
{
    return key.startsWith("result:"_L1) || key.startsWith("min:"_L1) || key.startsWith("max:"_L1);
}

bool isUnfinished(const QList<const JobSummary *> &jobs)
{
    return std::any_of(jobs.cbegin(), jobs.cend(),
        [](const JobSummary *job) { return !job->results.isEmpty() && !unfinishedText(*job).isEmpty(); });
}

// Values that are not final are seen as such without their tips.
QVariant fontOf(bool isOpen)
{
    QFont font;
    font.setItalic(true);
    return isOpen ? QVariant(font) : QVariant();
}

} // namespace

Qt::ItemFlags JobsTableModel::flags(const QModelIndex &index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return groupAt(index) ? usual : usual | Qt::ItemNeverHasChildren;
}

const JobsTableModel::Group *JobsTableModel::groupAt(const QModelIndex &at) const
{
    const int group = at.isValid() && at.internalId() == 0 ? m_shown.at(std::size_t(at.row())).group : -1;
    return group < 0 ? nullptr : &m_groups.at(std::size_t(group));
}

const JobSummary *JobsTableModel::jobAt(const QModelIndex &at) const
{
    if (!at.isValid() || groupAt(at)) {
        return nullptr;
    }
    const auto row = std::size_t(at.row());
    return &m_jobs.at(at.internalId() == 0 ? m_shown.at(row).job : m_groups.at(at.internalId() - 1).jobs.at(row));
}

QList<const JobSummary *> JobsTableModel::jobsOf(const Group &group) const
{
    QList<const JobSummary *> jobs;
    jobs.reserve(qsizetype(group.jobs.size()));
    for (const int job : group.jobs) {
        jobs.append(&m_jobs.at(job));
    }
    return jobs;
}

QList<JobSummary> JobsTableModel::jobsAt(const QModelIndex &at) const
{
    QList<JobSummary> jobs;
    if (const Group *group = groupAt(at)) {
        for (const int job : group->jobs) {
            jobs.append(m_jobs.at(job));
        }
    } else if (const JobSummary *job = jobAt(at)) {
        jobs.append(*job);
    }
    return jobs;
}

QVariant JobsTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const QString &key = m_columns.at(index.column());
    if (role == Qt::TextAlignmentRole) {
        return int(isNumberColumn(key) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == CellDelegate::elideRole) { // sentences are read from their beginning
        return key == "why"_L1 || key == "note"_L1 || key == "command"_L1 ? QVariant(int(Qt::ElideRight)) : QVariant();
    }
    const Group *group = groupAt(index);
    return group ? groupData(*group, key, role) : jobData(*jobAt(index), key, role);
}

QVariant JobsTableModel::jobData(const JobSummary &job, const QString &key, int role) const
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    switch (role) {
    case Qt::DisplayRole:
        return jobCellText(job, key, now);
    case Qt::DecorationRole:
        return key == "state"_L1                        ? QVariant(stateIcon(shapeOf(job)))
            : key == "name"_L1 && job.labels.isArchived ? QVariant(icon(u"archive"_s, Colour::Muted))
                                                        : QVariant();
    case CellDelegate::stateRole:
        return key == "state"_L1 ? QVariant(int(shapeOf(job))) : QVariant();
    case CellDelegate::inkRole: // as in the list at the side
        return key == "star"_L1                          ? QVariant(int(Colour::Waiting))
            : key != "state"_L1 && job.labels.isArchived ? QVariant(int(Colour::Muted))
                                                         : QVariant();
    case Qt::FontRole:
        return fontOf(isOfResults(key) && !unfinishedText(job).isEmpty());
    case Qt::ToolTipRole: {
        QString text = key == "note"_L1 ? job.labels.note
            : key == "why"_L1           ? jobCellValue(job, key, now)
                                        : jobCellText(job, key, now);
        if (key == "time"_L1) {
            text = (QStringList(text) + wholeTimeDetails(job, now)).join(u'\n');
        }
        if (const QString unfinished = unfinishedText(job);
            isOfResults(key) && !text.isEmpty() && !unfinished.isEmpty()) {
            text += u'\n' + unfinished;
        }
        return text.isEmpty() ? QVariant() : QVariant(plainTip(text));
    }
    case UuidRole:
        return job.uuid;
    default:
        return {};
    }
}

QVariant JobsTableModel::groupData(const Group &group, const QString &key, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return groupCell(group, key);
    case Qt::DecorationRole:
        return key == "state"_L1 ? QVariant(stateIcon(shapeOf(stateTogether(stateCounts(jobsOf(group)))))) : QVariant();
    case CellDelegate::inkRole:
        return key == "star"_L1 ? QVariant(int(Colour::Waiting)) : QVariant();
    case CellDelegate::stateRole:
        return key == "state"_L1 ? QVariant(int(shapeOf(stateTogether(stateCounts(jobsOf(group)))))) : QVariant();
    case Qt::FontRole:
        return fontOf(isOfResults(key) && isUnfinished(jobsOf(group)));
    case Qt::ToolTipRole: {
        const bool isAbout = key == "state"_L1 || key == "name"_L1 || key == "why"_L1;
        QString text
            = isAbout ? group.name + u'\n' + stateCountsText(stateCounts(jobsOf(group))) : groupCell(group, key);
        if (isOfResults(key) && !text.isEmpty() && isUnfinished(jobsOf(group))) {
            text += u'\n' + tr("Some of these values are not final.");
        }
        return text.isEmpty() ? QVariant() : QVariant(plainTip(text));
    }
    case GroupRole:
        return group.name;
    case PartRole:
        return group.isPart;
    default:
        return {};
    }
}

QString JobsTableModel::groupCell(const Group &group, const QString &key) const
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    if (const qint64 second = now / 1000; second != std::exchange(group.second, second)) {
        group.cells.remove(u"time"_s);
    }
    const auto known = group.cells.constFind(key);
    return known != group.cells.cend() ? *known
                                       : *group.cells.insert(key, groupCellText(group.name, jobsOf(group), key, now));
}

QVariant JobsTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size()) {
        return {};
    }
    const QString &key = m_columns.at(section);
    switch (role) {
    case Qt::DisplayRole:
        return key == "star"_L1 ? QString() : jobColumnTitle(key, m_columns);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return plainTip(jobColumnTitle(key, m_columns));
    case Qt::TextAlignmentRole:
        return int(isNumberColumn(key) ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

} // namespace trainyard
