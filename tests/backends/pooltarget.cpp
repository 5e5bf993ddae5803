// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/pooltarget.h"

#include "engine/backend/clock.h"
#include "engine/pool/poolbackend.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QTimer>

#include <cerrno>
#include <numeric>

using namespace trainyard;
using namespace Qt::StringLiterals;

void FakeAgent::start()
{
    if (m_target.m_refused.contains(m_host)) {
        QTimer::singleShot(0, this, [this] { end(u"host.needs-login.key"_s); });
    } else if (m_target.m_isGreeting || m_host == u"local"_s) {
        QTimer::singleShot(0, this, [this] { banner(); });
    }
}

void FakeAgent::write(const char *bytes, qint64 length)
{
    FakeTransport::write(bytes, length);
    QTimer::singleShot(0, this, [this] { answerAll(); }); // as over any wire, never at once
}

void FakeAgent::answerAll()
{
    while (m_answered < said.size()) {
        const contract::Envelope &next = said[m_answered];
        const bool isOfTries = std::holds_alternative<contract::Launch>(next.message)
            || std::holds_alternative<contract::Stop>(next.message)
            || std::holds_alternative<contract::Observe>(next.message);
        if (isOfTries && !m_target.m_isAnswering) {
            return;
        }
        answer(said[m_answered++]);
    }
}

void FakeAgent::answer(const contract::Envelope &asked)
{
    const auto observed = [this](const std::string &dir) {
        contract::Observed reply;
        reply.dir = dir;
        const auto it = m_target.m_tries.find(dir);
        reply.state = it == m_target.m_tries.end() ? "absent" : it->second.exit ? "ended" : "running";
        if (it != m_target.m_tries.end()) {
            reply.tryUuid = it->second.uuid;
            reply.started = it->second.started;
            reply.exit = it->second.exit;
        }
        return reply;
    };
    std::visit(
        Overloaded{
            [&](const contract::HelloRequest &) {
                contract::HelloReply hello;
                hello.host = "fake";
                hello.bootId = "boot";
                hello.machineId = m_target.machineIds.value(m_host);
                hello.stateFolder = m_target.stateFolder.toStdString();
                say(asked.id, hello);
            },
            [&](const contract::InventoryRequest &) {
                contract::Inventory inventory;
                inventory.cpus = 4;
                inventory.memoryMiB = 16384;
                for (int i = 0; i < m_target.gpus; ++i) {
                    contract::Gpu gpu;
                    gpu.index = i;
                    gpu.uuid = "GPU-" + m_host.toStdString() + "-" + std::to_string(i);
                    gpu.name = "Test";
                    gpu.memoryMiB = 24000;
                    inventory.gpus.push_back(gpu);
                }
                say(asked.id, inventory);
            },
            [&](const contract::Ports &) { say(asked.id, contract::PortsReply()); },
            [&](const contract::Put &) { say(asked.id, contract::Done()); },
            [&](const contract::ListFiles &) {
                if (m_target.m_isListing) {
                    contract::FileList found;
                    const bool isBusy = m_target.m_listFailures > 0;
                    m_target.m_listFailures -= isBusy ? 1 : 0;
                    const bool isOfFolder = isBusy && !m_target.m_unlistedFolder.empty();
                    found.systemError = !m_target.m_isMounted ? ESTALE
                        : isBusy && !isOfFolder               ? m_target.m_listError
                                                              : 0;
                    found.unreadable = isOfFolder ? m_target.m_unlistedFolder : std::string();
                    found.unreadableError = isOfFolder ? m_target.m_listError : 0;
                    say(asked.id, found);
                }
            },
            [&](const contract::Data &data) {
                contract::DataReply reply;
                reply.state = m_target.m_dataFailures > 0 ? "unreadable" : "ready";
                reply.systemError = m_target.m_dataFailures > 0 ? m_target.m_dataError : 0;
                reply.place = reply.about = data.path;
                m_target.m_dataFailures = std::max(0, m_target.m_dataFailures - 1);
                say(asked.id, reply);
            },
            [&](const contract::Code &) {
                if (m_target.m_codeFailures > 0) {
                    --m_target.m_codeFailures;
                    say(asked.id, contract::Failure{m_target.m_codeFailure, {}, EAGAIN});
                    return;
                }
                contract::CodeReply reply;
                reply.state = "ready";
                say(asked.id, reply);
            },
            [&](const contract::Pause &pause) {
                if (!m_target.m_isMounted) {
                    say(asked.id, contract::Failure{"observe.away", pause.dir, ENOENT});
                    return;
                }
                m_target.m_isPaused = pause.on;
                say(asked.id, contract::Done());
            },
            [&](const contract::OwnFolder &own) {
                m_isToldOwnFolder = true;
                if (own.isMade && !m_target.m_isMounted) {
                    say(asked.id, contract::Failure{"observe.away", own.dir, ENOENT});
                    return;
                }
                say(asked.id, contract::Done());
            },
            [&](const contract::Launch &launch) {
                if (const std::string code = m_target.m_broken.value(m_host); !code.empty()) {
                    say(asked.id, contract::Failure{code, {}, 0});
                    return;
                }
                if (!m_target.m_isMounted && m_host != u"local"_s) {
                    if (m_isToldOwnFolder) {
                        say(asked.id, contract::Failure{"observe.away", launch.dir, ENOENT});
                        return;
                    }
                    m_target.m_tries.erase(launch.dir); // nothing is seen of it, so it starts
                }
                const PoolTarget::Try &entry = m_target.launch(launch);
                if (!m_target.m_losesAnswers) {
                    say(asked.id, contract::Launched{launch.dir, entry.uuid, "launched", entry.started, entry.exit});
                }
            },
            [&](const contract::Observe &observe) {
                if (m_target.m_isMounted) {
                    say(asked.id, observed(observe.dir));
                } else {
                    say(asked.id, contract::Failure{"observe.away", observe.dir, ENOENT});
                }
            },
            [&](const contract::Stop &stop) {
                if (!m_target.m_isMounted) {
                    say(asked.id, contract::Failure{"observe.away", stop.dir, ENOENT});
                    return;
                }
                say(asked.id, observed(stop.dir));
                const auto it = m_target.m_tries.find(stop.dir);
                if (it != m_target.m_tries.end() && !it->second.exit) {
                    m_target.end(stop.dir, it->second, contract::ExitKind::Signaled, stop.signal);
                }
            },
            [](const auto &) {},
        },
        asked.message);
}

