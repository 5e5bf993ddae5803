// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/runfolders.h"
#include "engine/clusters/clusterbackend.h"
#include "engine/clusters/openpaijob.h"
#include "engine/clusters/openpailate.h"
#include "engine/clusters/openpailog.h"
#include "engine/clusters/wantedplaces.h"
#include "engine/hosts/awayclock.h"

#include <QTimer>

#include <map>
#include <memory>
#include <set>

namespace trainyard
{

// The back end of one OpenPAI cluster (docs/clusters.md). A job is one job there, with its retries: what is one attempt
// here may be several there, and what is one try of a task may be several tries there. So tasks end here when the job
// has ended there, each with the last code that the cluster gave it. Everything is granted at once, because the cluster
// does the scheduling.
//
// Large because Backend is: nearly a third of its methods are Backend's. How a job is handed over and
// stopped is in openpaisubmit.cpp, what outlives the engine in openpainote.cpp, what is made of the cluster's answers
// in openpaifollow.cpp.
class OpenPaiBackend : public ClusterBackend
{
    Q_OBJECT
public:
    OpenPaiBackend(const OpenPaiTarget &target, const QString &stateFolder, const Settings &settings);
    ~OpenPaiBackend() override;
    bool isNamed() const override { return m_isNamed; }
    // Jobs that may come there late need the settings and the token, too.
    bool isIdle() const override { return m_runs.empty() && m_late.isEmpty(); }
    ClusterInfo clusterInfo() const override;
    void check(const std::function<void(const ClusterInfo &)> &then) override;
    bool takeToken(const QString &token) override;
    void logIn(const QString &password, const std::function<void(const Result<QString> &token)> &then) override;
    void listJobs(const std::function<void(const Result<ClusterJobs> &)> &then) override;
    void findDocument(const QString &name, const std::function<void(const Result<ClusterDocument> &)> &then) override;
    void changeTags(const TagChange &change, const std::function<void(const Result<ClusterTags> &)> &then) override;

    TargetInfo info() const override { return {true, 0}; }
    Result<void> accept(Prepared &prepared, const SubmitRequest &request) const override;
    Result<void> settle(Prepared &prepared) const override;
    std::optional<Error> neverFits(
        const core::JobState &job, const JobSpec &spec, const StoredDocument &document) const override;
    Result<PlanReply> plan(const Prepared &prepared, const core::JobState &job) const override;

    void reserve(ActiveJob &job, const core::Effect &effect) override;
    bool wantsPlacing() const override { return !m_wanted.isEmpty(); }
    void wantPlacing() override { }
    std::vector<JobEvent> place() override;

    void perform(const std::vector<JobEffect> &effects) override;
    void stopUnwritten(ActiveJob &job) override;
    bool giveUp(ActiveJob &job) override;
    void resume(ActiveJob &) override { } // what has to be done about it follows, and its notes are read then
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
    struct Live { // a try of this engine
        QUuid tryUuid;
        bool isStarted = false;
        std::unique_ptr<OpenPaiLog> log; // once there is something to copy
        bool isLogWhole = false; // nothing more comes
        qint64 logBytes = 0; // that were reported
        bool lacksRoom = false; // for its output, as was reported
    };
    struct Run { // an attempt of this engine, which is a job there
        ActiveJob *job = nullptr;
        int attempt = 0;
        QString name; // there
        QString place; // "user@address" that it was sent to; empty: to none that is known
        int unread = 0; // errno: its note, which says where it was sent to, cannot be read now
        bool isSent = false; // possibly: the answer may have been lost
        bool isTaken = false; // the cluster has it
        bool mayComeLate = false; // a call that was to hand it over has had no answer, and may still come there
        bool isAsking = false; // a question about it has no answer yet
        bool isStopWanted = false, isStopAsked = false;
        bool isOver = false; // there; its last output is on its way
        bool isEnded = false; // and this was reported
        int failures = 0; // in a row
        int quiet = 0; // answers in a row that brought nothing new
        // Steady ms:
        qint64 askAt = 0; // 0: not automatically
        qint64 logsAt = 0;
        qint64 endAt = 0; // with or without the rest of its output
        AwayClock absence; // for how long the cluster has said that it no longer has it
        openpai::JobThere known;
        QString words; // of the cluster about its wait
        qint64 wordsAt = 0; // when it was asked for them
        std::map<int, QString> former; // how attempts there before the known one ended; empty: that is not known
        int formerAsked = 0; // questions for them that have no answer yet
        QStringList formerEnds() const;
        Error trouble; // why it does not continue, or nothing
        std::map<core::TaskRef, Live> tasks;
    };

    std::optional<Error> whyNotAsked() const; // the cluster, with the settings and the token that there are
    Error asRemoved(Error why) const; // where a token is given depends on whether the settings have the cluster
    // openpainote.cpp
    QString noteOf(const ActiveJob &job, int attempt) const;
    Result<void> note(const Run &run, bool isTaken) const;
    Run &runOf(ActiveJob &job);
    void readNote(Run &run) const;
    QString placeNow() const;
    bool isElsewhere(const Run &run) const; // the settings lead to another cluster than the one that it was sent to
    // openpaisubmit.cpp, openpaifollow.cpp
    Run *find(ActiveJob *job, const QString &name);
    bool isWanted(const QString &name) const; // by a job that is not over
    void post(ActiveJob &job, decltype(core::Event::what) what);
    void draw(ActiveJob &job, const core::effect::DrawPorts &wanted);

    bool isUnheardStop(const Run &run) const; // by a cluster that does not answer
    void advance(Run &run);
    void send(Run &run);
    static void hideSecrets(Error &error, const Run &run, const QByteArray &body);
    void sent(Run &run, const OpenPaiClient::Answer &answer);
    void ask(Run &run);
    void asked(Run &run, const OpenPaiClient::Answer &answer);
    void taken(Run &run);
    void absent(Run &run);
    void stop(Run &run);
    void later(Run &run, const Error &why, qint64 atLeastMs);
    void learn(Run &run, const openpai::JobThere &there);
    void askForWords(Run &run);
    void askForFormer(Run &run);
    bool isLogFull(const Live &live) const;
    void copyLogs(Run &run);
    void copied(Run &run, core::TaskRef task);
    void finish(Run &run);
    void tellEnds(Run &run);
    void endAll(Run &run, const core::TryResult &result);
    void noteExit(const Run &run, const core::event::TryEnded &ended) const;
    void planNext();
    void look();
    qint64 pollMs() const;
    static qint64 aroundMs(qint64 ms); // by chance

    OpenPaiTarget m_target;
    RunFolders m_folders;
    const Settings &m_settings;
    OpenPaiClient m_client;
    OpenPaiLate m_late; // of m_client
    bool m_isNamed = true;
    Error m_trouble; // why the cluster did not answer the last time, or nothing
    std::map<ActiveJob *, std::unique_ptr<Run>> m_runs;
    WantedPlaces m_wanted;
    QTimer m_timer;
};

} // namespace trainyard
