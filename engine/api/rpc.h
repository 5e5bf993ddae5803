// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <optional>

namespace trainyard::rpc
{

// The messages of the RPC (docs/rpc.md): JSON-RPC 2.0, one object a line. Encoding never fails; decoding takes any
// bytes.

constexpr int protocolMin = 1;
constexpr int protocolMax = 1;
constexpr qsizetype maxLine = 16 << 20;

struct Message {
    enum class Kind {
        Invalid, // `error` says why: rpc.parse, rpc.invalid
        Request, // id, method, params
        Event, // method, params
        Reply, // id, result
        Failure, // id (null when the request could not be read), error
    };
    Kind kind = Kind::Invalid;
    QJsonValue id = QJsonValue::Null;
    QString method;
    QJsonObject params;
    QJsonValue result;
    Error error;
};

Message decode(const QByteArray &line);

// None of them ends with the newline.
QByteArray request(qint64 id, const QString &method, const QJsonObject &params);
QByteArray event(const QString &method, const QJsonObject &params);
QByteArray reply(const QJsonValue &id, const QJsonValue &result);
// The same with a whole value that is JSON text already.
QByteArray eventText(const QString &method, const QByteArray &params);
QByteArray replyText(const QJsonValue &id, const QByteArray &result);
QByteArray failure(const QJsonValue &id, const Error &error);

// The parts of a line that replyText() wrote for a numeric id, as views into the line. Nothing for any other line.
struct TextReply {
    qint64 id = 0;
    QByteArrayView result;
};
std::optional<TextReply> textReply(QByteArrayView line);

// The version of this build, as hello reports it.
QString buildVersion();

} // namespace trainyard::rpc
