// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runevents.h"

#include "engine/api/jobfacts.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/removaltexts.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>
#include <tuple>

namespace trainyard
{
namespace
{

constexpr qint64 togetherMs = 1000;

// Events can be combined if all of this is equal.
bool isAlike(const RunEvent &a, const RunEvent &b)
{
    const bool mayJoin = a.kind == RunEvent::Kind::TaskStarted
        || (a.kind == RunEvent::Kind::TaskEnded && a.state != State::Failed && a.state != State::Unknown);
    return mayJoin && a.kind == b.kind && a.attempt == b.attempt && a.role == b.role && a.number == b.number
        && a.state == b.state && a.exitCode == b.exitCode && b.at - a.at <= togetherMs;
}

// At one moment, causes come first: an attempt ends because its last task has ended, and the next one begins then.
std::tuple<qint64, int, int> placeInTime(const RunEvent &event)
{
    const bool isFirst = event.kind <= RunEvent::Kind::Submitted;
    const int attempt = event.attempt >= 0 ? event.attempt : isFirst ? -1 : std::numeric_limits<int>::max();
    const int kind
        = event.kind == RunEvent::Kind::AttemptEnded ? 2 * int(RunEvent::Kind::TaskEnded) + 1 : 2 * int(event.kind);
    return {event.at, attempt, kind};
}

QList<RunEvent> joinedEvents(const QList<RunEvent> &events)
{
    QList<RunEvent> joined;
    QHash<QString, qsizetype> newest; // of each role and state, the last event that more could join
    for (const RunEvent &event : events) {
        const QString key = QStringLiteral("%1 %2 %3").arg(int(event.kind)).arg(int(event.state)).arg(event.role);
        const auto before = newest.constFind(key);
        if (!event.role.isEmpty() && before != newest.constEnd() && isAlike(joined.at(*before), event)) {
            RunEvent &one = joined[*before];
            ++one.count;
            one.index = std::min(one.index, event.index);
            one.host = one.host == event.host ? one.host : QString();
            one.gpus.clear();
            continue;
        }
        if (!event.role.isEmpty()) {
            newest.insert(key, joined.size());
        }
        joined.append(event);
    }
    return joined;
}

class EventMaker
{
public:
    explicit EventMaker(const RunStory &story) : m_story(story) { }

    QList<RunEvent> make()
    {
        const JobSummary &job = m_story.job;
        const auto timeOf = [&job](QLatin1StringView act) { return job.assistant.value(act).toInteger(); };
        add({.kind = RunEvent::Kind::Proposed, .at = timeOf(QLatin1StringView("proposed"))});
        add({.kind = RunEvent::Kind::Approved, .at = timeOf(QLatin1StringView("approved"))});
        add({.kind = RunEvent::Kind::Submitted, .at = job.submitted});
        for (const AttemptInfo &attempt : m_story.attempts) {
            addAttempt(attempt);
        }
        for (const TaskInfo &task : m_story.tries) {
            addTry(task);
        }
        for (const HealthMark &mark : job.health) {
            add({.kind = RunEvent::Kind::Health, .at = mark.at, .role = mark.role, .index = mark.index, .mark = mark});
        }
        for (const PauseSpan &pause : job.pauses) {
            add({.kind = RunEvent::Kind::Paused, .at = pause.from});
            if (!pause.isEndedByStop) { // otherwise the end is reported
                add({.kind = RunEvent::Kind::Resumed, .at = pause.until, .ms = pause.until - pause.from});
            }
        }
        for (const HostCut &cut : m_story.cuts) {
            add({.kind = RunEvent::Kind::HostLost, .at = cut.from, .host = cut.host});
            if (cut.until) {
                add({.kind = RunEvent::Kind::HostBack,
                    .at = *cut.until,
                    .host = cut.host,
                    .ms = *cut.until - cut.from});
            }
        }
        for (const WaitNote &wait : m_story.waits) {
            add({.kind = RunEvent::Kind::Waits, .at = wait.at, .reason = wait.reason, .args = wait.args});
        }
        if (job.completed && isFinal(job.state)) {
            add({.kind = RunEvent::Kind::JobEnded,
                .at = *job.completed,
                .state = job.state,
                .exitCode = job.exitCode,
                .rawExit = programStatus(job), // named as for its task
                .ms = *job.completed - job.submitted,
                .pausedMs = pausedMsIn(job, job.submitted, *job.completed),
                .reason = job.state == State::Stopped ? job.reason : QString(),
                .args = job.reasonArgs});
        } else if (job.paused) {
            const qint64 since = job.reasonArgs.value(QLatin1StringView("since")).toInteger(job.countedFrom());
            add({.kind = RunEvent::Kind::Paused, .at = since});
        } else if (job.state == State::Waiting && !job.reason.isEmpty() && !isNoted(job.reason)) {
            add({.kind = RunEvent::Kind::Waits,
                .at = job.countedFrom(),
                .state = job.state,
                .reason = job.reason,
                .args = job.reasonArgs});
        }
        if (job.removal) {
            add({.kind = RunEvent::Kind::RemovalAnnounced, .at = job.removal->announced});
        }
        std::stable_sort(m_events.begin(), m_events.end(),
            [](const RunEvent &a, const RunEvent &b) { return placeInTime(a) < placeInTime(b); });
        return joinedEvents(m_events);
    }

private:
    bool isNoted(const QString &reason) const
    {
        return !m_story.waits.isEmpty() && m_story.waits.constLast().reason == reason;
    }

