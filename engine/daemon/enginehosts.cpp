// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts of an Engine: their agents, what they have, and what is told about them.
#include "engine/daemon/engineprivate.h"
#include "engine/hosts/localtransport.h"
#include "engine/hosts/sshtransport.h"

#include <QDateTime>
#include <QFile>
#include <QHostInfo>
#include <QJsonArray>

#include <sys/statvfs.h>

namespace trainyard
{

using namespace Qt::StringLiterals;

EngineHost *Engine::Private::host(const QString &id) const
{
    for (const auto &one : m_hosts) {
        if (one->id == id) {
            return one.get();
        }
    }
    return nullptr;
}

void Engine::Private::startHosts()
{
    makeHost(u"local"_s, {});
    for (const KnownHost &known : m_hostsFile.hosts()) {
        makeHost(known.id, known.target);
    }
    for (const auto &one : m_hosts) {
        if (one->isLocal()) {
            lookAtDisk(*one);
        }
        refreshCapacity(*one);
        one->agent->start();
    }
}

EngineHost &Engine::Private::makeHost(const QString &id, const QString &target)
{
    auto made = std::make_unique<EngineHost>();
    EngineHost *entry = made.get();
    for (const KnownHost &known : m_hostsFile.hosts()) {
        if (known.id == id) {
            entry->runIn = known.extra.value(u"runIn"_s).toString();
        }
    }
    entry->id = id;
    entry->target = target;
    entry->label = target.isEmpty() ? QHostInfo::localHostName() : id;
    entry->address = target.isEmpty() ? u"127.0.0.1"_s : target.section(u'@', -1);

    AgentConnection::Options options;
    options.loginEnvironment = m_settings.text(u"environment.mode"_s) != "clean"_L1;
    if (target.isEmpty()) {
        options.firstPauseMs = 100;
        options.lastPauseMs = 5000;
        options.makeTransport = [this] { return std::make_unique<LocalTransport>(m_agentProgram); };
    } else {
        options.lastPauseMs = int(m_settings.integer(u"ssh.retryLastSeconds"_s)) * 1000;
        options.makeTransport = [this, entry] {
            SshOptions ssh;
            ssh.target = entry->target;
            ssh.agentProgram = m_agentProgram;
            ssh.connectTimeoutSeconds = int(m_settings.integer(u"ssh.connectTimeoutSeconds"_s));
            ssh.aliveIntervalSeconds = int(m_settings.integer(u"ssh.aliveIntervalSeconds"_s));
            ssh.configFile = qEnvironmentVariable("TRAINYARD_SSH_CONFIG");
            ssh.environment = m_clientEnvironment;
            if (m_canAsk && entry->mayAsk) {
                ssh.askFolder = m_options.runtimeFolder;
            }
            auto transport = std::make_unique<SshTransport>(ssh);
            connect(transport.get(), &SshTransport::asked, q,
                [this, entry, raw = transport.get()](
                    int question, const QString &prompt) { ask(*entry, raw, question, prompt); });
            connect(transport.get(), &SshTransport::askedNoMore, q,
                [this, raw = transport.get()](int question) { askNoMore(raw, question); });
            connect(transport.get(), &QObject::destroyed, q, [this] { askNoMore(nullptr, 0); });
            connect(
                transport.get(), &SshTransport::addressesKnown, q, [entry](const QString &ofHost, const QString &own) {
                    entry->address = ofHost;
                    entry->ownAddress = own;
                });
            return transport;
        };
    }
    entry->agent = std::make_unique<AgentConnection>(std::move(options));
    if (!target.isEmpty()) {
        entry->mirrors
            = std::make_unique<LogMirrors>(entry->agent.get(), QString(m_options.stateFolder + u"/mirror/"_s + id));
        connect(entry->mirrors.get(), &LogMirrors::grew, q,
            [this](const QUuid &tryUuid, quint64 bytes) { grew(tryUuid, qint64(bytes)); });
        connect(entry->mirrors.get(), &LogMirrors::completed, q, [this](const QUuid &tryUuid) {
            const auto it = m_live.find(tryUuid);
            if (it != m_live.end() && it->second.waitsForLog) {
                const contract::ExitRecord record = *std::exchange(it->second.waitsForLog, std::nullopt);
                classify(tryUuid, record, true);
            }
        });
    }
    connect(entry->agent.get(), &AgentConnection::stateChanged, q, [this, entry] { hostStateChanged(*entry); });
    connect(entry->agent.get(), &AgentConnection::exited, q, [this](const contract::Exited &exited) {
        ended(QUuid::fromString(QString::fromStdString(exited.tryUuid)), exited.exit);
    });
    connect(entry->agent.get(), &AgentConnection::sampled, q, [this, entry](const contract::Sample &sample) {
        entry->cpuPercent = sample.cpuPercent;
        if (!entry->isLocal()) {
            entry->diskFreeMiB = sample.diskFreeBytes < 0 ? -1 : sample.diskFreeBytes >> 20;
            entry->diskMiB = sample.diskBytes >> 20;
        } else {
            lookAtDisk(*entry);
        }
        noteGpuUse(*entry, sample);
        noteFreeGpus(*entry, sample);
        if (!sample.tries.empty()) {
            QHash<QString, QUuid> byFolder;
            for (const QUuid &uuid : std::as_const(entry->tries)) {
                if (const auto it = m_live.find(uuid); it != m_live.end()) {
                    byFolder.insert(it->second.folder, uuid);
                }
            }
            for (const contract::TrySample &each : sample.tries) {
                const QUuid uuid = byFolder.value(QString::fromStdString(each.dir));
                if (uuid.isNull()) {
                    continue;
                }
                notePulling(uuid, QString::fromStdString(each.pulling));
                noteDiskFull(uuid, each.diskFull);
                if (entry->isLocal()) { // of other hosts the mirrors tell: only what has arrived here can be read
                    grew(uuid, qint64(each.outputBytes));
                }
            }
        }
        refreshCapacity(*entry);
        Q_EMIT q->hostChanged(infoOf(*entry));
    });
    m_scheduler.expectHost(id);
    m_hosts.push_back(std::move(made));
    return *entry;
}

void Engine::Private::hostStateChanged(EngineHost &changed)
{
    if (changed.agent->isOnline()) {
        changed.base.clear();
        for (const contract::Variable &variable : changed.agent->hello().environment) {
            changed.base.append({QString::fromStdString(variable.name), QString::fromStdString(variable.value)});
        }
        if (!changed.isLocal()) {
            changed.label = QString::fromStdString(changed.agent->hello().host);
        }
    }
    refreshCapacity(changed);
    if (changed.agent->isOnline()) {
        for (const auto &[uuid, entry] : m_live) {
            if (entry.host == changed.id) {
                changed.tries.insert(uuid);
            }
        }
        resumeTries(changed);
        if (changed.mirrors) {
            changed.mirrors->resumeAll();
        }
    }
    for (const QUuid &uuid : std::as_const(changed.tries)) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end()) {
            continue;
        }
        ActiveJob &job = *it->second.job;
        job.changed = true; // where its tasks are is out of reach, or back
        m_untold.insert(&job);
        if (!changed.agent->isOnline()
            && std::holds_alternative<core::Stopping>(job.state.task(it->second.task).state)) {
            forceLater(uuid);
        }
        wantTurn();
    }
    Q_EMIT q->hostChanged(infoOf(changed));
    if (changed.isLocal() && (changed.agent->isOnline() || changed.agent->state() == HostState::Failed)) {
        becomeReady();
    }
}

