// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/keptevents.h"

#include "engine/api/rpc.h"

#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr qint64 mostKeptBytes = 4 << 20;
constexpr qint64 keepForNobodyMs = 60000;

} // namespace

KeptEvents::KeptEvents() : m_epoch(QUuid::createUuid().toString(QUuid::WithoutBraces)) { }

std::optional<QByteArray> KeptEvents::add(const QString &name, QJsonObject params, bool hasSubscribers)
{
    if (hasSubscribers) {
        m_sinceSubscribers.invalidate();
    } else if (!m_sinceSubscribers.isValid()) {
        m_sinceSubscribers.start();
    } else if (m_sinceSubscribers.hasExpired(keepForNobodyMs)) {
        m_events.clear();
        m_bytes = 0;
        m_from = std::numeric_limits<qint64>::max();
        return std::nullopt;
    }
    params.insert(u"serial"_s, nextSerial());
    const QByteArray line = rpc::event(name, params);
    if (m_events.empty()) {
        m_from = m_serial - 1;
    }
    m_events.push_back({m_serial, line});
    m_bytes += line.size();
    while (m_bytes > mostKeptBytes) {
        m_bytes -= m_events.front().line.size();
        m_from = m_events.front().serial;
        m_events.pop_front();
    }
    return line;
}

std::optional<QByteArrayList> KeptEvents::since(const QJsonArray &serial) const
{
    const qint64 since = serial.at(1).toInteger(-1);
    if (serial.at(0).toString() != m_epoch || m_events.empty() || since <= 0 || since < m_from || since > m_serial) {
        return std::nullopt;
    }
    QByteArrayList lines;
    for (const Event &event : m_events) {
        if (event.serial > since) {
            lines.append(event.line);
        }
    }
    return lines;
}

} // namespace trainyard
