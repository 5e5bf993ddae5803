// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/agentconnection.h"

#include "engine/api/hosterrors.h"
#include "engine/api/hoststeps.h"
#include "engine/api/reasons.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QRandomGenerator>

#include <utility>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

qint64 steadyNow() { return QDeadlineTimer::current().deadline(); }

constexpr qint64 recentMs = 10 * 60 * 1000;
constexpr int recentPauseMs = 10'000;

constexpr qint64 creditStep = contract::followCredit / 4;
// Of a long file more may be on its way: it needs fewer messages then, and a far host need not wait for them.
constexpr qint64 longCredit = 4 * contract::followCredit, longCreditStep = contract::followCredit;

bool isFinal(const QString &code)
{
    return code == "host.agent-none"_L1 || code == "host.agent-does-not-run"_L1 || code == "host.agent-cannot-run"_L1
        || code == "host.ssh-missing"_L1 || code == "host.ssh-config"_L1 || code == "host.agent-not-started"_L1
        || code == "host.agent-version"_L1 || code == "host.same"_L1;
}

} // namespace

AgentConnection::AgentConnection(Options options, QObject *parent)
    : QObject(parent), m_options(std::move(options)), m_trail(m_options.isLocal),
      // A request without a list is answered at once. A healthy agent sends something each second anyway.
      m_life({[this] { request(contract::Ports{}); }, [this] { lost(errorOf(reason::HostNotAnswering{m_heardAt})); },
          [this] { return m_options.sampleIntervalMs > 0 || !m_pending.isEmpty(); }})
{
    m_retry.setSingleShot(true);
    m_patience.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &AgentConnection::connectNow);
    connect(&m_patience, &QTimer::timeout, this, [this] { lost({u"host.no-answer"_s, {}}); });
}

AgentConnection::~AgentConnection() { shutDown(); }

void AgentConnection::start() { connectNow(); }

void AgentConnection::retryNow()
{
    if (!m_transport && !m_shutDown) {
        m_pauseMs = 0;
        connectNow();
    } else if (!isOnline()) {
        m_isAskedMeanwhile = true; // what was fixed just now may be after what this attempt has looked at
    }
}

void AgentConnection::networkCameUp()
{
    if (m_state == HostState::Offline || m_state == HostState::Connecting) {
        retryNow();
    }
}

int AgentConnection::nextPauseMs(int before, int first, int last, std::optional<qint64> sinceCutMs)
{
    const bool isRecent = sinceCutMs && *sinceCutMs < recentMs;
    return before == 0 ? first : qMin(before * 2, isRecent ? qMin(last, recentPauseMs) : last);
}

void AgentConnection::restart()
{
    lost({u"host.cut"_s, {}});
    retryNow();
}

void AgentConnection::refuse(const Error &why)
{
    m_isAskedMeanwhile = false;
    lost(why);
}

void AgentConnection::setLogin(bool isAsked, qint64 ms)
{
    m_options.loginEnvironment = isAsked;
    m_options.loginMs = ms;
}

void AgentConnection::setWaitsForPerson(bool waits)
{
    if (waits) {
        m_patience.stop();
    } else if (m_transport && !isOnline()) {
        m_patience.start(m_options.greetingPatience);
    }
}

void AgentConnection::shutDown()
{
    m_shutDown = true;
    m_life.end();
    m_retry.stop();
    m_patience.stop();
    m_pending.clear();
    m_follows.clear();
    if (m_transport) {
        m_transport->disconnect(this);
        m_transport.reset();
    }
}

void AgentConnection::giveUp()
{
    lost({u"host.gone"_s, {}});
    shutDown();
}

void AgentConnection::connectNow()
{
    m_retry.stop();
    m_transport = m_options.makeTransport();
    const QByteArray nonce = m_transport->nonce();
    m_reader.emplace(std::string_view(nonce.constData(), std::size_t(nonce.size())));
    m_greeting = false;
    m_banner.clear();
    m_trail.begin(steadyNow());
    connect(m_transport.get(), &Transport::passed, this, [this](const QString &step, const QJsonObject &facts) {
        m_trail.pass(step, facts, steadyNow());
        Q_EMIT progressed();
    });
    connect(m_transport.get(), &Transport::advanced, this, [this](const QString &step, const QJsonObject &facts) {
        m_trail.advance(step, facts);
        Q_EMIT progressed();
    });
    connect(m_transport.get(), &Transport::bannerKnown, this, [this](const QString &text) { m_banner = text; });
    connect(m_transport.get(), &Transport::received, this, &AgentConnection::receive);
    connect(m_transport.get(), &Transport::closed, this, &AgentConnection::lost);
    connect(m_transport.get(), &Transport::taken, this, [this] {
        if (hasRoom()) {
            Q_EMIT roomMade();
        }
    });
    connect(m_transport.get(), &Transport::preparing, this, [this](std::chrono::milliseconds next) {
        if (m_patience.isActive()) { // else a person is asked
            m_patience.start(next);
        }
    });
    m_patience.start(m_options.greetingPatience);
    if (m_state != HostState::Connecting) {
        setState(HostState::Connecting, m_error);
    }
    if (m_transport) {
        m_transport->start();
    }
}

