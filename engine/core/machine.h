// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"
#include "engine/core/retry.h"
#include "model/base/result.h"

#include <functional>
#include <map>

namespace trainyard::core
{

// Applies one event. Saves and acts are collected apart, so that all saves come before all acts. Events are handled in
// next.cpp, attempts and tries in machine.cpp, and retries in machine_retries.cpp. No other file uses it. Large because
// each event is handled by its own method, and all of them change the same job, which nothing else may do.
class Machine
{
public:
    Machine(JobState &job, const ExitRules &rules, qint64 now, std::optional<BootTime> boot)
        : m_job(job), m_rules(rules), m_now(now), m_boot(std::move(boot))
    {
    }
    std::vector<Effect> takeEffects()
    {
        m_saves.insert(m_saves.end(), std::make_move_iterator(m_acts.begin()), std::make_move_iterator(m_acts.end()));
        return std::move(m_saves);
    }
    void on(const event::Submitted &);
    void on(const event::PlacementGranted &granted);
    void on(const event::PortsDrawn &drawn);
    void on(const event::PlacementFailed &failed);
    void on(const event::PlacementReturned &returned);
    void on(const event::TryStarted &started);
    void on(const event::TryEnded &ended);
    void on(const event::TriesEnded &together);
    void on(const event::StopRequested &wanted);
    void on(const event::RetryRequested &wanted);
    void on(const event::PauseRequested &wanted);
    void on(const event::AfterEnded &ended);
    void on(const event::LimitDue &due);
    void on(const event::RetryDue &due);
    void on(const event::Reconcile &);

private:
    template <typename E> void save(E effect) { m_saves.emplace_back(std::move(effect)); }
    template <typename E> void act(E effect) { m_acts.emplace_back(std::move(effect)); }
    template <typename F> void forEachTask(F &&f)
    {
        for (std::size_t role = 0; role + 1 < m_job.roleStart.size(); ++role) {
            const int first = m_job.roleStart[role];
            for (int i = first; i < m_job.roleStart[role + 1]; ++i) {
                f(TaskRef{std::int32_t(role), i - first}, m_job.tasks[std::size_t(i)]);
            }
        }
    }
    bool isActive() const { return std::holds_alternative<Active>(m_job.phase) && !m_job.attempts.empty(); }
    bool isCurrent(TaskRef ref, const QUuid &uuid) const { return m_job.contains(ref) && tryUuid(m_job, ref) == uuid; }
    void setState(TaskRef ref, TaskState state);
    void markLaunched(Task &task, qint64 at, const std::optional<ProcessId> &process = {});
    // The same time by the clock that cannot be set. The process tells it, if it has started since the computer did.
    std::optional<BootTime> bootTimeOf(qint64 at, const std::optional<ProcessId> &process = {}) const;
    AttemptResult stopResult() const;
    // `prepare` is called for each task as it is laid out.
    void openAttempt(bool durable, const std::function<void(TaskRef, Task &)> &prepare = {});
    void openNext(bool charged);
    // Does nothing while the job is paused: allocations for all tasks that wait are requested when it is resumed.
    void requestPlaces(std::vector<TaskRef> tasks);
    void requestAllPlaces();
    qint64 ranMs() const; // since the first start of the attempt, without its pauses
    void startLimit();
    void endPause(qint64 at, bool byEnd); // byEnd: of the job; the user did not resume it
    void countPause(qint64 until);
    void launch(const std::vector<TaskRef> &tasks);
    // Handles a try that ended by itself: the task is retried, or completes and goes to the completion policy.
    void endTry(TaskRef ref, TryResult result, qint64 began, qint64 ended, bool started);
    bool retryTask(TaskRef ref, TryResult &result, qint64 began, qint64 ended, bool neverRan);
    void keepTry(TaskRef ref, TryResult result, qint64 began, qint64 ended, bool neverRan);
    static void noteCap(QString &reason, QJsonObject &args, int retries);
    // Applies the completion policy to the task that has just completed.
    void evaluate(TaskRef ref, int code);
    std::optional<TaskRef> keptFailure();
    // Fixes the result of the attempt, marks the tasks that have not ended, and stops them.
    void endAttempt(AttemptResult result);
    // Whether the task had ended by itself when the attempt was ended; it then keeps its own result.
    bool keepOwnResult(TaskRef ref, const event::TryEnded &ended);
    // Takes the cause from the output of this task if that of the task that ended the attempt only reports it.
    void noteCause(TaskRef ref, const TryResult &own);
    // Retries or finishes the job when nothing of the attempt is left.
    void finishIfGone();
    bool isStoppedAsAJob() const; // the attempt is ended by a person or a rule, and not by the end of a task
    bool hasSucceededBefore() const;
    qint64 goneAt() const; // the newest attempt
    void rest(const RetryDecision &decision, qint64 ran, bool taken);
    // The pause after a conflict: different for every retry, but the same whenever it is computed.
    qint64 conflictDelaySec() const;

    JobState &m_job;
    const ExitRules &m_rules;
    qint64 m_now;
    std::optional<BootTime> m_boot; // the same time
    Error m_whyStopped; // by a rule
    std::vector<Effect> m_saves, m_acts;
    std::map<TaskRef, const event::TryEnded *> m_together; // of one TriesEnded
};

} // namespace trainyard::core
