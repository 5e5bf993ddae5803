// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mcpuri.h"

#include <QByteArrayList>
#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QList>

#include <tl/expected.hpp>

#include <optional>

namespace trainyard::cli::mcp
{

// The results of looking up the jobs of addresses.
struct LookedUp {
    enum class How { Known, Unknown, NoEngine };
    How how = How::Known;
    ResourceUri uri = {}; // the first one whose job there is not
    QString sentence = {}; // what is wrong; nothing when all are known
    QList<ResourceUri> over = {}; // of jobs that have ended: a client that waits for that need not wait
};

// The addresses that a request names, each once, or why they cannot be subscribed to.
struct NoAddress {
    QString sentence, uri;
    bool isUnknown = false; // nothing has this address
};
using Addresses = tl::expected<QList<ResourceUri>, NoAddress>;
Addresses addressesOfStream(const QJsonObject &params); // of subscriptions/listen; there may be none
Addresses addressOfRequest(const QJsonObject &params); // of resources/subscribe: just one
QString noSuchResource();
QString noRoomForSubscriptions();

// The subscriptions of a client, in both versions of the protocol: single addresses (resources/subscribe), and streams,
// each of which has the id of the request that opened it (subscriptions/listen). Updates of an address have a minimum
// distance; those in between become one, which is never lost. Times are in ms and never go back.
class Subscriptions
{
public:
    static constexpr qsizetype mostAddresses = 32; // in all streams together
    static constexpr qsizetype mostStreams = 16;

    bool hasRoomFor(const QList<ResourceUri> &uris, bool isStream) const;
    bool hasStream(const QJsonValue &id) const;

    QByteArray open(const QJsonValue &id, const QList<ResourceUri> &uris); // a stream; what acknowledges it
    bool close(const QJsonValue &id); // true: there was one
    void add(const ResourceUri &uri); // as a single address
    void drop(const ResourceUri &uri);
    QList<ResourceUri> watched() const; // each once

    // It has changed. What is not subscribed to is ignored.
    void note(const ResourceUri &uri);
    // The notifications that are due, each a message without its newline.
    QByteArrayList take(qint64 now);
    std::optional<qint64> nextDue(qint64 now) const; // ms from now on; nothing: none waits

private:
    struct Stream {
        QJsonValue id; // undefined: the addresses that are subscribed to by themselves
        QList<ResourceUri> uris;
    };
    struct Told {
        ResourceUri uri;
        bool isDue = false;
        std::optional<qint64> last = {}; // when it was sent
    };
    qint64 dueIn(const Told &told, qint64 now) const;
    void forgetUnwatched();

    QList<Stream> m_streams;
    QHash<QString, Told> m_told; // by address
};

} // namespace trainyard::cli::mcp
