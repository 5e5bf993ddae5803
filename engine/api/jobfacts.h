// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/foreignid.h"
#include "engine/api/reasons.h"
#include "engine/api/values.h"

#include <algorithm>

// Conclusions from the values of the RPC, for all programs that show them.
namespace trainyard
{

// Whether the job waits in the queue, where others can be put before it. A job that waits for its next attempt has left
// the queue.
inline bool isQueued(const JobSummary &job)
{
    return job.state == State::Waiting && !job.paused && job.subState != QLatin1StringView("AttemptCompleted")
        && job.subState != QLatin1StringView("AttemptRunning");
}

// Whether the job is being stopped although it never began: it has left the queue, and nothing of it runs.
inline bool isStoppedUnstarted(const JobSummary &job) { return job.state == State::Stopping && !job.launched; }

// Whether people see it as paused: what stops or has ended goes on to its end.
inline bool isPausedNow(const JobSummary &job)
{
    return job.paused && !isFinal(job.state) && job.state != State::Stopping;
}

// Whether the result of the attempt is known, such as that its time limit was reached, and the tasks that still run are
// being stopped. The protocol calls the job running until they have ended.
inline bool isEndingNow(const JobSummary &job)
{
    return job.state == State::Running && job.subState == QLatin1StringView("AttemptDeleting");
}

// Whether the job may still change. A run of another program has ended, even if its files do not say how.
inline bool isUnderway(const JobSummary &job) { return !isFinal(job.state) && !isForeign(job.uuid); }
// Whether its state is known. Few files say how their run ended, which is normal.
inline bool saysState(const JobSummary &job) { return job.state != State::Unknown || !isForeign(job.uuid); }

// Whether the job waits until the user says whether its large work folder is copied to another host.
inline bool asksToCopy(const JobSummary &job)
{
    return !isFinal(job.state) && !job.stopRequested && job.reason == QLatin1StringView("code.asks");
}

// Whether the tasks or the end of the job wait until there is room on a disk: it continues by itself when there is room
// again, and only then.
inline bool isHeldUp(const JobSummary &job)
{
    return (job.state == State::Running && job.reason == QLatin1StringView("task.disk-full"))
        || (job.state == State::Stopping
            && (job.reason == QLatin1StringView("stop.disk-full")
                || job.reason == QLatin1StringView("stop.unwritable")));
}

// Whether the reason for the missing connection to a host says that none of the job's tasks was launched there, so that
// none can still be running.
inline bool isUnstartedThere(const QJsonObject &reasonArgs)
{
    return reasonArgs.value(QLatin1StringView("unstarted")).toBool();
}

// Whether tasks of the job are on a host that cannot be reached, so that their present state is not known.
inline bool isWithoutContact(const JobSummary &job)
{
    return job.reason == QLatin1StringView("job.host-out-of-reach")
        || job.reason == QLatin1StringView("job.host-connecting");
}

// Until when the time of the job counts: its clock stops while it is paused, and while it waits to be tried again.
inline qint64 clockEnd(const JobSummary &job, qint64 now)
{
    const bool stands = job.paused || job.reason == reason::WaitRetry::code;
    return job.completed.value_or(stands ? job.reasonArgs.value(QLatin1StringView("since")).toInteger(now) : now);
}
// How long the job was paused in this time, by hand.
inline qint64 pausedMsIn(const QList<PauseSpan> &pauses, qint64 from, qint64 until)
{
    qint64 all = 0;
    for (const PauseSpan &pause : pauses) {
        all += std::max<qint64>(0, std::min(until, pause.until) - std::max(from, pause.from));
    }
    return all;
}
inline qint64 pausedMsIn(const JobSummary &job, qint64 from, qint64 until)
{
    return pausedMsIn(job.pauses, from, until);
}
// How long something of the job ran in this time: every clock of a job, its attempts and its tasks shows the time
// without the pauses.
inline qint64 ranMsIn(const QList<PauseSpan> &pauses, qint64 from, qint64 until)
{
    return std::max<qint64>(0, until - from - pausedMsIn(pauses, from, until));
}
// How long the newest attempt took, or has taken so far, without its pauses.
inline qint64 countedMs(const JobSummary &job, qint64 now)
{
    return std::max<qint64>(0, clockEnd(job, now) - job.countedFrom() - job.pausedMs);
}
// How long all attempts of the job ran together, or have run so far: without its pauses and the waits between attempts.
// As long as it waits for its first start, how long it has waited. What lists show and filters compare.
inline qint64 allAttemptsMs(const JobSummary &job, qint64 now)
{
    // A job that is paused between two attempts counts from the end of the former one, like a job in the queue.
    const bool isBetween = job.subState == QLatin1StringView("AttemptCompleted") && !job.paused;
    const bool onlyWaits = job.formerMs > 0 && job.state == State::Waiting && !isBetween
        && job.subState != QLatin1StringView("AttemptRunning");
    return job.formerMs + (onlyWaits ? 0 : countedMs(job, now));
}
inline qint64 clockEnd(const TaskInfo &task, qint64 now)
{
    const bool stands = task.reason == QLatin1StringView("job.paused") || task.reason == reason::WaitRetry::code;
    return task.completed.value_or(stands ? task.reasonArgs.value(QLatin1StringView("since")).toInteger(now) : now);
}

// Whether failed tasks can be run again, also when the policy of the job allowed the failures; those that succeeded
// keep their results. A task that the completion policy stopped did not fail.
inline bool canRetryFailed(const JobSummary &job) { return isFinal(job.state) && job.counts.failed > 0; }

// The exit status with which the program ended the job, where it is known beside the code of the protocol: most
// failures share the code 255, and others a code for what the output says. Nothing: only the code of the job is known.
// The store calls this only for jobs with a rawExit or a reason of an exit (storefilter.cpp).
inline std::optional<int> programStatus(const JobSummary &job)
{
    // A code below zero is the engine's own, so the status that the program returned because of it says nothing.
    if (job.exitCode.value_or(0) > 0 && job.rawExit.value_or(0) != 0) {
        return job.rawExit;
    }
    const int status = job.reasonArgs.value(QLatin1StringView("status")).toInt();
    const bool isOfExit = job.exitCode && reason::isExit(job.reason);
    return isOfExit && status != 0 ? std::optional(status) : std::nullopt;
}
// The number that tables show for its end: what the program returned, or the code of the protocol if nothing else is
// known.
inline std::optional<int> statusOrCode(const JobSummary &job)
{
    const std::optional<int> status = programStatus(job);
    return status ? status : job.exitCode;
}

// The attempt that says most about the job: the newest one, unless the job was stopped before it began. -1: none.
inline int tellingAttempt(const JobSummary &job, const QList<AttemptInfo> &attempts)
{
    qsizetype at = attempts.size() - 1;
    while (job.state == State::Stopped && at > 0 && !attempts.at(at).launched) {
        --at;
    }
    return at < 0 ? -1 : attempts.at(at).index;
}

// Whether a job of a group is called as a sweep names its jobs, by the group and a number: "resnet-3" of "resnet", or
// "resnet-3-seed8", which ran again with another seed. Beside the number of the job, such a name says only to which
// group the job belongs, and what its parameters say.
inline bool isNumberedOf(const QString &name, const QString &group)
{
    if (group.isEmpty() || name.size() < group.size() + 2 || !name.startsWith(group)
        || name.at(group.size()) != QLatin1Char('-')) {
        return false;
    }
    const auto isDigit = [](QChar c) { return c.isDigit(); };
    const QStringView rest = QStringView(name).mid(group.size() + 1);
    const auto end = std::find_if_not(rest.begin(), rest.end(), isDigit);
    const QStringView seed = rest.mid(end - rest.begin());
    return end != rest.begin() && (seed.isEmpty() || (seed.front() == QLatin1Char('-') && isDigit(seed.back())));
}

// The text and the parameters that an attempt ran with. Nothing: they are no longer known.
struct TextOfAttempt {
    QByteArray yaml; // secrets masked
    QJsonObject parameters; // as in JobSummary
    friend bool operator==(const TextOfAttempt &, const TextOfAttempt &) = default;
};
inline std::optional<TextOfAttempt> textOfAttempt(
    const QList<EarlierText> &earlier, const TextOfAttempt &newest, int attempt)
{
    const auto replaced = std::find_if(
        earlier.cbegin(), earlier.cend(), [attempt](const EarlierText &each) { return attempt <= each.attempt; });
    if (replaced == earlier.cend()) {
        return newest;
    }
    return replaced->isKnown ? std::optional(TextOfAttempt{replaced->yaml, replaced->parameters}) : std::nullopt;
}

// The job as it was when this attempt of it ended, but for its counts and hosts.
inline JobSummary asOf(const AttemptInfo &attempt, JobSummary job)
{
    job.state = attempt.state;
    job.retries = attempt.index;
    job.retryDelaySec.reset();
    job.paused = false;
    job.began = attempt.launched ? attempt.launched : attempt.created;
    job.completed = attempt.completed;
    job.formerMs = 0; // not known of it
    job.pausedMs = job.began && job.completed ? pausedMsIn(job, *job.began, *job.completed) : 0;
    job.exitCode = attempt.exitCode;
    job.rawExit = attempt.triggerRawExit;
    job.reason = attempt.reason;
    job.reasonArgs = attempt.reasonArgs;
    return job;
}

// Since when a job has been waiting for its present reason, by the recorded waits. Nothing: it is not known.
inline std::optional<qint64> waitsSince(const JobSummary &job, const QList<WaitNote> &waits)
{
    const bool isNoted = !waits.isEmpty() && !job.reason.isEmpty() && waits.constLast().reason == job.reason;
    return isNoted ? std::optional(waits.constLast().at) : std::nullopt;
}

} // namespace trainyard
