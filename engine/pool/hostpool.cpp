// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pool/hostpool.h"

#include "engine/backend/clock.h"
#include "engine/hosts/localtransport.h"
#include "engine/hosts/sshtransport.h"
#include "engine/pool/samehost.h"

#include <QDir>
#include <QFile>
#include <QHostInfo>
#include <QTimer>

#include <sys/statvfs.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace trainyard
{

using namespace Qt::StringLiterals;

HostPool::HostPool(const Options &options, const Settings &settings)
    : m_options(options), m_settings(settings), m_file(options.configFolder + u"/hosts.json"_s),
      m_questions([this](const QString &id) { return find(id); })
{
}

HostPool::~HostPool()
{
    // Nothing of theirs may come while the rest goes. The tasks belong to their keepers.
    List gone = std::move(m_hosts);
    m_hosts.clear();
    for (const auto &host : gone) {
        host->agent->disconnect(this);
        if (host->mirrors) {
            host->mirrors->disconnect(this);
        }
        host->agent->shutDown();
    }
    gone.clear();
}

Result<bool> HostPool::load() { return m_file.load(); }

PoolHost *HostPool::find(const QString &id) const
{
    for (const auto &one : m_hosts) {
        if (one->id == id) {
            return one.get();
        }
    }
    return nullptr;
}

int HostPool::cpus() const
{
    int cpus = 0;
    for (const auto &one : m_hosts) {
        cpus += one->agent->inventory().cpus;
    }
    return cpus;
}

void HostPool::start()
{
    if (!m_options.makeTransport) { // other ways are not over the network
        connect(&m_network, &NetworkWatch::cameUp, this, [this] {
            for (const auto &one : m_hosts) {
                if (!one->isLocal()) {
                    one->agent->networkCameUp();
                }
            }
        });
        m_network.start();
    }
    make(u"local"_s, {});
    for (const KnownHost &known : m_file.hosts()) {
        make(known.id, known.target).isWanted = false;
    }
    for (const auto &one : m_hosts) {
        if (one->isLocal()) {
            lookAtDisk(*one);
        }
        Q_EMIT made(one.get());
        one->agent->start();
    }
    QTimer::singleShot(std::chrono::seconds(5), this, [this] { becomeReady(); });
}

std::unique_ptr<SshTransport> HostPool::makeSsh(const PoolHost &host)
{
    SshOptions ssh;
    ssh.target = host.target;
    ssh.agentProgram = m_options.agentProgram;
    ssh.connectTimeoutSeconds = int(m_settings.integer(u"ssh.connectTimeoutSeconds"_s));
    ssh.aliveIntervalSeconds = int(m_settings.integer(u"ssh.aliveIntervalSeconds"_s));
    ssh.configFile = qEnvironmentVariable("TRAINYARD_SSH_CONFIG");
    ssh.environment = m_clientEnvironment;
    if (asksFor(host)) {
        ssh.askFolder = m_options.runtimeFolder;
    }
    auto transport = std::make_unique<SshTransport>(ssh);
    // By its name: a transport may outlive its host for a moment.
    m_questions.watch(transport.get(), host.id);
    return transport;
}

PoolHost &HostPool::make(const QString &id, const QString &target)
{
    auto made = std::make_unique<PoolHost>();
    PoolHost *entry = made.get();
    for (const KnownHost &known : m_file.hosts()) {
        if (known.id == id) {
            entry->runIn = known.extra.value(u"runIn"_s).toString();
        }
    }
    entry->use = m_file.use(id);
    entry->id = id;
    entry->target = target;
    entry->label = target.isEmpty() ? QHostInfo::localHostName() : id;
    entry->address = target.isEmpty() ? u"127.0.0.1"_s : target.section(u'@', -1);

    AgentConnection::Options options;
    options.isLocal = target.isEmpty();
    if (target.isEmpty()) {
        options.firstPauseMs = 100;
        options.lastPauseMs = 5000;
        options.makeTransport = [this] { return std::make_unique<LocalTransport>(m_options.agentProgram); };
    } else {
        options.makeTransport = [this, entry] {
            std::unique_ptr<SshTransport> transport = makeSsh(*entry);
            connect(transport.get(), &SshTransport::addressesKnown, this,
                [this, id = entry->id](const QString &ofHost, const QString &own) {
                    if (PoolHost *of = find(id)) {
                        of->address = ofHost;
                        of->ownAddress = own;
                    }
                });
            return transport;
        };
    }
    if (m_options.makeTransport) {
        options.makeTransport = [this, id] { return m_options.makeTransport(id); };
    }
    options.makeTransport = [this, entry, makeTransport = options.makeTransport] {
        entry->couldAsk = asksFor(*entry);
        entry->isAnswered = false;
        return makeTransport();
    };
    entry->agent = std::make_unique<AgentConnection>(std::move(options));
    takeSettings(*entry);
    entry->streams = std::make_unique<HostStreams>(entry->agent.get());
    if (!target.isEmpty()) {
        entry->mirrors = std::make_unique<LogMirrors>(entry->agent.get(), mirrorBook(id));
        connect(entry->mirrors.get(), &LogMirrors::grew, this,
            [this](const QUuid &tryUuid, quint64 bytes) { Q_EMIT mirrored(tryUuid, qint64(bytes)); });
        connect(entry->mirrors.get(), &LogMirrors::moved, this, &HostPool::mirrorMoved);
        connect(entry->mirrors.get(), &LogMirrors::completed, this, &HostPool::mirrorCompleted);
        entry->mirrors->setReserve(
            [this](qint64 diskBytes) { return copyReserveBytes(m_settings.integer(u"disk.holdMiB"_s), diskBytes); });
        connect(entry->mirrors.get(), &LogMirrors::roomChanged, this, [this, entry](const QUuid &tryUuid) {
            Q_EMIT mirrorLacksRoom(tryUuid, entry->mirrors->lacksRoom(tryUuid));
        });
    }
    connect(entry->agent.get(), &AgentConnection::stateChanged, this, [this, entry] { changed(*entry); });
    connect(entry->agent.get(), &AgentConnection::progressed, this, [this, entry] { Q_EMIT progressed(entry); });
    connect(entry->agent.get(), &AgentConnection::addressesChanged, this, [this, entry] { Q_EMIT useChanged(entry); });
    connect(entry->agent.get(), &AgentConnection::exited, this, [this, entry](const contract::Exited &gone) {
        // Tasks know the names of those that run with them on other hosts: a host speaks for its own only.
        const QUuid tryUuid = QUuid::fromString(QString::fromStdString(gone.tryUuid));
        if (entry->tries.contains(tryUuid)) {
            Q_EMIT exited(tryUuid, gone.exit);
        }
    });
    connect(entry->agent.get(), &AgentConnection::sampled, this,
        [this, entry](const contract::Sample &sample) { takeSample(*entry, sample); });
    m_hosts.push_back(std::move(made));
    return *entry;
}

void HostPool::takeSettings(PoolHost &host)
{
    // Other uses of the login shell's environment request it then.
    host.agent->setLogin(m_settings.text(u"environment.mode"_s) != "clean"_L1
            || m_settings.texts(u"hostEnvironment."_s).value(host.id).trimmed() == "login"_L1,
        m_settings.integer(u"environment.loginSeconds"_s) * 1000);
    if (!host.isLocal()) {
        host.agent->setLastPauseMs(int(m_settings.integer(u"ssh.retryLastSeconds"_s)) * 1000);
    }
}

void HostPool::settingsChanged()
{
    for (const auto &one : m_hosts) {
        takeSettings(*one);
    }
}

void HostPool::takeSample(PoolHost &of, const contract::Sample &sample)
{
    of.cpuPercent = sample.cpuPercent;
    of.clock.add(sample.at - nowMs());
    if (!of.isLocal()) {
        of.diskFreeMiB = sample.diskFreeBytes < 0 ? -1 : sample.diskFreeBytes >> 20;
        of.diskMiB = sample.diskBytes >> 20;
    } else {
        lookAtDisk(of);
    }
    Q_EMIT sampled(&of, sample);
}

void HostPool::check(PoolHost &of)
{
    if (of.isLocal() || !of.agent->isOnline() || (of.check && of.check->state() == StepState::Running)) {
        return;
    }
    of.check = std::make_unique<HostCheck>([this, id = of.id]() -> std::unique_ptr<Transport> {
        if (m_options.makeTransport) {
            return m_options.makeTransport(id);
        }
        return makeSsh(*find(id));
    });
    connect(of.check.get(), &HostCheck::progressed, this, [this, entry = &of] { Q_EMIT progressed(entry); });
    of.check->start();
    Q_EMIT progressed(&of);
}

void HostPool::want(PoolHost &of)
{
    of.isWanted = true;
    askLater(of);
}

void HostPool::askLater(const PoolHost &of)
{
    if (!asksFor(of)) {
        return;
    }
    QTimer::singleShot(0, this, [this, id = of.id] {
        const PoolHost *host = find(id);
        if (host && asksFor(*host) && host->agent->state() == HostState::NeedsLogin && !host->couldAsk) {
            host->agent->retryNow();
        }
    });
}

bool HostPool::refuseTwin(PoolHost &of)
{
    const auto isInUse = [this](const PoolHost &host) {
        return !host.tries.isEmpty() || host.mirrors->pending() > 0 || (m_isNeeded && m_isNeeded(host.id));
    };
    bool isBefore = true; // in the list
    for (const auto &one : m_hosts) {
        if (one.get() == &of) {
            isBefore = false;
        } else if (!one->isLocal() && one->agent->isOnline() && areSameHost(one->agent->hello(), of.agent->hello())) {
            PoolHost &later = isBefore ? of : *one;
            if (!isInUse(later)) {
                later.agent->refuse({u"host.same"_s,
                    {{u"host"_s, later.id}, {u"other"_s, isBefore ? one->id : of.id},
                        {u"folder"_s, QString::fromStdString(of.agent->hello().stateFolder)}}});
            }
            return !of.agent->isOnline();
        }
    }
    return false;
}

void HostPool::changed(PoolHost &of)
{
    if (!of.isLocal() && of.agent->isOnline() && refuseTwin(of)) {
        return; // which was reported
    }
    if (!of.agent->isOnline()) {
        of.check.reset(); // the steps of the next connection say more
    }
    if (of.agent->state() == HostState::NeedsLogin && of.isAnswered) {
        of.mayAsk = false; // another wrong answer could lock an account
    } else if (of.agent->state() == HostState::NeedsLogin && !of.couldAsk) {
        askLater(of); // a person may have come meanwhile
    }
    if (of.agent->isOnline()) {
        of.isWanted = false;
        of.clock = {};
        of.base.clear();
        for (const contract::Variable &variable : of.agent->hello().environment) {
            of.base.append({QString::fromStdString(variable.name), QString::fromStdString(variable.value)});
        }
        if (!of.isLocal()) {
            of.label = QString::fromStdString(of.agent->hello().host);
        }
    }
    Q_EMIT stateChanged(&of);
    if (of.isLocal() && (of.agent->isOnline() || of.agent->state() == HostState::Failed)) {
        becomeReady();
    }
}

// This computer's is where the engine keeps the folders of its runs.
void HostPool::lookAtDisk(PoolHost &local) const
{
    struct statvfs space {
    };
    if (::statvfs(QFile::encodeName(m_options.stateFolder).constData(), &space) == 0) {
        local.diskFreeMiB = qint64(quint64(space.f_bavail) * space.f_frsize >> 20);
        local.diskMiB = qint64(quint64(space.f_blocks) * space.f_frsize >> 20);
    }
}

void HostPool::becomeReady()
{
    if (!std::exchange(m_isReady, true)) {
        Q_EMIT ready();
    }
}

Result<PoolHost *> HostPool::add(const QString &id, const QString &target)
{
    if (const Result<bool> written = m_file.add({id, target, {}}); !written) {
        return tl::unexpected<Error>(written.error());
    }
    PoolHost &made = make(id, target);
    Q_EMIT this->made(&made);
    made.agent->start();
    return &made;
}

Result<void> HostPool::setTarget(PoolHost &of, const QString &target)
{
    if (const Result<bool> written = m_file.setTarget(of.id, target); !written) {
        return tl::unexpected<Error>(written.error());
    }
    of.target = target;
    of.address = target.section(u'@', -1);
    of.ownAddress.clear();
    of.mayAsk = of.isWanted = true;
    of.check.reset();
    of.agent->restart();
    return {};
}

Result<void> HostPool::setUse(PoolHost &of, const HostUse &use)
{
    if (const Result<bool> written = m_file.setUse(of.id, use); !written) {
        return tl::unexpected<Error>(written.error());
    }
    of.use = use;
    Q_EMIT useChanged(&of);
    return {};
}

Result<void> HostPool::remove(PoolHost &of)
{
    if (const Result<bool> written = m_file.remove(of.id); !written) {
        return tl::unexpected<Error>(written.error());
    }
    // Out of the list first, since what its end leads to walks the list: a question of its ssh that no one waits for
    // any more.
    const auto place = std::find_if(m_hosts.begin(), m_hosts.end(), [&](const auto &one) { return one.get() == &of; });
    std::unique_ptr<PoolHost> gone = std::move(*place);
    m_hosts.erase(place);
    gone->agent->disconnect(this);
    gone->mirrors->disconnect(this);
    gone->agent->giveUp();
    const QString book = mirrorBook(gone->id);
    gone.reset();
    // Unless there is something in it, such as output that was given up: a host of this name goes on with that.
    QDir().rmdir(book);
    return {};
}

void HostPool::setClientEnvironment(const QMap<QString, QString> &environment)
{
    m_clientEnvironment = environment;
    for (const auto &host : m_hosts) {
        if (host->agent->state() == HostState::NeedsLogin) {
            host->agent->retryNow(); // the new client may have an ssh agent with the key
        }
    }
}

void HostPool::setCanAsk(bool on)
{
    if (m_questions.canAsk() == on) {
        return;
    }
    m_questions.setCanAsk(on);
    for (const auto &host : m_hosts) {
        host->couldAsk = host->couldAsk && on; // what it asks was refused, or may have been, and is not asked again
        if (host->agent->state() == HostState::NeedsLogin && asksFor(*host)) {
            host->agent->retryNow();
        }
    }
}

} // namespace trainyard