    void add(const RunEvent &event)
    {
        if (event.at > 0) {
            m_events.append(event);
        }
    }

    void addAttempt(const AttemptInfo &attempt)
    {
        const std::optional<qint64> began = attempt.launched ? attempt.launched
            : attempt.created                                ? std::nullopt
                                                             : attempt.started;
        if (began) {
            const qint64 since = attempt.created.value_or(*began);
            add({.kind = RunEvent::Kind::AttemptStarted,
                .at = *began,
                .attempt = attempt.index,
                .state = State::Running,
                .ms = *began - since});
        }
        if (attempt.completed) {
            add({.kind = RunEvent::Kind::AttemptEnded,
                .at = *attempt.completed,
                .attempt = attempt.index,
                .role = {},
                .state = attempt.state,
                .exitCode = attempt.exitCode,
                .rawExit = attempt.triggerRawExit,
                .ms = began ? *attempt.completed - *began : 0,
                .pausedMs = began ? pausedMsIn(m_story.job, *began, *attempt.completed) : 0});
        }
    }

    void addTry(const TaskInfo &task)
    {
        if (task.keptFrom) {
            return;
        }
        const std::optional<qint64> &began = task.tryLaunched || task.tries > 0 ? task.tryLaunched : task.launched;
        RunEvent event{.kind = RunEvent::Kind::TaskStarted,
            .attempt = task.attempt,
            .role = task.role,
            .index = task.index,
            .number = task.tries,
            .state = State::Running,
            .host = task.host,
            .gpus = task.gpus};
        if (began) {
            event.at = *began;
            add(event);
        }
        if (task.completed && isFinal(task.state)) {
            event.kind = RunEvent::Kind::TaskEnded;
            event.at = *task.completed;
            event.state = task.state;
            event.exitCode = task.exitCode;
            event.rawExit = task.rawExit;
            event.ms = began ? *task.completed - *began : 0;
            event.pausedMs = began ? pausedMsIn(m_story.job, *began, *task.completed) : 0;
            event.reason = task.reason;
            event.args = task.reasonArgs;
            add(event);
        }
    }

    const RunStory &m_story;
    QList<RunEvent> m_events;
};

class EventWords
{
    Q_DECLARE_TR_FUNCTIONS(trainyard::RunEvents)
public:
    explicit EventWords(const RunStory &story) : m_story(story) { }

    QString text(const RunEvent &event) const
    {
        switch (event.kind) {
        case RunEvent::Kind::Proposed:
            return tr("The assistant %1 proposed the job.").arg(assistant());
        case RunEvent::Kind::Approved:
            return m_story.job.assistant.value(QLatin1StringView("approvedBy")).toString()
                    == QLatin1StringView("window")
                ? tr("The proposal was approved in the window.")
                : tr("The proposal was approved on a terminal.");
        case RunEvent::Kind::Submitted:
            return m_story.job.assistant.isEmpty() ? tr("The job was submitted.")
                                                   : tr("The assistant %1 submitted the job.").arg(assistant());
        case RunEvent::Kind::Waits:
            return reasonText(event.reason, withHostLabels(event.args, m_story.hostLabels));
        case RunEvent::Kind::AttemptStarted:
            return attemptStarted(event);
        case RunEvent::Kind::AttemptEnded:
            return attemptEnded(event);
        case RunEvent::Kind::TaskStarted:
            return taskStarted(event);
        case RunEvent::Kind::TaskEnded:
            return taskEnded(event);
        case RunEvent::Kind::Paused:
            return tr("The job was paused.");
        case RunEvent::Kind::Resumed:
            return tr("The job was resumed after a pause of %1.").arg(formatDuration(event.ms));
        case RunEvent::Kind::Health:
            return event.mark ? healthLine(*event.mark, m_story.job.totalTasks, event.at) : QString();
        case RunEvent::Kind::HostLost:
            return tr("The connection to %1 was lost; its tasks may continue there.")
                .arg(hostLabel(event.host, m_story.hostLabels));
        case RunEvent::Kind::HostBack:
            return tr("%1 was reached again after %2.")
                .arg(hostLabel(event.host, m_story.hostLabels), formatDuration(event.ms));
        case RunEvent::Kind::RemovalAnnounced:
            return m_story.job.removal ? tr("The job is removed %1.").arg(removalText(*m_story.job.removal, event.at))
                                       : QString();
        case RunEvent::Kind::JobEnded:
            return withWhy(tr("The job ended after %1: %2.").arg(took(event), end(event)), event);
        }
        return {};
    }

private:
    QString assistant() const { return m_story.job.assistant.value(QLatin1StringView("name")).toString(); }