void AgentConnection::receive(const QByteArray &bytes)
{
    m_life.heard();
    m_heardAt = QDateTime::currentMSecsSinceEpoch();
    m_reader->feed(std::string_view(bytes.constData(), std::size_t(bytes.size())));
    if (!m_greeting && m_reader->state() == contract::FrameReader::State::Frames) {
        m_greeting = true;
        greet();
    }
    const Transport *current = m_transport.get();
    while (std::optional<contract::Frame> frame = m_reader->next()) {
        std::string problem;
        std::optional<contract::Envelope> envelope = contract::decode(std::move(*frame), true, &problem);
        if (!envelope) {
            lost({u"host.bad-frame"_s, {{u"message"_s, QString::fromStdString(problem)}}});
            return;
        }
        handle(*envelope);
        if (m_transport.get() != current || !m_transport) {
            return; // closed by what the message led to
        }
    }
    if (m_reader->state() == contract::FrameReader::State::Broken) {
        lost({u"host.bad-frame"_s, {{u"message"_s, QString::fromStdString(m_reader->error())}}});
    }
}

void AgentConnection::greet()
{
    contract::HelloRequest hello;
    hello.build = m_options.build;
    hello.loginEnvironment = m_options.loginEnvironment;
    hello.loginMs = m_options.loginMs;
    request(hello, [this](const contract::Message &answer) {
        if (const auto *reply = std::get_if<contract::HelloReply>(&answer)) {
            greeted(*reply);
        } else if (const auto *failure = std::get_if<contract::Failure>(&answer);
                   failure && failure->code != "host.gone") {
            lost({u"host.agent-version"_s, {{u"message"_s, QString::fromStdString(failure->code)}}});
        }
    });
}

void AgentConnection::greeted(const contract::HelloReply &reply)
{
    m_hello = reply;
    request(contract::InventoryRequest{}, [this](const contract::Message &answer) {
        const auto *inventory = std::get_if<contract::Inventory>(&answer);
        if (!inventory) {
            if (m_transport) {
                lost({u"host.no-inventory"_s, {}});
            }
            return;
        }
        m_inventory = *inventory;
        m_patience.stop();
        m_pauseMs = 0;
        m_isAskedMeanwhile = false;
        m_wasOnline = true;
        m_trail.pass(hoststep::agent,
            {{u"version"_s, QString::fromStdString(m_hello.version)}, {u"user"_s, QString::fromStdString(m_hello.user)},
                {u"folder"_s, QString::fromStdString(m_hello.stateFolder)}},
            steadyNow());
        m_life.begin(m_options.lifePatience);
        setState(HostState::Online);
        if (m_state == HostState::Online && m_options.sampleIntervalMs > 0) {
            request(contract::SampleRequest{m_options.sampleIntervalMs});
        }
    });
}

void AgentConnection::handle(contract::Envelope &envelope)
{
    if (auto *chunk = std::get_if<contract::Chunk>(&envelope.message)) {
        const auto it = m_follows.find(envelope.id);
        if (it == m_follows.end()) {
            return; // cancelled meanwhile
        }
        it->unacknowledged += qint64(chunk->bytes.size());
        if (it->unacknowledged >= (it->isLong ? longCreditStep : creditStep) && !chunk->end) {
            const qint64 more = std::exchange(it->isLong, true) ? 0 : longCredit - contract::followCredit;
            send(++m_nextId, contract::Credit{envelope.id, it->unacknowledged + more});
            it->unacknowledged = 0;
        }
        const Follower follower = it->follower; // it may cancel itself
        if (chunk->end) {
            m_follows.erase(it);
        }
        follower.chunk(*chunk);
        return;
    }
    if (auto *exit = std::get_if<contract::Exited>(&envelope.message)) {
        Q_EMIT exited(*exit);
        return;
    }
    if (auto *flow = std::get_if<contract::Flow>(&envelope.message)) {
        Q_EMIT flowed(envelope.id, *flow);
        return;
    }
    if (auto *credit = std::get_if<contract::Credit>(&envelope.message)) {
        Q_EMIT credited(credit->follow, credit->bytes);
        return;
    }
    if (auto *sample = std::get_if<contract::Sample>(&envelope.message)) {
        m_inventory.memoryUsedMiB = sample->memoryUsedMiB;
        if (!sample->gpus.empty() || m_inventory.gpus.empty()) {
            m_inventory.gpus = sample->gpus;
        }
        m_inventory.gpuError = sample->gpuError;
        m_inventory.silentRuntimes = sample->silentRuntimes;
        Q_EMIT sampled(*sample);
        // The first sample is the answer to the request.
    }
    if (const auto *inventory = std::get_if<contract::Inventory>(&envelope.message);
        inventory && isOnline() && inventory->addresses != m_inventory.addresses) {
        m_inventory.addresses = inventory->addresses;
        Q_EMIT addressesChanged();
    }
    if (envelope.id == 0) {
        return;
    }
    if (const auto *failure = std::get_if<contract::Failure>(&envelope.message)) {
        const auto it = m_follows.find(envelope.id);
        if (it != m_follows.end()) {
            const Follower follower = it->follower;
            m_follows.erase(it);
            follower.failed(*failure);
            return;
        }
    }
    if (const Answer answer = m_pending.take(envelope.id)) {
        answer(envelope.message);
    }
}

