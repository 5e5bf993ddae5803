// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/broughtfiles.h"
#include "engine/api/hostvalues.h"
#include "engine/api/removals.h"

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard
{

// The RPC's values (docs/rpc.md): plain data with JSON both ways. Times are UTC milliseconds, memory is MiB.

enum class State { Waiting, Running, Stopping, Succeeded, Failed, Stopped, Unknown };
QString stateWord(State state); // "WAITING", as OpenPAI spells it
State stateFromWord(const QString &word);
inline bool isFinal(State s) { return s == State::Succeeded || s == State::Failed || s == State::Stopped; }

struct TaskCounts {
    int waiting = 0, running = 0, succeeded = 0, failed = 0, stopped = 0;
    int total() const { return waiting + running + succeeded + failed + stopped; }
    friend bool operator==(const TaskCounts &, const TaskCounts &) = default;
};

// The resources that a try used. They are known when the try has ended, and GPU figures also while it runs; a missing
// figure is not known.
struct TaskUsage {
    std::optional<qint64> peakMemoryMiB;
    std::optional<qint64> cpuMs; // user and system together
    std::optional<qint64> peakGpuMemoryMiB; // of the GPU of which it used most
    std::optional<int> gpuPercent; // mean over its GPUs and its time
    // What was still there after its end: {processes: ["4711 python"], gpus: [{index, memoryMiB, holders: [...]}]}.
    QJsonObject left = {};
    friend bool operator==(const TaskUsage &, const TaskUsage &) = default;
};

// A user's labels of a job. They are not part of what runs, and can change after its end.
struct JobLabels {
    QStringList tags; // sorted, each once
    QString note;
    bool isStarred = false;
    bool isArchived = false; // out of the list until it is asked for
    friend bool operator==(const JobLabels &, const JobLabels &) = default;
};

// A sign of trouble in a running or ended job: a value that is not a number, a silence, an idle GPU. It says what was
// seen and where, so that the user can check it.
struct HealthMark {
    QString code; // of a sentence (widgets/text)
    QJsonObject args;
    qint64 at = 0; // ms UTC, when it was seen first
    QString role; // of the task
    int index = 0;
    QString metric = {}; // in whose curve it is, or empty
    std::optional<double> step = {}; // of that metric
    std::optional<qint64> line = {}; // of the output, from 0
    friend bool operator==(const HealthMark &, const HealthMark &) = default;
};

// A pause that the user made, and that is over. ms UTC.
struct PauseSpan {
    qint64 from = 0, until = 0;
    bool isEndedByStop = false; // or by the end of the job: the user did not resume it
    friend bool operator==(const PauseSpan &, const PauseSpan &) = default;
};

// One row of the jobs list.
struct JobSummary {
    qint64 id = 0; // the number people use: #41
    QString uuid, name, user;
    State state = State::Unknown;
    QString subState; // AttemptRunning, ... (docs/execution.md)
    bool stopRequested = false; // executionType STOP
    int retries = 0, userRetries = 0, platformRetries = 0;
    std::optional<qint64> retryDelaySec;
    qint64 submitted = 0;
    std::optional<qint64> launched, completed;
    std::optional<int> exitCode;
    // What the process of the task that decided its end returned, or 128 + signal. Nothing if no task did, or if an
    // older engine stored the job.
    std::optional<int> rawExit;
    QString virtualCluster = QStringLiteral("default");
    QString priorityClass; // the cluster's, as the job has it; it has no effect here
    int totalGpu = 0, totalTasks = 0, totalRoles = 0;
    TaskCounts counts; // of the newest attempt
    QString target; // that it was given to: "pool", or a cluster
    QStringList hosts; // in use or used by the newest attempt
    QString reason; // code: why it waits, or why it failed ("wait.gpu", "exit.user"); sentence in widgets/text
    QJsonObject reasonArgs;
    QString file; // the file it was submitted from, or empty
    int priority = 0; // larger goes first
    double order = 0; // among waiting jobs of the same priority: smaller goes first
    bool paused = false; // by hand: its processes are stopped, or it does not start
    // When the newest attempt was launched, or since when it waits. Nothing when an older engine stored the job.
    std::optional<qint64> began;
    qint64 pausedMs = 0; // former pauses since then
    // How long the attempts before that one ran, without pauses; when it waits for the next one, with all that ended.
    qint64 formerMs = 0;
    QList<PauseSpan> pauses = {}; // those of all attempts, the newest is the last; of very many only these
    JobLabels labels;
    QString group; // jobs that were submitted together, such as those of a sweep; empty: none
    QJsonObject parameters; // of the document and the submission; numbers, texts and truth values only
    // Metrics of its outputs: {name: {last, least, most, step, leastAt, mostAt, axis, broken}} (docs/metrics.md).
    QJsonObject results;
    bool resultsPending = false; // it has ended, and its outputs are still being read for `results`
    std::optional<double> progress; // 0 to 1, of the tasks whose end ends it
    std::optional<qint64> endExpected; // ms UTC, by recent progress
    QList<HealthMark> health; // the newest is the last
    std::optional<PlannedRemoval> removal; // of an ended job that is due
    // Set for a job that an assistant has submitted: {name, proposed, approved, approvedBy: window or terminal,
    // submitted}.
    QJsonObject assistant;
    // While it runs and its outputs are not read to their ends: to when they are, ms UTC; `results` are of then.
    std::optional<qint64> resultsUpTo = {};
    QString command = {}; // the beginning of what its first role runs, in one line; empty of jobs of older engines
    // From when the time of the newest attempt counts.
    qint64 countedFrom() const { return began ? *began : launched.value_or(submitted); }
    QJsonObject toJson() const;
    static JobSummary fromJson(const QJsonObject &json);
    friend bool operator==(const JobSummary &, const JobSummary &) = default;
};

struct TaskInfo {
    QString role;
    int index = 0;
    int attempt = 0; // of the job, from 0
    int tries = 0; // retries of the task in this attempt
    int chargedRetries = 0; // of these, charged to taskRetryCount
    State state = State::Waiting;
    QString subState;
    QString host; // host id, empty when not placed
    QString address;
    QList<int> gpus;
    QList<std::pair<QString, QList<int>>> ports;
    std::optional<int> exitCode; // completion code
    std::optional<int> rawExit; // what the process returned, or 128 + signal
    QString reason; // code of a sentence for failures of Trainyard's own ("launch.cwd-missing")
    QJsonObject reasonArgs;
    std::optional<qint64> created, launched, completed;
    std::optional<qint64> tryLaunched; // the current try of it
    QString logFolder; // local folder with output.log and output.idx (the mirror for remote tasks); empty before
    qint64 pid = 0;
    TaskUsage usage;
    std::optional<double> progress; // 0 to 1, as its output says
    std::optional<qint64> endExpected; // ms UTC, by recent progress
    std::optional<int> keptFrom; // result and log are those of this former attempt: a retry of others left it alone
    QJsonObject toJson() const;
    static TaskInfo fromJson(const QJsonObject &json);
    int gpuCount = 0; // GPUs that a cluster gives it, which does not say which ones
    friend bool operator==(const TaskInfo &, const TaskInfo &) = default;
};

// In place of the number of an attempt: the newest that has begun; of a job that has not, the newest.
constexpr int newestThatRan = -2;

struct AttemptInfo {
    int index = 0;
    State state = State::Waiting;
    std::optional<qint64> started, completed;
    std::optional<int> exitCode;
    // minFailed, minSucceeded, allCompleted, startFailed, completedTasks; empty on stop
    QString triggerRule, triggerRole;
    int triggerIndex = -1;
    int triggerCount = 0, triggerLimit = 0; // tasks that did what the rule says, and how many it takes
    std::optional<int> triggerRawExit; // what the trigger's process returned, or 128 + signal
    std::optional<qint64> created, launched; // `started` is the later one that there is
    QString reason; // why it failed, as JobSummary has it
    QJsonObject reasonArgs;
    QJsonObject toJson() const;
    static AttemptInfo fromJson(const QJsonObject &json);
    friend bool operator==(const AttemptInfo &, const AttemptInfo &) = default;
};

// A service of a task of the job while it runs, such as a TensorBoard.
struct ServiceInfo {
    QString name; // tensorboard
    QString address; // http://127.0.0.1:10007/, or empty
    QString state; // why there is no address: missing (not installed), failed; empty when there is one
    QString role, host; // of the task
    int index = 0;
    QJsonObject toJson() const;
    static ServiceInfo fromJson(const QJsonObject &json);
    friend bool operator==(const ServiceInfo &, const ServiceInfo &) = default;
};

// A task whose commands have failed and whose shell, GPUs and ports are kept for inspection.
struct KeptTask {
    QString role, host;
    int index = 0;
    int status = 0; // with which the commands ended
    qint64 until = 0;
    QJsonObject toJson() const;
    static KeptTask fromJson(const QJsonObject &json);
    friend bool operator==(const KeptTask &, const KeptTask &) = default;
};

// Another job that this one refers to: a rehearsal and what was submitted after it (docs/rehearsals.md).
struct OtherJob {
    qint64 id = 0; // 0: it has been removed
    QString uuid, name;
    State state = State::Unknown;
    std::optional<qint64> completed = {};
    QString reason = {}; // why it failed, as in JobSummary
    friend bool operator==(const OtherJob &, const OtherJob &) = default;
};

// What attempts of a job ran with before it was tried again with another text.
struct EarlierText {
    int attempt = 0; // the last of them
    bool isKnown = true; // false: an older engine has replaced it, or may have
    QByteArray yaml = {}; // secrets masked
    QJsonObject parameters = {}; // as in JobSummary
    friend bool operator==(const EarlierText &, const EarlierText &) = default;
};

// Since when a job waited for something else than before.
struct WaitNote {
    qint64 at = 0; // ms UTC
    QString reason; // as in JobSummary
    QJsonObject args;
    friend bool operator==(const WaitNote &, const WaitNote &) = default;
};

struct JobDetail {
    JobSummary summary;
    QByteArray yaml; // of the newest attempt, secrets masked
    QList<AttemptInfo> attempts; // oldest first
    QString runFolder;
    QList<ServiceInfo> services; // of the tasks that run now
    QList<KeptTask> held; // failed tasks that are kept for inspection now
    QList<BroughtFiles> brought = {}; // what has come to this computer by its rule, by task
    QString runIn = {}; // as it was asked for at the submission or by the job; empty: as the hosts have it
    QByteArray original = {}; // of a rehearsal: the text that it tries out, secrets masked
    std::optional<OtherJob> rehearsal = {}; // by which it was tried out before
    std::optional<OtherJob> promoted = {}; // of a rehearsal: what was submitted of its original last
    QString documentName = {}; // as in SubmitRequest
    QString host = {}; // of the pool, that it was submitted for or stays on; empty: any that has room
    QString work = {}; // that its submission named; empty: its text or its file says where it works
    QList<EarlierText> earlierTexts = {}; // oldest first
    QList<WaitNote> waits = {}; // of a job on a cluster: why it has waited; oldest first
    QStringList clusterJobs = {}; // as which the cluster has, or had, it: "123"; of Slurm only; oldest first
    // The file of the newest text if a retry was given one: "-" when it has no file. Empty: the file of the submission.
    QString textFile = {};
    QJsonObject toJson() const;
    static JobDetail fromJson(const QJsonObject &json);
    friend bool operator==(const JobDetail &, const JobDetail &) = default;
};

struct EngineStatus {
    QString version;
    qint64 pid = 0;
    qint64 startedAt = 0;
    int activeJobs = 0, clients = 0;
    QString stateFolder;
    // Whether the user's processes live on after the logout (systemd's lingering). Nothing when no systemd manages the
    // user or it cannot be asked.
    std::optional<bool> lingers;
    QJsonObject toJson() const;
    static EngineStatus fromJson(const QJsonObject &json);
    friend bool operator==(const EngineStatus &, const EngineStatus &) = default;
};

// A request for one more attempt of a finished job.
struct RetryRequest {
    QString uuid;
    QStringList tasks; // "role/index"; the others keep their results. Empty: all tasks
    bool failedOnly = false; // instead of `tasks`: those that did not succeed
    QMap<QString, QString> secrets; // values for masked ones, which were forgotten when the job ended
    QByteArray yaml = {}; // the job as edited since, with the same roles and tasks; empty: as it was
    QString file = {}; // that `yaml` is the text of, or empty
    QJsonObject toJson() const;
    static RetryRequest fromJson(const QJsonObject &json);
    friend bool operator==(const RetryRequest &, const RetryRequest &) = default;
};

// The output of a task has grown. Bytes of output.log in its log folder.
struct LogGrowth {
    QString role;
    int index = 0;
    int attempt = 0;
    qint64 bytes = 0;
    QJsonObject toJson() const;
    static LogGrowth fromJson(const QJsonObject &json);
    friend bool operator==(const LogGrowth &, const LogGrowth &) = default;
};

// Where a try ran and where its files are, as its host names them.
struct TaskFolder {
    QString host; // id
    QString target; // user@host for ssh, empty for this computer
    QString folder; // of the try (docs/task-folder.md)
    QString work; // in which its commands began
    bool isHere = false; // that is a folder of the user's which this computer has, too
    QJsonObject toJson() const;
    static TaskFolder fromJson(const QJsonObject &json);
    friend bool operator==(const TaskFolder &, const TaskFolder &) = default;
};

// A question that only the user can answer, for a connection that waits for the answer.
struct Question {
    QString id;
    QString host; // of which the question is
    QString kind; // password, passphrase, pin, hostKey, touch (needs no answer), other
    QString prompt; // as the program said it
    QString lockedKey = {}; // the file of a key that was not unlocked, so that something else is asked for; or empty
    QJsonObject toJson() const;
    static Question fromJson(const QJsonObject &json);
    friend bool operator==(const Question &, const Question &) = default;
};

struct SubmitRequest {
    QByteArray yaml;
    QString name; // overrides the document's, or empty
    QString file; // where the YAML came from (absolute), or empty
    QMap<QString, QString> parameters; // overrides
    QMap<QString, QString> secrets; // values for masked ones; travel in memory only
    // A host id, or "any" for any host with room. Empty means this computer if the work folder is here and the job can
    // run here, else any.
    QString target;
    QString work; // work folder; empty: folder of the file, else a folder of the try
    QString runIn; // host, podman, ...; empty: as the job or host says
    std::optional<int> priority; // instead of the document's
    QStringList after; // more jobs that must be over first: "41", "41:ended", or by name
    QStringList tags = {};
    QString note = {};
    QString group = {}; // as JobSummary::group
    int groupLimit = 0; // jobs of the group that run at a time; 0: any number
    // The rule that stops jobs of the group that do worse than the others: "metric@step", with "-" in front where less
    // is better; empty: none is (docs/sweeps.md).
    QString stopWorse = {};
    QString key = {}; // the job that was submitted with it is not submitted again; empty: no such word
    QByteArray original = {}; // of a rehearsal: the text that it tries out; empty: it is none
    QString rehearsal = {}; // UUID of the rehearsal whose original this is; empty: there was none
    // The name of the document that the text was made from, under which its secrets are kept, if the text has another
    // name, as in a job of a sweep.
    QString documentName = {};
    QJsonObject toJson() const;
    static SubmitRequest fromJson(const QJsonObject &json);
    friend bool operator==(const SubmitRequest &, const SubmitRequest &) = default;
};

// A note about a job that comes with an answer: a sentence by its code ("gpu.type-nowhere").
struct JobNote {
    QString code;
    QJsonObject args;
    QJsonObject toJson() const;
    static JobNote fromJson(const QJsonObject &json);
    friend bool operator==(const JobNote &, const JobNote &) = default;
};

struct SubmitReply {
    qint64 id = 0;
    QString uuid;
    QList<JobNote> notes;
    QJsonObject toJson() const;
    static SubmitReply fromJson(const QJsonObject &json);
    friend bool operator==(const SubmitReply &, const SubmitReply &) = default;
};

// What Run would do: the RPC "plan". Secrets masked.
struct PlannedTask {
    QString role;
    int index = 0;
    QString host; // empty when it would wait
    QList<int> gpus;
    QList<std::pair<QString, QList<int>>> ports;
    QList<std::pair<QString, QString>> environment;
    QString script;
    QStringList prerequisites; // expanded order
    QString runIn; // host, podman, docker, apptainer; on a Slurm cluster also pyxis
    QString image; // of a container
    QString containerCommand; // what starts it, for people
    QStringList mounts = {}; // "/folder", "/folder:/in/container", each also with ":ro"
    QString containerUser = {}; // "0:0"; empty: the same user as on the host
    qint64 shmMiB = 0; // of its /dev/shm; 0: as the container program has it
    friend bool operator==(const PlannedTask &, const PlannedTask &) = default;
};
struct PlanReply {
    QList<PlannedTask> tasks;
    qint64 omittedTasks = 0; // that the answer has no room for
    QString waitReason; // code, empty when it would start at once
    QJsonObject waitArgs;
    QList<JobNote> notes;
    QString submission = {}; // what a cluster is handed, where that is a script for all tasks: sbatch's, with "…" for
                             // what is known only then
    QJsonObject toJson() const;
    static PlanReply fromJson(const QJsonObject &json);
    friend bool operator==(const PlanReply &, const PlanReply &) = default;
};

} // namespace trainyard

// Compiled once, in the .cpp file: see model/base/lists.h.
extern template class QList<trainyard::HealthMark>;
extern template class QList<trainyard::JobSummary>;
extern template class QList<trainyard::TaskInfo>;
extern template class QList<trainyard::AttemptInfo>;
extern template class QList<trainyard::ServiceInfo>;
extern template class QList<trainyard::KeptTask>;
extern template class QList<trainyard::GpuInfo>;
extern template class QList<trainyard::HostInfo>;
extern template class QList<trainyard::JobNote>;
extern template class QList<trainyard::PlannedTask>;
