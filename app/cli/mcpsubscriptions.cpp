// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpsubscriptions.h"

#include "app/cli/console.h"
#include "app/cli/mcpchanges.h"
#include "app/cli/mcpenvelope.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

QByteArray notification(const QString &name, const QJsonValue &stream, QJsonObject params)
{
    if (!stream.isUndefined()) {
        params.insert(u"_meta"_s, QJsonObject{{metaKey("subscriptionId"_L1), stream}});
    }
    return QJsonDocument(QJsonObject{{u"jsonrpc"_s, u"2.0"_s}, {u"method"_s, QString(u"notifications/"_s + name)},
                             {u"params"_s, params}})
        .toJson(QJsonDocument::Compact);
}

Addresses addAddress(const QList<ResourceUri> &before, const QJsonValue &value)
{
    if (!value.isString()) {
        return tl::unexpected(NoAddress{tr("The address of a resource is a string."), {}});
    }
    const std::optional<ResourceUri> uri = ResourceUri::parse(value.toString());
    if (!uri) {
        return tl::unexpected(NoAddress{noSuchResource(), value.toString(), true});
    }
    if (uri->from) {
        return tl::unexpected(NoAddress{tr("Subscribe to the address without 'from'."), {}});
    }
    return before.contains(*uri) ? before : before + QList<ResourceUri>{*uri};
}

} // namespace

QString noSuchResource()
{
    return tr("There is no such resource. The templates of resources say which addresses there are.");
}

QString noRoomForSubscriptions()
{
    return tr("At most %1 resources can be subscribed to, in at most %2 streams. End another one first.")
        .arg(Subscriptions::mostAddresses)
        .arg(Subscriptions::mostStreams);
}

Addresses addressesOfStream(const QJsonObject &params)
{
    const QJsonValue wanted = params.value("notifications"_L1);
    const QJsonValue uris = wanted.toObject().value("resourceSubscriptions"_L1);
    if (!wanted.isObject() || (!uris.isUndefined() && !uris.isArray())) {
        return tl::unexpected(NoAddress{
            tr("'subscriptions/listen' needs the object notifications, and in it a list of resourceSubscriptions."),
            {}});
    }
    Addresses all = QList<ResourceUri>();
    const QJsonArray list = uris.toArray();
    for (auto it = list.begin(); all && it != list.end(); ++it) {
        all = all->size() > Subscriptions::mostAddresses ? all : addAddress(*all, *it); // too many are refused anyway
    }
    return all;
}

Addresses addressOfRequest(const QJsonObject &params) { return addAddress({}, params.value("uri"_L1)); }

bool Subscriptions::hasRoomFor(const QList<ResourceUri> &uris, bool isStream) const
{
    qsizetype all = 0, streams = isStream ? 1 : 0;
    QList<ResourceUri> fresh = uris;
    for (const Stream &stream : m_streams) {
        const bool isOwn = stream.id.isUndefined();
        all += stream.uris.size();
        streams += isOwn ? 0 : 1;
        if (isOwn && !isStream) { // what is there already takes no room
            fresh.removeIf([&stream](const ResourceUri &uri) { return stream.uris.contains(uri); });
        }
    }
    return all + fresh.size() <= mostAddresses && streams <= mostStreams;
}

bool Subscriptions::hasStream(const QJsonValue &id) const
{
    return std::any_of(m_streams.cbegin(), m_streams.cend(), [&id](const Stream &stream) { return stream.id == id; });
}

QByteArray Subscriptions::open(const QJsonValue &id, const QList<ResourceUri> &uris)
{
    m_streams.append({id, uris});
    QJsonArray honoured;
    for (const ResourceUri &uri : uris) {
        honoured.append(uri.text());
    }
    // Only resources are listed, because nothing else changes while the process runs.
    const QJsonObject filter = uris.isEmpty() ? QJsonObject() : QJsonObject{{u"resourceSubscriptions"_s, honoured}};
    return notification(u"subscriptions/acknowledged"_s, id, {{u"notifications"_s, filter}});
}

bool Subscriptions::close(const QJsonValue &id)
{
    const bool wasThere = m_streams.removeIf([&id](const Stream &stream) { return stream.id == id; }) > 0;
    forgetUnwatched();
    return wasThere;
}

void Subscriptions::add(const ResourceUri &uri)
{
    const auto own = std::find_if(
        m_streams.begin(), m_streams.end(), [](const Stream &stream) { return stream.id.isUndefined(); });
    if (own == m_streams.end()) {
        m_streams.append({QJsonValue(QJsonValue::Undefined), {uri}});
    } else if (!own->uris.contains(uri)) {
        own->uris.append(uri);
    }
}

void Subscriptions::drop(const ResourceUri &uri)
{
    for (Stream &stream : m_streams) {
        if (stream.id.isUndefined()) {
            stream.uris.removeAll(uri);
        }
    }
    forgetUnwatched();
}

QList<ResourceUri> Subscriptions::watched() const
{
    QList<ResourceUri> all;
    for (const Stream &stream : m_streams) {
        for (const ResourceUri &uri : stream.uris) {
            if (!all.contains(uri)) {
                all.append(uri);
            }
        }
    }
    return all;
}

void Subscriptions::forgetUnwatched()
{
    const QList<ResourceUri> all = watched();
    m_told.removeIf([&all](const auto &entry) { return !all.contains(entry.value().uri); });
}

void Subscriptions::note(const ResourceUri &uri)
{
    if (watched().contains(uri)) {
        Told &told = m_told[uri.text()];
        told.uri = uri;
        told.isDue = true;
    }
}

qint64 Subscriptions::dueIn(const Told &told, qint64 now) const
{
    return told.last ? std::max<qint64>(0, *told.last + restOf(told.uri.kind) - now) : 0;
}

QByteArrayList Subscriptions::take(qint64 now)
{
    QByteArrayList messages;
    for (Told &told : m_told) {
        if (!told.isDue || dueIn(told, now) > 0) {
            continue;
        }
        told.isDue = false;
        told.last = now;
        for (const Stream &stream : std::as_const(m_streams)) {
            if (stream.uris.contains(told.uri)) {
                messages.append(notification(u"resources/updated"_s, stream.id, {{u"uri"_s, told.uri.text()}}));
            }
        }
    }
    return messages;
}

std::optional<qint64> Subscriptions::nextDue(qint64 now) const
{
    std::optional<qint64> next;
    for (const Told &told : m_told) {
        if (told.isDue) {
            next = std::min(next.value_or(restOf(told.uri.kind)), dueIn(told, now));
        }
    }
    return next;
}

} // namespace trainyard::cli::mcp