bool FakeAgent::wasToldSecretsBeforeStop() const
{
    for (const contract::Envelope &each : said) {
        const auto *launch = std::get_if<contract::Launch>(&each.message);
        const auto *observe = std::get_if<contract::Observe>(&each.message);
        if ((launch && !launch->maskValues.empty()) || (observe && !observe->maskValues.empty())) {
            return true;
        }
        if (std::holds_alternative<contract::Stop>(each.message)) {
            return false;
        }
    }
    return false;
}

bool FakeAgent::wasToldSecretsOfAnotherAgents() const
{
    return std::any_of(said.begin(), said.end(), [](const contract::Envelope &each) {
        const auto *observe = std::get_if<contract::Observe>(&each.message);
        return observe && !observe->maskValues.empty();
    });
}

// The agents are deleted later than the connections that had them, and take themselves off the list.
PoolTarget::~PoolTarget() { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }

std::unique_ptr<Backend> PoolTarget::makeBackend(const Neighbours &house, Cut &cut)
{
    HostPool::Options options;
    options.stateFolder = house.stateFolder;
    options.configFolder = house.configFolder;
    options.runtimeFolder = house.runtimeFolder;
    options.makeTransport = [this](const QString &host) { return std::make_unique<FakeAgent>(*this, host, &m_agents); };
    auto made = std::make_unique<WithCut<PoolBackend>>(
        cut, options, house.epoch, house.settings, house.secrets, house.exitRules, house.scheduler, house.jobs);
    if (made->load()) {
        made->start();
    }
    return made;
}

bool PoolTarget::hasAskedLoginShell(const QString &host) const
{
    return std::any_of(m_agents.begin(), m_agents.end(), [&host](const FakeTransport *agent) {
        const auto hello = agent->asked<contract::HelloRequest>();
        return static_cast<const FakeAgent *>(agent)->host() == host && hello && hello->second.loginEnvironment;
    });
}

qint64 PoolTarget::loginMsOf(const QString &host) const
{
    qint64 newest = -1;
    for (const FakeTransport *agent : m_agents) {
        const auto hello = agent->asked<contract::HelloRequest>();
        if (static_cast<const FakeAgent *>(agent)->host() == host && hello) {
            newest = hello->second.loginMs;
        }
    }
    return newest;
}

std::optional<bool> PoolTarget::knowsFolderOf(const QString &host) const
{
    std::optional<bool> newest;
    for (const FakeTransport *agent : m_agents) {
        if (static_cast<const FakeAgent *>(agent)->host() == host) {
            const auto own = agent->asked<contract::OwnFolder>();
            newest = own ? std::optional(own->second.isMade) : std::nullopt;
        }
    }
    return newest;
}

void PoolTarget::sendMore(const QString &host)
{
    for (FakeTransport *agent : std::as_const(m_agents)) {
        const auto follow = agent->asked<contract::Follow>();
        if (static_cast<const FakeAgent *>(agent)->host() == host && follow) {
            contract::Chunk chunk;
            chunk.file = contract::file::environment;
            chunk.offset = m_sent++;
            chunk.bytes = "\n";
            agent->say(follow->first, chunk);
        }
    }
}

bool PoolTarget::knowsSecretsOfAnotherAgents(const QString &host) const
{
    return std::any_of(m_agents.begin(), m_agents.end(), [&host](const FakeTransport *agent) {
        const auto *of = static_cast<const FakeAgent *>(agent);
        return of->host() == host && of->wasToldSecretsOfAnotherAgents();
    });
}

