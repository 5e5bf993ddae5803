// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/engine.h"

#include "engine/api/rpc.h"
#include "engine/client/pathbytes.h"
#include "engine/client/paths.h"
#include "engine/contract/hierarchy.h"
#include "engine/daemon/engineparts.h"
#include "model/base/threads.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

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
    contract::markTopOfHierarchy(pathBytes(runs));
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
    // Changes of inactive jobs, which the publisher does not handle.
    const auto publish = [this](const QString &uuid) {
        if (const Result<JobSummary> job = m_parts->queries.summary(uuid)) {
            Q_EMIT jobChanged(*job);
        }
    };
    connect(&parts.results, &JobResults::stored, this, publish);
    // Later, because a tick may be the cause.
    connect(
        &parts.backend.results(), &ResultService::settled, this,
        [this, publish](const QString &uuid) {
            if (ActiveJob *active = m_parts->jobs.find(uuid)) {
                m_parts->publisher.mark(*active);
                m_parts->publisher.publish();
            } else {
                publish(uuid);
            }
        },
        Qt::QueuedConnection);
    connect(&parts.backend.results(), &ResultService::moved, this, &Engine::resultsMoved);
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

// Reads every page of a large store without delaying other requests.
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

// A file that was written is also read again a moment later.
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