void Engine::Private::refreshCapacity(EngineHost &changed)
{
    const contract::Inventory &inventory = changed.agent->inventory();
    core::HostCapacity capacity;
    capacity.id = changed.id;
    capacity.address = changed.address;
    capacity.usable = changed.agent->isOnline();
    capacity.cpus = qMax(1, inventory.cpus);
    capacity.memoryMiB = inventory.memoryMiB;
    capacity.reserveMiB = qMin(m_settings.integer(u"memory.reserveMiB"_s), capacity.memoryMiB / 8);
    capacity.hold = holdOf(changed);
    for (const std::string &runtime : inventory.runtimes) {
        capacity.runtimes.append(QString::fromStdString(runtime));
    }
    capacity.runIn = runInOf(changed);
    capacity.sharing = m_settings.flag(u"gpu.share"_s);
    capacity.gpusUnknown = inventory.gpus.empty() && inventory.gpuError == "gpu.slow";
    const bool foreignIsBusy = m_settings.flag(u"gpu.foreignIsBusy"_s);
    const core::GpuRules rules = gpuRules();
    const QDateTime now = QDateTime::currentDateTime();
    const auto wasForeign = [&changed](int index) {
        return std::any_of(changed.capacity.gpus.cbegin(), changed.capacity.gpus.cend(),
            [index](const core::GpuSlot &slot) { return slot.index == index && slot.foreign; });
    };
    QSet<QString> lost;
    for (const contract::Gpu &gpu : inventory.gpus) {
        core::GpuSlot slot;
        slot.index = gpu.index;
        slot.uuid = QString::fromStdString(gpu.uuid);
        slot.name = QString::fromStdString(gpu.name);
        slot.memoryMiB = gpu.memoryMiB;
        slot.instance = gpu.uuid.starts_with("MIG-");
        // A task of ours on it is no foreigner, whatever the agent has made of its processes.
        slot.foreign = gpu.foreign && foreignIsBusy
            && (m_scheduler.gpuHolder(changed.id, gpu.index) == 0 || wasForeign(gpu.index));
        if (isLeft(changed, gpu)) {
            slot.foreign = slot.foreign || foreignIsBusy;
        } else {
            changed.leftGpus.remove(gpu.index);
        }
        if (const auto kept = core::gpuKept(rules, changed.id, gpu.index, slot.uuid, now)) {
            slot.excluded = slot.bySetting = kept->excluded;
            slot.keptUntil = kept->until;
        }
        slot.held = isHeldByOthers(changed, gpu);
        slot.othersMiB = slot.held || !capacity.sharing ? 0 : othersMiB(changed, gpu);
        const bool isLost = changed.lostGpus.contains(slot.uuid) && changed.lostInBoot == changed.agent->hello().bootId;
        if (isLost) {
            lost.insert(slot.uuid);
        }
        slot.excluded = slot.excluded || gpu.undivided || isLost;
        slot.lost = isLost || gpu.missing;
        slot.rank = core::gpuRank(rules, changed.id, gpu.index, slot.uuid);
        capacity.gpus.push_back(slot);
    }
    if (!changed.agent->wasOnline()) {
        return;
    }
    changed.lostGpus = lost;
    if (capacity == changed.capacity) {
        return;
    }
    changed.capacity = capacity;
    m_scheduler.setHost(capacity);
    m_scheduleWanted = true;
    wantTurn();
}

