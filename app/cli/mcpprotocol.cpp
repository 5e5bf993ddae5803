// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpprotocol.h"

#include "app/cli/console.h"

#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

constexpr qint64 minuteMs = 60000;
constexpr qint64 listTtlMs = 3600000; // the tools of a process never change

QByteArray compact(const QJsonObject &message) { return QJsonDocument(message).toJson(QJsonDocument::Compact); }

QJsonObject capabilities()
{
    return {{u"tools"_s, QJsonObject()}, {u"resources"_s, QJsonObject{{u"subscribe"_s, true}}}};
}

// The result of a request in the form of its method.
QJsonObject resultOf(const QString &method, const QList<ResourceUri> &uris, const ToolAnswer &answer)
{
    if (method == "resources/list"_L1) {
        return answer.data;
    }
    if (method == "resources/read"_L1) {
        const QJsonObject contents{
            {u"uri"_s, uris.constFirst().text()}, {u"mimeType"_s, u"text/plain"_s}, {u"text"_s, answer.text}};
        return {{u"contents"_s, QJsonArray{contents}}};
    }
    QJsonObject result{{u"content"_s, QJsonArray{QJsonObject{{u"type"_s, u"text"_s}, {u"text"_s, answer.text}}}},
        {u"isError"_s, answer.isError}};
    if (!answer.data.isEmpty()) {
        result.insert(u"structuredContent"_s, answer.data);
    }
    return result;
}

} // namespace

Protocol::Protocol(const Offer &offer, const Limits &limits) : m_offer(offer), m_limits(limits) { }

Outcome Protocol::take(const QByteArray &line, qint64 now)
{
    Outcome outcome;
    if (line.trimmed().isEmpty()) {
        return outcome;
    }
    QJsonParseError error;
    const QJsonDocument message = QJsonDocument::fromJson(line, &error);
    if (error.error != QJsonParseError::NoError) {
        fail({}, 0, {notParsed, tr("The message is not JSON: %1.").arg(error.errorString())}, outcome);
    } else if (message.isArray()) {
        takeBatch(message.array(), now, outcome);
    } else {
        takeOne(message.object(), now, 0, outcome);
    }
    return outcome;
}

Outcome Protocol::refuseTooLong() const
{
    const QString sentence = tr("The message is longer than %1 bytes and was not read.").arg(longestMessage);
    const QJsonObject error{{u"code"_s, notRequest}, {u"message"_s, sentence}};
    return {{compact({{u"jsonrpc"_s, u"2.0"_s}, {u"error"_s, error}})}, {}, {}};
}

void Protocol::takeBatch(const QJsonArray &messages, qint64 now, Outcome &outcome)
{
    if (m_version != batchVersion()) {
        fail({}, 0, {notRequest, tr("Send each message by itself: this version has no batches.")}, outcome);
        return;
    }
    if (messages.isEmpty() || messages.size() > m_limits.batch) {
        fail({}, 0, {notRequest, tr("A batch has from 1 to %1 messages.").arg(m_limits.batch)}, outcome);
        return;
    }
    const qint64 batch = ++m_lastBatch;
    m_batches[batch].open = 1; // until all of its messages were taken
    for (const QJsonValue &each : messages) {
        takeOne(each, now, batch, outcome);
    }
    closeBatch(batch, outcome);
}

void Protocol::takeOne(const QJsonValue &value, qint64 now, qint64 batch, Outcome &outcome)
{
    const QJsonObject message = value.toObject();
    const QJsonValue id = message.value("id"_L1);
    const bool hasId = message.contains("id"_L1);
    const QJsonValue shownId = isId(id) ? id : QJsonValue();
    const QJsonValue method = message.value("method"_L1);
    if (message.value("jsonrpc"_L1).toString() != "2.0"_L1) {
        fail(shownId, batch, {notRequest, tr("A message is an object with \"jsonrpc\": \"2.0\".")}, outcome);
    } else if (hasId && !isId(id)) {
        fail({}, batch, {notRequest, tr("The id of a request is a string or a whole number.")}, outcome);
    } else if (message.contains("result"_L1) || message.contains("error"_L1)) {
        return; // an answer: we ask nothing
    } else if (!method.isString()) {
        fail(shownId, batch, {notRequest, tr("A request names its method by a string.")}, outcome);
    } else if (const QJsonValue params = message.value("params"_L1); !params.isUndefined() && !params.isObject()) {
        if (hasId) {
            fail(id, batch, {wrongParams, tr("The parameters of a request are an object.")}, outcome);
        }
    } else if (!hasId) {
        takeNotification(method.toString(), params.toObject(), outcome);
    } else {
        Request request{id, method.toString(), params.toObject(), batch};
        takeRequest(request, now, outcome);
    }
}

