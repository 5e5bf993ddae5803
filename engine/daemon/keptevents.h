// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonObject>

#include <deque>
#include <limits>
#include <optional>

namespace trainyard
{

// The serials of events, and the newest events as they were sent, for clients that come back soon.
class KeptEvents
{
public:
    KeptEvents();
    QJsonArray nextSerial() { return {m_epoch, ++m_serial}; }
    // Makes the line of an event with the next serial, and keeps it. It is not kept when no client has been subscribed
    // for long: the next subscriber gets a snapshot.
    std::optional<QByteArray> add(const QString &name, QJsonObject params, bool hasSubscribers);
    // The events after this serial, or nothing if they are no longer kept.
    std::optional<QByteArrayList> since(const QJsonArray &serial) const;

private:
    struct Event {
        qint64 serial = 0;
        QByteArray line;
    };
    QString m_epoch;
    qint64 m_serial = 0; // the last one given away
    std::deque<Event> m_events; // none is missing between the first and the last
    qint64 m_bytes = 0;
    qint64 m_from = std::numeric_limits<qint64>::max(); // what came after this serial is all in there
    QElapsedTimer m_sinceSubscribers; // since the last of them left
};

} // namespace trainyard
