// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobnotices.h"

#include "engine/api/jobfacts.h"
#include "engine/core/report.h"

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{

QStringList noticesBetween(const NoticeState &before, const JobSummary &now)
{
    QStringList kinds;
    if (now.retries > before.retries) {
        kinds.append(u"retried"_s);
    } else if (now.state == State::Running && now.retries == 0 && !before.hasRun) {
        kinds.append(u"running"_s);
    }
    for (const HealthMark &mark : now.health) {
        if (!before.marks.contains(mark.code)) {
            kinds.append(u"health"_s);
            break;
        }
    }
    if (asksToCopy(now) && before.asksFor.isEmpty()) {
        kinds.append(u"question"_s);
    }
    if (isFinal(now.state) && !isFinal(before.state)) {
        kinds.append(now.state == State::Succeeded ? u"succeeded"_s
                : now.state == State::Failed       ? u"failed"_s
                                                   : u"stopped"_s);
    }
    return kinds;
}

NoticeState noticeStateOf(const JobSummary &job, const NoticeState &before)
{
    NoticeState state = before;
    state.state = job.state;
    state.retries = job.retries;
    state.asksFor = asksToCopy(job) ? job.reasonArgs.value("folder"_L1).toString() : QString();
    state.hasRun = before.hasRun || job.state != State::Waiting || job.retries > 0;
    for (const HealthMark &mark : job.health) {
        if (!state.marks.contains(mark.code)) {
            state.marks.append(mark.code);
        }
    }
    return state;
}

QStringList wantedNotices(const JobSpec &spec)
{
    QStringList kinds;
    const Value *wishes = spec.extras.find(u"jobStatusChangeNotification"_s);
    for (const QString &kind : {u"running"_s, u"succeeded"_s, u"failed"_s, u"stopped"_s, u"retried"_s}) {
        const Value *wish = wishes ? wishes->find(kind) : nullptr;
        if (wish && wish->asBool() && *wish->asBool()) {
            kinds.append(kind);
        }
    }
    return kinds;
}

void JobNotices::begin(const QList<JobSummary> &active)
{
    for (const JobSummary &job : active) {
        Known &entry = known(job);
        entry.state = noticeStateOf(job);
        entry.isRead = false;
    }
}

// A job that is new here waited before. One that is run again after its end has retries already.
JobNotices::Known &JobNotices::known(const JobSummary &job)
{
    const auto [place, isNew] = m_known.try_emplace(job.uuid);
    if (isNew) {
        place->second.state.retries = job.retries;
        const ActiveJob *active = m_jobs.find(job.uuid);
        if (active && active->spec) {
            place->second.wanted = wantedNotices(*active->spec);
        }
    }
    return place->second;
}

void JobNotices::announceRemovals(const QList<JobSummary> &jobs)
{
    Q_EMIT noticed({.kind = u"removal"_s, .job = jobs.constFirst(), .jobs = jobs});
}

void JobNotices::announceQuarantine(const QString &host, const Quarantine &quarantine)
{
    Q_EMIT noticed({.kind = u"quarantine"_s, .job = {}, .host = host, .quarantine = quarantine});
}

// The jobs of a sweep ask about one folder, and one answer is for all of them.
bool JobNotices::isNewQuestion(const JobSummary &job) const
{
    const QString folder = noticeStateOf(job).asksFor;
    return std::none_of(m_known.cbegin(), m_known.cend(),
        [&](const auto &other) { return other.first != job.uuid && other.second.state.asksFor == folder; });
}

// As long as its end cannot be saved, a job stays among the active ones, and is reported as often as its output is.
void JobNotices::forgetOver()
{
    for (auto uuid = m_over.begin(); uuid != m_over.end();) {
        const ActiveJob *active = m_jobs.find(*uuid);
        if (active && active->state.isFinished()) {
            ++uuid;
            continue;
        }
        m_known.erase(*uuid);
        uuid = m_over.erase(uuid);
    }
}

void JobNotices::take(const JobSummary &job)
{
    forgetOver();
    Known &entry = known(job);
    const NoticeState before = std::exchange(entry.state, noticeStateOf(job, entry.state));
    const bool wasRead = std::exchange(entry.isRead, entry.isRead || m_readings.isCaughtUp(job.uuid));
    const QStringList kinds = noticesBetween(before, job);
    const QStringList wanted = entry.wanted + m_settings.list(u"notify.on"_s);
    if (isFinal(job.state)) {
        m_over.insert(job.uuid);
    }
    for (const QString &kind : kinds) {
        const bool isQuestion = kind == "question"_L1; // nothing goes on without an answer
        if (isQuestion ? !isNewQuestion(job) : !wanted.contains(kind)) {
            continue;
        }
        if (kind == "health"_L1 && !wasRead) {
            continue; // what is there when all has been read is not new
        }
        JobNotice notice{kind, job};
        if (kind == "health"_L1) {
            for (const HealthMark &mark : job.health) {
                notice.mark = before.marks.contains(mark.code) ? notice.mark : mark;
            }
        }
        if (kind == "retried"_L1) {
            notice.ended = formerEnd(job.uuid);
        }
        Q_EMIT noticed(notice);
    }
}

Error JobNotices::formerEnd(const QString &uuid) const
{
    const ActiveJob *active = m_jobs.find(uuid);
    if (!active) {
        return {};
    }
    const std::vector<core::AttemptRecord> &attempts = active->state.attempts;
    const auto ended
        = std::find_if(attempts.crbegin(), attempts.crend(), [](const auto &each) { return each.result.has_value(); });
    if (ended == attempts.crend()) {
        return {};
    }
    const AttemptInfo former = core::attemptInfoOf(active->state, int(std::distance(ended, attempts.crend())) - 1);
    return {former.reason, former.reasonArgs};
}

} // namespace trainyard
