// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/api/taskoutline.h"
#include "engine/api/usage.h"
#include "engine/api/values.h"
#include "engine/daemon/approvals.h"
#include "engine/daemon/jobnotice.h"
#include "engine/daemon/removaltimes.h"
#include "model/base/result.h"

#include <QObject>

#include <functional>
#include <memory>

namespace trainyard
{

// The jobs of one user on one computer: takes them in, places them on hosts, runs them through agents, keeps the store.
// It owns the parts and passes calls on to them: many methods, and nothing is done here but the start. It lives in one
// thread, nothing blocks. The daemon serves it over a socket; `run --foreground` and the tests have it in-process.
// Tasks belong to their keepers: destroying the Engine, or killing its process, ends none of them. Large because it is
// the one door to all parts: each call of it has a method.
class Engine : public QObject
{
    Q_OBJECT
public:
    struct Options {
        QString stateFolder; // store, lock, run folders (client/paths.h: stateFolder())
        QString configFolder; // engine.json, hosts.json
        QString runtimeFolder; // 0700, preferably tmpfs: secrets of running jobs
        QString agentProgram; // trainyard-agent; empty: found beside the own executable
        bool foreground = false; // it has its own store, and its ended jobs stay; nothing else changes
        RemovalTimes removals = {};
        // The sentence of an error, for a browser whose connection to a forwarded port fails; null: its code.
        std::function<QString(const Error &)> words = {};
    };

    // Takes the lock, opens the store, begins to connect hosts and to continue the jobs that it finds. Codes:
    // engine.already-running {folder}, engine.folder {folder, message}, engine.no-agent {program}, store.*.
    static Result<std::unique_ptr<Engine>> open(const Options &options);
    ~Engine() override;

    // Calls `then` once this computer's inventory is known (usually at once), or was not available within 5 s. A submit
    // or plan before that cannot determine what is impossible here.
    void whenReady(QObject *context, std::function<void()> then);

    // Codes: job.invalid {diagnostics: [{code, severity, begin, end, line, column, path, args}]}, job.bad-name {name},
    // job.secrets-missing {names}, job.run-in-unknown {runIn}, job.runtime-missing {runIn, host}, job.container-image
    // {role, runIn}, job.work-missing {folder}, host.unknown {host},
    // target.unknown {target, known: [target]},
    // refuse.* (core/scheduler.h: what can never run here, with the figures, and `fix`: the edits of the document that
    // would let it run, [{path, value, resource, role?}], where there are such), after.unknown {job}, after.failed
    // {job, name, state}, template.*, require.*, store.write {detail}, store.full, store.write-unsure
    // {detail, name}: the job may be found and run after the next start. With a key that a job has, that job is the
    // answer (note submit.known {key, job, name}); submit.other-job {key, job, name}: it has another text or other
    // parameters; submit.bad-key {most}.
    Result<SubmitReply> submit(const SubmitRequest &request);
    Result<PlanReply> plan(const SubmitRequest &request) const;

    Approvals &approvals(); // what assistants propose

    // Newest first. `filter` as in api/jobfilter.h, with its errors; empty: all. beforeId 0: from the newest.
    // limit <= 0: all.
    Result<QList<JobSummary>> jobs(const QString &filter = {}, qint64 beforeId = 0, int limit = 0) const;
    QList<JobSummary> activeJobs() const;
    Result<JobDetail> job(const QString &uuid) const; // job.unknown {job}
    // The results of these jobs that are still to come to this computer, without the jobs that have none.
    QList<api::PendingFiles> pendingFiles(const QStringList &uuids) const;
    Result<JobSummary> summary(const QString &uuid) const; // job.unknown {job}
    // Number, #n, UUID or prefix of 8 or more, or name (newest). job.unknown {job}, job.ambiguous {job}.
    Result<JobSummary> findJob(const QString &word) const;
    // The tasks of one attempt (-1: the newest), in role order; `from` counts over all roles; limit <= 0: all.
    Result<QList<TaskInfo>> tasks(const QString &uuid, int attempt = -1, int from = 0, int limit = 0) const;

