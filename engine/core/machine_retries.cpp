// SPDX-License-Identifier: GPL-3.0-or-later
// Which tasks and attempts are tried again, and after which pause.
#include "engine/api/reasons.h"
#include "engine/core/machine.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

// Another program took one of its GPUs first. That is not the fault of the task and costs nothing; the engine waits
// until they are free before it places anything there again.
static bool wasTaken(const QString &reason) { return reason == "launch.gpu-busy"_L1; }

static bool wasTaken(const JobState &job, const AttemptResult &result)
{
    const auto *trigger = job.contains(result.trigger) ? std::get_if<Ended>(&job.task(result.trigger).state) : nullptr;
    return wasTaken(result.reason) || (trigger && wasTaken(trigger->result.reason));
}

bool Machine::retryTask(TaskRef ref, TryResult &result, qint64 began, qint64 ended, bool neverRan)
{
    const qint64 ranMs = began ? ended - began : 0;
    Task &task = m_job.task(ref);
    const RolePolicy &role = m_job.policy.roles[std::size_t(ref.role)];
    const RetryLimits &guards = m_job.policy.guards;
    const RetryDecision decision = decideRetry(m_rules, true, role.taskRetry, task.chargedRetries, result.code);
    if (!decision.retry) {
        return false;
    }
    if (ranMs >= guards.steadyMs) {
        task.consecutiveFreeRetries = 0;
    }
    qint64 pause = 0;
    if (!decision.charged && !wasTaken(result.reason)) {
        if (const int most = freeRetriesOf(guards, result.reason); most >= 0 && task.consecutiveFreeRetries >= most) {
            noteCap(result.reason, result.reasonArgs, task.consecutiveFreeRetries);
            return false;
        }
        pause = retryPauseMs(guards, task.consecutiveFreeRetries++);
    } else if (decision.charged && role.taskRetry < 0 && ranMs < guards.steadyMs) {
        pause = retryPauseMs(guards, task.chargedRetries);
    }
    keepTry(ref, result, began, ended, neverRan);
    if (const Allocation *place = placeOf(task.state)) {
        task.lastHost = place->host;
    }
    task.previous = std::move(result);
    ++task.tryIndex;
    task.chargedRetries += decision.charged ? 1 : 0;
    setState(ref,
        pause ? Waiting{.notBefore = m_now + pause, .charged = decision.charged, .since = ended > 0 ? ended : m_now}
              : Waiting());
    save(effect::SaveTask{ref});
    if (pause) {
        act(effect::StartTimer{m_now + pause, m_job.attempt(), ref});
    } else {
        requestPlaces({ref});
    }
    return true;
}

void Machine::noteCap(QString &reason, QJsonObject &args, int retries)
{
    if (reason.isEmpty()) {
        reason = u"retry.cap"_s;
        args = QJsonObject{{u"retries"_s, retries}};
    }
}

// When the last of its tasks ended, which may be long before the engine could look: it was not running, or the host was
// out of reach.
qint64 Machine::goneAt() const
{
    qint64 last = 0;
    for (const Task &task : m_job.tasks) {
        const auto *ended = std::get_if<Ended>(&task.state);
        last = std::max(last, ended && !task.keptFrom ? ended->ended : 0);
    }
    const AttemptRecord &record = m_job.attempts.back();
    return last ? std::min(std::max(last, record.launched.value_or(record.created)), m_now) : m_now;
}

bool Machine::isStoppedAsAJob() const
{
    const std::optional<AttemptResult> &result = m_job.attempts.back().result;
    return result && result->code == codeStopJob;
}

// A request to stop may arrive late: the line to its host is cut, or the values by which jobs are compared come after
// their end. What has run to its end by itself meanwhile has not been stopped.
bool Machine::hasSucceededBefore() const
{
    return m_job.reason.isEmpty() && std::all_of(m_job.tasks.begin(), m_job.tasks.end(), [](const Task &task) {
        const auto *ended = std::get_if<Ended>(&task.state);
        return ended && ended->result.code == 0;
    });
}

// Retries or finishes the job when nothing of the attempt is left.
void Machine::finishIfGone()
{
    if (!std::holds_alternative<Ending>(m_job.phase) || m_job.allocatedTasks > 0) {
        return;
    }
    AttemptRecord &record = m_job.attempts.back();
    if (isStoppedAsAJob() && hasSucceededBefore()) {
        const int all = int(m_job.tasks.size());
        AttemptResult complete;
        complete.rule = TriggerRule::AllCompleted;
        complete.count = complete.limit = all;
        record.result = complete;
    }
    const int code = record.result->code;
    const RetryLimits &guards = m_job.policy.guards;
    const qint64 at = goneAt();
    record.completed = at;
    save(effect::SaveAttempt{record.index});

    RetryDecision decision
        = decideRetry(m_rules, m_job.policy.jobRetry != -2, m_job.policy.jobRetry, m_job.chargedRetries, code);
    const qint64 ran = record.launched ? at - *record.launched : 0;
    if (ran >= guards.steadyMs) {
        m_job.consecutiveFreeRetries = 0;
    }
    if (m_job.contains(record.result->trigger) && m_job.task(record.result->trigger).keptFrom) {
        decision = {}; // that task is not to run again
    }
    const bool taken = wasTaken(m_job, *record.result);
    const int most = freeRetriesOf(guards, reasonOf(m_job, *record.result).first);
    const bool capped = decision.retry && !decision.charged && !taken && !m_job.stopRequested && most >= 0
        && m_job.consecutiveFreeRetries >= most;
    if (capped) {
        // The missing resource ("that port is in use") says more than the number of tries.
        if (!record.result || reasonOf(m_job, *record.result).first.isEmpty()) {
            noteCap(m_job.reason, m_job.reasonArgs, m_job.consecutiveFreeRetries);
        }
        decision = {};
    }
    act(effect::AttemptEnded{record.index, code, decision.retry});
    if (decision.retry) {
        rest(decision, ran, taken);
    } else {
        endPause(at, true); // a paused task may still end: it is killed, or its host goes down
        m_job.phase = Finished{at};
        save(effect::SaveJob{.durable = true});
        act(effect::JobEnded{code, publicState(SubState::Completed, code).state});
    }
}

void Machine::rest(const RetryDecision &decision, qint64 ran, bool taken)
{
    const RetryLimits &guards = m_job.policy.guards;
    qint64 delay = 0;
    if (m_job.stopRequested || taken) {
        delay = 0; // the next attempt is empty, or waits for other GPUs
    } else if (decision.delayed) {
        delay = conflictDelaySec() * 1000;
        ++m_job.consecutiveFreeRetries;
    } else if (!decision.charged) {
        delay = retryPauseMs(guards, m_job.consecutiveFreeRetries++);
    } else if (m_job.policy.jobRetry < 0 && ran < guards.steadyMs) {
        delay = retryPauseMs(guards, m_job.chargedRetries);
    }
    m_job.phase = Backoff{.due = m_now + delay, .conflict = decision.delayed, .charged = decision.charged};
    save(effect::SaveJob{});
    act(effect::StartTimer{m_now + delay, m_job.attempt(), {}});
}

// The pause after a conflict: different for every retry, but the same whenever it is computed.
qint64 Machine::conflictDelaySec() const
{
    const RetryLimits &guards = m_job.policy.guards;
    const qint64 width = std::max<qint64>(0, guards.conflictMaxSec - guards.conflictMinSec) + 1;
    const QUuid draw = QUuid::createUuidV5(m_job.uuid, u"delay/%1"_s.arg(m_job.attempt()));
    return guards.conflictMinSec + qint64(draw.data1) % width;
}

} // namespace trainyard::core
