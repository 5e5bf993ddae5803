// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/rpc.h"

#include "engine/api/jsoncursor.h"
#include "engine/api/valuetext.h"

#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace trainyard::rpc
{
namespace
{

QByteArray encode(QJsonObject json)
{
    json.insert(u"jsonrpc"_s, u"2.0"_s);
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

// The numbers that JSON-RPC reserves; everything of ours is 1 and told apart by its code in `data`.
int number(const QString &code)
{
    if (code == "rpc.parse"_L1 || code == "rpc.too-long"_L1) {
        return -32700;
    }
    if (code == "rpc.invalid"_L1) {
        return -32600;
    }
    if (code == "rpc.no-method"_L1) {
        return -32601;
    }
    if (code == "rpc.params"_L1) {
        return -32602;
    }
    return 1;
}

Message invalid(const QString &code)
{
    Message message;
    message.error = {code, {}};
    return message;
}

} // namespace

Message decode(const QByteArray &line)
{
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(line, &parseError);
    if (parseError.error != QJsonParseError::NoError) {
        return invalid(u"rpc.parse"_s);
    }
    if (!document.isObject()) {
        return invalid(u"rpc.invalid"_s);
    }
    const QJsonObject json = document.object();
    Message message;
    const QJsonValue id = json.value("id"_L1);
    // A request whose id is neither a number nor a text cannot be answered with that id.
    const bool hasId = id.isDouble() || id.isString();
    if (hasId) {
        message.id = id;
    }
    const QJsonValue method = json.value("method"_L1);
    if (method.isString()) {
        const QJsonValue params = json.value("params"_L1);
        if (!params.isUndefined() && !params.isNull() && !params.isObject()) {
            message.error = {u"rpc.invalid"_s, {}};
            return message;
        }
        message.kind = hasId ? Message::Kind::Request : Message::Kind::Event;
        message.method = method.toString();
        message.params = params.toObject();
        return message;
    }
    const QJsonValue error = json.value("error"_L1);
    if (error.isObject()) {
        const QJsonObject data = error.toObject().value("data"_L1).toObject();
        message.kind = Message::Kind::Failure;
        message.error = {data.value("code"_L1).toString(u"rpc.failed"_s), data.value("args"_L1).toObject()};
        return message;
    }
    if (hasId && json.contains("result"_L1)) {
        message.kind = Message::Kind::Reply;
        message.result = json.value("result"_L1);
        return message;
    }
    message.error = {u"rpc.invalid"_s, {}};
    return message;
}

QByteArray request(qint64 id, const QString &method, const QJsonObject &params)
{
    return encode({{u"id"_s, id}, {u"method"_s, method}, {u"params"_s, params}});
}

QByteArray event(const QString &method, const QJsonObject &params)
{
    return encode({{u"method"_s, method}, {u"params"_s, params}});
}

QByteArray reply(const QJsonValue &id, const QJsonValue &result)
{
    return encode({{u"id"_s, id}, {u"result"_s, result}});
}

QByteArray eventText(const QString &method, const QByteArray &params)
{
    return "{\"jsonrpc\":\"2.0\",\"method\":" + jsonText(method) + ",\"params\":" + params + '}';
}

QByteArray replyText(const QJsonValue &id, const QByteArray &result)
{
    const QByteArray number = id.isString()
        ? jsonText(id.toString())
        : QJsonDocument(QJsonArray{id}).toJson(QJsonDocument::Compact).chopped(1).mid(1);
    return "{\"id\":" + number + ",\"jsonrpc\":\"2.0\",\"result\":" + result + '}';
}

QByteArray failure(const QJsonValue &id, const Error &error)
{
    const QJsonObject json{
        {u"code"_s, number(error.code)},
        {u"message"_s, error.code},
        {u"data"_s, QJsonObject{{u"code"_s, error.code}, {u"args"_s, error.args}}},
    };
    return encode({{u"id"_s, id}, {u"error"_s, json}});
}

std::optional<TextReply> textReply(QByteArrayView line)
{
    JsonCursor cursor(line);
    TextReply reply;
    if (!cursor.skipKey('{', "id")) {
        return std::nullopt;
    }
    cursor.read(reply.id);
    QString version;
    if (!cursor.skipKey(',', "jsonrpc")) {
        return std::nullopt;
    }
    cursor.read(version);
    if (!cursor.skipKey(',', "result") || !line.endsWith('}')) {
        return std::nullopt;
    }
    reply.result = cursor.rest().chopped(1);
    return reply;
}

QString buildVersion() { return QStringLiteral(TRAINYARD_VERSION); }

} // namespace trainyard::rpc
