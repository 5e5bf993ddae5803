// SPDX-License-Identifier: GPL-3.0-or-later
// The door of the engine: each call of a client goes to the part that it is for.
#include "engine/backend/clock.h"
#include "engine/daemon/engine.h"
#include "engine/daemon/engineparts.h"

#include <QPointer>

#include <utility>

namespace trainyard
{
namespace
{

template <typename T>
std::function<void(const Result<T> &)> whileThere(QObject *context, const std::function<void(const Result<T> &)> &then)
{
    return [context = QPointer(context), then](const Result<T> &answer) {
        if (context) {
            then(answer);
        }
    };
}

} // namespace

// ---- jobs ----

Result<SubmitReply> Engine::submit(const SubmitRequest &request) { return m_parts->service.submit(request); }

Result<PlanReply> Engine::plan(const SubmitRequest &request) const { return m_parts->service.plan(request); }

Result<QList<JobSummary>> Engine::jobs(const QString &filter, qint64 beforeId, int limit) const
{
    return m_parts->queries.jobs(filter, beforeId, limit);
}

QList<JobSummary> Engine::activeJobs() const { return m_parts->queries.activeJobs(); }

Result<JobSummary> Engine::summary(const QString &uuid) const { return m_parts->queries.summary(uuid); }

Result<JobSummary> Engine::findJob(const QString &word) const { return m_parts->queries.findJob(word); }

Result<JobDetail> Engine::job(const QString &uuid) const { return m_parts->queries.job(uuid); }

QList<api::PendingFiles> Engine::pendingFiles(const QStringList &uuids) const
{
    QList<api::PendingFiles> pending;
    for (const QString &uuid : uuids) {
        if (const api::PendingFiles files = m_parts->backend.results().pendingOf(uuid); files.tasks > 0) {
            pending.append(files);
        }
    }
    return pending;
}

Result<QList<TaskInfo>> Engine::tasks(const QString &uuid, int attempt, int from, int limit) const
{
    return m_parts->queries.tasks(uuid, attempt, from, limit);
}

Result<QList<TaskInfo>> Engine::earlierTries(const QString &uuid, int attempt, int from, int limit) const
{
    return m_parts->queries.earlierTries(uuid, attempt, from, limit);
}

Result<TaskOutline> Engine::outline(const QString &uuid, int attempt, int most) const
{
    return m_parts->queries.outline(uuid, attempt, most);
}

Result<QString> Engine::logFolder(const QString &uuid, const QString &role, int index, int attempt, int taskTry) const
{
    return m_parts->queries.logFolder(uuid, role, index, attempt, taskTry);
}

Result<TaskFolder> Engine::taskFolder(const QString &uuid, const QString &role, int index, int attempt) const
{
    return m_parts->queries.taskFolder(uuid, role, index, attempt);
}

Result<bool> Engine::stop(const QString &uuid, bool now) { return m_parts->service.stop(uuid, now); }

Result<bool> Engine::giveUp(const QString &uuid) { return m_parts->service.giveUp(uuid); }

void Engine::stopAll() { m_parts->service.stopAll(); }

Result<bool> Engine::retry(const RetryRequest &request) { return m_parts->service.retry(request); }

Result<bool> Engine::pause(const QString &uuid, bool on) { return m_parts->blocking.pause(uuid, on); }

Result<bool> Engine::release(const QString &uuid, const QStringList &tasks)
{
    return m_parts->service.release(uuid, tasks);
}

Result<bool> Engine::setPriority(const QString &uuid, int priority)
{
    return m_parts->queue.setPriority(uuid, priority);
}

Result<bool> Engine::move(const QString &uuid, const QString &before) { return m_parts->queue.move(uuid, before); }

Result<bool> Engine::remove(const QString &uuid) { return m_parts->service.remove(uuid); }

void Engine::whenRemovalsKnown(QObject *context, std::function<void(const RemovalOutlook &)> then)
{
    m_parts->removals.whenLooked(context, std::move(then));
}

Result<bool> Engine::setLabels(const api::LabelChange &change) { return m_parts->labelling.change(change); }

Result<SubmitRequest> Engine::submissionOf(const QString &uuid) const { return m_parts->queries.submissionOf(uuid); }

Approvals &Engine::approvals() { return m_parts->approvals; }

UsageReply Engine::usage(const UsageTimes &times) const
{
    constexpr int mostSpans = 20'000; // that one message holds
    return m_parts->store->usage(times.from, times.to > 0 ? times.to : nowMs(), mostSpans);
}

void Engine::setWatched(bool on) { m_parts->publisher.setWatched(on); }

void Engine::setInSight(const QSet<QString> &uuids) { m_parts->results.setInSight(uuids); }

// ---- hosts ----

QList<HostInfo> Engine::hosts() const { return m_parts->backend.admin().hosts(); }

Result<HostInfo> Engine::addHost(const QString &target, const QString &name)
{
    return m_parts->backend.admin().addHost(target, name);
}

Result<HostInfo> Engine::checkHost(const QString &id) { return m_parts->backend.admin().checkHost(id); }

void Engine::checkHost(const QString &id, QObject *context, const std::function<void(const Result<HostInfo> &)> &then)
{
    m_parts->backend.admin().checkHost(id, context, then);
}

QList<ClusterInfo> Engine::targets() const { return m_parts->clusters.list(); }

void Engine::checkTarget(
    const QString &target, QObject *context, const std::function<void(const Result<ClusterInfo> &)> &then)
{
    m_parts->clusters.check(target, whileThere(context, then));
}

void Engine::jobsOfTarget(
    const QString &target, QObject *context, const std::function<void(const Result<ClusterJobs> &)> &then)
{
    m_parts->clusters.listJobs(target, whileThere(context, then));
}

void Engine::documentOfTarget(
    const api::JobOfTarget &job, QObject *context, const std::function<void(const Result<ClusterDocument> &)> &then)
{
    m_parts->clusters.findDocument(job.id, job.name, whileThere(context, then));
}

void Engine::changeTagsAtTarget(
    const TagChange &change, QObject *context, const std::function<void(const Result<ClusterTags> &)> &then)
{
    m_parts->clusters.changeTags(change, whileThere(context, then));
}

void Engine::contexts(QObject *context, const std::function<void(const Result<QStringList> &)> &then)
{
    m_parts->kubernetes->askContexts(whileThere(context, then));
}

Result<bool> Engine::setTargetToken(const QString &target, const QString &token)
{
    return m_parts->clusters.takeToken(target, token);
}

void Engine::logInAtTarget(const api::PasswordOfTarget &its, QObject *context,
    const std::function<void(const Result<api::TokenOfTarget> &)> &then)
{
    m_parts->clusters.logIn(
        its.id, its.password, whileThere(context, std::function([id = its.id, then](const Result<QString> &token) {
            then(token.map([&id](const QString &made) { return api::TokenOfTarget{id, made}; }));
        })));
}

Result<HostInfo> Engine::setHost(const QString &id, const QString &target)
{
    const Result<HostInfo> set = m_parts->backend.admin().setHost(id, target);
    if (set) {
        Q_EMIT hostChanged(*set);
    }
    return set;
}

Result<HostInfo> Engine::changeHost(const api::HostChange &change)
{
    return m_parts->backend.admin().changeHost(change);
}

Result<HostInfo> Engine::releaseHost(const QString &id, int gpu)
{
    return m_parts->backend.admin().releaseHost(id, gpu);
}

Result<bool> Engine::removeHost(const QString &id, bool force)
{
    const Result<bool> removed = m_parts->backend.admin().removeHost(id, force);
    if (removed) {
        Q_EMIT hostRemoved(id);
    }
    return removed;
}

Result<api::HostHistory> Engine::historyOfHost(const QString &id) const
{
    return m_parts->backend.insight().history(id);
}

void Engine::environmentsOfHost(
    const QString &id, QObject *context, const std::function<void(const Result<api::HostEnvironments> &)> &then) const
{
    m_parts->backend.insight().environments(id, context, then);
}

void Engine::filesOfHost(
    const QString &id, QObject *context, const std::function<void(const Result<api::HostFiles> &)> &then) const
{
    const auto isListed = [this](const QString &job) { return m_parts->queries.mayBeListed(job); };
    m_parts->backend.housekeeping().look(id, isListed, context, then);
}

void Engine::filesOfTask(const api::FilesWanted &wanted, QObject *context,
    const std::function<void(const Result<api::TaskFileList> &)> &then) const
{
    const Result<TaskFolder> place = taskFolder(wanted.id, wanted.role, wanted.index, wanted.attempt);
    if (place) {
        m_parts->backend.taskFiles().list(*place, wanted, context, then);
    } else {
        then(tl::unexpected<Error>(place.error()));
    }
}

void Engine::pieceOfFile(const api::PieceWanted &wanted, QObject *context,
    const std::function<void(const Result<api::FilePiece> &)> &then) const
{
    const Result<TaskFolder> place = taskFolder(wanted.id, wanted.role, wanted.index, wanted.attempt);
    if (place) {
        m_parts->backend.taskFiles().read(*place, wanted, context, then);
    } else {
        then(tl::unexpected<Error>(place.error()));
    }
}

void Engine::cleanHost(const api::HostToClean &host, QObject *context,
    const std::function<void(const Result<api::HostFiles> &)> &then) const
{
    if (const Result<bool> may = m_parts->backend.admin().mayEmpty(host.id, host.force); host.everything && !may) {
        then(tl::unexpected<Error>(may.error()));
        return;
    }
    // Files that a removed job still needs here are kept, too.
    const auto isListed = [this, id = host.id](const QString &job) {
        return m_parts->queries.mayBeListed(job) || m_parts->backend.results().awaits(job, id);
    };
    m_parts->backend.housekeeping().clean(host.id, host.everything, isListed, context, then);
}

Result<QList<api::TaskPort>> Engine::ports(const api::PortsOf &which) const
{
    return summary(which.id).map([&](const JobSummary &) { return m_parts->backend.forwards().list(which); });
}

Result<api::TaskPort> Engine::forwardPort(const api::PortToForward &wanted)
{
    return summary(wanted.id).and_then([&](const JobSummary &) { return m_parts->backend.forwards().forward(wanted); });
}

Result<bool> Engine::stopForward(const api::ForwardToStop &which)
{
    return summary(which.id).map([&](const JobSummary &) { return m_parts->backend.forwards().stop(which); });
}

void Engine::syncCode(const api::FolderToSync &wanted, QObject *context,
    const std::function<void(const Result<api::FolderSynced> &)> &then)
{
    m_parts->backend.codeSyncs().sync(wanted, context, then);
}

api::SyncProgress Engine::syncProgress(const QString &id) const { return m_parts->backend.codeSyncs().progress(id); }

Result<bool> Engine::answerCopy(const QString &uuid, bool isCopied)
{
    return summary(uuid).and_then(
        [&](const JobSummary &job) { return m_parts->backend.code().answer(QUuid(job.uuid), isCopied); });
}

void Engine::setClientEnvironment(const QMap<QString, QString> &environment)
{
    m_parts->backend.hosts().setClientEnvironment(environment);
}

void Engine::setCanAsk(bool on) { m_parts->backend.hosts().setCanAsk(on); }

Result<bool> Engine::answer(const QString &id, const std::optional<QString> &text)
{
    return m_parts->backend.hosts().questions().answer(id, text);
}

QList<Question> Engine::questions() const { return m_parts->backend.hosts().questions().all(); }

} // namespace trainyard
