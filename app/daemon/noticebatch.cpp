// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/noticebatch.h"

#include "engine/api/jobfacts.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/removaltexts.h"
#include "widgets/text/texts.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QMap>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct Notice {
    Q_DECLARE_TR_FUNCTIONS(trainyard::Notices)
};

constexpr qsizetype mostSingle = 3;
constexpr qsizetype mostNamed = 4;

RemovalOutlook outlookOf(const JobNotice &notice)
{
    QList<PlannedRemoval> removals;
    for (const JobSummary &job : notice.jobs) {
        removals.append(job.removal.value_or(PlannedRemoval()));
    }
    return trainyard::outlookOf(removals);
}

QString jobName(const JobSummary &job) { return Notice::tr("%1 #%2").arg(job.name, QString::number(job.id)); }

QString gpuName(const JobNotice &notice)
{
    return Notice::tr("GPU %1 of %2").arg(QString::number(notice.quarantine.index), notice.host);
}

QString titleOf(const JobNotice &notice)
{
    if (notice.kind == "removal"_L1 && notice.jobs.size() > 1) {
        return Notice::tr("%1 ended jobs will be removed").arg(notice.jobs.size());
    }
    if (notice.kind == "quarantine"_L1) {
        return Notice::tr("%1 is in quarantine").arg(notice.quarantine.gpu.isEmpty() ? notice.host : gpuName(notice));
    }
    const QString job = jobName(notice.job);
    const QString &kind = notice.kind;
    return kind == "running"_L1  ? Notice::tr("%1 runs").arg(job)
        : kind == "succeeded"_L1 ? Notice::tr("%1 has succeeded").arg(job)
        : kind == "failed"_L1    ? Notice::tr("%1 has failed").arg(job)
        : kind == "stopped"_L1   ? Notice::tr("%1 was stopped").arg(job)
        : kind == "retried"_L1   ? Notice::tr("%1 is tried again").arg(job)
        : kind == "removal"_L1   ? Notice::tr("%1 will be removed").arg(job)
        : kind == "question"_L1  ? Notice::tr("%1 waits for your answer").arg(job)
                                 : Notice::tr("%1: %2").arg(job, healthBrief(notice.mark));
}

// The number that the program returned, where the code stands for many of them.
QString endOf(const JobSummary &job)
{
    const std::optional<int> status = programStatus(job);
    if (!status || status == job.exitCode) {
        return exitCodeText(*job.exitCode);
    }
    const ExitText text = exitText(*job.exitCode);
    const QString meaning = text.advice.isEmpty() ? text.reason : QString(text.reason + u' ' + text.advice);
    return Notice::tr("%1: %2").arg(exitWords(*job.exitCode, status), meaning);
}

QString textOf(const JobNotice &notice, qint64 now)
{
    const JobSummary &job = notice.job;
    if (notice.kind == "health"_L1) {
        return healthLine(notice.mark, job.totalTasks, now);
    }
    if (notice.kind == "quarantine"_L1) {
        return quarantineText(notice.quarantine) + u' '
            + Notice::tr("'trainyardctl hosts release %1' lets new tasks start there again.").arg(notice.host);
    }
    if (notice.kind == "removal"_L1) {
        return removalText(outlookOf(notice), now) + u' ' + Notice::tr("A star keeps a job.");
    }
    if (notice.kind == "question"_L1) {
        return reasonText(job.reason, job.reasonArgs) + u' '
            + Notice::tr("'trainyardctl sync --allow %1' copies it.").arg(job.id);
    }
    if (notice.kind == "failed"_L1) {
        const QString why = reasonText(job.reason, job.reasonArgs);
        return !why.isEmpty() ? why : job.exitCode ? endOf(job) : QString();
    }
    if (isFinal(job.state) && job.completed) {
        return Notice::tr("It took %1.").arg(formatDuration(allAttemptsMs(job, *job.completed)));
    }
    const QString ended = notice.ended.code.isEmpty() ? QString() : reasonText(notice.ended.code, notice.ended.args);
    if (!ended.isEmpty()) {
        return Notice::tr("The attempt before: %1").arg(ended);
    }
    return job.hosts.isEmpty() ? QString() : Notice::tr("On %1.").arg(job.hosts.join(u", "_s));
}

NoticeWords wordsOf(const JobNotice &notice, qint64 now)
{
    NoticeWords words{titleOf(notice), textOf(notice, now), notice.jobs.size() > 1 ? QString() : notice.job.uuid};
    words.canRunAgain = notice.kind == "failed"_L1 || notice.kind == "stopped"_L1;
    words.isUrgent = notice.kind == "failed"_L1 || notice.kind == "question"_L1 || notice.kind == "health"_L1
        || notice.kind == "quarantine"_L1;
    return words;
}

// The first ones, and how many more there are.
QString listed(const QStringList &names)
{
    const QString first = names.first(std::min(names.size(), mostNamed)).join(u", "_s);
    return names.size() <= mostNamed ? first : Notice::tr("%1 and %2 more").arg(first).arg(names.size() - mostNamed);
}

// The words for several notices of one kind that wait for an answer or a release.
NoticeWords wordsOfWaiting(const QList<JobNotice> &notices)
{
    const bool isQuarantine = notices.constFirst().kind == "quarantine"_L1;
    QStringList names;
    for (const JobNotice &notice : notices) {
        names.append(!isQuarantine                ? jobName(notice.job)
                : notice.quarantine.gpu.isEmpty() ? notice.host
                                                  : gpuName(notice));
    }
    NoticeWords words;
    words.isUrgent = true;
    if (isQuarantine) {
        words.title = Notice::tr("%1 hosts and GPUs are in quarantine").arg(notices.size());
        words.text = listed(names) + u". "_s
            + Notice::tr("'trainyardctl hosts' says why, 'trainyardctl hosts release HOST' lets new tasks start there "
                         "again.");
    } else {
        words.title = Notice::tr("%1 jobs wait for your answer").arg(notices.size());
        words.text = listed(names) + u". "_s
            + Notice::tr("Their work folders are large: 'trainyardctl sync --allow JOB' copies the one of a job.");
    }
    return words;
}