void PoolTarget::cut(const QString &host, const QString &code)
{
    const QList<FakeTransport *> agents = m_agents;
    for (FakeTransport *agent : agents) {
        if (static_cast<FakeAgent *>(agent)->host() == host) {
            agent->end(code);
        }
    }
}

void PoolTarget::greet(const QString &host)
{
    const QList<FakeTransport *> agents = m_agents;
    for (FakeTransport *agent : agents) {
        if (static_cast<FakeAgent *>(agent)->host() == host) {
            agent->banner();
        }
    }
}

void PoolTarget::claimEnds(const QString &host, int status)
{
    contract::ExitRecord record;
    record.kind = contract::ExitKind::Exited;
    record.value = status;
    record.ended = nowMs();
    for (FakeTransport *agent : std::as_const(m_agents)) {
        for (const auto &[dir, entry] : m_tries) {
            if (static_cast<FakeAgent *>(agent)->host() == host && !entry.exit) {
                agent->say(0, contract::Exited{dir, entry.uuid, record, {}});
            }
        }
    }
}

void PoolTarget::setRefused(const QString &host, bool on)
{
    m_refused.removeAll(host);
    if (on) {
        m_refused.append(host);
    }
}

void PoolTarget::breakHost(const QString &host, const std::string &code) { m_broken[host] = code; }

// Twice is once.
const PoolTarget::Try &PoolTarget::launch(const contract::Launch &launch)
{
    const auto [it, isNew] = m_tries.try_emplace(launch.dir);
    if (isNew) {
        ++m_starts;
        it->second.uuid = launch.plan.tryUuid;
        it->second.started.host = "fake";
        it->second.started.process = {"boot", 1000 + m_starts, 1};
        it->second.started.tryUuid = launch.plan.tryUuid;
        it->second.started.at = nowMs();
        QDir().mkpath(QString::fromStdString(launch.dir));
    }
    return it->second;
}

int PoolTarget::running() const
{
    return int(std::count_if(m_tries.begin(), m_tries.end(), [](const auto &entry) { return !entry.second.exit; }));
}

void PoolTarget::end(const std::string &dir, Try &entry, contract::ExitKind kind, int value)
{
    contract::ExitRecord record;
    record.kind = kind;
    record.value = value;
    record.began = entry.started.at;
    record.ended = nowMs();
    entry.exit = record;
    for (FakeTransport *agent : std::as_const(m_agents)) {
        agent->say(0, contract::Exited{dir, entry.uuid, record, {}});
    }
}

void PoolTarget::endAll(int status)
{
    for (auto &[dir, entry] : m_tries) {
        if (!entry.exit) {
            end(dir, entry, contract::ExitKind::Exited, status);
        }
    }
}

void PoolTarget::setAnswering(bool on)
{
    m_isAnswering = on;
    const QList<FakeTransport *> agents = m_agents;
    for (FakeTransport *agent : agents) {
        static_cast<FakeAgent *>(agent)->answerAll();
    }
}

bool PoolTarget::isAsked() const
{
    return std::any_of(m_agents.begin(), m_agents.end(),
        [](const FakeTransport *agent) { return agent->count<contract::Launch>() > 0; });
}

bool PoolTarget::isAskedToStop() const
{
    return std::any_of(m_agents.begin(), m_agents.end(),
        [](const FakeTransport *agent) { return agent->count<contract::Stop>() > 0; });
}

bool PoolTarget::isAskedToBar() const
{
    return std::any_of(m_agents.begin(), m_agents.end(), [](const FakeTransport *agent) {
        const std::vector<contract::Envelope> &said = static_cast<const FakeAgent *>(agent)->said;
        return std::any_of(said.begin(), said.end(), [](const contract::Envelope &each) {
            const auto *stop = std::get_if<contract::Stop>(&each.message);
            return stop && !stop->hasBegun;
        });
    });
}

int PoolTarget::stops() const
{
    return std::accumulate(m_agents.begin(), m_agents.end(), 0,
        [](int sum, const FakeTransport *agent) { return sum + agent->count<contract::Stop>(); });
}

bool PoolTarget::knowsSecretsOfStopped() const
{
    return std::all_of(m_agents.begin(), m_agents.end(), [](const FakeTransport *agent) {
        return agent->count<contract::Stop>() == 0 || static_cast<const FakeAgent *>(agent)->wasToldSecretsBeforeStop();
    });
}

bool PoolTarget::isQuiet() const
{
    return std::all_of(m_agents.begin(), m_agents.end(),
        [](const FakeTransport *agent) { return static_cast<const FakeAgent *>(agent)->hasAnsweredAll(); });
}

void PoolTarget::print(const QByteArray &text)
{
    for (const auto &[dir, entry] : m_tries) {
        QFile log(QString::fromStdString(dir) + u"/output.log"_s);
        if (!entry.exit && log.open(QIODevice::Append)) {
            log.write(text);
        }
    }
}