    // Tries of an attempt that were not a task's last: those of tasks that were tried again without their job.
    Result<QList<TaskInfo>> earlierTries(const QString &uuid, int attempt = -1, int from = 0, int limit = 0) const;

    // The first `most` tasks of each role and state, and how many there are.
    Result<TaskOutline> outline(const QString &uuid, int attempt = -1, int most = 50) const;

    // True when it did something, false when the job was stopping or final already. `now`: its tasks get no grace
    // period, also where the stop had been requested before.
    Result<bool> stop(const QString &uuid, bool now = false);
    // Stops it, and ends here at once what waits for a cluster or a host that does not answer. It may still run there:
    // the reason of the job says how to look. False when there was nothing like that.
    Result<bool> giveUp(const QString &uuid);
    void stopAll();
    // One more attempt of a final job, beyond its budget of retries, as it was or as edited since; of a job that waits
    // for its next attempt or try, that at once; and of one that a cluster did not take, the hand-over. Codes:
    // job.active, job.stopping, job.stopping-waits {error}, each with {job, id, name}, job.unknown, task.unknown {job,
    // task}, retry.nothing (no task that failed), retry.other-tasks {role}, job.invalid, job.secrets-missing {names},
    // refuse.*, store.write.
    Result<bool> retry(const RetryRequest &request);
    // Running tasks are stopped where they are and keep their memory and GPUs; those that wait are not started. False
    // when it was so already, or the job is ending or over.
    Result<bool> pause(const QString &uuid, bool on);
    // Releases failed tasks ("role/index"; none named: all) that are kept for inspection. False: none is.
    Result<bool> release(const QString &uuid, const QStringList &tasks);
    // Changes the position of a job that waits in the queue; false when it does not wait.
    Result<bool> setPriority(const QString &uuid, int priority);
    // Puts a waiting job right before another one, or (empty) at the end of the queue. False when either does not wait.
    Result<bool> move(const QString &uuid, const QString &before);
    // Forgets a final job and deletes its run folder, here and on the hosts where it ran. job.active when it is not
    // final.
    Result<bool> remove(const QString &uuid);
    // Calls `then` with the ended jobs whose removal is announced; after a change of the settings once it is known
    // which they are.
    void whenRemovalsKnown(QObject *context, std::function<void(const RemovalOutlook &outlook)> then);
    // Tags, note, star and archive of jobs, active or not; all of them or none. job.unknown {job}, store.*.
    Result<bool> setLabels(const api::LabelChange &change);
    // The job as it was submitted, so that it can be submitted again as a new job. Secrets are masked. job.unknown
    // {job}.
    Result<SubmitRequest> submissionOf(const QString &uuid) const;
    UsageReply usage(const UsageTimes &times) const; // of all jobs that are not removed