QString countOf(const QString &kind, int count)
{
    return kind == "running"_L1  ? Notice::tr("%n running", nullptr, count)
        : kind == "succeeded"_L1 ? Notice::tr("%n succeeded", nullptr, count)
        : kind == "failed"_L1    ? Notice::tr("%n failed", nullptr, count)
        : kind == "stopped"_L1   ? Notice::tr("%n stopped", nullptr, count)
        : kind == "retried"_L1   ? Notice::tr("%n tried again", nullptr, count)
                                 : Notice::tr("%n with a health mark", nullptr, count);
}

} // namespace

void NoticeBatch::add(const JobNotice &notice, qint64 now)
{
    if (m_notices.isEmpty()) {
        m_dueAt = std::max(now + firstMs, m_toldAt + spaceMs);
    }
    m_notices.append(notice);
}

QList<JobNotice> NoticeBatch::take(qint64 now)
{
    m_toldAt = now;
    return std::exchange(m_notices, {});
}

QList<NoticeWords> noticeWords(const QList<JobNotice> &given, qint64 now)
{
    QList<NoticeWords> all;
    QList<JobNotice> notices, questions, quarantines;
    for (const JobNotice &notice : given) {
        if (notice.kind == "removal"_L1) {
            all.append(wordsOf(notice, now)); // it is about many already
        } else {
            (notice.kind == "quarantine"_L1        ? quarantines
                    : notice.kind == "question"_L1 ? questions
                                                   : notices)
                .append(notice);
        }
    }
    // These wait for the user, and must not get lost in a count of jobs.
    for (const QList<JobNotice> &waiting : {questions, quarantines}) {
        if (waiting.size() > mostSingle) {
            all.append(wordsOfWaiting(waiting));
            continue;
        }
        for (const JobNotice &notice : waiting) {
            all.append(wordsOf(notice, now));
        }
    }
    if (notices.size() <= mostSingle) {
        for (const JobNotice &notice : notices) {
            all.append(wordsOf(notice, now));
        }
        return all;
    }
    QMap<QString, int> counts;
    QStringList failed;
    for (const JobNotice &notice : notices) {
        ++counts[notice.kind];
        if (notice.kind == "failed"_L1) {
            failed.append(jobName(notice.job));
        }
    }
    QStringList parts;
    for (const QString &kind : {u"failed"_s, u"health"_s, u"succeeded"_s, u"stopped"_s, u"running"_s, u"retried"_s}) {
        if (counts.value(kind) > 0) {
            parts.append(countOf(kind, counts.value(kind)));
        }
    }
    NoticeWords words;
    words.title = Notice::tr("Jobs: %1").arg(parts.join(u", "_s));
    words.text = failed.mid(0, mostNamed).join(u", "_s);
    if (failed.size() > mostNamed) {
        words.text += u' ' + Notice::tr("and %n more failed", nullptr, int(failed.size() - mostNamed));
    }
    words.isUrgent = counts.contains(u"failed"_s) || counts.contains(u"health"_s);
    all.append(words);
    return all;
}

QJsonObject noticeJson(const QList<JobNotice> &notices, qint64 now)
{
    QJsonArray list;
    for (const JobNotice &notice : notices) {
        if (notice.kind == "quarantine"_L1) {
            QJsonObject one{{u"kind"_s, notice.kind}, {u"host"_s, notice.host}, {u"title"_s, titleOf(notice)},
                {u"text"_s, textOf(notice, now)}};
            if (!notice.quarantine.gpu.isEmpty()) {
                one.insert(u"gpu"_s, notice.quarantine.index);
            }
            list.append(one);
            continue;
        }
        const JobSummary &job = notice.job;
        QJsonObject one{{u"kind"_s, notice.kind}, {u"id"_s, job.id}, {u"uuid"_s, job.uuid}, {u"name"_s, job.name},
            {u"user"_s, job.user}, {u"state"_s, stateWord(job.state)}, {u"retries"_s, job.retries},
            {u"hosts"_s, QJsonArray::fromStringList(job.hosts)}, {u"submitted"_s, job.submitted},
            {u"title"_s, titleOf(notice)}, {u"text"_s, textOf(notice, now)}};
        if (job.completed) {
            one.insert(u"completed"_s, *job.completed);
        }
        if (job.exitCode) {
            one.insert(u"exitCode"_s, *job.exitCode);
        }
        if (const std::optional<int> status = programStatus(job)) {
            one.insert(u"exitStatus"_s, *status);
        }
        if (!job.group.isEmpty()) {
            one.insert(u"group"_s, job.group);
        }
        if (notice.kind == "removal"_L1) {
            const RemovalOutlook outlook = outlookOf(notice);
            QJsonArray jobs;
            for (const JobSummary &each : notice.jobs) {
                jobs.append(each.id);
            }
            one.insert(u"jobs"_s, jobs);
            one.insert(u"bytes"_s, outlook.bytes);
            one.insert(u"due"_s, outlook.from);
        }
        if (notice.kind == "health"_L1) {
            one.insert(u"health"_s, notice.mark.code);
        }
        list.append(one);
    }
    return {{u"version"_s, 1}, {u"notices"_s, list}};
}

} // namespace trainyard
