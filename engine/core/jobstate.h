// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/core/jobpolicy.h"

#include <QUuid>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace trainyard::core
{

// Names a task of a job by the position of its role in the job and its index within the role.
struct TaskRef {
    std::int32_t role = 0;
    std::int32_t index = 0;
    friend auto operator<=>(const TaskRef &, const TaskRef &) = default;
};

// Identifies one process for good. It has the values of contract::ProcessIdentity, which core may not include, because
// reading one is I/O.
struct ProcessId {
    QString bootId;
    qint64 pid = 0;
    quint64 startTime = 0;
    friend bool operator==(const ProcessId &, const ProcessId &) = default;
};

using PortTable = QList<std::pair<QString, QList<int>>>; // label -> numbers, in label order

// The allocation of a try on a host; the scheduler reserves it until the effect ReleaseTry.
struct Allocation {
    QString host; // host id
    QString address; // reachable from every task of the job
    QList<int> gpus; // indexes on the host
    PortTable ports; // drawn and bind-tested; empty until then
    qint64 gpuShareMiB = 0; // so much of each of its GPUs, which others may share; 0: it has them for itself
    int gpuCount = 0; // GPUs that a cluster gives it, which does not say which ones
    friend bool operator==(const Allocation &, const Allocation &) = default;
};

// How a try ended. The completion code is written once.
struct TryResult {
    int code = 0; // completion code
    std::optional<int> rawExit; // what the process returned, or 128 + signal
    QString reason; // code of a sentence when there is more to say ("launch.cwd-missing")
    QJsonObject reasonArgs;
    friend bool operator==(const TryResult &, const TryResult &) = default;
};

// The states of a task's current try. Each carries what it needs, so that "running nowhere" cannot be expressed.
struct Waiting {
    qint64 notBefore = 0; // a pause before a retry; 0: none
    bool charged = false; // to taskRetryCount: the retry that it waits for
    qint64 since = 0; // when the former try ended, while it pauses
    friend bool operator==(const Waiting &, const Waiting &) = default;
};
struct Placed { // has host and GPUs; its ports are being drawn. Not stored: after a restart it is Waiting again.
    Allocation place;
    bool portsDrawn = false; // a gang is launched when all of it has ports
    friend bool operator==(const Placed &, const Placed &) = default;
};
struct Launching { // the launch has been asked for
    Allocation place;
    friend bool operator==(const Launching &, const Launching &) = default;
};
struct Running {
    Allocation place;
    ProcessId process;
    qint64 began = 0;
    friend bool operator==(const Running &, const Running &) = default;
};
struct Stopping { // its result is fixed; it is being ended
    Allocation place;
    std::optional<ProcessId> process; // nothing when the launch was not confirmed
    qint64 began = 0; // 0: was not seen running
    TryResult result;
    friend bool operator==(const Stopping &, const Stopping &) = default;
};
struct Ended { // gone for good, and no retry follows
    Allocation place; // where it was; empty when it never had one
    qint64 began = 0;
    qint64 ended = 0;
    TryResult result;
    friend bool operator==(const Ended &, const Ended &) = default;
};
using TaskState = std::variant<Waiting, Placed, Launching, Running, Stopping, Ended>;

struct Task {
    TaskState state;
    int tryIndex = 0; // retries of this task in this attempt
    int chargedRetries = 0; // of these, charged to taskRetryCount
    int consecutiveFreeRetries = 0; // free ones since the last long run
    qint64 created = 0;
    std::optional<qint64> firstLaunched;
    std::optional<TryResult> previous; // result of the try before this one
    QString lastHost; // preferred by a retry
    TaskUsage usage; // of the last try that has ended
    std::optional<int> keptFrom; // its result, files and log are those of this former attempt: it was not run again
};

// The nine states of OpenPAI's controller, as sub-state words.
enum class SubState {
    AttemptCreationPending,
    AttemptCreationRequested,
    AttemptPreparing,
    AttemptRunning,
    AttemptDeletionPending,
    AttemptDeletionRequested,
    AttemptDeleting,
    AttemptCompleted,
    Completed
};
QString subStateWord(SubState subState);

struct PublicState {
    State state = State::Unknown; // of job or task
    State attemptState = State::Unknown; // of its attempt or try
    friend bool operator==(const PublicState &, const PublicState &) = default;
};
// The state that users see: docs/execution.md, "States".
PublicState publicState(SubState subState, std::optional<int> code);

SubState taskSubState(const TaskState &state);
std::optional<int> taskCode(const TaskState &state);
State taskPublicState(const TaskState &state);
const Allocation *placeOf(const TaskState &state); // null while it has none

// Stored by its number. CompletedTasks means that a number of tasks of any role had ended, which is a limit of version
// 1.
enum class TriggerRule { None, MinFailed, MinSucceeded, AllCompleted, StartFailed, CompletedTasks };
QString triggerRuleWord(TriggerRule rule); // "minFailed", ...; empty for None

// The result of an attempt: fixed and stored before the teardown begins.
struct AttemptResult {
    int code = 0;
    TriggerRule rule = TriggerRule::None; // None: stopped, or could not be placed
    TaskRef trigger{-1, -1};
    int count
        = 0; // tasks that failed or succeeded in the trigger's role (AllCompleted, CompletedTasks: ended in all) ...
    int limit = 0; // ... and the limit that they reached
    std::optional<int> rawExit; // what the trigger's process returned, or 128 + signal
    QString reason;
    QJsonObject reasonArgs;
    friend bool operator==(const AttemptResult &, const AttemptResult &) = default;
};

// A time by a clock that cannot be set: since the computer was started, sleep included.
struct BootTime {
    QString boot; // its start
    qint64 ms = 0;
    friend bool operator==(const BootTime &, const BootTime &) = default;
};

// One attempt in the job's history; the tasks of former attempts are only in the store.
struct AttemptRecord {
    int index = 0;
    qint64 created = 0;
    std::optional<qint64> launched, completed;
    std::optional<AttemptResult> result;
    std::optional<BootTime> launchedBoot = {}; // `launched`; nothing: stored by an older engine
    friend bool operator==(const AttemptRecord &, const AttemptRecord &) = default;
};

struct RoleCounters {
    int failed = 0; // completed tasks with a code other than 0, -210, -220, -230
    int succeeded = 0;
    int ended = 0; // all completed tasks
};

// Phases of a job.
struct Active {
}; // its newest attempt has no result
struct Ending {
}; // ... has a result, and tasks are being torn down
struct Backoff { // waits for a retry, if only for the next tick: the attempt's tasks are stored before they are
                 // forgotten
    qint64 due = 0;
    bool conflict = false; // the long delay
    bool charged = false;
}; // waits for a retry
struct Finished {
    qint64 at = 0;
};
using JobPhase = std::variant<Active, Ending, Backoff, Finished>;

// Another job that this one waits for.
struct Dependency {
    QUuid job;
    qint64 id = 0;
    QString name; // of it
    bool whenEnded = false; // however it ended; otherwise it must have succeeded
    bool isMetBy(State state) const { return state == State::Succeeded || (whenEnded && isFinal(state)); }
    friend bool operator==(const Dependency &, const Dependency &) = default;
};

constexpr QLatin1StringView poolTarget{"pool"}; // this computer and the ssh hosts

// Data that lists show and the state machine does not use.
struct JobMeta {
    qint64 id = 0;
    QString name; // as people read it; may be there several times
    QString runName; // unique: name, name_2, ... (PAI_JOB_NAME, folders of scripts)
    QString user, file;
    QString virtualCluster = QStringLiteral("default");
    QString target = QString(poolTarget); // what runs it, by the name of its back end
    QJsonObject assistant = {}; // as in JobSummary
};

// A job, as the pure core sees it. Moved, never copied, through next(). Tasks are those of the newest attempt.
struct JobState {
    QUuid uuid;
    JobMeta meta;
    JobPolicy policy;
    qint64 submitted = 0;
    int priority = 0;
    std::optional<double> order; // position in the queue given by hand, instead of the time of submission
    bool stopRequested = false;
    std::optional<qint64> pausedAt; // by hand, and not yet resumed
    std::optional<BootTime> pausedBoot; // pausedAt
    qint64 pausedMs = 0; // former pauses of the newest attempt, from its first start on, or while it waited for that
    QList<PauseSpan> pauses; // that are over, the newest is the last
    std::vector<Dependency> after; // what is not over yet: nothing is placed before
    JobPhase phase;
    int retries = 0; // = index of the newest attempt
    int chargedRetries = 0; // of these, charged to jobRetryCount
    int consecutiveFreeRetries = 0;
    QString reason; // why it failed, beyond its code ("retry.cap")
    QJsonObject reasonArgs;
    std::vector<AttemptRecord> attempts; // oldest first; the last is the newest

    std::vector<Task> tasks; // role after role
    std::vector<int> roleStart; // position in `tasks` of each role's first task, and one past the end
    // Kept up to date by next(); rebuilt by recount() after loading.
    std::vector<RoleCounters> counters;
    TaskCounts counts;
    int endedTasks = 0;
    int allocatedTasks = 0; // placed and not yet gone
    int unreadyTasks = 0; // Waiting, or Placed without ports

    int attempt() const { return retries; }
    bool isBlocked() const { return pausedAt.has_value() || !after.empty(); } // none of its tasks may be placed
    bool isFinished() const { return std::holds_alternative<Finished>(phase); }
    const Task &task(TaskRef ref) const { return tasks[std::size_t(roleStart[std::size_t(ref.role)] + ref.index)]; }
    Task &task(TaskRef ref) { return tasks[std::size_t(roleStart[std::size_t(ref.role)] + ref.index)]; }
    bool contains(TaskRef ref) const;
    QString roleName(TaskRef ref) const { return policy.roles[std::size_t(ref.role)].name; }
    std::optional<TaskRef> find(const QString &role, int index) const;
    TaskRef refAt(std::size_t position) const;
};

// Makes a job as it is before the event Submitted. Everything random in it follows from its UUID.
JobState newJob(const QUuid &uuid, const JobMeta &meta, JobPolicy policy, qint64 submitted, int priority = 0);
// Adds a task in that state to the counters, or removes it from them. Only next() uses it.
void countTask(JobState &job, TaskRef ref, const TaskState &state, int by);
// Fills the counters from the tasks (after loading).
void recount(JobState &job);
// Makes empty tasks for the newest attempt, which loading then fills.
void layOutTasks(JobState &job, qint64 created);

// The UUID of one try. It is a version 5 UUID made from the job's, so that the same try always gets the same one.
QUuid tryUuid(const QUuid &job, int attempt, const QString &role, int index, int tryIndex);
QUuid tryUuid(const JobState &job, TaskRef ref); // of the current try

SubState jobSubState(const JobState &job);
// Why an attempt ended, in a code and its arguments; of one in which a task could not be started, that task's. Both
// empty: its rule says all.
std::pair<QString, QJsonObject> reasonOf(const JobState &job, const AttemptResult &result);
std::optional<int> jobCode(const JobState &job); // completion code of the newest attempt, once it has one

} // namespace trainyard::core