void Protocol::takeNotification(const QString &method, const QJsonObject &params, Outcome &outcome)
{
    if (method != "notifications/cancelled"_L1) {
        return; // nothing else has to be known
    }
    const QJsonValue id = params.value("requestId"_L1);
    if (isId(id) && m_subscriptions.close(id)) {
        return;
    }
    for (auto it = m_open.begin(); it != m_open.end(); ++it) {
        if (isId(id) && it->id == id) {
            const qint64 batch = it->batch;
            outcome.cancelled.append(it.key());
            m_open.erase(it);
            closeBatch(batch, outcome);
            return;
        }
    }
}

void Protocol::takeRequest(Request &request, qint64 now, Outcome &outcome)
{
    const auto envelope = envelopeOf(request.method, request.params, !m_version.isEmpty());
    if (!envelope) {
        fail(request.id, request.batch, envelope.error(), outcome);
        return;
    }
    request.era = envelope->era;
    request.client = envelope->client;
    const bool isModern = request.era == Era::Modern;
    const QString &method = request.method;
    if (method == "initialize"_L1 && !isModern) {
        initialize(request, outcome);
    } else if (method == "ping"_L1 && !isModern) {
        reply(request, {}, outcome);
    } else if (method == "server/discover"_L1 && isModern) {
        discover(request, outcome);
    } else if (method == "tools/list"_L1) {
        replyList(request, u"tools"_s, m_offer.tools, outcome);
    } else if (method == "tools/call"_L1) {
        callTool(request, now, outcome);
    } else if (method == "resources/list"_L1) {
        listResources(request, now, outcome);
    } else if (method == "resources/templates/list"_L1) {
        replyList(request, u"resourceTemplates"_s, m_offer.templates, outcome);
    } else if (method == "resources/read"_L1) {
        readResource(request, now, outcome);
    } else if (isModern ? method == "subscriptions/listen"_L1
                        : method == "resources/subscribe"_L1 || method == "resources/unsubscribe"_L1) {
        subscribe(request, now, outcome);
    } else {
        fail(request.id, request.batch, {noMethod, tr("There is no method '%1'.").arg(method.left(100))}, outcome);
    }
}

void Protocol::initialize(const Request &request, Outcome &outcome)
{
    const QJsonValue version = request.params.value("protocolVersion"_L1);
    if (!m_version.isEmpty()) {
        fail(request.id, request.batch, {notRequest, tr("The session has been initialized before.")}, outcome);
        return;
    }
    if (!version.isString()) {
        fail(request.id, request.batch, {wrongParams, tr("'initialize' needs the string protocolVersion.")}, outcome);
        return;
    }
    m_version = legacyVersions().contains(version.toString()) ? version.toString() : legacyVersions().constFirst();
    m_client = nameOfClient(request.params.value("clientInfo"_L1));
    reply(request,
        {{u"protocolVersion"_s, m_version}, {u"capabilities"_s, capabilities()},
            {u"serverInfo"_s, QJsonObject{{u"name"_s, m_offer.name}, {u"version"_s, m_offer.version}}},
            {u"instructions"_s, m_offer.instructions}},
        outcome);
}

void Protocol::discover(const Request &request, Outcome &outcome)
{
    reply(request,
        {{u"supportedVersions"_s, QJsonArray{modernVersion()}}, {u"capabilities"_s, capabilities()},
            {u"instructions"_s, m_offer.instructions}, {u"ttlMs"_s, listTtlMs}, {u"cacheScope"_s, u"private"_s}},
        outcome);
}

void Protocol::replyList(const Request &request, const QString &key, const QJsonArray &list, Outcome &outcome)
{
    if (request.params.contains("cursor"_L1)) { // all of them are on the first page
        fail(request.id, request.batch, {wrongParams, tr("There is no such cursor.")}, outcome);
        return;
    }
    QJsonObject result{{key, list}};
    if (request.era == Era::Modern) {
        result.insert(u"ttlMs"_s, listTtlMs);
        result.insert(u"cacheScope"_s, u"private"_s);
    }
    reply(request, result, outcome);
}

void Protocol::callTool(const Request &request, qint64 now, Outcome &outcome)
{
    const QJsonValue name = request.params.value("name"_L1), arguments = request.params.value("arguments"_L1);
    QString wrong;
    if (!name.isString()) {
        wrong = tr("'tools/call' needs the string name.");
    } else if (!arguments.isUndefined() && !arguments.isObject()) {
        wrong = tr("The arguments of a tool are an object.");
    } else {
        wrong = m_offer.complaint(name.toString(), arguments.toObject());
    }
    if (!isLetIn(request, now, outcome)) {
        return;
    }
    if (!wrong.isEmpty()) {
        fail(request.id, request.batch, {wrongParams, wrong}, outcome);
        return;
    }
    outcome.calls.append(
        {hold(request), name.toString(), arguments.toObject(), request.client.isEmpty() ? m_client : request.client});
}

