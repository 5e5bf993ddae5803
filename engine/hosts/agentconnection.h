// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/client/heartbeat.h"
#include "engine/contract/messages.h"
#include "engine/hosts/hosttrail.h"
#include "engine/hosts/transport.h"

#include <QHash>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

namespace trainyard
{

// The agent of one host: starts it through a transport, greets it, matches answers to requests, and starts over when
// the connection is lost. Whenever it comes online, its user repeats all open requests: an agent forgets, the task
// folders do not. Large because it is the one way to a host: everything that is said to its agent, and all that the
// agent says, goes through it.
class AgentConnection : public QObject
{
    Q_OBJECT
public:
    struct Options {
        std::function<std::unique_ptr<Transport>()> makeTransport;
        int firstPauseMs = 1000; // before it is started again; doubles each time ...
        int lastPauseMs = 60000; // ... up to this
        bool isLocal = true; // which steps it takes to reach it
        bool loginEnvironment = true; // tasks begin with what the login shell gives
        qint64 loginMs = 5000; // how long that may take
        int sampleIntervalMs = 1000;
        std::chrono::milliseconds greetingPatience = std::chrono::minutes(1); // until it is online; a push has its own
        std::chrono::milliseconds lifePatience = std::chrono::seconds(15); // until the answer to a heartbeat
        std::string build;
    };

    // Each request gets exactly one answer, which is Failure "host.gone" when the connection is lost before.
    using Answer = std::function<void(const contract::Message &answer)>;
    struct Follower {
        std::function<void(const contract::Chunk &chunk)> chunk;
        std::function<void(const contract::Failure &why)> failed; // no more chunks come
    };

    explicit AgentConnection(Options options, QObject *parent = nullptr);
    ~AgentConnection() override;

    void start();
    // ms UTC: what it said last before the connection was cut; nothing while it was never online.
    std::optional<qint64> lastSeen() const { return m_lastSeen; }
    qint64 heardAt() const { return isOnline() ? m_heardAt : 0; } // ms UTC: what it said last
    // The pause before the next attempt, after one of `before` (0: none). A host that was online `sinceCutMs` ago may
    // have tasks that a person watches: for ten minutes it is tried every ten seconds at least.
    static int nextPauseMs(int before, int first, int last, std::optional<qint64> sinceCutMs);
    // That pause, a fifth shorter at most: those who lost a host in the same moment do not all come back in one. `dice`
    // is any number.
    static int spreadPauseMs(int pauseMs, quint32 dice) { return pauseMs - int(qint64(pauseMs) * (dice % 21) / 100); }
    void networkCameUp(); // a host that could not be reached is tried again now; one that needs a person is not
    void retryNow(); // or, when an attempt is under way and fails, after the shortest pause
    void restart(); // with a new transport, now
    void refuse(const Error &why); // what it is connected to: it has failed, and is tried again after the longest pause
    // The user is asked a question meanwhile: the greeting may take any time.
    void setWaitsForPerson(bool waits);
    // Set the options of these names, from the next attempt on.
    void setLastPauseMs(int ms) { m_options.lastPauseMs = ms; }
    void setLogin(bool isAsked, qint64 ms);
    // Closes for good. No signal comes after this, and no answer to open requests.
    void shutDown();
    void giveUp(); // the same, after those answers

    HostState state() const { return m_state; }
    bool isOnline() const { return m_state == HostState::Online; }
    const Error &error() const { return m_error; } // why it is not online
    // Whether nothing has failed so far: an attempt after one that failed says little about whether the host can be
    // reached.
    bool isFirstAttempt() const { return m_state == HostState::Connecting && m_error.code.isEmpty(); }
    const contract::HelloReply &hello() const { return m_hello; }
    const contract::Inventory &inventory() const { return m_inventory; } // as last known
    bool wasOnline() const { return m_wasOnline; }
    const QList<HostStep> &steps() const { return m_trail.steps(); } // of the last connection
    const QString &banner() const { return m_banner; }

    // Gives the id of the request; 0 when nothing was sent.
    qint64 request(const contract::Message &message, const Answer &answer = {}, const std::string &payload = {});
    void tell(qint64 id, const contract::Message &message); // about a request that was made before, without an answer
    // Whether what is written now is sent soon. A writer that has much to write waits for roomMade(), so that nothing
    // else waits long behind it.
    bool hasRoom() const { return m_transport && m_transport->bytesWaiting() < roomLimit; }
    qint64 follow(const contract::Follow &follow, Follower follower); // id for cancelFollow, 0 when not online
    void cancelFollow(qint64 id);

Q_SIGNALS:
    void stateChanged();
    void progressed(); // steps() have changed
    void addressesChanged(); // of its inventory(), while it is online
    void sampled(const trainyard::contract::Sample &sample);
    void exited(const trainyard::contract::Exited &exited);
    void flowed(qint64 id, const trainyard::contract::Flow &flow); // of the stream that began with this request
    void credited(qint64 id, qint64 bytes); // the same
    void roomMade(); // hasRoom()

private:
    static constexpr qint64 roomLimit = 128 * 1024;
    struct Following {
        Follower follower;
        qint64 unacknowledged = 0;
        bool isLong = false;
    };

    void connectNow();
    void receive(const QByteArray &bytes);
    void handle(contract::Envelope &envelope);
    void greet();
    void greeted(const contract::HelloReply &reply);
    void lost(const Error &why);
    void send(qint64 id, contract::Message message, const std::string &payload = {});
    void setState(HostState state, const Error &error = {});

    Options m_options;
    HostTrail m_trail;
    QString m_banner;
    std::unique_ptr<Transport> m_transport;
    std::optional<contract::FrameReader> m_reader;
    HostState m_state = HostState::Unknown;
    Error m_error;
    contract::HelloReply m_hello;
    contract::Inventory m_inventory;
    QHash<qint64, Answer> m_pending;
    QHash<qint64, Following> m_follows;
    qint64 m_nextId = 0;
    int m_pauseMs = 0;
    bool m_greeting = false;
    bool m_wasOnline = false;
    bool m_isAskedMeanwhile = false; // retryNow() came during an attempt
    bool m_shutDown = false;
    QTimer m_retry;
    QTimer m_patience; // for the greeting
    Heartbeat m_life; // while it is online
    qint64 m_heardAt = 0; // UTC
    std::optional<qint64> m_lastSeen; // UTC
    std::optional<qint64> m_cutAt; // steady
};

} // namespace trainyard
