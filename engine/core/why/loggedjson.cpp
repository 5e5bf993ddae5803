// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/loggedjson.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <initializer_list>
#include <optional>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

namespace
{

constexpr qsizetype longestJson = 256 * 1024;

QString firstTextOf(const QJsonObject &object, std::initializer_list<QLatin1StringView> names)
{
    for (const QLatin1StringView name : names) {
        const QJsonValue value = object.value(name);
        if (value.isString() && !value.toString().trimmed().isEmpty()) {
            return value.toString();
        }
        // Bunyan and others keep the error as an object of its own.
        if (value.isObject()) {
            const QJsonObject error = value.toObject();
            for (const QLatin1StringView part : {"stack"_L1, "stacktrace"_L1, "message"_L1}) {
                if (!error.value(part).toString().trimmed().isEmpty()) {
                    return error.value(part).toString();
                }
            }
        }
    }
    return {};
}

// The lines that a JSON line stands for; nothing if it does not report an error.
std::optional<QByteArray> unpacked(QByteArrayView line)
{
    const QJsonObject object = QJsonDocument::fromJson(line.toByteArray()).object();
    if (object.contains("log"_L1) && object.value("stream"_L1).isString()) {
        return firstTextOf(object, {"log"_L1}).toUtf8();
    }
    static const QSet<QString> bad{u"error"_s, u"err"_s, u"fatal"_s, u"critical"_s, u"panic"_s, u"emerg"_s, u"alert"_s};
    const QString level
        = firstTextOf(object, {"level"_L1, "levelname"_L1, "severity"_L1, "lvl"_L1, "log.level"_L1}).toLower();
    const bool isBunyan = object.value("level"_L1).toInt() >= 50; // 50: error, 60: fatal
    if (!bad.contains(level) && !isBunyan) {
        return std::nullopt;
    }
    const QString message = firstTextOf(object, {"message"_L1, "msg"_L1, "event"_L1, "text"_L1});
    const QString error = firstTextOf(object, {"error"_L1, "err"_L1});
    const QString stack = firstTextOf(object,
        {"exc_info"_L1, "exception"_L1, "traceback"_L1, "stack"_L1, "stacktrace"_L1, "stack_trace"_L1, "exc_text"_L1});
    QString text = u"ERROR: "_s + (message.isEmpty() ? error : message);
    if (!stack.trimmed().isEmpty()) {
        text += u'\n' + stack;
    } else if (!error.isEmpty() && error != message) {
        text += u'\n' + error;
    }
    return text.toUtf8();
}

} // namespace

bool hasLoggedJson(QByteArrayView text)
{
    return text.startsWith("{\"") || text.startsWith("{ \"") || text.indexOf("\n{\"") >= 0
        || text.indexOf("\n{ \"") >= 0;
}

QByteArray withoutLoggedJson(QByteArrayView text)
{
    QByteArray plain;
    plain.reserve(text.size());
    for (qsizetype begin = 0; begin < text.size();) {
        const qsizetype newline = text.indexOf('\n', begin);
        const qsizetype end = newline < 0 ? text.size() : newline;
        const QByteArrayView line = text.sliced(begin, end - begin);
        std::optional<QByteArray> said;
        if (line.startsWith('{') && line.size() <= longestJson && line.trimmed().endsWith('}')) {
            said = unpacked(line);
        }
        if (said) {
            while (said->endsWith('\n') || said->endsWith('\r')) {
                said->chop(1);
            }
            plain += said->replace("\r", "").replace("\n", "\r");
        } else {
            plain += line;
        }
        if (newline >= 0) {
            plain += '\n';
        }
        begin = end + 1;
    }
    return plain;
}

} // namespace trainyard::core
