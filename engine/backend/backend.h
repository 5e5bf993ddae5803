// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"

#include <QObject>

namespace trainyard
{

constexpr QLatin1StringView anyHost{"any"}; // as the target of a job: it says that no host is preferred

// A job that is about to be accepted: what its document means, and where it may run.
struct Prepared {
    JobSpec spec;
    core::JobPolicy policy;
    StoredDocument document;
    QString target; // what is to run it
    QString host; // of the target, as it was asked for; empty: any
    QString group; // of jobs, with the limit that the document has
    int priority = 0;
    std::vector<core::Dependency> after;
    QList<JobNote> notes;
    bool isAnywhere = false; // wherever there is room, whatever its work folder is
};

struct JobEvent {
    ActiveJob *job = nullptr;
    core::Event event;
};

struct JobEffect {
    ActiveJob *job = nullptr;
    core::Effect effect;
};

struct TargetInfo {
    bool isReady = false; // it knows its resources; before that, it cannot determine what is impossible there
    int cpus = 0; // of all that is known of it
};

struct LogSource {
    QString folder; // on this computer, with output.log, output.idx, runtime.log; it may come into being later
};

// Runs jobs: the only interface to a target that the engine's tick knows. A tick hands events to the core, saves its
// decisions, and only then lets the back end carry them out. After a crash in between, they are carried out again, so
// everything that perform() does has to be safe to repeat: an effect names its try by UUID. The outcome is reported by
// happened(), as late, as often and in whatever order it is noticed; the core uses the events that fit. It lives on one
// thread, and nothing blocks.
//
// It has more methods than a class of this project should: they are the questions of four callers (the tick, the job
// service, the queue, the publisher), and a job has one back end.
class Backend : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;

    virtual TargetInfo info() const = 0;

    // ---- before there is a job ----
    // Whether the host that was asked for is there, and has what the job is to run in. Fills in document.target,
    // document.runIn and isAnywhere. Codes: host.unknown {host}, job.run-in-unknown {runIn}, job.runtime-missing
    // {runIn, host}, job.runtime-missing-everywhere {runIn}, job.container-image {role, runIn}, storage.unmapped
    // {name}, and those of launch/program.h.
    virtual Result<void> accept(Prepared &prepared, const SubmitRequest &request) const = 0;
    // The consequences of where it may run, once its policy and its folders are known: binding types of GPUs, the host
    // that it stays on, notes for the user. Codes: job.work-missing {folder}, job.work-missing-here {folder},
    // job.file-folder-missing {folder}, job.work-no-folder {folder}, job.work-own {folder, own}, launch.container-work
    // {detail}.
    virtual Result<void> settle(Prepared &prepared) const = 0;
    // "refuse.*" with `fix`, when its waiting tasks can never run there.
    virtual std::optional<Error> neverFits(
        const core::JobState &job, const JobSpec &spec, const StoredDocument &document) const = 0;
    // Says what would run, where and how, if the job were submitted now. Nothing is allocated. The reply has the reason
    // why it would wait.
    virtual Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const = 0;

    // ---- in a tick, before the commit: what lives in memory only, and a restart rebuilds ----
    // RequestPlacement, CancelPlacement, ReleaseTry and AttemptOpened; other effects are ignored.
    virtual void reserve(ActiveJob &job, const core::Effect &effect) = 0;
    virtual bool wantsPlacing() const = 0; // place() may have something to grant
    virtual void wantPlacing() = 0; // the order of the queue has changed
    virtual std::vector<JobEvent> place() = 0;

    // ---- after the commit ----
    // DrawPorts, LaunchTry, ObserveTry, StopTry, PauseTry and JobEnded, and ReleaseTry again: that it is over is
    // written down now. Other effects are ignored. All of a tick at once: what is asked of a host is one question,
    // however many tasks it is about.
    virtual void perform(const std::vector<JobEffect> &effects) = 0;
    // Ends what runs of the job although that cannot be written down: perhaps it is what fills the disk.
    virtual void stopUnwritten(ActiveJob &job) = 0;
    // Ends a job here that is being stopped and waits for a host or cluster that does not answer, although it may still
    // run there ("stop.given-up" {target, look}: a command that shows it there). False: it waits for nothing like that.
    virtual bool giveUp(ActiveJob &) { return false; }
    // Hands over now what waits until a cluster is asked again to take it. False: nothing of the job does.
    virtual bool handOverNow(ActiveJob &) { return false; }
    // A job of a former run of the engine: its tasks get their allocations back. The necessary actions follow as
    // effects of event::Reconcile.
    virtual void resume(ActiveJob &job) = 0;
    virtual void forget(ActiveJob &job) = 0; // it is final, and its address is given back

    // ---- what is reported of it ----
    // Adds what is known beyond the core's state: trouble, hosts that are away, images that are fetched.
    virtual void describe(const ActiveJob &job, JobSummary &summary) const = 0;
    virtual void describe(const ActiveJob &job, core::TaskRef task, TaskInfo &info) const = 0;
    // The same of a stored task, whose job may be over: by what lies in its log folder.
    virtual void describeStored(TaskInfo &) const { }
    virtual Error waitReason(const ActiveJob &job) const = 0; // as of the newest place()
    // The host by whose connection the node of a running task is reached; empty: none.
    virtual QString hostNearTasks() const { return {}; }
    virtual LogSource log(const QString &job, int attempt, const QString &role, int index, int taskTry) const = 0;
    // Where a try that was placed has its files: `logFolder` as log() names it. Codes: host.unknown {host}, host.gone
    // {host}: the host has not been reached since the engine began.
    virtual Result<TaskFolder> filesOf(
        const QString &host, const QString &logFolder, const StoredDocument &document) const = 0;

    // ---- what stays of it ----
    virtual QList<KeptTask> keptTasks(const ActiveJob &job) const = 0; // that failed and are kept for inspection
    // The files of a job, active or not, that have come to this computer by its rule (docs/results.md).
    virtual QList<BroughtFiles> broughtFiles(const QString &) const { return {}; }
    // As which a cluster has, or had, the job with this UUID, oldest first; also when it has ended.
    virtual QStringList clusterJobs(const QString &) const { return {}; }
    virtual bool release(ActiveJob &job, const QStringList &tasks) = 0; // as Engine::release()
    virtual void makeRoom(const QString &job) = 0; // its largest files, at once: the disk is full
    virtual void removeRun(const QString &job, const QStringList &hosts) = 0; // all its files, here and there

    virtual void settingsChanged() = 0;

Q_SIGNALS:
    void happened(trainyard::ActiveJob *job, const trainyard::core::Event &event);
    // The result of describe() for the job, or for one task, has changed. Nothing has to be saved.
    void described(trainyard::ActiveJob *job, std::optional<trainyard::core::TaskRef> task);
    void placingWanted(); // wantsPlacing() is true, and it was not asked for yet
    void logsGrew(const QString &job, const QList<trainyard::LogGrowth> &logs); // a few times a second
    void infoChanged();
};

} // namespace trainyard
