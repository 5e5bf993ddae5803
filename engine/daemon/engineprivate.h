// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/core/gpurules.h"
#include "engine/core/next.h"
#include "engine/core/ports.h"
#include "engine/core/scheduler.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/secretkeeper.h"
#include "engine/hosts/agentconnection.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/logmirrors.h"
#include "engine/hosts/sshtransport.h"
#include "engine/launch/container.h"
#include "engine/launch/launchplan.h"
#include "engine/store/store.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QHash>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

namespace trainyard
{

// A job that is not final: the core's state, what is needed to start its tasks, and what has to be written and told.
struct ActiveJob {
    core::JobState state;
    StoredDocument document;
    std::optional<JobSpec> spec; // parameters and secrets filled in
    Error specError; // why there is none
    std::map<std::pair<int, QString>, Result<launch::RoleProgram>> programs; // by role and environment

    // The environment that the others' places make: of a gang fixed for the attempt, else as it is in this turn.
    std::unique_ptr<TaskEnvironment> environment;
    int environmentAttempt = -1;
    quint64 environmentTurn = 0;
    std::set<core::TaskRef> placed; // tasks that hold a place

    // Of the current turn.
    bool saveJob = false, durable = false;
    std::set<int> saveAttempts;
    std::set<core::TaskRef> savedTasks;
    std::vector<core::effect::SaveTry> savedTries;

    // For the signals.
    std::set<core::TaskRef> changedTasks;
    bool changed = false;
    qint64 toldAt = -1000000; // steady
    QSet<QString> checkpointMade; // hosts that have TRAINYARD_CHECKPOINT_DIR
    Error waits; // as last written
    QSet<QUuid> inTrouble; // tries of which LiveTry::trouble() is to be told
};

// A try that has been asked for and whose place is not given back yet.
struct LiveTry {
    ActiveJob *job = nullptr;
    core::TaskRef task;
    QString host;
    QString pulling; // before it runs: the image that is fetched
    QString pullProgress; // what the container program said last
    bool diskFull = false; // it waits for room for its output
    QString refused; // why its agent did not do what it was last asked for: asked again
    Error trouble() const;
    QString folder; // on its host
    QString localFolder; // the same, or the mirror
    bool exitKnown = false;
    qint64 peakGpuMemoryMiB = 0, gpuPercentSum = 0, gpuSamples = 0, gpuPercentSamples = 0; // of its GPUs, while it runs
    QHash<int, qint64> gpuBaseMiB; // what was used of its GPUs before it began
    quint64 drawNumber = 0; // of the newest draw of its ports
    qint64 gpuWatchEnds = 0; // steady; until its GPUs have given back their memory
    QJsonObject left; // what it has left behind
    bool willBeForced = false; // its host cannot be reached to stop it: given up after a while
    std::optional<contract::ExitRecord> waitsForLog; // its end is classified when the mirror is complete
};

struct EngineHost {
    QString id, target, label;
    QString runIn; // what its tasks run in, as hosts.json has it; empty: as the settings say
    bool isLocal() const { return target.isEmpty(); }
    std::unique_ptr<AgentConnection> agent;
    std::unique_ptr<LogMirrors> mirrors; // of ssh hosts
    QString address; // by which other hosts reach it
    QString ownAddress; // by which it reaches this computer
    double cpuPercent = -1;
    qint64 diskFreeMiB = -1, diskMiB = -1;
    launch::Variables base; // what its tasks' environment begins with
    core::HostCapacity capacity; // as told to the scheduler
    QHash<int, qint64> leftGpus; // whose memory a stopped task has not given back, and what was used of them before
    QSet<QString> lostGpus; // uuids: fell off the bus while a task ran
    std::string lostInBoot;
    QSet<QString> busyGpus; // uuids: somebody else had them when a task was to start there; until they are seen free
    QSet<QUuid> tries;
    bool mayAsk = true; // until somebody refused to answer
};

// A question of ssh that waits for a person.
struct OpenQuestion {
    Question question;
    QPointer<SshTransport> transport;
    int id = 0; // the transport's
};

struct UuidHash {
    std::size_t operator()(const QUuid &uuid) const { return qHash(uuid); }
};

// For what is done aside and may come back when the engine is gone.
struct EngineLink {
    std::mutex mutex;
    Engine *engine = nullptr;
};

class Engine::Private
{
public:
    explicit Private(const Options &options) : m_options(options) { }
    ~Private();