// Whether it may be answered by more than a sentence; else it was refused.
bool Protocol::isLetIn(const Request &request, qint64 now, Outcome &outcome)
{
    const bool isTwin = m_subscriptions.hasStream(request.id)
        || std::any_of(
            m_open.cbegin(), m_open.cend(), [&request](const Request &other) { return other.id == request.id; });
    if (isTwin) {
        fail(request.id, request.batch, {notRequest, tr("A request with this id is not answered yet.")}, outcome);
    }
    return !isTwin && !refuseFlood(request, now, outcome);
}

// It is answered later.
qint64 Protocol::hold(const Request &request)
{
    m_open.insert(++m_lastNumber, request);
    if (request.batch > 0) {
        ++m_batches[request.batch].open;
    }
    return m_lastNumber;
}

bool Protocol::refuseFlood(const Request &request, qint64 now, Outcome &outcome)
{
    while (!m_begun.empty() && now - m_begun.front() >= minuteMs) {
        m_begun.pop_front();
    }
    if (m_begun.size() >= std::size_t(m_limits.callsAMinute)) {
        fail(request.id, request.batch,
            {tooMany,
                tr("There were %1 calls in a minute, which is the limit. Wait, and ask less often: a job changes "
                   "slowly.")
                    .arg(m_limits.callsAMinute),
                {{u"retryAfterMs"_s, minuteMs - (now - m_begun.front())}}},
            outcome);
        return true;
    }
    if (m_open.size() >= m_limits.open) {
        fail(request.id, request.batch,
            {tooMany,
                tr("%1 calls are not answered yet, which is the limit. Wait for an answer first.").arg(m_limits.open)},
            outcome);
        return true;
    }
    m_begun.push_back(now);
    return false;
}

Outcome Protocol::finish(qint64 number, const ToolAnswer &answer)
{
    Outcome outcome;
    if (!m_open.contains(number)) {
        return outcome; // it was cancelled
    }
    const Request request = m_open.take(number);
    const bool isOfTool = request.method == "tools/call"_L1;
    if (!isOfTool && answer.isError && answer.isUnknown && !request.uris.isEmpty()) {
        failUnknown(request, request.uris.constFirst().text(), answer.text, outcome);
    } else if (!isOfTool && answer.isError) {
        fail(request.id, request.batch, {internalError, answer.text}, outcome);
    } else {
        QJsonObject result = resultOf(request.method, request.uris, answer);
        if (!isOfTool && request.era == Era::Modern) { // it may have changed already
            result.insert(u"ttlMs"_s, 0);
            result.insert(u"cacheScope"_s, u"private"_s);
        }
        reply(request, result, outcome);
    }
    closeBatch(request.batch, outcome);
    return outcome;
}

void Protocol::reply(const Request &request, QJsonObject result, Outcome &outcome)
{
    if (request.era == Era::Modern) {
        const QJsonObject server{{u"name"_s, m_offer.name}, {u"version"_s, m_offer.version}};
        result.insert(u"resultType"_s, u"complete"_s);
        result.insert(u"_meta"_s, QJsonObject{{metaKey("serverInfo"_L1), server}});
    }
    deliver({{u"jsonrpc"_s, u"2.0"_s}, {u"id"_s, request.id}, {u"result"_s, result}}, request.batch, outcome);
}

// Without an id that is one, the answer has none: the protocol knows no null there.
void Protocol::fail(const QJsonValue &id, qint64 batch, const Failure &failure, Outcome &outcome)
{
    QJsonObject error{{u"code"_s, failure.code}, {u"message"_s, failure.message}};
    if (!failure.data.isEmpty()) {
        error.insert(u"data"_s, failure.data);
    }
    QJsonObject message{{u"jsonrpc"_s, u"2.0"_s}, {u"error"_s, error}};
    if (isId(id)) {
        message.insert(u"id"_s, id);
    }
    deliver(message, batch, outcome);
}

void Protocol::deliver(const QJsonObject &message, qint64 batch, Outcome &outcome)
{
    if (batch > 0) {
        m_batches[batch].answers.append(message);
    } else {
        outcome.messages.append(compact(message));
    }
}

// One of its messages needs nothing more. The last one takes the answers along.
void Protocol::closeBatch(qint64 batch, Outcome &outcome)
{
    const auto found = m_batches.find(batch);
    if (found == m_batches.end() || --found->open > 0) {
        return;
    }
    if (!found->answers.isEmpty()) {
        outcome.messages.append(QJsonDocument(found->answers).toJson(QJsonDocument::Compact));
    }
    m_batches.erase(found);
}

} // namespace trainyard::cli::mcp
