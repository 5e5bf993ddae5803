// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitjudge.h"
#include "engine/backend/runfolders.h"
#include "engine/clusters/byjob.h"
#include "engine/clusters/clusterbackend.h"
#include "engine/clusters/folderlook.h"
#include "engine/clusters/helpercopies.h"
#include "engine/clusters/jobsupply.h"
#include "engine/clusters/loginsite.h"
#include "engine/clusters/notewriter.h"
#include "engine/clusters/sitecode.h"
#include "engine/clusters/slurmallocation.h"
#include "engine/clusters/slurmarray.h"
#include "engine/clusters/slurmlaunch.h"
#include "engine/clusters/slurmledbook.h"
#include "engine/clusters/slurmpause.h"
#include "engine/clusters/slurmqueue.h"
#include "engine/clusters/slurmscript.h"
#include "engine/clusters/slurmtarget.h"
#include "engine/clusters/wantedplaces.h"
#include "engine/core/ports.h"
#include "engine/launch/stepreport.h"

#include <QCache>
#include <QJsonArray>

#include <set>
#include <unordered_map>

namespace trainyard
{

// The back end of one Slurm cluster (docs/clusters.md). The tasks of a gang are one allocation; without a gang those of
// a role that start together are an array; and equal jobs of a group, such as a sweep, are sent as one array of which
// each is an element. Inside an allocation `trainyard-agent --lead` starts and ends the tasks by
// itself, and their state is read from its files and, where these have none, from the queue. Everything is granted at
// once: Slurm does the scheduling.
//
// With a login node, its files are those that LoginSite mirrors here. Files are written there when it is connected;
// until then tasks wait.
//
// Large because Backend is: nearly a third of its methods are Backend's. Its parts: allocations in slurmallocate.cpp,
// submitting in slurmsubmit.cpp, cancelling in slurmcancel.cpp and slurmstop.cpp, arrays of several jobs in
// slurmarrays.cpp, following the cluster's state in slurmfollow.cpp, tries that leads start in slurmled.cpp, work
// through a login node in slurmelsewhere.cpp, arrays of tasks that become smaller in slurmsplit.cpp, what holds up
// tasks that have their nodes in slurmkept.cpp, and supplies that an allocation needs before it is made in
// slurmsupply.cpp.
class SlurmBackend : public ClusterBackend
{
    Q_OBJECT
public:
    struct Options {
        QString stateFolder, agentProgram;
        qint64 goneMs = 300'000; // how long the cluster may not know a job without a record before it is lost
        // The same where its accounts do not answer, and may come back with how it ended.
        qint64 unaccountedMs = 86'400'000;
        qint64 forceMs = 30'000; // beyond its grace period, until what was asked to end is killed
        int lookMs = 1000; // between two looks at the files
        QString ownName = {}; // of this engine, among those that keep runs in the same folder
        const JobSupply *supply = nullptr; // null: jobs get none of it
    };
    SlurmBackend(const SlurmTarget &target, const Options &options, const Settings &settings, SlurmCommands &commands,
        SlurmQueue &queue, ExitRulesFile &exitRules, LoginSite *site = nullptr,
        const SiteCode *code = nullptr); // both or none
    ~SlurmBackend() override;
    bool isNamed() const override { return m_isNamed; }
    bool isOutdated() const override;
    bool isIdle() const override { return m_tries.empty() && m_wanted.isEmpty(); }
    ClusterInfo clusterInfo() const override;
    void check(const std::function<void(const ClusterInfo &)> &then) override;
    const LoginSite *site() const { return m_site; } // null: its commands are on this computer
    void launchHeld(); // what waited for the login node, for a copy there, for the helper, for data, or for a key
    void describeHeld();
    Error problem() const; // why the cluster did not answer the last time, or nothing

    TargetInfo info() const override { return {true, 0}; }
    Result<void> accept(Prepared &prepared, const SubmitRequest &request) const override;
    Result<void> settle(Prepared &prepared) const override;
    std::optional<Error> neverFits(const core::JobState &, const JobSpec &, const StoredDocument &) const override
    {
        return std::nullopt; // Slurm says it, when it is asked
    }
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const override;

    void reserve(ActiveJob &job, const core::Effect &effect) override;
    bool wantsPlacing() const override { return !m_wanted.isEmpty(); }
    void wantPlacing() override { }
    std::vector<JobEvent> place() override;

