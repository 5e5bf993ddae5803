// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

namespace trainyard::cli::mcp
{

// The codes of JSON-RPC and of the protocol, and our own, which has to be outside the range that is reserved for both.
enum Code : int {
    notParsed = -32700,
    notRequest = -32600,
    noMethod = -32601,
    wrongParams = -32602,
    internalError = -32603,
    noResource = -32002, // of the older eras; the newer one has wrongParams for it
    wrongVersion = -32022,
    tooMany = 4290
};

struct Failure {
    int code = 0;
    QString message;
    QJsonObject data = {};
};

// The stateless era of 2026-07-28, and the ones before it, which begin with 'initialize'.
enum class Era { Legacy, Modern };

QString modernVersion();
QString batchVersion(); // the only one that has batches
QStringList legacyVersions(); // the newest one first

QString metaKey(QLatin1StringView name); // of what a message says about itself
bool isId(const QJsonValue &id); // a string or a whole number
QString nameOfClient(const QJsonValue &info); // as it calls itself, shortened

// In which era a request is spoken, and by whom, where it says that itself.
struct Envelope {
    Era era = Era::Legacy;
    QString client = {};
};
// A request that carries its version is of the modern era. One that does not is only understood after 'initialize'.
tl::expected<Envelope, Failure> envelopeOf(const QString &method, const QJsonObject &params, bool isInitialized);

} // namespace trainyard::cli::mcp
