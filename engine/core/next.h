// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobstate.h"
#include "model/base/result.h"
#include "model/runtime/exitrules.h"

#include <memory>

namespace trainyard::core
{

// What happened to a job. An event that does not fit (an old attempt, another try, a finished job) changes nothing; one
// that grants what is no longer needed gives it back with ReleaseTry.
namespace event
{
struct Submitted {
}; // opens attempt 0
struct Grant {
    TaskRef task;
    QUuid tryUuid;
    Allocation place; // without ports
};
struct PlacementGranted { // gang: all tasks of the attempt in one event
    std::vector<Grant> grants;
};
struct DrawnPorts {
    TaskRef task;
    QUuid tryUuid;
    PortTable ports;
};
struct PortsDrawn {
    std::vector<DrawnPorts> tasks;
};
// Ports could not be drawn, or the host went away before the launch. Ends the attempt of a gang with this code, and
// otherwise the try of each named task.
struct PlacementFailed {
    int attempt = 0;
    std::vector<TaskRef> tasks;
    TryResult result;
};
// A granted allocation turned out to be taken before anything was started there. Gang: the allocations of all tasks are
// given back and requested again.
struct PlacementReturned {
    int attempt = 0;
    std::vector<TaskRef> tasks;
};
struct TryStarted {
    TaskRef task;
    QUuid tryUuid;
    ProcessId process;
    qint64 began = 0;
};
// The exit record exists and nothing of the try is left. Also sent for a launch that failed (`started` is false) and
// for a lost try. The code comes from the classifier (exitclassifier.h).
struct TryEnded {
    TaskRef task;
    QUuid tryUuid;
    TryResult result;
    qint64 began = 0; // 0: unknown
    qint64 ended = 0; // 0: Event::at
    bool started = true;
    TaskUsage usage = {};
    QStringList faultyGpus = {}; // UUIDs of those of its GPUs of which the kernel has reported errors; not stored
    bool isOwn = false; // it ended before a request to end reached it
};
// Several ends that were noticed together: each task keeps its own code, even when one of them ends the attempt.
struct TriesEnded {
    std::vector<TryEnded> tries; // in the order in which they count
};
struct StopRequested {
    Error why = {}; // a rule or an assistant requests it; empty: a person does
};
// The user requests one more attempt of a finished job, beyond every budget. Tasks that are not named keep the result
// of the attempt before; when none is named, all run again.
struct RetryRequested {
    std::vector<TaskRef> tasks;
};
// The user pauses or resumes the job. Its running tasks are suspended and keep their allocation; others are not
// started.
struct PauseRequested {
    bool on = true;
};
// A job that this one waits for has ended. `known` false: it no longer exists, and how it ended is not known.
struct AfterEnded {
    QUuid job;
    State state = State::Unknown;
    bool known = true;
};
struct LimitDue { // the timer of StartLimit
    int attempt = 0;
};
struct RetryDue { // the timer of StartTimer
    int attempt = 0;
    std::optional<TaskRef> task;
    qint64 due = 0; // of the pause that it ends; 0: of any, when the user does not want to wait
};
struct Reconcile {
}; // after loading: gives every outstanding effect again
} // namespace event

struct Event {
    qint64 at = 0; // UTC milliseconds; the core has no clock
    std::variant<event::Submitted, event::PlacementGranted, event::PortsDrawn, event::PlacementFailed,
        event::PlacementReturned, event::TryStarted, event::TryEnded, event::TriesEnded, event::StopRequested,
        event::RetryRequested, event::PauseRequested, event::AfterEnded, event::LimitDue, event::RetryDue,
        event::Reconcile>
        what;
    std::optional<BootTime> boot = {}; // the same time by a clock that cannot be set, where there is one
};

// Puts the events of one tick into order: stops come first; exits come last as one event, ordered by the time of the
// end and then by role and index.
void orderTick(std::vector<Event> &events);

// The actions after an event, once the Save effects of the same step are committed. All are safe to repeat, because
// those of a try name it by UUID.
namespace effect
{
struct SaveJob {
    bool durable = false;
}; // durable: submission, stop, final record
struct SaveAttempt {
    int attempt = 0;
};
struct SaveTask {
    TaskRef task;
};
struct SaveTry { // of a task that is tried again in the same attempt: the try that has ended
    TaskRef task;
    std::shared_ptr<const Task> over; // as the task would be were it its last; behind a pointer because it is rare
};
struct SaveTasks { // all of the newest attempt
    int attempt = 0;
};
struct RequestPlacement { // Scheduler::request; gang: together
    int attempt = 0;
    std::vector<TaskRef> tasks;
};
struct CancelPlacement {
    int attempt = 0;
}; // Scheduler::cancel: nothing of this job waits any longer
struct DrawPorts { // draw and bind-test ports for tasks that are Placed; answer PortsDrawn or PlacementFailed
    int attempt = 0;
    std::vector<TaskRef> tasks;
};
struct LaunchTry {
    TaskRef task;
    QUuid tryUuid;
}; // answer TryStarted or TryEnded
struct ObserveTry {
    TaskRef task;
    QUuid tryUuid;
}; // it was running: find it, and answer TryEnded when it ends
struct StopTry {
    TaskRef task;
    QUuid tryUuid;
}; // TERM, grace, KILL, verify; answer TryEnded
struct PauseTry { // SIGSTOP or SIGCONT to all of its processes; no answer
    TaskRef task;
    QUuid tryUuid;
    bool on = true;
};
struct StartLimit { // LimitDue at this time
    qint64 due = 0;
    int attempt = 0;
};
struct ReleaseTry {
    TaskRef task;
    QUuid tryUuid;
}; // Scheduler::release and the port book
struct StartTimer {
    qint64 due = 0;
    int attempt = 0;
    std::optional<TaskRef> task;
};
struct AttemptOpened {
    int attempt = 0;
};
struct AttemptEnded {
    int attempt = 0;
    int code = 0;
    bool retried = false;
}; // for notifications and the event list
struct JobEnded {
    int code = 0;
    State state = State::Unknown;
}; // forget its secrets
} // namespace effect

using Effect = std::variant<effect::SaveJob, effect::SaveAttempt, effect::SaveTask, effect::SaveTry, effect::SaveTasks,
    effect::RequestPlacement, effect::CancelPlacement, effect::DrawPorts, effect::LaunchTry, effect::ObserveTry,
    effect::StopTry, effect::PauseTry, effect::StartLimit, effect::ReleaseTry, effect::StartTimer,
    effect::AttemptOpened, effect::AttemptEnded, effect::JobEnded>;

struct Step {
    JobState job;
    std::vector<Effect> effects; // Save effects come first
};

// The state machine: total and pure. It costs as much as the event has tasks (start and end of an attempt touch all of
// them) and never more, so pass the state with std::move. `rules` say which exit codes are retried.
Step next(JobState job, const Event &event, const ExitRules &rules);

// A job as its submission makes it: its first attempt is open, and its tasks wait. No rule says anything about that.
Step submitted(const QUuid &uuid, const JobMeta &meta, JobPolicy policy, qint64 at, int priority = 0,
    std::vector<Dependency> after = {});

} // namespace trainyard::core