    // ---- open (engine.cpp) ----
    Result<bool> open();
    void adopt(StoredJob &&stored);
    void checkStoreAside();

    // ---- jobs (enginejobs.cpp) ----
    struct Prepared {
        JobSpec spec;
        core::JobPolicy policy;
        StoredDocument document;
        int priority = 0;
        std::vector<core::Dependency> after;
        QList<JobNote> notes;
    };
    void noteHosts(Prepared &prepared) const;
    Result<Prepared> prepare(const SubmitRequest &request, bool needSecrets) const;
    Result<SubmitReply> submit(const SubmitRequest &request);
    Result<PlanReply> plan(const SubmitRequest &request) const;
    std::optional<Error> neverFits(const core::JobState &job, const core::Where &where) const;
    Result<bool> retry(const RetryRequest &request);
    void settleGpuTypes(Prepared &prepared) const;
    core::GuardRails guards() const;
    int maxParallel() const;
    void loadSpec(ActiveJob &job, const QMap<QString, QString> &secrets = {});
    ActiveJob *find(const QString &uuid) const;
    JobSummary summaryOf(const ActiveJob &job) const;
    Result<qint64> storedId(const QString &uuid) const;
    // What was read, unless the store could not be read to its end.
    template <typename T> Result<T> whole(T value) const
    {
        if (const std::optional<Error> damaged = m_store->readError()) {
            return tl::unexpected<Error>(*damaged);
        }
        return value;
    }

    // ---- the turn (engineturn.cpp) ----
    void post(ActiveJob &job, core::Event event);
    void wantTurn();
    void turn();
    void step(ActiveJob &job, const core::Event &event);
    void apply(ActiveJob &job, const core::Effect &effect);
    void applyWritten(ActiveJob &job, const std::vector<core::Effect> &effects); // what they save is saved
    void grantPlaces();
    void noteWaits();
    bool commitTurn();
    void rewrite();
    void save(ActiveJob &job);
    void runOutside();
    void tell();
    void tellJob(ActiveJob &job);
    void dropFinished();
    void noteIdle();
    TaskInfo taskInfoOf(const ActiveJob &job, core::TaskRef task) const;
    QList<ServiceInfo> servicesOf(const ActiveJob &job) const;
    bool moveAmongAll(const QString &uuid, const QString &before);
    QList<HeldTask> heldTasksOf(const ActiveJob &job) const;
    void startTimer();

    // ---- what holds jobs (enginehold.cpp) ----
    // What the job has to wait for; fails when that is unknown, or did not go as the job wants it.
    Result<std::vector<core::Dependency>> dependenciesOf(const JobSpec &spec, const SubmitRequest &request) const;
    void tellDependents(const core::JobState &over);
    void askForDependencies(ActiveJob &job); // after a restart: those that ended meanwhile
    Result<void> writable();
    Result<void> stepWritten(ActiveJob &job, const core::Event &event);
    // Where the waiting jobs stand, to put them back when a change of it cannot be written down.
    class Places
    {
    public:
        explicit Places(Private &engine);
        void restore() const;

    private:
        struct Place {
            ActiveJob *job = nullptr;
            int priority = 0;
            std::optional<double> order;
        };
        Private &m_engine;
        std::shared_ptr<const core::Scheduler::Order> m_order;
        std::vector<Place> m_places;
    };
    void pauseTry(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid, bool on);
    void later(qint64 due, const ActiveJob &job, decltype(core::Event::what) what);