void Engine::Private::noteGpuUse(EngineHost &of, const contract::Sample &sample)
{
    for (const QUuid &uuid : std::as_const(of.tries)) {
        const auto it = m_live.find(uuid);
        if (it == m_live.end() || sample.gpus.empty()) {
            continue;
        }
        LiveTry &entry = it->second;
        const auto *running = std::get_if<core::Running>(&entry.job->state.task(entry.task).state);
        for (const contract::Gpu &gpu : sample.gpus) {
            // Of a GPU that is shared nobody knows what whose is, and of an instance of MIG nothing is told.
            const bool isItsOwn = running && running->place.gpus.contains(gpu.index) && running->place.gpuShareMiB == 0
                && !gpu.uuid.starts_with("MIG-");
            if (isItsOwn) {
                entry.peakGpuMemoryMiB = qMax(entry.peakGpuMemoryMiB, qint64(gpu.memoryUsedMiB));
                ++entry.gpuSamples;
            }
            if (isItsOwn && gpu.utilPercent >= 0) {
                entry.gpuPercentSum += gpu.utilPercent;
                ++entry.gpuPercentSamples;
            }
        }
    }
}

// This computer's is where the engine keeps the folders of its runs.
void Engine::Private::lookAtDisk(EngineHost &local)
{
    struct statvfs space {
    };
    if (::statvfs(QFile::encodeName(m_options.stateFolder).constData(), &space) == 0) {
        local.diskFreeMiB = qint64(quint64(space.f_bavail) * space.f_frsize >> 20);
        local.diskMiB = qint64(quint64(space.f_blocks) * space.f_frsize >> 20);
    }
}

