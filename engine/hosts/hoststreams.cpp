// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/hoststreams.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

namespace trainyard
{

// More than this is never on its way: what an agent gives beyond it is not counted.
static constexpr qint64 mostRoom = qint64(1) << 40;

HostStreams::HostStreams(AgentConnection *connection, QObject *parent) : QObject(parent), m_connection(connection)
{
    connect(connection, &AgentConnection::flowed, this, &HostStreams::flowed);
    connect(connection, &AgentConnection::credited, this, &HostStreams::credited);
    connect(connection, &AgentConnection::roomMade, this, &HostStreams::tellRoom);
    connect(connection, &AgentConnection::stateChanged, this, &HostStreams::stateChanged);
}

qint64 HostStreams::open(int port, User user, const QString &address)
{
    if (!m_connection->isOnline()) {
        return 0;
    }
    contract::Dial dial;
    dial.port = port;
    dial.address = address.toStdString();
    dial.credit = m_streams.size() < contract::fewStreams ? contract::streamCredit : contract::smallStreamCredit;
    const auto known = std::make_shared<qint64>(0); // the answer comes after the id
    const qint64 id
        = m_connection->request(dial, [this, known](const contract::Message &answer) { answered(*known, answer); });
    *known = id;
    if (id != 0) {
        Stream &stream = m_streams[id];
        stream.user = std::make_shared<User>(std::move(user));
        stream.credit = dial.credit;
    }
    return id;
}

void HostStreams::answered(qint64 id, const contract::Message &answer)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return; // given up meanwhile, and the agent was informed
    }
    if (const auto *dialed = std::get_if<contract::Dialed>(&answer)) {
        it->second.isOpen = true;
        it->second.room = std::clamp<qint64>(dialed->credit, 0, mostRoom);
        const std::shared_ptr<User> user = it->second.user;
        user->opened();
    } else if (const auto *failure = std::get_if<contract::Failure>(&answer)) {
        fail(id, *failure);
    } else {
        fail(id, {"stream.broken", {}, EPROTO});
    }
}

qint64 HostStreams::room(qint64 id) const
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end() || it->second.sentEnd || !m_connection->hasRoom()) {
        return 0;
    }
    return std::min<qint64>(it->second.room, contract::streamPiece);
}

void HostStreams::send(qint64 id, std::string bytes)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end() || bytes.empty()) {
        return;
    }
    it->second.room -= qint64(bytes.size());
    contract::Flow flow;
    flow.bytes = std::move(bytes);
    m_connection->tell(id, flow);
}

void HostStreams::sendEnd(qint64 id)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end() || it->second.sentEnd) {
        return;
    }
    it->second.sentEnd = true;
    const bool isOver = it->second.gotEnd;
    if (isOver) {
        m_streams.erase(it);
    }
    contract::Flow flow;
    flow.end = true;
    m_connection->tell(id, flow);
}

void HostStreams::took(qint64 id, qint64 bytes)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return;
    }
    Stream &stream = it->second;
    stream.taken += bytes;
    if (stream.taken >= stream.credit / 4 && !stream.gotEnd) {
        stream.owed -= stream.taken;
        m_connection->tell(id, contract::Credit{id, std::exchange(stream.taken, 0)});
    }
}

void HostStreams::breakOff(qint64 id)
{
    if (m_streams.erase(id) > 0) {
        contract::Flow flow;
        flow.broken = true;
        m_connection->tell(id, flow);
    }
}

void HostStreams::fail(qint64 id, const contract::Failure &why)
{
    const auto it = m_streams.find(id);
    if (it != m_streams.end()) {
        const std::shared_ptr<User> user = it->second.user;
        m_streams.erase(it);
        user->broken(why);
    }
}

void HostStreams::flowed(qint64 id, const contract::Flow &flow)
{
    const auto it = m_streams.find(id);
    if (it == m_streams.end()) {
        return;
    }
    if (flow.broken) {
        fail(id, {"stream.broken", {}, ECONNRESET});
        return;
    }
    Stream &stream = it->second;
    stream.owed += qint64(flow.bytes.size());
    if (!stream.isOpen || stream.owed > stream.credit || (stream.gotEnd && !flow.bytes.empty())) {
        const std::shared_ptr<User> told = stream.user;
        breakOff(id); // it does not keep to what was agreed
        told->broken({"stream.broken", {}, EPROTO});
        return;
    }
    const std::shared_ptr<User> user = stream.user;
    const bool isOver = flow.end && stream.sentEnd;
    stream.gotEnd = stream.gotEnd || flow.end;
    if (isOver) {
        m_streams.erase(it); // the user passes on what is left
    }
    if (!flow.bytes.empty()) {
        user->received(flow.bytes);
    }
    if (flow.end && (isOver || m_streams.count(id) > 0)) {
        user->ended();
    }
}

void HostStreams::credited(qint64 id, qint64 bytes)
{
    const auto it = m_streams.find(id);
    if (it != m_streams.end() && bytes > 0) {
        it->second.room += std::min(bytes, mostRoom - it->second.room);
        const std::shared_ptr<User> user = it->second.user;
        user->roomMade();
    }
}

// All in turn, also where there is room for a single one.
void HostStreams::tellRoom()
{
    std::vector<qint64> ids;
    for (const auto &[id, stream] : m_streams) {
        if (stream.room > 0 && !stream.sentEnd) {
            ids.push_back(id);
        }
    }
    std::rotate(ids.begin(), std::upper_bound(ids.begin(), ids.end(), m_lastTold), ids.end());
    for (const qint64 id : ids) {
        if (!m_connection->hasRoom()) {
            return;
        }
        if (const auto it = m_streams.find(id); it != m_streams.end()) {
            m_lastTold = id;
            const std::shared_ptr<User> user = it->second.user;
            user->roomMade();
        }
    }
}

void HostStreams::stateChanged()
{
    if (m_connection->isOnline()) {
        Q_EMIT online();
        return;
    }
    std::vector<qint64> ids;
    for (const auto &[id, stream] : m_streams) {
        ids.push_back(id);
    }
    for (const qint64 id : ids) {
        fail(id, {"host.gone", {}, 0});
    }
}

} // namespace trainyard
