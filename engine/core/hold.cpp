// SPDX-License-Identifier: GPL-3.0-or-later
// The obstacles that keep a job from starting or continuing: a pause, other jobs that it waits for, its time limit.
#include "engine/api/reasons.h"
#include "engine/core/machine.h"

#include <QJsonObject>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

void Machine::requestPlaces(std::vector<TaskRef> tasks)
{
    if (!tasks.empty() && !m_job.isBlocked()) {
        act(effect::RequestPlacement{m_job.attempt(), std::move(tasks)});
    }
}

void Machine::requestAllPlaces()
{
    std::vector<TaskRef> waiting;
    forEachTask([&](TaskRef ref, const Task &task) {
        const auto *state = std::get_if<Waiting>(&task.state);
        if (state && !state->notBefore) {
            waiting.push_back(ref);
        }
    });
    requestPlaces(std::move(waiting));
}

namespace
{

struct Moment {
    qint64 at = 0;
    std::optional<BootTime> boot;
};

// The clock of the day may have been set in between. Since one start of the computer another one tells; over a restart
// only that of the day does.
qint64 passedMs(const Moment &from, const Moment &until)
{
    const bool isOneBoot = from.boot && until.boot && from.boot->boot == until.boot->boot;
    return isOneBoot ? until.boot->ms - from.boot->ms : until.at - from.at;
}

// How long a pause that began then has kept the attempt from running.
qint64 pauseMs(const JobState &job, const Moment &launched, const Moment &now)
{
    const qint64 all = passedMs({*job.pausedAt, job.pausedBoot}, now);
    return std::clamp<qint64>(all, 0, std::max<qint64>(0, passedMs(launched, now)));
}

} // namespace

qint64 Machine::ranMs() const
{
    const AttemptRecord &attempt = m_job.attempts.back();
    const Moment launched{attempt.launched.value_or(m_now), attempt.launchedBoot};
    const Moment now{m_now, m_boot};
    return passedMs(launched, now) - m_job.pausedMs - (m_job.pausedAt ? pauseMs(m_job, launched, now) : 0);
}

void Machine::startLimit()
{
    const std::optional<qint64> launched = m_job.attempts.back().launched;
    if (m_job.policy.timeLimitMs > 0 && launched && !m_job.pausedAt) {
        const qint64 left = m_job.policy.timeLimitMs - ranMs();
        act(effect::StartLimit{m_now + std::max<qint64>(0, left), m_job.attempt()});
    }
}

void Machine::on(const event::LimitDue &due)
{
    if (!isActive() || due.attempt != m_job.attempt() || m_job.pausedAt || m_job.policy.timeLimitMs <= 0) {
        return; // resuming starts it again
    }
    const std::optional<qint64> launched = m_job.attempts.back().launched;
    const qint64 ran = launched ? ranMs() : 0;
    // A negative value means that the clock was set back meanwhile, and the timer is right.
    if (!launched || (ran >= 0 && ran < m_job.policy.timeLimitMs)) {
        startLimit(); // it was paused in between
        return;
    }
    AttemptResult result;
    result.code = codeTimeLimit;
    result.reason = u"limit.time"_s;
    result.reasonArgs = QJsonObject{{u"seconds"_s, m_job.policy.timeLimitMs / 1000}};
    endAttempt(std::move(result));
}

void Machine::on(const event::PlacementReturned &returned)
{
    if (!isActive() || returned.attempt != m_job.attempt()) {
        return;
    }
    std::vector<TaskRef> back;
    const auto giveBack = [&](TaskRef ref) {
        if (m_job.contains(ref) && std::holds_alternative<Placed>(m_job.task(ref).state)) {
            act(effect::ReleaseTry{ref, tryUuid(m_job, ref)});
            setState(ref, Waiting{});
            back.push_back(ref);
        }
    };
    if (m_job.policy.gang) {
        forEachTask([&](TaskRef ref, const Task &) { giveBack(ref); });
    } else {
        for (const TaskRef ref : returned.tasks) {
            giveBack(ref);
        }
    }
    requestPlaces(std::move(back));
}