core::GpuRules Engine::Private::gpuRules() const
{
    return {m_settings.list(u"gpu.exclude"_s), m_settings.list(u"gpu.prefer"_s), m_settings.list(u"gpu.keepHours"_s)};
}

// Before tasks lose output: on the host's own disk, and on this computer's, where the logs of all are kept. What was
// held for that is let go with a little more, so that it does not flicker.
core::WaitReason Engine::Private::holdOf(const EngineHost &of) const
{
    const EngineHost *here = host(u"local"_s);
    for (const EngineHost *each : {&of, here}) {
        if (!each || each->diskFreeMiB < 0) {
            continue;
        }
        // On a small disk a twentieth of it.
        const qint64 least = qMin(m_settings.integer(u"disk.holdMiB"_s), qMax<qint64>(0, each->diskMiB) / 20);
        const bool wasHeld = of.capacity.hold.args.value("host"_L1).toString() == each->id;
        const qint64 wanted = wasHeld ? least + least / 10 : least;
        if (each->diskFreeMiB < wanted) {
            return {u"wait.disk"_s, {{u"host"_s, each->id}, {u"wantedMiB"_s, least}}};
        }
    }
    return {};
}

HostInfo Engine::Private::infoOf(const EngineHost &of) const
{
    const contract::Inventory &inventory = of.agent->inventory();
    HostInfo info;
    info.id = of.id;
    info.label = of.label;
    info.target = of.target;
    info.state = of.agent->state();
    if (!of.agent->isOnline()) {
        info.error = of.agent->error().code;
        info.errorArgs = of.agent->error().args;
    }
    info.cpus = inventory.cpus;
    info.cpuPercent = of.agent->isOnline() ? of.cpuPercent : -1;
    info.memoryMiB = inventory.memoryMiB;
    info.memoryUsedMiB = inventory.memoryUsedMiB;
    info.diskFreeMiB = of.diskFreeMiB;
    info.diskLow = of.diskFreeMiB >= 0 && of.diskFreeMiB < m_settings.integer(u"disk.warnMiB"_s);
    info.hold = holdOf(of).code;
    const core::GpuRules rules = gpuRules();
    for (const contract::Gpu &gpu : inventory.gpus) {
        GpuInfo one;
        one.index = gpu.index;
        one.uuid = QString::fromStdString(gpu.uuid);
        one.name = QString::fromStdString(gpu.name);
        one.memoryMiB = gpu.memoryMiB;
        one.memoryUsedMiB = gpu.memoryUsedMiB;
        one.utilPercent = gpu.utilPercent;
        one.jobId = m_scheduler.gpuHolder(of.id, gpu.index);
        one.promisedMiB = m_scheduler.gpuPromisedMiB(of.id, gpu.index);
        if (one.promisedMiB > 0) {
            one.jobs = m_scheduler.gpuHolders(of.id, gpu.index);
        }
        one.foreign = (gpu.foreign || isLeft(of, gpu)) && one.jobId == 0;
        if (const auto kept = core::gpuKept(rules, of.id, gpu.index, one.uuid, QDateTime::currentDateTime())) {
            one.kept = kept->excluded ? u"excluded"_s : u"hours"_s;
        }
        if (gpu.undivided) {
            one.kept = u"mig"_s;
        } else if (of.lostGpus.contains(one.uuid)) {
            one.kept = u"lost"_s;
        } else if (gpu.missing) {
            one.kept = u"missing"_s;
        } else if (one.kept.isEmpty() && one.jobId == 0 && !one.foreign && isHeldByOthers(of, gpu)) {
            one.kept = u"held"_s;
        }
        info.gpus.append(one);
    }
    info.tasks = int(of.tries.size());
    for (const std::string &runtime : inventory.runtimes) {
        info.runtimes.append(QString::fromStdString(runtime));
    }
    info.runIn = runInOf(of);
    return info;
}