    void perform(const std::vector<JobEffect> &effects) override;
    void stopUnwritten(ActiveJob &job) override;
    bool giveUp(ActiveJob &job) override;
    bool handOverNow(ActiveJob &job) override;
    void resume(ActiveJob &job) override;
    void forget(ActiveJob &job) override;

    void describe(const ActiveJob &job, JobSummary &summary) const override;
    void describe(const ActiveJob &job, core::TaskRef task, TaskInfo &info) const override;
    void describeStored(TaskInfo &info) const override;
    Error waitReason(const ActiveJob &job) const override;
    QList<BroughtFiles> broughtFiles(const QString &job) const override;
    QString hostNearTasks() const override { return m_site ? m_site->host() : QStringLiteral("local"); }
    QStringList clusterJobs(const QString &job) const override;
    LogSource log(const QString &job, int attempt, const QString &role, int index, int taskTry) const override;
    Result<TaskFolder> filesOf(
        const QString &host, const QString &logFolder, const StoredDocument &document) const override;

    QList<KeptTask> keptTasks(const ActiveJob &job) const override;
    bool release(ActiveJob &job, const QStringList &tasks) override;
    void makeRoom(const QString &) override { }
    void removeRun(const QString &job, const QStringList &hosts) override;
    void settingsChanged() override; // other options are those of jobs that are submitted from now on

private:
    void noteLogins(Prepared &prepared) const;
    void noteComponents(Prepared &prepared) const;
    void noteTime(Prepared &prepared) const;
    struct Submission { // an allocation, and how far it is
        Submission(SlurmAllocation &&given, ActiveJob &of) : allocation(std::move(given)), job(&of) { }
        SlurmAllocation allocation;
        ActiveJob *job;
        int tries = 0; // that are in it and that the core has not released
        bool isAsking = false; // sbatch, or a question whether it was sent, has no answer yet
        bool isRefused = false; // for good
        std::set<int> stopped; // positions of tasks that are to end; without an array one of them is all
        std::set<int> asked; // positions that the cluster has been asked to end
        std::set<int> noted; // positions whose end is noted for their lead
        std::set<int> heeded; // positions whose lead has said that it ends them
        qint64 repeatAt = 0; // steady ms: the request has not been heeded
        int repeats = 0;
        std::set<QString> again; // ids that were queued again there by hand, of what has run
        bool isForced = false; // the newest time without a grace period
        int refusals = 0;
        qint64 retryAt = 0; // steady ms
        qint64 toldRetryAt = 0, toldRetryUtc = 0; // the same as it was described, once, so that it stays the same
        Error trouble; // why it is not submitted, or nothing
        bool isStopHeard = false; // by the cluster, for all that it has been asked to end
        qint64 forceAt = 0; // steady ms: it has not ended although it was asked to
        std::vector<LoginSite::File> parcel; // that has to go to the cluster before it is sent; it may have secrets
        QByteArray script; // these are to be written before it is sent, and may have secrets, too
        std::vector<contract::Launch> launches;
        QString runs; // the folder of all runs that it is in; empty: it was not needed yet
        int unread = 0; // errno: its folder cannot be read now, or ENOENT: all of the runs are not there
    };
    struct LiveTask {
        ActiveJob *job = nullptr;
        core::TaskRef task;
        QString folder, allocation; // the allocation's folder; empty: none yet
        int position = -1; // in its plan
        bool isStarted = false, isPlaced = false, isEndKnown = false;
        bool isResumed = false; // of a former run of the engine
        qint64 logBytes = 0;
        qint64 soughtSince = 0; // steady ms: the folder that it should be in is not there
        qint64 recordSeenAt = 0; // steady ms
        qint64 seenBytes = -1; // of what it writes, when the cluster no longer had it
        qint64 writtenAt = 0; // steady ms: they were more than before
        std::optional<QList<int>> gpus; // that the cluster has given it; nothing: not known yet
        int unread = 0; // errno: the record of its end cannot be read now, although the cluster says that it is over
        std::optional<launch::HoldReport> kept; // its commands have failed, and it is kept for inspection
        qint64 runtimeBytes = -1; // of its runtime log, when that was looked for
        bool lacksRoom = false; // its output waits for room in the folder that the nodes share
    };

    // A try that the lead starts, or is about to start, behind one that has ended: until the core asks for it.
    struct Led {
        ActiveJob *job = nullptr;
        core::TaskRef task;
        QUuid former;
        QString id; // at the cluster
        QString allocation; // its folder
        int position = -1; // in its plan
        slurm::JobMark mark; // of the job there
        core::PortTable ports; // those of the former one; it is started with the same
    };

