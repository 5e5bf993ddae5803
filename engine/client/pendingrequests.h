// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArrayView>
#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QList>
#include <QObject>
#include <QPointer>

#include <functional>

namespace trainyard
{

// A request that has no answer yet.
struct PendingRequest {
    QLatin1StringView method;
    QPointer<QObject> context;
    std::function<void(const Result<QJsonValue> &)> reply;
    // For long answers: reads one from its text and returns the function that delivers it; nothing when the text is of
    // another version.
    std::function<std::function<void()>(QByteArrayView)> readText = {};
    bool isSubmission = false;
    bool isOwn = false; // of the connection itself: it has an answer, or is forgotten with the connection
};

// The requests of one client: those that were sent, by their numbers, and those that wait for a connection.
class PendingRequests
{
public:
    struct Queued {
        PendingRequest who;
        QJsonObject params;
    };

    void add(qint64 id, const PendingRequest &who) { m_sent.insert(id, who); }
    void queue(const PendingRequest &who, const QJsonObject &params) { m_queue.append({who, params}); }
    PendingRequest take(qint64 id) { return m_sent.take(id); } // an empty one when there is none
    const PendingRequest *find(qint64 id) const; // until the next call; null when there is none
    bool isAnyQueued() const { return !m_queue.isEmpty(); }
    Queued takeQueued() { return m_queue.takeFirst(); }
    bool isAnyAwaited() const; // by anything but the connection itself
    void dropOwn();
    void clear();
    // Every request that waits gets its answer; callbacks may do anything, also delete this. What was never sent waits
    // for the next connection when this one is lost and there will be one.
    void failAll(const Error &why, bool comesBack);

private:
    QHash<qint64, PendingRequest> m_sent;
    QList<Queued> m_queue;
};

} // namespace trainyard
