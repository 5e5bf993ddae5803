// SPDX-License-Identifier: GPL-3.0-or-later
// Resources in the protocol: listing, reading and subscribing to them.
#include "app/cli/console.h"
#include "app/cli/mcpprotocol.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

constexpr qsizetype longestShown = 200; // characters of an address that there is not

} // namespace

void Protocol::listResources(const Request &request, qint64 now, Outcome &outcome)
{
    const QJsonValue cursor = request.params.value("cursor"_L1);
    bool isRight = cursor.isUndefined();
    const int from = isRight ? 0 : cursor.toString().toInt(&isRight);
    if (!isLetIn(request, now, outcome)) {
        return;
    }
    // As it was given out: no sign, no zero in front.
    if (!isRight || (!cursor.isUndefined() && (from <= 0 || QString::number(from) != cursor.toString()))) {
        fail(request.id, request.batch, {wrongParams, tr("There is no such cursor.")}, outcome);
        return;
    }
    ToolCall call{hold(request), {}, {}, request.client.isEmpty() ? m_client : request.client};
    call.listFrom = from;
    outcome.calls.append(call);
}

void Protocol::readResource(Request &request, qint64 now, Outcome &outcome)
{
    const QJsonValue text = request.params.value("uri"_L1);
    if (!isLetIn(request, now, outcome)) {
        return;
    }
    if (!text.isString()) {
        fail(request.id, request.batch, {wrongParams, tr("'%1' needs the string uri.").arg(request.method)}, outcome);
        return;
    }
    const std::optional<ResourceUri> uri = ResourceUri::parse(text.toString());
    if (!uri) {
        failUnknown(request, text.toString(), noSuchResource(), outcome);
        return;
    }
    request.uris = {*uri};
    ToolCall call{hold(request), {}, {}, request.client.isEmpty() ? m_client : request.client};
    call.resource = uri;
    outcome.calls.append(call);
}

// In both eras: a stream of its own, or an address more.
void Protocol::subscribe(Request &request, qint64 now, Outcome &outcome)
{
    const bool isModern = request.era == Era::Modern;
    if (!isLetIn(request, now, outcome)) {
        return;
    }
    const auto wanted = isModern ? addressesOfStream(request.params) : addressOfRequest(request.params);
    if (!wanted && wanted.error().isUnknown) {
        failUnknown(request, wanted.error().uri, wanted.error().sentence, outcome);
    } else if (!wanted) {
        fail(request.id, request.batch, {wrongParams, wanted.error().sentence}, outcome);
    } else if (request.method == "resources/unsubscribe"_L1) {
        m_subscriptions.drop(wanted->constFirst());
        reply(request, {}, outcome);
    } else if (!m_subscriptions.hasRoomFor(*wanted, isModern)) {
        fail(request.id, request.batch, {tooMany, noRoomForSubscriptions()}, outcome);
    } else {
        request.uris = *wanted;
        outcome.subscribing.append({hold(request), *wanted});
    }
}

Outcome Protocol::subscribed(qint64 number, const LookedUp &found)
{
    Outcome outcome;
    if (!m_open.contains(number)) {
        return outcome; // it was cancelled
    }
    const Request request = m_open.take(number);
    const bool isModern = request.era == Era::Modern;
    if (found.how == LookedUp::How::Unknown) {
        failUnknown(request, found.uri.text(), found.sentence, outcome);
    } else if (found.how == LookedUp::How::NoEngine) {
        fail(request.id, request.batch, {internalError, found.sentence}, outcome);
    } else if (!m_subscriptions.hasRoomFor(request.uris, isModern)) { // others came while it was looked up
        fail(request.id, request.batch, {tooMany, noRoomForSubscriptions()}, outcome);
    } else if (isModern) {
        outcome.messages.append(m_subscriptions.open(request.id, request.uris));
    } else {
        m_subscriptions.add(request.uris.constFirst());
        reply(request, {}, outcome);
    }
    closeBatch(request.batch, outcome);
    return outcome;
}

void Protocol::failUnknown(const Request &request, const QString &uri, const QString &message, Outcome &outcome)
{
    fail(request.id, request.batch,
        {request.era == Era::Modern ? wrongParams : noResource, message, {{u"uri"_s, uri.left(longestShown)}}},
        outcome);
}

} // namespace trainyard::cli::mcp
