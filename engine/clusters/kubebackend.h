// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/exitjudge.h"
#include "engine/backend/runfolders.h"
#include "engine/clusters/clusterbackend.h"
#include "engine/clusters/kubebook.h"
#include "engine/clusters/kubecommands.h"
#include "engine/clusters/kubelog.h"
#include "engine/clusters/kubestate.h"
#include "engine/clusters/kubetarget.h"
#include "engine/clusters/wantedplaces.h"
#include "engine/hosts/awayclock.h"

#include <QTimer>

#include <set>
#include <unordered_map>

namespace trainyard
{

// The back end of one Kubernetes cluster (docs/clusters.md), by the user's own kubectl. The tasks of a gang are one
// JobSet, a task without a gang is one by itself. The cluster schedules and starts each pod once; one query asks
// for the state of all of them, and the engine applies the rules of the job.
//
// Large because Backend is: most of its methods are Backend's. Its parts: what the cluster is asked to take in
// kubesubmit.cpp and to delete in kuberemove.cpp, what is made of its answers in kubefollow.cpp.
class KubeBackend : public ClusterBackend
{
    Q_OBJECT
public:
    KubeBackend(const KubeTarget &target, const QString &stateFolder, const Settings &settings, KubeCommands &commands,
        ExitRulesFile &exitRules);
    ~KubeBackend() override;
    bool isNamed() const override { return m_isNamed; }
    bool isIdle() const override { return m_tries.empty() && m_sets.empty() && m_unread == 0; }
    ClusterInfo clusterInfo() const override;
    void check(const std::function<void(const ClusterInfo &)> &then) override;

    TargetInfo info() const override { return {true, 0}; }
    Result<void> accept(Prepared &prepared, const SubmitRequest &request) const override;
    Result<void> settle(Prepared &prepared) const override;
    std::optional<Error> neverFits(const core::JobState &, const JobSpec &, const StoredDocument &) const override
    {
        return std::nullopt; // the cluster says it, when it is asked
    }
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const override;

    void reserve(ActiveJob &job, const core::Effect &effect) override;
    bool wantsPlacing() const override { return !m_wanted.isEmpty(); }
    void wantPlacing() override { }
    std::vector<JobEvent> place() override;

    void perform(const std::vector<JobEffect> &effects) override;
    void stopUnwritten(ActiveJob &job) override;
    bool giveUp(ActiveJob &job) override; // it is deleted there nevertheless, once the cluster answers
    void resume(ActiveJob &job) override;
    void forget(ActiveJob &job) override;

    void describe(const ActiveJob &job, JobSummary &summary) const override;
    void describe(const ActiveJob &job, core::TaskRef task, TaskInfo &info) const override;
    Error waitReason(const ActiveJob &job) const override;
    LogSource log(const QString &job, int attempt, const QString &role, int index, int taskTry) const override;
    Result<TaskFolder> filesOf(
        const QString &host, const QString &logFolder, const StoredDocument &document) const override;

    QList<KeptTask> keptTasks(const ActiveJob &) const override { return {}; }
    bool release(ActiveJob &, const QStringList &) override { return false; }
    void makeRoom(const QString &) override { }
    void removeRun(const QString &job, const QStringList &hosts) override;
    void settingsChanged() override;

private:
    struct LiveTask {
        ActiveJob *job = nullptr;
        core::TaskRef task;
        QString folder, set; // the name of its set; empty: none yet
        int position = -1; // in the set
        bool isStarted = false, isEndKnown = false;
        bool isResumed = false; // of a former run of the engine
        bool isSought = false; // it may be in a note that cannot be read now
        QString pod, node, address; // as they were seen
        std::unique_ptr<KubeLog> log;
        std::optional<kube::PodEnd> end; // its log is read to the end first
        bool isReading = false;
        int vainReads = 0; // in a row
        qint64 readAt = 0; // steady ms
        qint64 readPauseMs = 0;
        bool isOverlapping = true; // the next part begins before the newest line
        qint64 tail = 0; // so many of the last lines are asked for next; 0: what is new
        bool isTailSeen = false; // after its end
        bool isTailNarrowed = false; // fewer than before, as those were here
        qint64 tailAt = 0, freshAt = 0; // steady ms: asked for again from then on; something came, or it began
        AwayClock absence; // for how long the cluster has said that its pod is not there, or no longer there
    };
    struct SetState { // a JobSet, and how far it is
        KubeEntry entry;
        ActiveJob *job = nullptr; // nothing: it is only to be deleted
        int tries = 0; // that are in it and that the core has not released
        bool isNoted = false; // in the book: the cluster may have it
        bool isInDoubt = false; // an answer did not show that no call has come to the cluster
        bool isAsking = false; // a question that makes or deletes it has no answer yet
        bool isApplied = false; // taken in this run of the engine or before
        bool isRefused = false, isUnwanted = false, isForced = false, isForceAsked = false;
        bool isDeleted = false; // the cluster has said so
        bool isKindMissing = false; // it has said so because it has no JobSets at all
        bool isDoubted = false; // it is asked for by its name
        int refusals = 0;
        qint64 retryAt = 0; // steady ms
        qint64 lostAt = 0; // steady ms: when an answer was lost that may have said that it is taken
        qint64 kindMissingSince = 0; // steady ms: in answers to the wish to delete it
        qint64 knownAt = 0; // steady ms: from then on an answer has to name it, or must not
        Error trouble; // why it is not handed over, or nothing
    };