    struct PlaceThere {
        contract::LeadPlaces::Place node;
        QList<int> gpus;
    };
    static QList<int> gpusOf(const std::optional<contract::StartedRecord> &started);
    void setPlace(TaskInfo &info, const PlaceThere &place) const;
    Result<void> checkFolder(const RunFolders &folders) const; // of this computer
    static RunFolders foldersOf(const SlurmTarget &target, const QString &stateFolder);
    QString folderNote(const QString &job) const;
    RunFolders foldersOfJob(const QString &job) const; // on this computer
    RunFolders foldersThere(const QString &job) const; // as the nodes have them
    QString there(const QString &job, const QString &here) const;
    Result<void> noteFolder(const QString &job) const;
    bool isAway(const ActiveJob &job) const;
    SlurmLaunches launchesOf(const ActiveJob &job) const;
    LiveTask *live(const QUuid &tryUuid);
    LiveTask &enter(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid); // as one of m_tries
    void enter(std::unique_ptr<Submission> submission); // as one of m_allocations
    Submission *submissionOf(const LiveTask &entry);
    void draw(ActiveJob &job, const core::effect::DrawPorts &wanted);
    void launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    Submission *allocate(ActiveJob &job, const std::vector<core::TaskRef> &tasks); // null: held back, or refused
    SlurmLaunches makerFor(const ActiveJob &job) const;
    // Of an array of tasks without a gang, when the cluster does not take all of them at once:
    struct PartsWait {
        qint64 firstMs = 0, othersMs = 0; // until they are tried; 0: now
        int refusals = 0;
        Error why;
    };
    bool splitTasks(const QString &folder, const PartsWait &wait); // an allocation; false: it stays as it is
    bool splitRefused(const Submission &submission, slurm::Refusal refusal, const Error &why);
    bool isLarge(const Submission &submission) const; // larger than what the cluster has room for, as far as is known
    bool isUntaken(const Submission &submission) const;
    void splitLarge();
    bool attach(LiveTask &entry, const QUuid &tryUuid); // to what it has noted
    void join(LiveTask &entry, const QString &folder, int position);
    void leave(const LiveTask &entry);
    void observe(LiveTask &entry, const QUuid &tryUuid);
    // How long the file system of a job may not be there, before what was begun on it is lost.
    static constexpr qint64 awayMs = 300'000;
    bool isUnseen(const LiveTask &entry) const;
    Error whyUnread(const ActiveJob &job) const; // what its tries have noted or its tasks write, or nothing
    void lookAtFolders();
    void takeFolders(const FolderLook::Errors &errors);
    void noteUnread(LiveTask &entry, int error);
    void seek(LiveTask &entry);
    void lookForSought();
    void refuse(ActiveJob &job, const std::vector<core::TaskRef> &tasks, const Error &why, int code);
    QString helperProgram(const ActiveJob &job) const;
    // Before there is an allocation:
    Result<void> acceptPlugins(const JobSpec &spec, const QString &images) const;
    Result<void> settleData(const Prepared &prepared) const;
    SupplyPlace supplyPlace(const RunFolders &there) const;
    void supply(SlurmLaunches &launches, const RunFolders &there) const;
    bool isHeldForSupply(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    void endSupply(const ActiveJob &job);
    void dropDataUses(const QString &job) const;
    // By way of a login node:
    void connectSite();
    void hold(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    bool isHeldForCode(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    bool isHeld(const ActiveJob &job) const;
    Error heldReason(const ActiveJob &job) const; // the code is empty where it is not held back
    qint64 accountsMissedMs(const ActiveJob &job) const;
    bool isCopyWaiting(const ActiveJob &job) const; // for room on the disk of this computer
    Error missedAccounts(qint64 forMs) const;
    Error preparationOf(Submission &submission, int position, qint64 start) const; // `start`: UTC seconds
    SlurmLaunches elsewhere(const ActiveJob &job) const; // as launchesOf(), with the folders as nodes have them
    void reached();
    void watch(const LiveTask &entry, const QUuid &tryUuid);
    void unwatch(const LiveTask &entry);
    Result<void> pack(Submission &submission, const QByteArray &script, const std::vector<contract::Launch> &launches);
    void deliver(Submission &submission);
    void delivered(const QString &folder, const Result<void> &done);
    void removeLaunchesThere(const ActiveJob &job, const QString &allocation) const;
    bool isSeenThere(const LiveTask &entry, const Submission &submission) const;
    Result<void> settleElsewhere(Prepared &prepared) const;

    void advance(Submission &submission);
    void submit(Submission &submission);
    void send(const QString &folder);
    static bool isCertainlyNotSent(const SlurmCommands::Answer &answer); // of sbatch
    QJsonObject refusalArgs(const QString &detail) const;
    void learnNodes(const Submission &submission); // of the target, for a job that they may not suffice for
    Error withNumbers(Error why, const Submission &submission, const QString &id) const; // of the limit in it
    void refused(const QStringList &folders, const QJsonObject &args); // allocations, by their folders
    void refuseForGood(Submission &submission, const Error &why, int code);
    bool isWritten(Submission &submission);
    void sent(const QString &folder, const slurm::JobMark &mark, const SlurmCommands::Answer &answer);
    void accepted(Submission &submission, const QString &id);
    void taken(Submission &submission, const QString &id); // which is kept already, or soon
    void submitLater(Submission &submission, const Error &why);
    void waitWith(Submission &submission, const Error &why);
    bool isPaused(Submission &submission);
    bool isAnyTaken() const;
    void submitNext();
    void stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, std::set<QString> &folders);
    bool isStopped(const Submission &submission, int position) const;
    bool isAllStopped(const Submission &submission);
    void endStopped(Submission &submission);
    bool isInDoubt(const Submission &submission) const;
    Error unheardStop(const ActiveJob &job) const; // what a stop waits for that the cluster has not heard, or nothing
    void cancel(Submission &submission);
    void noteStop(Submission &submission);
    void followStop(Submission &submission, qint64 now);
    void cancelAtCluster(Submission &submission, const std::set<int> &positions, bool isForced);
    struct Told { // to jobs of the cluster, by scancel
        QStringList options, ids;
        slurm::JobMark mark;
    };
    using Heard = std::function<void(const SlurmCommands::Answer &)>;
    void tellOurs(const Told &what, const Heard &then);
    struct Cancelling { // of one allocation, or of several in an array
        QStringList ids;
        slurm::JobMark mark;
        std::vector<QString> folders;
        bool mayWait = true, mayRun = true; // at the cluster
        bool isPaused = false, isForced = false;
    };
    void cancelIds(const Cancelling &what);
    void cancelFound(const Cancelling &what);
    void endUnwanted(const Told &what, const std::function<void()> &heard = {}, int refusals = 0);
    struct Halt {
        slurm::JobMark mark;
        bool hasLimit = false; // that its lead counts
        bool isOn = false, isTelling = false;
    };
    void halt(const QString &id, const Halt &wanted);
    void tellHalt(const QString &id, int refusals);
    void haltTold(const QString &id, bool isOn, int refusals, const SlurmCommands::Answer &answer);
    void stopHeard(const Cancelling &what, const SlurmCommands::Answer &answer);
    void killAtCluster(const Cancelling &what);

    // Jobs that are sent as one array, by the folders of their allocations:
    using Members = std::vector<Submission *>;
    Members membersOf(const std::vector<QString> &folders) const; // that are still there
    using Places = std::vector<std::pair<QString, int>>; // in an array, by folder
    static Places placesOf(const Members &members);
    // Ends those elements of an array that was found that are not wanted.
    void endGivenUp(const QString &id, const slurm::JobMark &mark, const Places &places);
    static QString nameAtCluster(const Submission &submission);
    static slurm::JobMark markOf(const ActiveJob &job, const SlurmAllocation &allocation);
    static slurm::JobMark markOf(const Submission &submission)
    {
        return markOf(*submission.job, submission.allocation);
    }
    slurm::ScriptInput inputFor(
        const core::JobPolicy &policy, const std::vector<core::TaskRef> &tasks, const JobSpec *spec) const;
    slurm::ScriptInput inputOf(const Submission &submission) const;
    static QString nameAtCluster(const core::JobState &job);
    QString arrayKeyOf(const Submission &submission) const; // empty: it goes alone
    void sendHeld();
    void sendHeld(const Members &members);
    void askForArray(const Members &members);
    void beginArray(const Members &members);
    void putArray(const std::vector<QString> &folders);
    void noteArray(const std::vector<QString> &folders);
    void sendArray(const std::vector<QString> &folders);
    void arraySent(
        const std::vector<QString> &folders, const slurm::JobMark &mark, const SlurmCommands::Answer &answer);
    void arrayRefused(const Members &members, const SlurmCommands::Answer &answer);
    void arrayAccepted(const Members &members, const QString &id);
    static void splitArray(const Members &members, slurm::ArraySizes::Split split);
    void arrayLater(const Members &members, const Error &why);
    void cancelSoon(const Submission &submission, bool isForced);
    void cancelTogether();
    void cancelElements(const Members &members, bool isForced);

    void look();
    void lookAt(LiveTask &entry, const QUuid &tryUuid, Submission &submission);
    void noteGrowth(LiveTask &entry, std::map<QString, QList<LogGrowth>> &grown);
    std::optional<QString> stateOfPart(const LiveTask &entry, const Submission &submission) const;
    void noteKept(LiveTask &entry);
    Error roomReason(const LiveTask &entry) const; // the folder that the nodes share is full
    Error keptReason(const LiveTask &entry) const;
    Error suspendedReason(const LiveTask &entry) const;
    Error holdUp(const LiveTask &entry) const; // why a task that has its node does nothing, or nothing
    Error holdUp(const ActiveJob &job) const;
    void ended(LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record);
    bool isWithItsNode(
        LiveTask &entry, const QUuid &tryUuid, const Submission &submission, const contract::ExitRecord &record);
    bool endedByCluster(
        LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record);
    bool isQueuedAgain(const LiveTask &entry, Submission &submission);
    bool isAwaited(
        const LiveTask &entry, const QUuid &tryUuid, Submission &submission, const contract::ExitRecord &record);
    void followLead(const LiveTask &entry, Submission &submission);
    void lookAtLed();
    void endLed(const Led &led);
    void endNoted(const SlurmLedBook::Note &note);
    void resumeLed(ActiveJob &job);
    void lookAtNotes(const std::set<QString> &only = {});
    void endUnheard(const LiveTask &entry, const Submission &submission);
    void endedWithoutRecord(LiveTask &entry, const QUuid &tryUuid, Submission &submission, const QString &state);
    void end(LiveTask &entry, const QUuid &tryUuid, const core::TryResult &result, const contract::ExitRecord *record);
    void noteResults(const LiveTask &entry, const QUuid &tryUuid) const;
    bool isForgottenElement(const LiveTask &entry, const Submission &submission) const;
    void stopJobOnce(LiveTask &entry, const QString &state);
    bool isAlone(const LiveTask &entry, const Submission &submission) const;
    std::optional<QString> finalState(const Submission &submission, int position, qint64 forMs) const;
    qint64 absentMs(const QString &id) const;
    bool isWriting(LiveTask &entry) const;
    void post(ActiveJob &job, decltype(core::Event::what) what);

    SlurmTarget m_target;
    Options m_options;
    const Settings &m_settings;
    SlurmCommands &m_commands;
    SlurmQueue &m_queue;
    LoginSite *m_site; // null: the commands and the files are on this computer
    const SiteCode *m_code; // the same
    std::map<ActiveJob *, std::set<core::TaskRef>, std::less<>>
        m_held; // that are launched when the login node is connected, or the helper copied
    bool m_isNamed = true;
    ExitRulesFile &m_exitRules;
    HelperCopies m_helpers; // where no login node has them
    NoteWriter m_notes; // of arrays
    ExitJudge m_judge;
    core::PortBook m_ports{{20000, 29999}}; // below what kernels give to connections, and off the usual services
    std::unordered_map<QUuid, LiveTask, UuidHash> m_tries;
    std::map<QString, std::unique_ptr<Submission>> m_allocations; // by their folders
    ByJob<QUuid> m_triesOf; // of m_tries
    ByJob<QString> m_allocationsOf; // of m_allocations
    std::map<QUuid, Led> m_led; // by their UUIDs
    SlurmLedBook m_ledBook;
    WantedPlaces m_wanted;
    QJsonArray m_partitions; // of the target, as slurm::partitionsIn() has them; empty: not known
    bool m_isLearningNodes = false;
    qint64 m_nodesAskedAt = 0; // steady ms
    SlurmPause m_pause;
    slurm::ArrayHold m_hold; // until the others of an array are there
    slurm::ArraySizes m_arraySizes;
    std::map<QString, bool> m_cancelled; // elements that the cluster is asked to end soon, by folder; true: at once
    std::map<QString, Halt>
        m_halts; // by id at the cluster: requests to suspend or continue that have not been sent yet
    Error m_refusal; // the newest, of whatever job
    mutable QCache<QString, PlaceThere> m_places{20'000}; // of tries that have ended, by folder
    QTimer m_timer; // looks at the files
    FolderLook m_folderLook; // where no login node tells it
};

} // namespace trainyard