qint64 AgentConnection::request(const contract::Message &message, const Answer &answer, const std::string &payload)
{
    if (!m_transport || m_shutDown) {
        if (answer) {
            answer(contract::Failure{"host.gone", {}, 0});
        }
        return 0;
    }
    const qint64 id = ++m_nextId;
    if (answer) {
        m_pending.insert(id, answer);
        m_life.awaited();
    }
    send(id, message, payload);
    return id;
}

void AgentConnection::tell(qint64 id, const contract::Message &message) { send(id, message); }

qint64 AgentConnection::follow(const contract::Follow &follow, Follower follower)
{
    if (!isOnline()) {
        return 0;
    }
    const qint64 id = ++m_nextId;
    m_follows.insert(id, {std::move(follower), 0});
    send(id, follow);
    return id;
}

void AgentConnection::cancelFollow(qint64 id)
{
    if (m_follows.remove(id) && m_transport) {
        contract::Follow end;
        end.cancel = true;
        send(id, end);
    }
}

void AgentConnection::send(qint64 id, contract::Message message, const std::string &payload)
{
    if (!m_transport) {
        return;
    }
    const std::optional<std::string> bytes = contract::encode({id, std::move(message), payload});
    if (!bytes) {
        const Answer answer = m_pending.take(id);
        if (answer) {
            // The failure is delivered later: the caller does not expect an answer before request() returns.
            QMetaObject::invokeMethod(
                this,
                [answer] {
                    answer(contract::Failure{"wire.too-long", {}, 0});
                },
                Qt::QueuedConnection);
        }
        return;
    }
    m_transport->write(bytes->data(), qint64(bytes->size()));
}

void AgentConnection::lost(const Error &given)
{
    m_patience.stop();
    m_life.end();
    if (!m_transport || m_shutDown) {
        return;
    }
    if (m_state == HostState::Online) {
        m_lastSeen = m_heardAt;
        m_cutAt = steadyNow();
    }
    m_transport->disconnect(this);
    m_transport.release()->deleteLater(); // we may be inside its signal
    const QHash<qint64, Answer> pending = std::exchange(m_pending, {});
    const QHash<qint64, Following> follows = std::exchange(m_follows, {});
    // Nothing of ours can run on a host that was never reached.
    const Error why = given.code == "host.cut"_L1 && !m_wasOnline ? Error{u"host.gone"_s, {}} : given;
    const HostState state = hosterror::needsPerson(why.code) ? HostState::NeedsLogin
        : isFinal(why.code)                                  ? HostState::Failed
                                                             : HostState::Offline;
    const bool isAsked = std::exchange(m_isAskedMeanwhile, false);
    if (state == HostState::Offline || (state == HostState::Failed && isAsked)) {
        m_pauseMs = nextPauseMs(isAsked ? 0 : m_pauseMs, m_options.firstPauseMs, m_options.lastPauseMs,
            m_cutAt ? std::optional(steadyNow() - *m_cutAt) : std::nullopt);
    } else {
        m_pauseMs = m_options.lastPauseMs; // asking again and again could lock an account
    }
    m_retry.start(spreadPauseMs(m_pauseMs, QRandomGenerator::global()->generate()));
    m_trail.fail(why, steadyNow());
    setState(state, why);
    const contract::Failure gone{"host.gone", why.code.toStdString(), 0};
    for (const Answer &answer : pending) {
        answer(gone);
    }
    for (const Following &following : follows) {
        following.follower.failed(gone);
    }
}

void AgentConnection::setState(HostState state, const Error &error)
{
    m_state = state;
    m_error = error;
    Q_EMIT stateChanged();
}

} // namespace trainyard