    // kubebackend.cpp, kubebackend_plan.cpp
    QString taskFolder(const ActiveJob &job, core::TaskRef task) const;
    LiveTask *live(const QUuid &tryUuid);
    LiveTask &enter(ActiveJob &job, core::TaskRef task);
    bool attach(LiveTask &entry, const QUuid &tryUuid);
    void leave(const LiveTask &entry);
    void draw(ActiveJob &job, const core::effect::DrawPorts &wanted);
    void post(ActiveJob &job, decltype(core::Event::what) what);
    void end(LiveTask &entry, const QUuid &tryUuid, const core::TryResult &result);
    // kubesought.cpp
    void readBook();
    void lookForSought();
    bool isUnseen(const LiveTask &entry) const { return m_unread != 0 && entry.isResumed; }
    void seek(LiveTask &entry);
    Error whyUnread(const ActiveJob &job) const; // what was handed over of it, or nothing
    bool giveUpSought(ActiveJob &job);
    // kubesubmit.cpp
    QStringList arguments(const QStringList &of) const;
    void launch(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    void makeSet(ActiveJob &job, const std::vector<core::TaskRef> &tasks);
    Result<QByteArray> manifestOf(const SetState &set, bool withSecrets, QList<KubeEntry::Task> *tasks) const;
    void advance(SetState &set);
    void findPlace(const QString &name);
    void apply(SetState &set);
    static QString detailOfRefusal(const SetState &set, const QByteArray &errors);
    SetState *answered(const QString &name);
    void applied(const QString &name, const kube::Answer &answer);
    void later(SetState &set, const Error &why);
    void taken(SetState &set);
    void refuse(SetState &set, const Error &why);
    void refuseNow(SetState &set, const Error &why);
    // kuberemove.cpp
    void stop(ActiveJob &job, core::TaskRef task, const QUuid &tryUuid);
    void unwant(SetState &set);
    void removeAtCluster(SetState &set);
    static QStringList besides(const QString &name);
    void remove(const QStringList &objects, const KubeCommands::Then &then);
    void removeBeside(const QString &name, bool isForced);
    void removed(const QString &name, bool isForced, const kube::Answer &answer);
    void endGone(const SetState &set);
    void endUnsent(SetState &set);
    bool isUnheard(const SetState &set) const;
    Error unheardStop(const ActiveJob &job) const; // what a stop waits for that the cluster has not heard, or nothing
    void dropIfOver(const QString &name);
    // kubefollow.cpp
    void tick();
    void ask();
    void heard(const kube::Answer &answer, qint64 askedAt);
    void lookAt(SetState &set, qint64 askedAt);
    void lookAtTask(LiveTask &entry, const QUuid &tryUuid, SetState &set, const kube::Set *seen);
    // Whether the cluster has it; nothing: it does not say.
    void askByName(const QString &name, const std::function<void(SetState &set, std::optional<bool> isThere)> &then);
    void missing(SetState &set);
    void deletedThere(SetState &set);
    Error unseenReason(bool isRunning) const;
    Error reasonNow(const SetState &set) const;
    void askSoon() { m_askAt = 0; }
    // kubeoutput.cpp
    void readLogs();
    void readLog(LiveTask &entry, const QUuid &tryUuid);
    bool lacksRoom(const ActiveJob &job) const; // for the output of one of its tasks
    bool takeLines(LiveTask &entry, const QList<kube::LogLine> &lines, bool isAll);
    void wasRead(LiveTask &entry, const QUuid &tryUuid, const QByteArray &said, bool isLast);
    void tailWasRead(LiveTask &entry, const QByteArray &said, bool isLast);
    void ended(LiveTask &entry, const QUuid &tryUuid);

    KubeTarget m_target;
    QString m_stateFolder, m_engine; // the value of Trainyard's label
    const Settings &m_settings;
    KubeCommands &m_commands;
    bool m_isNamed = true;
    ExitJudge m_judge;
    KubeBook m_book;
    int m_unread = 0; // errno: something of the book cannot be read now
    qint64 m_bookAt = 0; // steady ms: when it was read
    std::unordered_map<QUuid, LiveTask, UuidHash> m_tries;
    std::map<QString, SetState> m_sets; // by name
    std::optional<QStringList> m_place; // options that lead to where these are; nothing: it is found for the next one
    WantedPlaces m_wanted;
    QMap<QString, kube::Set> m_seen; // in the newest answer
    bool m_isAsking = false, m_hasAnswered = false;
    qint64 m_askAt = 0, m_pauseMs = 0; // steady ms; how long after the last answer
    Error m_problem; // of the newest question
    int m_readers = 0;
    QTimer m_timer;
};

} // namespace trainyard