    QString withWhy(const QString &text, const RunEvent &event) const
    {
        const QString why = reason::isExit(event.reason)
            ? QString()
            : reasonText(event.reason, withHostLabels(event.args, m_story.hostLabels));
        return why.isEmpty() ? text : QString(text + QLatin1Char(' ') + why);
    }

    // "worker/0", "worker/0 and 3 more".
    static QString who(const RunEvent &event)
    {
        const QString task = taskLabel(event.role, event.index);
        return event.count == 1 ? task : tr("%1 and %2 more").arg(task, QString::number(event.count - 1));
    }

    // The clocks of the job and its attempts stand while it is paused; from its start to its end passes more.
    static QString took(const RunEvent &event)
    {
        const QString all = formatDuration(event.ms);
        return event.pausedMs > 0 ? tr("%1, of which it was paused for %2").arg(all, formatDuration(event.pausedMs))
                                  : all;
    }

    QString place(const RunEvent &event) const
    {
        if (event.host.isEmpty()) {
            return {};
        }
        const QString host = hostLabel(event.host, m_story.hostLabels);
        QStringList gpus;
        for (const int gpu : event.gpus) {
            gpus.append(QString::number(gpu));
        }
        return gpus.isEmpty() ? host : tr("%1, GPU %2").arg(host, gpus.join(QLatin1Char(' ')));
    }

    QString taskStarted(const RunEvent &event) const
    {
        const QString where = place(event);
        if (event.number > 0) {
            return where.isEmpty()
                ? tr("%1: try %2 started.").arg(who(event), QString::number(event.number + 1))
                : tr("%1: try %2 started on %3.").arg(who(event), QString::number(event.number + 1), where);
        }
        return where.isEmpty() ? tr("%1 started.").arg(who(event)) : tr("%1 started on %2.").arg(who(event), where);
    }

    // "succeeded", "failed, Exit status 3", "stopped with the job".
    static QString end(const RunEvent &event)
    {
        const QString state = stateText(event.state).toLower();
        if (event.state == State::Stopped && event.exitCode == exitEndedWithJob) {
            return tr("stopped with the job");
        }
        if (event.state == State::Stopped && event.exitCode == exitStoppedByUser) {
            return state;
        }
        const bool isPlain = event.state == State::Succeeded || !event.exitCode || *event.exitCode == 0;
        return isPlain ? state : tr("%1, %2").arg(state, exitWords(*event.exitCode, event.rawExit));
    }

    QString taskEnded(const RunEvent &event) const
    {
        const QString text = event.ms > 0 ? tr("%1 ended after %2: %3.").arg(who(event), took(event), end(event))
                                          : tr("%1 ended: %2.").arg(who(event), end(event));
        return withWhy(text, event);
    }

    static QString attemptStarted(const RunEvent &event)
    {
        constexpr qint64 worthTelling = 1000;
        const QString number = QString::number(event.attempt + 1);
        return event.ms >= worthTelling
            ? tr("Attempt %1 started; it had waited %2.").arg(number, formatDuration(event.ms))
            : tr("Attempt %1 started.").arg(number);
    }

    QString attemptEnded(const RunEvent &event) const
    {
        const bool isRetried = event.attempt + 1 < m_story.attempts.size();
        const QString text
            = tr("Attempt %1 ended after %2: %3.").arg(QString::number(event.attempt + 1), took(event), end(event));
        return isRetried ? QString(text + QLatin1Char(' ') + tr("The job is tried again.")) : text;
    }

    const RunStory &m_story;
};

} // namespace

QList<RunEvent> runEvents(const RunStory &story) { return EventMaker(story).make(); }

QString runEventText(const RunEvent &event, const RunStory &story) { return EventWords(story).text(event); }

} // namespace trainyard