void Engine::Private::becomeReady()
{
    if (m_ready) {
        return;
    }
    m_ready = true;
    for (const auto &[context, then] : std::exchange(m_whenReady, {})) {
        if (context) {
            then();
        }
    }
}

Result<HostInfo> Engine::addHost(const QString &target, const QString &name)
{
    if (!HostsFile::isTarget(target)) {
        return fail(u"host.bad-target"_s, {{u"target"_s, target}});
    }
    QString id = name.isEmpty() ? HostsFile::nameFor(target) : name;
    // Another account or port of a host that is known already is a host of its own.
    const auto isKnown = [&](const EngineHost *known) { return known && known->target == target; };
    for (int n = 2; name.isEmpty() && d->host(id) && !isKnown(d->host(id)); ++n) {
        id = u"%1-%2"_s.arg(HostsFile::nameFor(target)).arg(n);
    }
    if (!HostsFile::isName(id)) {
        return fail(u"host.bad-name"_s, {{u"name"_s, id}});
    }
    if (d->host(id)) {
        return fail(u"host.exists"_s, {{u"host"_s, id}});
    }
    if (const Result<bool> written = d->m_hostsFile.add({id, target, {}}); !written) {
        return tl::unexpected<Error>(written.error());
    }
    EngineHost &made = d->makeHost(id, target);
    made.agent->start();
    return d->infoOf(made);
}

Result<HostInfo> Engine::checkHost(const QString &id)
{
    EngineHost *host = d->host(id);
    if (!host) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    host->mayAsk = true;
    host->agent->retryNow();
    if (host->agent->isOnline()) {
        host->agent->request(contract::InventoryRequest{}); // a fresh look; its samples tell what it has found
    }
    return d->infoOf(*host);
}

// A host of which tasks or jobs depend stays as it is; this computer always does.
Result<EngineHost *> Engine::Private::changeable(const QString &id, bool alsoNotTarget) const
{
    EngineHost *of = host(id);
    if (!of) {
        return fail(u"host.unknown"_s, {{u"host"_s, id}});
    }
    if (of->isLocal()) {
        return fail(u"host.local"_s);
    }
    QJsonArray jobs;
    for (const auto &entry : m_jobs) {
        const auto &job = entry.second;
        const bool holds = std::any_of(of->tries.cbegin(), of->tries.cend(), [&](const QUuid &tryUuid) {
            const auto it = m_live.find(tryUuid);
            return it != m_live.end() && it->second.job == job.get();
        });
        if (holds || (alsoNotTarget && job->document.target == id)) {
            jobs.append(job->state.meta.id);
        }
    }
    if (!jobs.isEmpty()) {
        return fail(u"host.in-use"_s, {{u"host"_s, id}, {u"jobs"_s, jobs}});
    }
    return of;
}

Result<HostInfo> Engine::setHost(const QString &id, const QString &target)
{
    if (!HostsFile::isTarget(target)) {
        return fail(u"host.bad-target"_s, {{u"target"_s, target}});
    }
    const Result<EngineHost *> found = d->changeable(id, false);
    if (!found) {
        return tl::unexpected<Error>(found.error());
    }
    if (const Result<bool> written = d->m_hostsFile.setTarget(id, target); !written) {
        return tl::unexpected<Error>(written.error());
    }
    EngineHost &host = **found;
    host.target = target;
    host.address = target.section(u'@', -1);
    host.ownAddress.clear();
    host.mayAsk = true;
    host.agent->restart();
    Q_EMIT hostChanged(d->infoOf(host));
    return d->infoOf(host);
}