void Machine::endPause(qint64 at, bool byEnd)
{
    if (!m_job.pausedAt) {
        return;
    }
    countPause(at);
    constexpr qsizetype mostPauses = 50; // every row of a list has them
    if (!byEnd || at >= *m_job.pausedAt) { // else it had ended before, which was not known yet
        m_job.pauses.append({*m_job.pausedAt, std::max(at, *m_job.pausedAt), byEnd});
        m_job.pauses = m_job.pauses.last(std::min(mostPauses, m_job.pauses.size()));
    }
    m_job.pausedAt.reset();
    m_job.pausedBoot.reset();
}

void Machine::countPause(qint64 until)
{
    if (m_job.attempts.empty() || std::holds_alternative<Backoff>(m_job.phase)) {
        return; // the next attempt counts from the start
    }
    const AttemptRecord &attempt = m_job.attempts.back();
    const Moment from
        = attempt.launched ? Moment{*attempt.launched, attempt.launchedBoot} : Moment{attempt.created, {}};
    m_job.pausedMs += pauseMs(m_job, from, {until, bootTimeOf(until)});
}

void Machine::on(const event::PauseRequested &wanted)
{
    const bool ends = m_job.isFinished() || std::holds_alternative<Ending>(m_job.phase) || m_job.attempts.empty();
    if (ends || m_job.pausedAt.has_value() == wanted.on) {
        return;
    }
    save(effect::SaveJob{.durable = true});
    if (!wanted.on) {
        endPause(m_now, false);
        if (!isActive()) {
            return;
        }
        forEachTask([&](TaskRef ref, const Task &task) {
            if (std::holds_alternative<Running>(task.state)) {
                act(effect::PauseTry{ref, tryUuid(m_job, ref), false});
            }
        });
        requestAllPlaces();
        startLimit();
        return;
    }
    m_job.pausedAt = m_now;
    m_job.pausedBoot = m_boot;
    if (!isActive()) {
        return; // between two attempts: the next one does not start
    }
    bool waits = false;
    forEachTask([&](TaskRef ref, const Task &task) {
        if (std::holds_alternative<Running>(task.state)) {
            act(effect::PauseTry{ref, tryUuid(m_job, ref), true});
        } else if (std::holds_alternative<Placed>(task.state)) {
            act(effect::ReleaseTry{ref, tryUuid(m_job, ref)}); // others may have its place meanwhile
            setState(ref, Waiting{});
            waits = true;
        } else {
            waits = waits || std::holds_alternative<Waiting>(task.state);
        }
    });
    if (waits) {
        act(effect::CancelPlacement{m_job.attempt()});
    }
}

void Machine::on(const event::AfterEnded &ended)
{
    // It may be named twice: by its name and by its number, or with two conditions.
    const auto isOther = [&](const Dependency &dependency) { return dependency.job != ended.job; };
    const auto mine = std::stable_partition(m_job.after.begin(), m_job.after.end(), isOther);
    if (mine == m_job.after.end() || !isActive()) {
        return;
    }
    const auto unmet = std::find_if(mine, m_job.after.end(),
        [&](const Dependency &dependency) { return !ended.known || !dependency.isMetBy(ended.state); });
    const std::optional<Dependency> failed
        = unmet == m_job.after.end() ? std::nullopt : std::optional<Dependency>(*unmet);
    m_job.after.erase(mine, m_job.after.end());
    save(effect::SaveJob{});
    if (failed) {
        // It could wait forever unnoticed.
        AttemptResult result;
        result.code = codeNeverStarted;
        const reason::EndedJob other{failed->id, failed->name, stateWord(ended.state)};
        const Error why = ended.known ? errorOf(reason::AfterFailed{other}) : errorOf(reason::AfterGone{other});
        result.reason = why.code;
        result.reasonArgs = why.args;
        m_job.after.clear();
        endAttempt(std::move(result));
    } else if (m_job.after.empty()) {
        requestAllPlaces();
    }
}

} // namespace trainyard::core
