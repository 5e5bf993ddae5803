// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/engine.h"

#include "engine/api/rpc.h"
#include "engine/client/ownexitrules.h"
#include "engine/client/paths.h"
#include "engine/contract/hierarchy.h"
#include "engine/core/report.h"
#include "engine/daemon/engineprivate.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

// What is added to the name of a job's folder that is being removed.
constexpr QLatin1StringView removedSuffix{".removed"};

// Files of removed jobs that an engine which died did not get to.
void removeLeftovers(const QString &runs)
{
    threads::runOnPool([runs] {
        const QStringList names = QDir(runs).entryList(
            {QString(u'*' + removedSuffix)}, QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks);
        for (const QString &name : names) {
            QDir(runs + u'/' + name).removeRecursively();
        }
    });
}

} // namespace

Engine::Engine(std::unique_ptr<Private> data) : d(std::move(data)) { d->q = this; }

Engine::~Engine()
{
    // Servers of this process first: they still ask the engine.
    const QObjectList all = children();
    qDeleteAll(all);
}

Engine::Private::~Private()
{
    m_judges.clear(); // the next engine asks again how those ended
    m_judges.waitForDone();
    {
        const std::lock_guard lock(m_link->mutex);
        m_link->engine = nullptr;
    }
    // Agents first: nothing of theirs may come while the rest goes. The tasks belong to their keepers.
    for (const auto &host : m_hosts) {
        host->agent->disconnect(q);
        if (host->mirrors) {
            host->mirrors->disconnect(q);
        }
        host->agent->shutDown();
    }
    m_hosts.clear();
    m_store.reset();
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

Result<std::unique_ptr<Engine>> Engine::open(const Options &options)
{
    std::unique_ptr<Engine> engine(new Engine(std::make_unique<Private>(options)));
    if (const Result<bool> opened = engine->d->open(); !opened) {
        return tl::unexpected<Error>(opened.error());
    }
    return engine;
}

Result<bool> Engine::Private::open()
{
    m_startedAt = nowMs();
    m_options.stateFolder = QDir::cleanPath(m_options.stateFolder);
    m_agentProgram = m_options.agentProgram.isEmpty() ? paths::program(u"trainyard-agent"_s) : m_options.agentProgram;
    if (!QFileInfo(m_agentProgram).isExecutable()) {
        return fail(u"engine.no-agent"_s, {{u"program"_s, m_options.agentProgram}});
    }
    for (const QString &folder : {m_options.stateFolder, QString(m_options.stateFolder + u"/runs"_s)}) {
        if (const Result<QString> made = paths::ensurePrivateFolder(folder); !made) {
            return tl::unexpected<Error>(made.error());
        }
    }
    contract::markTopOfHierarchy(QFile::encodeName(m_options.stateFolder + u"/runs"_s).toStdString());
    // The lock beside the store, not in the runtime folder, which a logout removes.
    m_lock = ::open(
        QFile::encodeName(m_options.stateFolder + u"/daemon.lock"_s).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (m_lock < 0 || ::flock(m_lock, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        if (error == EWOULDBLOCK) {
            return fail(u"engine.already-running"_s, {{u"folder"_s, m_options.stateFolder}});
        }
        return fail(u"engine.folder"_s,
            {{u"folder"_s, m_options.stateFolder}, {u"message"_s, QString::fromLocal8Bit(std::strerror(error))}});
    }
    Result<std::unique_ptr<Store>> store = Store::open(m_options.stateFolder + u"/store.db"_s);
    if (!store) {
        return tl::unexpected<Error>(store.error());
    }
    m_store = std::move(*store);
    removeLeftovers(m_options.stateFolder + u"/runs"_s);
    m_defaultLogLimit = Settings().integer(u"log.maxBytes"_s);
    m_settings = Settings(m_options.configFolder + u"/engine.json"_s);
    if (const Result<bool> read = m_settings.reload(); !read) {
        qWarning("trainyard: %s is not read: %s", qPrintable(read.error().args.value(u"file").toString()),
            qPrintable(read.error().args.value(u"message").toString()));
    }
    readExitRules();
    m_secrets = SecretKeeper(m_options.runtimeFolder);
    m_ports = std::make_unique<core::PortBook>(portRange());
    m_hostsFile = HostsFile(m_options.configFolder + u"/hosts.json"_s);
    if (const Result<bool> read = m_hostsFile.load(); !read) {
        // Going on without the hosts could lose tasks that run there, and would overwrite the file.
        return read;
    }

    m_timer.setSingleShot(true);
    m_tellTimer.setSingleShot(true);
    m_rewrite.setInterval(1000);
    m_judges.setMaxThreadCount(2);
    m_growthTimer.setSingleShot(true);
    m_growthTimer.setInterval(200);
    connect(&m_growthTimer, &QTimer::timeout, q, [this] { tellGrowth(); });
    connect(&m_timer, &QTimer::timeout, q, [this] {
        const qint64 now = steadyMs();
        while (!m_due.empty() && m_due.begin()->first <= now) {
            auto [uuid, what] = std::move(m_due.begin()->second);
            m_due.erase(m_due.begin());
            if (ActiveJob *job = find(uuid)) {
                post(*job, {nowMs(), std::move(what)});
            }
        }
        startTimer();
    });
    connect(&m_tellTimer, &QTimer::timeout, q, [this] { tell(); });
    connect(&m_rewrite, &QTimer::timeout, q, [this] { rewrite(); });

    std::vector<StoredJob> unfinished = m_store->unfinished();
    if (const std::optional<Error> damaged = m_store->readError()) {
        return tl::unexpected<Error>(*damaged); // going on without some of them would let their tasks run unseen
    }
    m_store->whenDamaged(
        [this](const Error &error) { threads::callLater(q, [this, error] { Q_EMIT q->storeDamaged(error); }); });
    for (StoredJob &stored : unfinished) {
        adopt(std::move(stored));
    }
    for (const auto &[uuid, job] : m_jobs) {
        askForDependencies(*job);
    }
    if (!m_store->isChecked()) {
        checkStoreAside();
    }
    startHosts();
    QTimer::singleShot(5000, q, [this] { becomeReady(); });
    m_wasIdle = m_jobs.empty();
    wantTurn();
    return true;
}

// Every page of a large store, without keeping anybody waiting for it.
void Engine::Private::checkStoreAside()
{
    m_link->engine = q;
    threads::runOnPool([link = m_link, path = QString(m_options.stateFolder + u"/store.db"_s)] {
        const std::optional<Error> damaged = Store::checkAside(path);
        const std::lock_guard lock(link->mutex);
        if (damaged && link->engine) {
            threads::callLater(
                link->engine, [engine = link->engine, error = *damaged] { Q_EMIT engine->storeDamaged(error); });
        }
    });
}

// A job of a former run of the engine: what its tasks hold is theirs, and every outstanding effect is given once more.
void Engine::Private::adopt(StoredJob &&stored)
{
    auto owned = std::make_unique<ActiveJob>();
    ActiveJob &job = *owned;
    job.state = std::move(stored.state);
    job.document = std::move(stored.document);
    loadSpec(job);
    for (std::size_t i = 0; i < job.state.tasks.size(); ++i) {
        const core::TaskRef ref = job.state.refAt(i);
        const core::TaskState &state = job.state.task(ref).state;
        const core::Place *place = core::placeOf(state);
        if (!place || place->host.isEmpty() || std::holds_alternative<core::Ended>(state)) {
            continue;
        }
        const QUuid tryUuid = core::tryUuid(job.state, ref);
        m_scheduler.adopt(
            job.state.meta.id, job.state.uuid, tryUuid, *place, job.state.policy.roles[std::size_t(ref.role)].needs);
        m_ports->adopt(place->host, tryUuid, place->ports);
        LiveTry &entry = m_live[tryUuid];
        entry.job = &job;
        entry.task = ref;
        entry.host = place->host;
        job.placed.insert(ref);
    }
    m_jobs.emplace(job.state.uuid.toString(QUuid::WithoutBraces), std::move(owned));
    m_events.emplace_back(&job, core::Event{nowMs(), core::event::Reconcile{}});
}

Result<SubmitReply> Engine::submit(const SubmitRequest &request) { return d->submit(request); }

Result<PlanReply> Engine::plan(const SubmitRequest &request) const { return d->plan(request); }

QList<JobSummary> Engine::jobs(const QString &filter, qint64 beforeId, int limit) const
{
    JobsQuery query;
    query.before = beforeId;
    query.limit = limit > 0 ? limit : 1 << 30;
    if (filter.startsWith("state:"_L1)) {
        query.states.append(stateFromWord(filter.mid(6).toUpper()));
    } else {
        query.text = filter;
    }
    QList<JobSummary> list = d->m_store->jobs(query);
    for (JobSummary &summary : list) {
        if (const ActiveJob *job = d->find(summary.uuid)) {
            summary = d->summaryOf(*job);
        }
    }
    return list;
}

QList<JobSummary> Engine::activeJobs() const
{
    QList<JobSummary> list;
    for (const auto &[uuid, job] : d->m_jobs) {
        list.append(d->summaryOf(*job));
    }
    std::sort(list.begin(), list.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
    return list;
}

Result<qint64> Engine::Private::storedId(const QString &uuid) const
{
    if (const ActiveJob *job = find(uuid)) {
        return job->state.meta.id;
    }
    if (const std::optional<qint64> id = m_store->idOf(uuid)) {
        return *id;
    }
    return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
}

Result<JobSummary> Engine::summary(const QString &uuid) const
{
    if (const ActiveJob *job = d->find(uuid)) {
        return d->summaryOf(*job);
    }
    const Result<qint64> id = d->storedId(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    if (const std::optional<JobSummary> stored = d->m_store->job(*id)) {
        return *stored;
    }
    return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
}

Result<JobSummary> Engine::findJob(const QString &word) const
{
    const std::optional<qint64> id = d->m_store->findJob(word);
    const std::optional<JobSummary> stored = id ? d->m_store->job(*id) : std::nullopt;
    if (!stored) {
        return fail(u"job.unknown"_s, {{u"job"_s, word}});
    }
    const ActiveJob *job = d->find(stored->uuid);
    return job ? d->summaryOf(*job) : *stored;
}

Result<JobDetail> Engine::job(const QString &uuid) const
{
    Result<JobSummary> known = summary(uuid);
    if (!known) {
        return tl::unexpected<Error>(known.error());
    }
    JobDetail detail;
    detail.summary = *known;
    detail.runFolder = d->m_options.stateFolder + u"/runs/"_s + known->uuid;
    if (const ActiveJob *active = d->find(uuid)) {
        detail.yaml = active->document.yaml;
        detail.runIn = active->document.runIn;
        detail.services = d->servicesOf(*active);
        detail.held = d->heldTasksOf(*active);
        for (const core::AttemptRecord &attempt : active->state.attempts) {
            detail.attempts.append(core::attemptInfoOf(active->state, attempt.index));
        }
    } else {
        if (const std::optional<StoredDocument> document = d->m_store->document(known->id)) {
            detail.yaml = document->yaml;
            detail.runIn = document->runIn;
        }
        detail.attempts = d->m_store->attempts(known->id);
    }
    return d->whole(std::move(detail));
}

Result<QList<TaskInfo>> Engine::tasks(const QString &uuid, int attempt, int from, int limit) const
{
    from = qMax(0, from);
    const ActiveJob *active = d->find(uuid);
    if (active && (attempt < 0 || attempt == active->state.attempt())) {
        QList<TaskInfo> list;
        const std::size_t size = active->state.tasks.size();
        const std::size_t end = limit > 0 ? std::min(size, std::size_t(from) + std::size_t(limit)) : size;
        for (std::size_t i = std::size_t(from); i < end; ++i) {
            list.append(d->taskInfoOf(*active, active->state.refAt(i)));
        }
        return list;
    }
    const Result<qint64> id = d->storedId(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    QList<TaskInfo> list = d->m_store->tasks(*id, attempt, from, limit > 0 ? limit : 1 << 30);
    for (TaskInfo &task : list) {
        d->findLogs(uuid, task);
    }
    return d->whole(std::move(list));
}

Result<QList<TaskInfo>> Engine::earlierTries(const QString &uuid, int attempt, int from, int limit) const
{
    const Result<qint64> id = d->storedId(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    QList<TaskInfo> list = d->m_store->earlierTries(*id, attempt, qMax(0, from), limit > 0 ? limit : 1 << 30);
    for (TaskInfo &task : list) {
        if (!task.host.isEmpty()) {
            task.logFolder = d->localFolder(uuid, task.attempt, task.role, task.index, task.tries);
        }
    }
    return d->whole(std::move(list));
}

// Of a task as the store has it.
void Engine::Private::findLogs(const QString &uuid, TaskInfo &task) const
{
    if (!task.host.isEmpty() || task.tries > 0) {
        const int shown = task.host.isEmpty() ? task.tries - 1 : task.tries;
        task.logFolder = localFolder(uuid, task.keptFrom.value_or(task.attempt), task.role, task.index, shown);
    }
}

Result<TaskOutline> Engine::outline(const QString &uuid, int attempt, int most) const
{
    const ActiveJob *active = d->find(uuid);
    if (active && (attempt < 0 || attempt == active->state.attempt())) {
        TaskOutline result;
        std::map<std::pair<int, State>, int> seen;
        int role = -1;
        for (std::size_t i = 0; i < active->state.tasks.size(); ++i) {
            const core::TaskRef ref = active->state.refAt(i);
            if (ref.role != role) {
                role = ref.role;
                result.roles.append({active->state.roleName(ref), {}});
            }
            const State state = core::taskPublicState(active->state.task(ref).state);
            countState(result.roles.last().counts, state);
            if (++seen[{role, state}] <= most) {
                result.tasks.append(d->taskInfoOf(*active, ref));
            }
        }
        return result;
    }
    const Result<qint64> id = d->storedId(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    TaskOutline result = d->m_store->outline(*id, attempt, most);
    for (TaskInfo &task : result.tasks) {
        d->findLogs(uuid, task);
    }
    return d->whole(std::move(result));
}

Result<QString> Engine::logFolder(const QString &uuid, const QString &role, int index, int attempt, int taskTry) const
{
    const Result<QList<TaskInfo>> list = tasks(uuid, attempt);
    if (!list) {
        return tl::unexpected<Error>(list.error());
    }
    for (const TaskInfo &task : *list) {
        if (task.role == role && task.index == index) {
            return taskTry < 0 ? task.logFolder
                               : d->localFolder(uuid, task.keptFrom.value_or(task.attempt), role, index, taskTry);
        }
    }
    return fail(u"task.unknown"_s, {{u"job"_s, uuid}, {u"task"_s, QString(role + u'/' + QString::number(index))}});
}

Result<bool> Engine::stop(const QString &uuid)
{
    if (ActiveJob *job = d->find(uuid)) {
        if (job->state.stopRequested) {
            return false;
        }
        d->post(*job, {nowMs(), core::event::StopRequested{}});
        d->turn(); // written down before the caller is told
        if (d->m_writeFailed) {
            d->stopUnwritten(*job);
        }
        return true;
    }
    const Result<qint64> id = d->storedId(uuid);
    return id ? Result<bool>(false) : tl::unexpected<Error>(id.error());
}

void Engine::stopAll()
{
    for (const auto &[uuid, job] : d->m_jobs) {
        if (!job->state.stopRequested) {
            d->post(*job, {nowMs(), core::event::StopRequested{}});
        }
    }
    d->turn();
}

Result<bool> Engine::retry(const RetryRequest &request) { return d->retry(request); }

Result<bool> Engine::move(const QString &uuid, const QString &before)
{
    if (const Result<void> ready = d->writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    for (const QString &each : {uuid, before}) {
        if (const Result<qint64> id = each.isEmpty() ? Result<qint64>(0) : d->storedId(each); !id) {
            return tl::unexpected<Error>(id.error());
        }
    }
    const Private::Places places(*d);
    if (!d->m_scheduler.move(QUuid::fromString(uuid), QUuid::fromString(before)) && !d->moveAmongAll(uuid, before)) {
        return false;
    }
    // Those behind it may have made room.
    for (const auto &[key, job] : d->m_jobs) {
        const auto place = d->m_scheduler.placeByHand(job->state.uuid);
        if (place && (job->state.priority != place->first || job->state.order != place->second)) {
            job->state.priority = place->first;
            job->state.order = place->second;
            d->m_store->saveJob(job->state);
            job->changed = true;
            d->m_untold.insert(job.get());
        }
    }
    if (const Result<void> written = d->m_store->commit(true); !written) {
        places.restore();
        return tl::unexpected<Error>(written.error());
    }
    d->m_scheduleWanted = true;
    d->wantTurn();
    return true;
}

Result<bool> Engine::remove(const QString &uuid)
{
    const Result<qint64> id = d->storedId(uuid);
    if (!id) {
        return tl::unexpected<Error>(id.error());
    }
    if (d->find(uuid)) {
        return fail(u"job.active"_s, {{u"job"_s, uuid}});
    }
    const QStringList hosts = d->m_store->hostsOf(*id);
    d->m_store->removeJob(*id);
    if (const Result<void> written = d->m_store->commit(); !written) {
        return tl::unexpected<Error>(written.error());
    }
    // Thousands of files: not in this thread.
    const QString folder = d->m_options.stateFolder + u"/runs/"_s + uuid;
    // Under a name that is no job's: half of it would look like the folder of a job that was lost.
    const QString aside = folder + removedSuffix;
    const QString doomed = QDir().rename(folder, aside) ? aside : folder;
    threads::runOnPool([doomed] { QDir(doomed).removeRecursively(); });
    for (const QString &name : hosts) {
        if (const EngineHost *there = d->host(name); there && there->mirrors) {
            there->mirrors->removeRemote(d->belowAgentState(folder));
        }
    }
    Q_EMIT jobRemoved(uuid);
    return true;
}

QJsonObject Engine::settings() const { return d->m_settings.all(); }

Result<bool> Engine::setSetting(const QString &key, const QJsonValue &value)
{
    const Result<bool> written = d->m_settings.set(key, value);
    d->m_ports->setRange(d->portRange());
    for (const auto &host : d->m_hosts) {
        d->refreshCapacity(*host);
    }
    return written;
}

core::PortRange Engine::Private::portRange() const
{
    core::PortRange range;
    range.first = int(m_settings.integer(u"ports.first"_s));
    range.last = qMax(range.first, int(m_settings.integer(u"ports.last"_s)));
    return range;
}

// A mistake in the user's file must not stop the engine; clients say it in a sentence (they read the same file).
void Engine::Private::readExitRules()
{
    const QFileInfo file(m_options.configFolder + u"/exit-rules.json"_s);
    const std::pair stamp(file.exists() ? file.size() : -1, file.lastModified());
    if (m_exitRulesStamp == stamp) {
        return;
    }
    m_exitRulesStamp = stamp;
    if (const Result<bool> own = useOwnExitRules(m_options.configFolder); !own) {
        qWarning("trainyard: the exit rules of the configuration are not used: %s %s", qPrintable(own.error().code),
            QJsonDocument(own.error().args).toJson(QJsonDocument::Compact).constData());
    }
}

void Engine::reloadSettings()
{
    if (d->m_settings.reload()) {
        d->m_ports->setRange(d->portRange());
        for (const auto &host : d->m_hosts) {
            d->refreshCapacity(*host);
        }
    }
}

QString Engine::serialEpoch() const { return d->m_store->epoch(); }

qint64 Engine::reserveSerials(qint64 count)
{
    const qint64 first = d->m_store->reserveNumbers(count);
    if (!d->m_inTurn) {
        d->m_store->commit();
    }
    return first;
}

EngineStatus Engine::status() const
{
    EngineStatus status;
    status.version = rpc::buildVersion();
    status.pid = QCoreApplication::applicationPid();
    status.startedAt = d->m_startedAt;
    status.activeJobs = int(d->m_jobs.size());
    status.stateFolder = d->m_options.stateFolder;
    return status;
}

bool Engine::isIdle() const { return d->m_jobs.empty(); }
QString Engine::stateFolder() const { return d->m_options.stateFolder; }

} // namespace trainyard
