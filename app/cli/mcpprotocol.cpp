// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpprotocol.h"

#include "app/cli/console.h"

#include <QJsonDocument>

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

// Those of JSON-RPC, of the protocol, and our own, which has to lie outside the range that is reserved for both.
enum Code : int {
    notParsed = -32700,
    notRequest = -32600,
    noMethod = -32601,
    wrongParams = -32602,
    wrongVersion = -32022,
    tooMany = 4290
};

constexpr qint64 minuteMs = 60000;
constexpr qsizetype longestClient = 100; // characters of its name
constexpr qint64 listTtlMs = 3600000; // the tools of a process never change

QString modernVersion() { return u"2026-07-28"_s; }
QString batchVersion() { return u"2025-03-26"_s; }
// The newest one first.
QStringList legacyVersions() { return {u"2025-11-25"_s, u"2025-06-18"_s, batchVersion(), u"2024-11-05"_s}; }

QString metaKey(QLatin1StringView name) { return u"io.modelcontextprotocol/"_s + name; }

bool isId(const QJsonValue &id)
{
    const double number = id.toDouble(0.5);
    return id.isString() || (id.isDouble() && std::floor(number) == number && std::abs(number) <= 9007199254740992.0);
}

QByteArray compact(const QJsonObject &message) { return QJsonDocument(message).toJson(QJsonDocument::Compact); }

QString nameOfClient(const QJsonValue &info) { return info.toObject().value("name"_L1).toString().left(longestClient); }

QJsonObject toolCapability() { return {{u"tools"_s, QJsonObject()}}; }

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
    if (!chooseEra(request, outcome)) {
        return;
    }
    const bool isModern = request.era == Era::Modern;
    const QString &method = request.method;
    if (method == "initialize"_L1 && !isModern) {
        initialize(request, outcome);
    } else if (method == "ping"_L1 && !isModern) {
        reply(request, {}, outcome);
    } else if (method == "server/discover"_L1 && isModern) {
        discover(request, outcome);
    } else if (method == "tools/list"_L1) {
        listTools(request, outcome);
    } else if (method == "tools/call"_L1) {
        callTool(request, now, outcome);
    } else {
        fail(request.id, request.batch, {noMethod, tr("There is no method '%1'.").arg(method.left(100))}, outcome);
    }
}

// A request that carries its version is of the modern era. One that does not is only understood after 'initialize'.
bool Protocol::chooseEra(Request &request, Outcome &outcome)
{
    const auto refuse = [&](int code, const QString &message, const QJsonObject &data = {}) {
        fail(request.id, request.batch, {code, message, data}, outcome);
        return false;
    };
    const QJsonValue meta = request.params.value("_meta"_L1);
    if (!meta.isUndefined() && !meta.isObject()) {
        return refuse(wrongParams, tr("_meta is an object."));
    }
    const QString versionKey = metaKey("protocolVersion"_L1), capabilitiesKey = metaKey("clientCapabilities"_L1);
    const QJsonObject about = meta.toObject();
    const QString &method = request.method;
    if (!about.contains(versionKey)) {
        static const QStringList waiting{u"server/discover"_s, u"tools/list"_s, u"tools/call"_s};
        const bool isUnknown = m_version.isEmpty() && waiting.contains(method);
        return !isUnknown
            || refuse(wrongParams,
                tr("Name the version of the protocol in params._meta as %1, or send 'initialize' first.")
                    .arg(versionKey));
    }
    const QJsonValue version = about.value(versionKey);
    if (!version.isString()) {
        return refuse(wrongParams, tr("%1 is a string.").arg(versionKey));
    }
    if (version.toString() != modernVersion()) {
        return refuse(wrongVersion, tr("This version of the protocol is not spoken here."),
            {{u"supported"_s, QJsonArray{modernVersion()}}, {u"requested"_s, version.toString().left(100)}});
    }
    if (!about.value(capabilitiesKey).isObject()) {
        return refuse(wrongParams, tr("params._meta needs the object %1.").arg(capabilitiesKey));
    }
    request.era = Era::Modern;
    request.client = nameOfClient(about.value(metaKey("clientInfo"_L1)));
    return true;
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
        {{u"protocolVersion"_s, m_version}, {u"capabilities"_s, toolCapability()},
            {u"serverInfo"_s, QJsonObject{{u"name"_s, m_offer.name}, {u"version"_s, m_offer.version}}},
            {u"instructions"_s, m_offer.instructions}},
        outcome);
}

void Protocol::discover(const Request &request, Outcome &outcome)
{
    reply(request,
        {{u"supportedVersions"_s, QJsonArray{modernVersion()}}, {u"capabilities"_s, toolCapability()},
            {u"instructions"_s, m_offer.instructions}, {u"ttlMs"_s, listTtlMs}, {u"cacheScope"_s, u"private"_s}},
        outcome);
}

void Protocol::listTools(const Request &request, Outcome &outcome)
{
    if (request.params.contains("cursor"_L1)) { // all of them are on the first page
        fail(request.id, request.batch, {wrongParams, tr("There is no such cursor.")}, outcome);
        return;
    }
    QJsonObject result{{u"tools"_s, m_offer.tools}};
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
    for (const Request &other : std::as_const(m_open)) {
        if (other.id == request.id) {
            fail(request.id, request.batch, {notRequest, tr("A request with this id is not answered yet.")}, outcome);
            return;
        }
    }
    if (refuseFlood(request, now, outcome)) {
        return;
    }
    if (!wrong.isEmpty()) {
        fail(request.id, request.batch, {wrongParams, wrong}, outcome);
        return;
    }
    const qint64 number = ++m_lastNumber;
    m_open.insert(number, request);
    if (request.batch > 0) {
        ++m_batches[request.batch].open;
    }
    outcome.calls.append(
        {number, name.toString(), arguments.toObject(), request.client.isEmpty() ? m_client : request.client});
}

bool Protocol::refuseFlood(const Request &request, qint64 now, Outcome &outcome)
{
    while (!m_begun.empty() && now - m_begun.front() >= minuteMs) {
        m_begun.pop_front();
    }
    if (m_begun.size() >= std::size_t(m_limits.callsAMinute)) {
        fail(request.id, request.batch,
            {tooMany,
                tr("There were %1 calls in a minute, which is the most. Wait, and ask less often: a job changes "
                   "slowly.")
                    .arg(m_limits.callsAMinute),
                {{u"retryAfterMs"_s, minuteMs - (now - m_begun.front())}}},
            outcome);
        return true;
    }
    if (m_open.size() >= m_limits.open) {
        fail(request.id, request.batch,
            {tooMany,
                tr("%1 calls are not answered yet, which is the most. Wait for an answer first.").arg(m_limits.open)},
            outcome);
        return true;
    }
    m_begun.push_back(now);
    return false;
}

Outcome Protocol::finish(qint64 number, const ToolAnswer &answer)
{
    Outcome outcome;
    const auto found = m_open.constFind(number);
    if (found == m_open.cend()) {
        return outcome; // it was cancelled
    }
    const Request request = *found;
    m_open.erase(found);
    QJsonObject result{{u"content"_s, QJsonArray{QJsonObject{{u"type"_s, u"text"_s}, {u"text"_s, answer.text}}}},
        {u"isError"_s, answer.isError}};
    if (!answer.data.isEmpty()) {
        result.insert(u"structuredContent"_s, answer.data);
    }
    reply(request, result, outcome);
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