Result<bool> Engine::removeHost(const QString &id)
{
    if (const Result<EngineHost *> found = d->changeable(id, true); !found) {
        return tl::unexpected<Error>(found.error());
    }
    if (const Result<bool> written = d->m_hostsFile.remove(id); !written) {
        return written;
    }
    d->m_scheduler.removeHost(id);
    std::erase_if(d->m_hosts, [&](const auto &one) { return one->id == id; });
    Q_EMIT hostRemoved(id);
    return true;
}

QList<HostInfo> Engine::hosts() const
{
    QList<HostInfo> list;
    for (const auto &host : d->m_hosts) {
        list.append(d->infoOf(*host));
    }
    return list;
}

void Engine::setClientEnvironment(const QMap<QString, QString> &environment)
{
    d->m_clientEnvironment = environment;
    for (const auto &host : d->m_hosts) {
        if (host->agent->state() == HostState::NeedsLogin) {
            host->agent->retryNow(); // the new client may have an ssh agent with the key
        }
    }
}

void Engine::Private::ask(EngineHost &of, SshTransport *transport, int id, const QString &prompt)
{
    if (!m_canAsk) {
        transport->refuse(id);
        return;
    }
    const Question question{QUuid::createUuid().toString(QUuid::WithoutBraces), of.id, AskPass::kindOf(prompt), prompt};
    m_questions.push_back({question, transport, id});
    of.agent->setWaitsForPerson(true);
    Q_EMIT q->questionAsked(question);
}

// Of this transport; of those that are gone with null.
void Engine::Private::askNoMore(const SshTransport *transport, int id)
{
    QStringList gone;
    std::erase_if(m_questions, [&](const OpenQuestion &open) {
        const bool isGone = open.transport.isNull() || (open.transport == transport && open.id == id);
        if (isGone) {
            gone.append(open.question.id);
            if (const EngineHost *of = host(open.question.host)) {
                of->agent->setWaitsForPerson(false);
            }
        }
        return isGone;
    });
    for (const QString &each : std::as_const(gone)) {
        Q_EMIT q->questionGone(each);
    }
}

Result<bool> Engine::answer(const QString &id, const std::optional<QString> &text)
{
    const auto it = std::find_if(
        d->m_questions.begin(), d->m_questions.end(), [&](const OpenQuestion &open) { return open.question.id == id; });
    if (it == d->m_questions.end()) {
        return fail(u"question.unknown"_s, {{u"id"_s, id}});
    }
    const OpenQuestion open = *it;
    d->m_questions.erase(it);
    if (EngineHost *of = d->host(open.question.host)) {
        of->agent->setWaitsForPerson(false);
        of->mayAsk = of->mayAsk && text.has_value();
    }
    if (open.transport && text) {
        open.transport->answer(open.id, *text);
    } else if (open.transport) {
        open.transport->refuse(open.id);
    }
    Q_EMIT questionGone(id);
    return true;
}

QList<Question> Engine::questions() const
{
    QList<Question> all;
    for (const OpenQuestion &open : d->m_questions) {
        all.append(open.question);
    }
    return all;
}

void Engine::setCanAsk(bool on)
{
    if (std::exchange(d->m_canAsk, on) == on) {
        return;
    }
    if (on) {
        for (const auto &host : d->m_hosts) {
            if (host->agent->state() == HostState::NeedsLogin && host->mayAsk) {
                host->agent->retryNow();
            }
        }
        return;
    }
    // Nobody is left who could answer; the next who comes is asked again.
    for (const OpenQuestion &open : std::exchange(d->m_questions, {})) {
        if (const EngineHost *of = d->host(open.question.host)) {
            of->agent->setWaitsForPerson(false);
        }
        if (open.transport) {
            open.transport->refuse(open.id);
        }
    }
}

void Engine::whenReady(QObject *context, std::function<void()> then)
{
    if (d->m_ready) {
        then();
    } else {
        d->m_whenReady.emplace_back(context, std::move(then));
    }
}

} // namespace trainyard
