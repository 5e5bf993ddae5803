// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaierrors.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

#include <algorithm>

namespace trainyard::openpai
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qsizetype mostDetail = 300;
constexpr qint64 longestWaitMs = 3'600'000;

struct Row {
    const char *said; // the code of the server
    Verdict verdict;
    const char *code;
};
// The documented codes that can answer our calls.
constexpr Row rows[] = {
    {"UnauthorizedUserError", Verdict::Login, "openpai.unauthorized"},
    {"IncorrectPasswordError", Verdict::Login, "openpai.bad-password"},
    {"ForbiddenUserError", Verdict::Refused, "openpai.forbidden"},
    {"ForbiddenKeyError", Verdict::Refused, "openpai.forbidden"},
    {"NoVirtualClusterError", Verdict::Refused, "openpai.no-virtual-cluster"},
    {"NoUserError", Verdict::Refused, "openpai.no-user"},
    {"NoGroupError", Verdict::Refused, "openpai.refused"},
    {"NoStorageError", Verdict::Refused, "openpai.no-storage"},
    {"NoJobError", Verdict::Missing, "openpai.no-job"},
    {"NoJobConfigError", Verdict::Missing, "openpai.no-job"},
    {"NoJobSshInfoError", Verdict::Missing, "openpai.no-job"},
    {"NoTaskLogError", Verdict::Missing, "openpai.no-log"},
    {"ConflictJobError", Verdict::Conflict, "openpai.conflict"},
    {"ReadOnlyJobError", Verdict::Refused, "openpai.read-only"},
    {"NoEnoughQuotaError", Verdict::Refused, "openpai.quota"},
    {"BadConfigurationError", Verdict::Refused, "openpai.invalid"},
    {"InvalidParametersError", Verdict::Refused, "openpai.invalid"},
    {"InvalidProtocolError", Verdict::Refused, "openpai.invalid"},
    {"NoApiError", Verdict::Refused, "openpai.no-api"},
    {"NotImplementedError", Verdict::Refused, "openpai.no-api"},
    {"UnknownError", Verdict::Silent, "openpai.silent"},
};

// In the form that all of them have, also those that are not in its documentation yet. Others have codes, too.
bool isOfOpenPai(const QString &code) { return code.endsWith("Error"_L1); }

Failure failureByStatus(int status)
{
    const auto of = [](Verdict verdict, const char *code) { return Failure{verdict, {QString::fromLatin1(code), {}}}; };
    switch (status) {
    case 401:
        return of(Verdict::Login, "openpai.unauthorized");
    case 403:
        return of(Verdict::Refused, "openpai.forbidden");
    case 404:
    case 405:
    case 501: // no OpenPAI, or another address of one
        return of(Verdict::Refused, "openpai.no-api");
    case 408:
        return of(Verdict::Silent, "openpai.silent");
    case 409: // that it has the job already is its own word, and this may be that of a proxy
        return of(Verdict::Silent, "openpai.silent");
    case 413:
        return of(Verdict::Refused, "openpai.too-large");
    case 429:
    case 503:
        return of(Verdict::Busy, "openpai.busy");
    default:
        break;
    }
    if (status >= 500) {
        return of(Verdict::Silent, "openpai.silent");
    }
    if (status >= 400) {
        return of(Verdict::Refused, "openpai.refused");
    }
    return of(Verdict::Refused, "openpai.redirected");
}

} // namespace

QString messageOf(const QByteArray &body, const contract::Secrets &hidden)
{
    const QString said = QJsonDocument::fromJson(body).object().value("message"_L1).toString();
    return QString::fromStdString(contract::masked(hidden, said.toStdString())).simplified().left(mostDetail);
}

Failure failureOf(int status, const QByteArray &body, const QString &target)
{
    if (status >= 200 && status < 300) {
        return {};
    }
    const QJsonObject said = QJsonDocument::fromJson(body).object();
    const QString code = said.value("code"_L1).toString();
    const QString message = messageOf(body);
    Failure failure = failureByStatus(status);
    const auto row = std::find_if(
        std::begin(rows), std::end(rows), [&](const Row &each) { return code == QLatin1StringView(each.said); });
    // A server that asks for a pause has not processed the request.
    if (row != std::end(rows) && failure.verdict != Verdict::Busy) {
        failure = {row->verdict, {QString::fromLatin1(row->code), {}}};
    }
    const bool isTooLarge = status == 413; // for a proxy or gateway
    const bool mayBeOfProxy = failure.verdict == Verdict::Refused || failure.verdict == Verdict::Busy;
    failure.isOfCluster = !mayBeOfProxy || isOfOpenPai(code) || isTooLarge;
    failure.error.args = {{u"target"_s, target}, {u"detail"_s, message.isEmpty() ? u"HTTP %1"_s.arg(status) : message}};
    return failure;
}

Failure failureOfNetwork(QNetworkReply::NetworkError error, const QString &words, const QString &target)
{
    Failure failure{Verdict::Silent, {u"openpai.silent"_s, {}}};
    switch (error) {
    case QNetworkReply::HostNotFoundError:
        failure.error.code = u"openpai.no-host"_s;
        break;
    case QNetworkReply::SslHandshakeFailedError:
        failure.error.code = u"openpai.tls"_s;
        break;
    case QNetworkReply::ProxyConnectionRefusedError:
    case QNetworkReply::ProxyConnectionClosedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyTimeoutError:
    case QNetworkReply::ProxyAuthenticationRequiredError:
    case QNetworkReply::UnknownProxyError:
        failure.error.code = u"openpai.proxy"_s;
        break;
    case QNetworkReply::InsecureRedirectError:
    case QNetworkReply::TooManyRedirectsError:
        failure = {Verdict::Refused, {u"openpai.redirected"_s, {}}};
        failure.isOfCluster = false;
        break;
    default:
        break;
    }
    failure.isBeforeCall = error == QNetworkReply::HostNotFoundError || error == QNetworkReply::ConnectionRefusedError
        || error == QNetworkReply::SslHandshakeFailedError || error == QNetworkReply::ProxyConnectionRefusedError
        || error == QNetworkReply::ProxyNotFoundError;
    failure.error.args = {{u"target"_s, target}, {u"detail"_s, words.simplified().left(mostDetail)}};
    return failure;
}

bool saysTaken(const QByteArray &body) { return QJsonDocument::fromJson(body).isObject(); }

qint64 retryAfterMs(const QByteArray &header, qint64 nowMs)
{
    bool isNumber = false;
    const qint64 seconds = header.trimmed().toLongLong(&isNumber);
    if (isNumber) {
        return std::clamp<qint64>(seconds, 0, longestWaitMs / 1000) * 1000;
    }
    const QDateTime at = QLocale::c().toDateTime(
        QString::fromLatin1(header.trimmed()).remove(" GMT"_L1), u"ddd, dd MMM yyyy hh:mm:ss"_s);
    if (!at.isValid()) {
        return -1;
    }
    return std::clamp<qint64>(QDateTime(at.date(), at.time(), Qt::UTC).toMSecsSinceEpoch() - nowMs, 0, longestWaitMs);
}

} // namespace trainyard::openpai
