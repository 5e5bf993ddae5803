// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentconnection.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace trainyard
{

// TCP connections to programs on a host, in the frames of its agent (contract::Dial): nothing is asked of ssh or its
// server, and no second login is needed. Each direction has its credit, so that a side that does not read makes the
// other one wait and does not fill the memory.
class HostStreams : public QObject
{
    Q_OBJECT
public:
    // The callbacks of a stream. A callback may close the stream.
    struct User {
        std::function<void()> opened; // the program has accepted
        std::function<void(const std::string &bytes)> received; // answer with took() as they are passed on
        std::function<void()> ended; // the program sends no more; the other direction stays open
        // The program refused, the connection broke, or the host is gone: the last call, whatever was said before.
        std::function<void(const contract::Failure &why)> broken;
        std::function<void()> roomMade; // room() may be more
    };
    explicit HostStreams(AgentConnection *connection, QObject *parent = nullptr);

    bool isOnline() const { return m_connection->isOnline(); }
    // At an address in numbers that the host reaches, or on the host itself. 0 when the host is not online.
    qint64 open(int port, User user, const QString &address = {});
    qint64 room(qint64 id) const; // bytes that send() takes now
    void send(qint64 id, std::string bytes); // room() at most
    void sendEnd(qint64 id);
    void took(qint64 id, qint64 bytes);
    void breakOff(qint64 id); // its user gets no further calls
    int count() const { return int(m_streams.size()); }

Q_SIGNALS:
    void online(); // the host is there again

private:
    struct Stream {
        std::shared_ptr<User> user; // kept by the caller
        qint64 credit = 0; // that the agent got
        qint64 owed = 0; // bytes that were received for it ...
        qint64 taken = 0; // ... and of these, those that the user took and the agent has no new credit for
        qint64 room = 0; // credit of this side; 0 until it is open
        bool isOpen = false, sentEnd = false, gotEnd = false;
    };
    void answered(qint64 id, const contract::Message &answer);
    void flowed(qint64 id, const contract::Flow &flow);
    void credited(qint64 id, qint64 bytes);
    void tellRoom();
    void stateChanged();
    void fail(qint64 id, const contract::Failure &why);

    AgentConnection *m_connection;
    std::map<qint64, Stream> m_streams;
    qint64 m_lastTold = 0; // of those that wait for room
};

} // namespace trainyard
