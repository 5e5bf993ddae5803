// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/engine.h"

#include "engine/api/rpc.h"
#include "engine/backend/clock.h"
#include "engine/client/paths.h"
#include "engine/contract/hierarchy.h"
#include "engine/daemon/engineparts.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>

namespace trainyard
{

using namespace Qt::StringLiterals;

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

Engine::Engine() = default;

Engine::~Engine()
{
    // Servers of this process first: they still ask the engine.
    const QObjectList all = children();
    qDeleteAll(all);
}

Result<std::unique_ptr<Engine>> Engine::open(const Options &given)
{
    Options options = given;
    options.stateFolder = QDir::cleanPath(options.stateFolder);
    const QString agent = options.agentProgram.isEmpty() ? paths::program(u"trainyard-agent"_s) : options.agentProgram;
    if (!QFileInfo(agent).isExecutable()) {
        return fail(u"engine.no-agent"_s, {{u"program"_s, options.agentProgram}});
    }
    const QString runs = RunFolders(options.stateFolder).runs();
    for (const QString &folder : {options.stateFolder, runs}) {
        if (const Result<QString> made = paths::ensurePrivateFolder(folder); !made) {
            return tl::unexpected<Error>(made.error());
        }
    }
    contract::markTopOfHierarchy(QFile::encodeName(runs).toStdString());
    auto lock = std::make_unique<FolderLock>();
    if (const Result<void> taken = lock->take(options.stateFolder); !taken) {
        return tl::unexpected<Error>(taken.error());
    }
    Result<std::unique_ptr<Store>> store = Store::open(options.stateFolder + u"/store.db"_s);
    if (!store) {
        return tl::unexpected<Error>(store.error());
    }
    std::unique_ptr<Engine> engine(new Engine);
    engine->m_parts = std::make_unique<Parts>(options, agent, std::move(*store));
    engine->m_parts->lock = std::move(lock);
    if (const Result<bool> begun = engine->begin(); !begun) {
        return tl::unexpected<Error>(begun.error());
    }
    return engine;
}

Result<bool> Engine::begin()
{
    Parts &parts = *m_parts;
    parts.reserve.keep();
    if (const Result<bool> read = parts.settings.reload(); !read) {
        qWarning("trainyard: %s is not read: %s", qPrintable(read.error().args.value(u"file").toString()),
            qPrintable(read.error().args.value(u"message").toString()));
    }
    parts.syncClusters();
    if (const Result<bool> read = parts.backend.load(); !read) {
        // Going on without the hosts could lose tasks that run there, and would overwrite the file.
        return read;
    }
    connectParts();
    std::vector<StoredJob> unfinished = parts.store->unfinished();
    if (const std::optional<Error> damaged = parts.store->readError()) {
        return tl::unexpected<Error>(*damaged); // going on without some of them would let their tasks run unseen
    }
    parts.store->whenDamaged(
        [this](const Error &error) { threads::callLater(this, [this, error] { Q_EMIT storeDamaged(error); }); });
    for (StoredJob &stored : unfinished) {
        parts.service.restore(std::move(stored));
    }
    parts.clusters.jobsRestored();
    QSet<QUuid> withSecrets;
    for (const auto &[uuid, job] : parts.jobs) {
        parts.blocking.askForDependencies(*job);
        withSecrets << job->state.uuid << sshKeyId(job->state.uuid);
    }
    if (const std::optional<Error> damaged = parts.store->readError()) {
        return tl::unexpected<Error>(*damaged); // a job that waits for one that cannot be found would fail
    }
    parts.secrets.forgetOthers(withSecrets);
    if (!parts.store->isChecked()) {
        checkStoreAside();
    }
    parts.backend.start();
    parts.publisher.begin();
    parts.results.begin();
    parts.notices.begin(parts.queries.activeJobs());
    if (!parts.options.foreground) {
        parts.removals.begin();
    }
    parts.tick.want();
    return true;
}

void Engine::connectParts()
{
    Parts &parts = *m_parts;
    connect(&parts.publisher, &Publisher::jobChanged, this, &Engine::jobChanged);
    connect(&parts.publisher, &Publisher::jobChanged, &parts.notices, &JobNotices::take);
    connect(&parts.notices, &JobNotices::noticed, this, &Engine::noticed);
    connect(&parts.publisher, &Publisher::tasksChanged, this, &Engine::tasksChanged);
    connect(&parts.publisher, &Publisher::idleChanged, this, &Engine::idleChanged);
    connect(&parts.service, &JobService::removed, &parts.results, &JobResults::forget);
    connect(&parts.service, &JobService::runsAgain, &parts.results, &JobResults::forget);
    connect(&parts.service, &JobService::removed, &parts.worse, &WorseJobs::forget);
    connect(&parts.results, &JobResults::changed, &parts.worse, &WorseJobs::look);
    connect(&parts.service, &JobService::removed, this, &Engine::jobRemoved);
    // What changes of jobs that are not active, and so not the publisher's.
    const auto publish = [this](const QString &uuid) {
        if (const Result<JobSummary> job = m_parts->queries.summary(uuid)) {
            Q_EMIT jobChanged(*job);
        }
    };
    connect(&parts.results, &JobResults::stored, this, publish);
    connect(&parts.labelling, &JobLabelling::changed, this, publish);
    connect(&parts.removals, &DueRemovals::changed, this, publish);
    connect(&parts.removals, &DueRemovals::announced, &parts.notices, &JobNotices::announceRemovals);
    connect(&parts.backend.quarantine(), &HostQuarantine::quarantined, &parts.notices, &JobNotices::announceQuarantine);
    connect(&parts.backends, &Backends::logsGrew, this, &Engine::logsGrew);
    connect(&parts.backend, &PoolBackend::hostChanged, this, &Engine::hostChanged);
    connect(&parts.backend.hosts().questions(), &HostQuestions::asked, this, &Engine::questionAsked);
    connect(&parts.backend.hosts().questions(), &HostQuestions::gone, this, &Engine::questionGone);
    connect(&parts.backends, &Backends::infoChanged, this, [this] {
        if (!m_parts->backends.areReady()) {
            return;
        }
        for (const auto &[context, then] : std::exchange(m_parts->whenReady, {})) {
            if (context) {
                then();
            }
        }
    });
}

// Every page of a large store, without keeping anybody waiting for it.
void Engine::checkStoreAside()
{
    m_parts->link->engine = this;
    threads::runOnPool([link = m_parts->link, path = QString(m_parts->options.stateFolder + u"/store.db"_s)] {
        const std::optional<Error> damaged = Store::checkAside(path);
        const std::lock_guard lock(link->mutex);
        if (damaged && link->engine) {
            threads::callLater(
                link->engine, [engine = link->engine, error = *damaged] { Q_EMIT engine->storeDamaged(error); });
        }
    });
}

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

Result<TaskFolder> Engine::taskFolder(const QString &uuid, const QString &role, int index) const
{
    return m_parts->queries.taskFolder(uuid, role, index);
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

Result<SubmitRequest> Engine::submissionOf(const QString &uuid) const
{
    const Result<JobSummary> job = summary(uuid);
    if (!job) {
        return tl::unexpected<Error>(job.error());
    }
    const std::optional<StoredDocument> document = m_parts->store->document(job->id);
    if (!document) {
        return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
    }
    SubmitRequest request;
    request.yaml = document->yaml;
    request.name = job->name;
    request.file = document->file;
    request.parameters = document->parameters;
    request.target = document->target.isEmpty() ? QString(anyHost) : document->target; // it did not stay here either
    request.work = document->work;
    request.runIn = document->runIn;
    request.documentName = document->documentName;
    request.priority = job->priority;
    request.group = job->group;
    request.groupLimit = document->groupLimit;
    request.stopWorse = document->stopWorse;
    request.original = document->original;
    return request;
}

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
    const Result<TaskFolder> place = taskFolder(wanted.id, wanted.role, wanted.index);
    if (place) {
        m_parts->backend.taskFiles().list(*place, wanted, context, then);
    } else {
        then(tl::unexpected<Error>(place.error()));
    }
}

void Engine::pieceOfFile(const api::PieceWanted &wanted, QObject *context,
    const std::function<void(const Result<api::FilePiece> &)> &then) const
{
    const Result<TaskFolder> place = taskFolder(wanted.id, wanted.role, wanted.index);
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
    // What a removed job still wants here stays, too.
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

// ---- the engine itself ----

void Engine::whenReady(QObject *context, std::function<void()> then)
{
    if (m_parts->backends.areReady()) {
        then();
    } else {
        m_parts->whenReady.emplace_back(context, std::move(then));
    }
}

QJsonObject Engine::settings() const { return m_parts->settings.all(); }

Result<bool> Engine::setSetting(const QString &key, const QJsonValue &value)
{
    const QJsonObject before = settings();
    const Result<bool> written = m_parts->settings.set(key, value);
    m_parts->settingsChanged();
    tellSettings(before);
    return written;
}

void Engine::reloadSettings()
{
    const QJsonObject before = settings();
    if (m_parts->settings.reload()) {
        m_parts->settingsChanged();
        tellSettings(before);
    }
}

// What is written is also read again a moment later.
void Engine::tellSettings(const QJsonObject &before)
{
    if (settings() != before) {
        Q_EMIT settingsChanged();
    }
}

EngineStatus Engine::status() const
{
    EngineStatus status;
    status.version = rpc::buildVersion();
    status.pid = QCoreApplication::applicationPid();
    status.startedAt = m_parts->startedAt;
    status.activeJobs = int(m_parts->jobs.size());
    status.stateFolder = m_parts->options.stateFolder;
    return status;
}

bool Engine::isBringing() const { return m_parts->backend.isBringing(); }

bool Engine::isIdle() const { return m_parts->jobs.isEmpty(); }

QString Engine::stateFolder() const { return m_parts->options.stateFolder; }

} // namespace trainyard