    // ---- tries (enginetries.cpp) ----
    QString localFolder(const QString &jobUuid, int attempt, const QString &role, int index, int taskTry) const;
    QString agentFolder(const EngineHost &host, const QString &local) const;
    QString belowAgentState(const QString &local) const; // where another host has it below the folder of its agent
    void findLogs(const QString &uuid, TaskInfo &task) const;
    LiveTry *live(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    struct Draw {
        QString job; // UUID
        int attempt = 0;
        core::TaskRef task;
        QUuid tryUuid;
        core::PortTable ports;
        quint64 number
            = 0; // the try's place may have been given back and taken anew meanwhile, and the try is the same
    };
    bool isCurrent(const Draw &draw) const;
    QList<int> gpusOf(const Draw &draw) const;
    void lookAtGpus(EngineHost &host, std::vector<Draw> draws);
    void drawPorts(const std::vector<std::pair<ActiveJob *, core::Effect>> &effects);
    void drawOn(EngineHost &host, std::vector<Draw> draws, int round, const QSet<int> &busy);
    void askPorts(EngineHost &at, std::vector<int> numbers, QSet<int> busy,
        std::function<void(EngineHost &, const QSet<int> &)> then);
    void portsDrawn(const std::vector<Draw> &draws);
    void portsFailed(const Draw &draw, const Error &why);
    bool isHeldByAnother(const Draw &draw, const Error &why);
    void launchTry(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void observeTry(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void stopTry(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void stopUnwritten(ActiveJob &job);
    void askAgain(const QUuid &tryUuid, const contract::Failure &why);
    void noteAnswered(const QUuid &tryUuid);
    void noteTrouble(LiveTry &entry, const QUuid &tryUuid);
    void resumeTries(EngineHost &host);
    void forceLater(const QUuid &tryUuid);
    void grew(const QUuid &tryUuid, qint64 bytes);
    void tellGrowth();
    void started(const QUuid &tryUuid, const contract::StartedRecord &record);
    void ended(const QUuid &tryUuid, const contract::ExitRecord &record);
    static bool isLeft(const EngineHost &host, const contract::Gpu &gpu);
    bool watchGpus(const QUuid &tryUuid, const contract::ExitRecord &record);
    void lookAtLeftMemory(const QUuid &tryUuid, const contract::ExitRecord &record);
    static TaskUsage usageOf(const LiveTry &entry, const contract::ExitRecord &record);
    void noteGpuUse(EngineHost &host, const contract::Sample &sample);
    void noteLostGpus(const QString &hostId, const QStringList &uuids);
    bool isOwnLock(const EngineHost &host, const contract::Gpu &gpu) const;
    qint64 othersMiB(const EngineHost &host, const contract::Gpu &gpu) const; // of those with which ours share it
    bool isHeldByOthers(const EngineHost &host, const contract::Gpu &gpu) const;
    void noteBusyGpu(const QString &hostId, const QString &uuid);
    void noteFreeGpus(EngineHost &host, const contract::Sample &sample) const;
    void classify(const QUuid &tryUuid, const contract::ExitRecord &record, bool withLog);
    void failTry(const QUuid &tryUuid, const QString &reason, const QJsonObject &args, int code, bool wasStarted);
    const TaskEnvironment *environmentFor(ActiveJob &job);
    launch::PluginContext pluginContextOf(ActiveJob &job);
    // What the environment of a job's tasks begins with on a host: the job says it, else the host's setting, else
    // all's.
    struct BaseEnvironment {
        bool clean = false;
        QString command; // that makes the rest, or empty
    };
    BaseEnvironment baseEnvironmentOf(const JobSpec &job, const QString &hostId) const;
    const launch::RoleProgram *programFor(
        ActiveJob &job, int role, const QString &environment, bool inContainer, Error *error);

    // ---- containers (enginecontainers.cpp) ----
    // What the tasks of a job run in, as far as the job and the request say so; empty: the host decides. Refuses what
    // no host, or not the target, could do.
    Result<QString> checkRunIn(const JobSpec &spec, const QString &wanted, const QString &target) const;
    // The hosts that the job may run on.
    static core::Where whereOf(const StoredDocument &document, const JobSpec *spec);
    // Folders of the host that its storages are, as they are mounted into containers at the places that it names; and
    // the folders by name as seen from inside.
    Result<QList<launch::ContainerMount>> storageMounts(const JobSpec &spec, const EngineHost *at) const;
    static QMap<QString, QString> storagesInside(const JobSpec &spec);
    QString runInOf(const EngineHost &host) const; // what its tasks run in when the job says nothing; empty: a shell
    QString runtimeOf(const QString &ofJob, const TaskRole &role, const EngineHost *at) const; // empty: a shell
    Result<launch::ContainerPlan> containerFor(const JobSpec &spec, const TaskRole &role, const QString &runtime,
        const EngineHost *at, const launch::LaunchInput &input, const launch::Variables &environment) const;
    std::optional<Error> putIntoContainer(contract::Launch &message, const JobSpec &spec, const TaskRole &role,
        const QString &runtime, const EngineHost &at, const launch::LaunchInput &input,
        const launch::Variables &environment) const;
    // Who the tasks of a role are there, as sshd in them knows it.
    QString taskUserOn(const EngineHost &at, const JobSpec &spec, const QString &role, const QString &runIn,
        const QString &user) const;
    void notePulling(const QUuid &tryUuid, const QString &text);
    void noteDiskFull(const QUuid &tryUuid, bool full);

    // ---- hosts (enginehosts.cpp) ----
    void startHosts();
    EngineHost &makeHost(const QString &id, const QString &target);
    void hostStateChanged(EngineHost &host);
    void refreshCapacity(EngineHost &host);
    void lookAtDisk(EngineHost &local);
    core::GpuRules gpuRules() const; // as the settings say
    core::WaitReason holdOf(const EngineHost &host) const;
    HostInfo infoOf(const EngineHost &host) const;
    EngineHost *host(const QString &id) const;
    void becomeReady();
    Result<EngineHost *> changeable(const QString &id, bool alsoNotTarget) const;
    void ask(EngineHost &host, SshTransport *transport, int id, const QString &prompt);
    void askNoMore(const SshTransport *transport, int id);

    Engine *q = nullptr;
    std::shared_ptr<EngineLink> m_link = std::make_shared<EngineLink>();
    Options m_options;
    QString m_agentProgram;
    int m_lock = -1;
    std::unique_ptr<Store> m_store;
    Settings m_settings;
    std::pair<qint64, QDateTime> m_exitRulesStamp{-2, {}};
    qint64 m_defaultLogLimit = 0; // the agent has a better one, which looks at the free space
    SecretKeeper m_secrets;
    HostsFile m_hostsFile;
    core::Scheduler m_scheduler;
    void readExitRules(); // the user's, when the file has changed
    core::PortRange portRange() const; // as the settings say
    std::unique_ptr<core::PortBook> m_ports;
    qint64 m_startedAt = 0;
    QMap<QString, QString> m_clientEnvironment;
    std::vector<OpenQuestion> m_questions;
    bool m_canAsk = false;

    std::unordered_map<QString, std::unique_ptr<ActiveJob>> m_jobs; // by UUID
    std::unordered_map<QUuid, LiveTry, UuidHash> m_live; // by try
    std::vector<std::unique_ptr<EngineHost>> m_hosts; // this computer first

    std::vector<std::pair<ActiveJob *, core::Event>> m_events;
    std::vector<std::pair<ActiveJob *, core::Effect>> m_outside; // effects that wait for the commit
    std::vector<ActiveJob *> m_touched;
    std::multimap<qint64, std::pair<QString, decltype(core::Event::what)>> m_due; // job UUID
    QThreadPool m_judges; // read what a long output says of its end
    QTimer m_timer; // the next of m_due
    QTimer m_tellTimer; // changes held back
    QTimer m_rewrite; // after a commit that failed
    Error m_writeError; // why it did
    QTimer m_growthTimer; // growth is told a few times a second
    QHash<QUuid, qint64> m_grown; // tries, and how long their output is
    bool m_turnWanted = false, m_inTurn = false, m_scheduleWanted = false, m_writeFailed = false, m_wasIdle = true,
         m_anyFinished = false;
    quint64 m_turnNumber = 0, m_drawNumber = 0;
    std::set<ActiveJob *> m_untold;

    bool m_ready = false;
    std::vector<std::pair<QPointer<QObject>, std::function<void()>>> m_whenReady;
};

qint64 nowMs();
qint64 steadyMs(); // goes on evenly whatever becomes of the time of day; compared only within one process
void stepClockForTests(qint64 ms); // as if somebody set the clock of this computer

} // namespace trainyard