    QList<HostInfo> hosts() const; // this computer first
    // `target` as ssh has it (user@host, or an alias of ~/.ssh/config); name empty: made from the target. Connecting
    // continues after the return: hostChanged reports it. host.bad-target, host.exists {host}, host.bad-name {name},
    // host.is-local.
    Result<HostInfo> addHost(const QString &target, const QString &name = {});
    Result<HostInfo> checkHost(const QString &id); // connect again now
    // The same, and asks a host that is online whether it still answers: `then` is called when that is known.
    void checkHost(const QString &id, QObject *context, const std::function<void(const Result<HostInfo> &)> &then);
    // Another way to reach the same host; connects again. host.unknown, host.local, host.bad-target, host.in-use
    // {jobs}: what runs there is known under the old one.
    QList<ClusterInfo> targets() const; // the clusters of the settings
    // `then` gets the cluster with the steps of the check, unless `context` is gone. Code: target.unknown {target,
    // known: [target]}.
    void checkTarget(
        const QString &target, QObject *context, const std::function<void(const Result<ClusterInfo> &)> &then);
    // The jobs that its user has there, and the document of one of them. Codes: target.unknown {target, known:
    // [target]}, target.no-documents {target}, and those of the cluster's answers.
    void jobsOfTarget(
        const QString &target, QObject *context, const std::function<void(const Result<ClusterJobs> &)> &then);
    void documentOfTarget(const api::JobOfTarget &job, QObject *context,
        const std::function<void(const Result<ClusterDocument> &)> &then);
    // The tags of a job there, after the change. Codes: as before, and openpai.bad-tag {target, detail}.
    void changeTagsAtTarget(
        const TagChange &change, QObject *context, const std::function<void(const Result<ClusterTags> &)> &then);
    // The contexts by which kubectl knows Kubernetes clusters on this computer. Codes: kubernetes.no-kubectl,
    // kubernetes.contexts {detail}.
    void contexts(QObject *context, const std::function<void(const Result<QStringList> &)> &then);
    // Kept in memory only. False: the cluster needs none. Code: target.unknown {target, known: [target]}.
    Result<bool> setTargetToken(const QString &target, const QString &token);
    // Makes a token of a cluster by the password of its user, and keeps it likewise. Codes: target.unknown {target,
    // known: [target]}, target.no-login {target}, openpai.bad-password {target, detail}, openpai.no-password {target,
    // address}, and those of the cluster's answers.
    void logInAtTarget(const api::PasswordOfTarget &its, QObject *context,
        const std::function<void(const Result<api::TokenOfTarget> &)> &then);
    // host.in-use {jobs}, host.unknown, host.local, host.bad-target; host.logs-coming {host, logs} and
    // host.results-coming {host, tasks}: these would be looked for at the new address.
    Result<HostInfo> setHost(const QString &id, const QString &target);
    // Labels, drain, hours and address of a host. host.unknown, host.bad-label {label}, host.bad-hours {hours},
    // host.bad-address {address}, host.no-interface {host, address, interfaces},
    // host.always-closed {hours}, hosts.cannot-write.
    Result<HostInfo> changeHost(const api::HostChange &change);
    // The host and its GPUs (-1), or one GPU, may have tasks again. host.unknown, host.no-quarantine {host, gpu}.
    Result<HostInfo> releaseHost(const QString &id, int gpu = -1);
    // host.in-use {jobs}, host.unknown, host.local; host.logs-pending {host, logs}: output of tasks there has not come
    // here yet, and never will when it is forced; host.results-pending {host, tasks}; host.login-node {host, targets}.
    Result<bool> removeHost(const QString &id, bool force = false);
    Result<api::HostHistory> historyOfHost(const QString &id) const; // host.unknown
    // The environments that tasks could use there; the errors of filesOfHost(), which this computer does not have.
    void environmentsOfHost(const QString &id, QObject *context,
        const std::function<void(const Result<api::HostEnvironments> &)> &then) const;
    // The files of a task of an attempt where it ran, and a piece of one (engine/pool/taskfiles.h). The errors
    // of taskFolder(), host.files-away, host.gone, results.no-folder, results.unreadable, results.vanished.
    void filesOfTask(const api::FilesWanted &wanted, QObject *context,
        const std::function<void(const Result<api::TaskFileList> &)> &then) const;
    void pieceOfFile(const api::PieceWanted &wanted, QObject *context,
        const std::function<void(const Result<api::FilePiece> &)> &then) const;
    // Trainyard's files on a host, once its agent has reported them. host.unknown, host.only-ssh, host.not-connected,
    // host.gone, files.failed.
    void filesOfHost(
        const QString &id, QObject *context, const std::function<void(const Result<api::HostFiles> &)> &then) const;
    // Removes what no job of the list needs there. Everything: also the folders of jobs that have ended, and the
    // helper; host.in-use {jobs}, host.logs-pending {host, logs}, host.results-pending {host, tasks}.
    void cleanHost(const api::HostToClean &host, QObject *context,
        const std::function<void(const Result<api::HostFiles> &)> &then) const;

    // Ports of running tasks: those that the job has for them, and those that are forwarded to this computer.
    // job.unknown.
    Result<QList<api::TaskPort>> ports(const api::PortsOf &which) const;
    // The port is one of this computer from then on, until the task ends. A task that runs here is reached as it is.
    // job.unknown, forward.not-running {task}, forward.bad-port {port}, forward.busy {port}, forward.denied {port},
    // forward.none-free {port}, forward.cannot-listen {port, message}, forward.too-many {most}.
    Result<api::TaskPort> forwardPort(const api::PortToForward &wanted);
    Result<bool> stopForward(const api::ForwardToStop &which); // false: nothing was forwarded. job.unknown

