// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the rows in the list of jobs.
#include "engine/api/foreignid.h"
#include "widgets/common/jobtime.h"
#include "widgets/common/labels.h"
#include "widgets/jobs/jobsmodel.h"
#include "widgets/text/approvaltexts.h"
#include "widgets/text/comparetexts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QDateTime>

#include <numeric>

namespace trainyard
{

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
    if (!at.parent().isValid()) {
        const auto group = Group(at.row());
        switch (role) {
        case Qt::DisplayRole:
            return groupName(group);
        case GroupRole:
            return group;
        case IsGroupRole:
            return true;
        case CountRole:
            return std::accumulate(m_groups.at(group).cbegin(), m_groups.at(group).cend(), 0,
                [](int count, const Row &row) { return count + (row.sweep ? int(row.sweep->jobs.size()) : 1); });
        case OwnCountRole:
            return std::accumulate(
                m_groups.at(group).cbegin(), m_groups.at(group).cend(), 0, [group](int count, const Row &row) {
                    return count + (row.sweep ? ownCount(row.sweep->jobs, group) : 1);
                });
        default:
            return {};
        }
    }
    if (role == GroupRole) {
        return int((isMember(at) ? parent(at) : at).internalId()) - 1;
    }
    if (role == IsGroupRole) {
        return false;
    }
    if (isMember(at) && (role == TitleRole || role == SearchRole || role == Qt::AccessibleTextRole)) {
        const JobSummary &job = *jobAt(at);
        const QString title = static_cast<const Sweep *>(at.internalPointer())->jobs.titleOf(job);
        if (role == TitleRole) {
            return title;
        }
        const QString text = jobData(job, role).toString();
        return title == job.name ? text : QString(title + QStringLiteral(", ") + text); // as its row shows it
    }
    const Sweep *sweep = sweepAt(at);
    return sweep ? sweepData(*sweep, role) : jobData(*jobAt(at), role);
}

QVariant JobsModel::sweepData(const Sweep &sweep, int role) const
{
    const JobSweep &jobs = sweep.jobs;
    switch (role) {
    case Qt::DisplayRole:
    case SearchRole:
    case SweepRole:
    case TitleRole:
        return jobs.name();
    case Qt::AccessibleTextRole:
        return tr("%1, %n job(s), %2", nullptr, int(jobs.size())).arg(jobs.name(), stateCountsText(jobs.counts()));
    case Qt::ToolTipRole: {
        QStringList lines{
            tr("%1, %n job(s) from #%2 on", nullptr, int(jobs.size())).arg(jobs.name(), QString::number(jobs.number())),
            stateCountsText(jobs.counts())};
        if (const auto best = jobs.best()) {
            lines.append(
                tr("Best %1: %2, of #%3").arg(best->metric, metricNumber(best->value), QString::number(best->id)));
        }
        return plainTip(lines.join(QLatin1Char('\n')));
    }
    case SweepRowRole: {
        SweepRow row{jobs.number(), jobs.state(), int(jobs.size()), jobs.ended(), jobs.count(State::Failed),
            int(jobs.size()), jobs.share(), {}};
        // While they run, it is another one every moment, and how far they are says more.
        if (const auto best = isFinal(row.state) ? jobs.best() : std::nullopt) {
            row.best = best->metric + QLatin1Char(' ') + metricNumber(best->value);
        }
        return QVariant::fromValue(row);
    }
    case QueueRole:
        return jobs.firstWaiting() ? jobs.firstWaiting()->uuid : QString();
    default:
        return {};
    }
}

QVariant JobsModel::jobData(const JobSummary &job, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
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
        for (const QString &line : wholeTimeDetails(job, now)) {
            tip += QLatin1Char('\n') + line;
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
    case QueueRole:
        return job.state == State::Waiting ? job.uuid : QString();
    case SearchRole:
        return QString(job.name + QStringLiteral(" #") + QString::number(job.id) + QLatin1Char(' ')
            + stateText(job.state) + QLatin1Char(' ') + stateWord(job.state) + QLatin1Char(' ')
            + job.hosts.join(QLatin1Char(' ')) + QLatin1Char(' ') + job.file + QLatin1Char(' ')
            + job.labels.tags.join(QLatin1Char(' ')) + QLatin1Char(' ') + job.group + QLatin1Char(' ')
            + causeText(job));
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
