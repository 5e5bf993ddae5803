// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpenvelope.h"

#include "app/cli/console.h"

#include <QJsonArray>

#include <cmath>

using namespace Qt::StringLiterals;

namespace trainyard::cli::mcp
{
namespace
{

constexpr qsizetype longestClient = 100; // characters of its name

} // namespace

QString modernVersion() { return u"2026-07-28"_s; }
QString batchVersion() { return u"2025-03-26"_s; }
QStringList legacyVersions() { return {u"2025-11-25"_s, u"2025-06-18"_s, batchVersion(), u"2024-11-05"_s}; }

QString metaKey(QLatin1StringView name) { return u"io.modelcontextprotocol/"_s + name; }

bool isId(const QJsonValue &id)
{
    const double number = id.toDouble(0.5);
    return id.isString() || (id.isDouble() && std::floor(number) == number && std::abs(number) <= 9007199254740992.0);
}

QString nameOfClient(const QJsonValue &info) { return info.toObject().value("name"_L1).toString().left(longestClient); }

tl::expected<Envelope, Failure> envelopeOf(const QString &method, const QJsonObject &params, bool isInitialized)
{
    const auto refuse = [](int code, const QString &message, const QJsonObject &data = {}) {
        return tl::unexpected(Failure{code, message, data});
    };
    const QJsonValue meta = params.value("_meta"_L1);
    if (!meta.isUndefined() && !meta.isObject()) {
        return refuse(wrongParams, tr("_meta is an object."));
    }
    const QString versionKey = metaKey("protocolVersion"_L1), capabilitiesKey = metaKey("clientCapabilities"_L1);
    const QJsonObject about = meta.toObject();
    if (!about.contains(versionKey)) {
        const bool isWaiting = method == "server/discover"_L1 || method.startsWith("tools/"_L1)
            || method.startsWith("resources/"_L1) || method.startsWith("subscriptions/"_L1);
        if (isWaiting && !isInitialized) {
            return refuse(wrongParams,
                tr("Name the version of the protocol in params._meta as %1, or send 'initialize' first.")
                    .arg(versionKey));
        }
        return Envelope{};
    }
    const QJsonValue version = about.value(versionKey);
    if (!version.isString()) {
        return refuse(wrongParams, tr("%1 is a string.").arg(versionKey));
    }
    if (version.toString() != modernVersion()) {
        return refuse(wrongVersion, tr("This version of the protocol is not supported here."),
            {{u"supported"_s, QJsonArray{modernVersion()}}, {u"requested"_s, version.toString().left(100)}});
    }
    if (!about.value(capabilitiesKey).isObject()) {
        return refuse(wrongParams, tr("params._meta needs the object %1.").arg(capabilitiesKey));
    }
    return Envelope{Era::Modern, nameOfClient(about.value(metaKey("clientInfo"_L1)))};
}

} // namespace trainyard::cli::mcp