    // Copies the code of a folder to a host before any job runs there; `then` is called at the end. It ends when
    // `context` goes. host.unknown, code.is-here, code.host-away {host}, code.not-copied {folder}, host.gone, and the
    // errors of copying, such as code.too-big.
    void syncCode(const api::FolderToSync &wanted, QObject *context,
        const std::function<void(const Result<api::FolderSynced> &)> &then);
    api::SyncProgress syncProgress(const QString &id) const;
    // Answers for a job that waits because its work folder is large (code.asks). job.unknown, code.no-question.
    Result<bool> answerCopy(const QString &uuid, bool isCopied);

    // engine.json (settings.h): every known key with its effective value; settings.unknown, settings.bad-value,
    // settings.cannot-write. A null value means the default again.
    QJsonObject settings() const;
    Result<bool> setSetting(const QString &key, const QJsonValue &value);
    void reloadSettings(); // the file has changed, or SIGHUP
    // SSH_AUTH_SOCK, DISPLAY and so on of the newest living client: those of the engine become outdated.
    void setClientEnvironment(const QMap<QString, QString> &environment);

    // Whether a person can answer questions; without one, a host that asks "needs you to log in".
    void setCanAsk(bool on);
    QList<Question> questions() const; // those that wait
    // Without a text, the question is refused, and ssh does not ask about the host again until the user checks it.
    // question.unknown {id}.
    Result<bool> answer(const QString &id, const std::optional<QString> &text);

    // Whether a client is informed of changes (initially: yes). Without one, the reasons why jobs wait are computed
    // only on request.
    void setWatched(bool on);
    void setInSight(const QSet<QString> &uuids); // jobs whose progress a client shows as it comes

    EngineStatus status() const; // `clients` is the server's to fill
    bool isIdle() const; // no active jobs
    // Results or logs of jobs that may have ended are on their way: if the engine ends now, the rest comes later.
    bool isBringing() const;
    QString stateFolder() const;

    // Local folder with output.log, output.idx of a try (-1: the newest); job.unknown, task.unknown.
    Result<QString> logFolder(
        const QString &uuid, const QString &role, int index, int attempt = -1, int taskTry = -1) const;
    // Where a task of an attempt has its files on its host. job.unknown, task.unknown, task.not-started {task},
    // host.unknown {host}, host.gone: it was not reached since the engine began.
    Result<TaskFolder> taskFolder(
        const QString &uuid, const QString &role, int index, int attempt = newestThatRan) const;

Q_SIGNALS:
    void jobChanged(const trainyard::JobSummary &job); // also new ones
    void jobRemoved(const QString &uuid);
    void tasksChanged(const QString &uuid, const QList<trainyard::TaskInfo> &tasks); // coalesced: at most 20/s per job
    void logsGrew(const QString &uuid, const QList<trainyard::LogGrowth> &logs); // at most five times a second
    void resultsMoved(const QString &uuid); // what of them is here, or is known of it: at most once a second
    void noticed(const trainyard::JobNotice &notice); // of a job, for which a client has asked
    void hostChanged(const trainyard::HostInfo &host);
    void hostRemoved(const QString &id);
    void questionAsked(const trainyard::Question &question);
    void questionGone(const QString &id); // answered, or the answer is no longer waited for
    void idleChanged(bool idle);
    void settingsChanged(); // by a client, or in the file
    // Found after the start, in a part of the store that was not looked at then: continuing would make it worse. The
    // next open() refuses it with the same error.
    void storeDamaged(const trainyard::Error &error);

private:
    struct Parts;
    Engine();
    Result<bool> begin();
    void tellSettings(const QJsonObject &before);
    void connectParts();
    void checkStoreAside();
    std::unique_ptr<Parts> m_parts;
};

} // namespace trainyard
