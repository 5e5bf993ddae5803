// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/openpaiclient.h"

#include "engine/client/systemproxies.h"
#include "model/base/httpanswer.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QNetworkRequest>
#include <QPointer>
#include <QUrlQuery>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr qint64 mostAnswerBytes = qint64(64) << 20; // of one answer
constexpr char tooLongProperty[] = "trainyardTooLong";
constexpr char sentProperty[] = "trainyardSent";
constexpr QLatin1StringView restPath{"/rest-server/api/v2/"};

QString partOfPath(const QString &part) { return QString::fromLatin1(QUrl::toPercentEncoding(part)); }

bool isSameOrigin(const QUrl &a, const QUrl &b)
{
    const auto portOf = [](const QUrl &url) { return url.port(url.scheme() == "https"_L1 ? 443 : 80); };
    return a.scheme() == b.scheme() && a.host() == b.host() && portOf(a) == portOf(b);
}

// In Qt's words.
openpai::Failure brokenOff(const QString &target)
{
    return openpai::failureOfNetwork(QNetworkReply::RemoteHostClosedError, u"Connection closed"_s, target);
}

} // namespace

QJsonObject OpenPaiClient::Answer::object() const { return QJsonDocument::fromJson(body).object(); }

OpenPaiClient::OpenPaiClient(const OpenPaiTarget &target, QObject *parent) : QObject(parent), m_target(target)
{
    m_network.setProxyFactory(new SystemProxies); // the manager's own from here on
    m_network.setAutoDeleteReplies(true);
}

OpenPaiClient::~OpenPaiClient() = default;

void OpenPaiClient::setTarget(const OpenPaiTarget &target)
{
    if (!isOf(target)) {
        m_token.clear(); // it is that of another user or of another cluster
    }
    m_target = target;
}

bool OpenPaiClient::isOf(const OpenPaiTarget &target) const
{
    return m_target.address == target.address && m_target.user == target.user;
}

void OpenPaiClient::setToken(const QString &token) { m_token = token.trimmed().toLatin1(); }

QUrl OpenPaiClient::callUrl(const QString &path, const QString &query) const
{
    QUrl url(m_target.address + restPath + path, QUrl::StrictMode);
    if (!query.isEmpty()) {
        url.setQuery(query);
    }
    return url;
}

QString OpenPaiClient::jobPath(const QString &name) const
{
    return u"jobs/"_s + partOfPath(m_target.user) + u'~' + partOfPath(name);
}

QNetworkRequest OpenPaiClient::requestOf(const QUrl &url, bool needsToken) const
{
    QNetworkRequest request(url);
    request.setTransferTimeout(m_timeoutMs);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::SameOriginRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    // Nothing that is kept from one request to the next, and nothing that is asked for on the way.
    for (const QNetworkRequest::Attribute manual : {QNetworkRequest::CookieLoadControlAttribute,
             QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::AuthenticationReuseAttribute}) {
        request.setAttribute(manual, QNetworkRequest::Manual);
    }
    request.setMaximumRedirectsAllowed(5);
    request.setHeader(QNetworkRequest::UserAgentHeader, u"Trainyard"_s);
    if (needsToken && !m_token.isEmpty() && isSameOrigin(url, QUrl(m_target.address))) {
        request.setRawHeader("Authorization", "Bearer " + m_token);
    }
    return request;
}

void OpenPaiClient::get(const QString &path, const Then &then, const QString &query, bool needsToken)
{
    follow(m_network.get(requestOf(callUrl(path, query), needsToken)), then);
}

void OpenPaiClient::follow(QNetworkReply *reply, const Then &then)
{
    connect(reply, &QNetworkReply::readyRead, this, [reply] {
        if (reply->bytesAvailable() > mostAnswerBytes) {
            reply->setProperty(tooLongProperty, true);
            reply->abort();
        }
    });
    // A request that was never sent completely has not arrived, whatever the error is: a host that is not reached in
    // time, or no network. Qt repeats a request when a connection breaks: then the last error says nothing about the
    // first attempt.
    connect(reply, &QNetworkReply::requestSent, this, [reply] { reply->setProperty(sentProperty, true); });
    connect(reply, &QNetworkReply::finished, this, [this, reply, then] {
        Answer answer = answerOf(*reply);
        answer.failure.isBeforeCall = answer.status == 0 && !reply->property(sentProperty).toBool();
        then(answer);
    });
}

OpenPaiClient::Answer OpenPaiClient::answerOf(QNetworkReply &reply) const
{
    Answer answer;
    answer.status = reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QNetworkReply::NetworkError error = reply.error(); // those of answers are above those of the way to them
    const bool wasRead = error == QNetworkReply::NoError
        || (error >= QNetworkReply::ContentAccessDenied && error != QNetworkReply::ProtocolFailure);
    answer.isTooLong = reply.property(tooLongProperty).toBool();
    if (answer.status == 0 || !wasRead) { // nothing, or the begin of an answer that broke off
        answer.failure = openpai::failureOfNetwork(error, reply.errorString(), m_target.id());
        return answer;
    }
    answer.body = reply.readAll();
    if (brokeOff(reply.rawHeader("Content-Length"), answer.body.size())) {
        answer.failure = brokenOff(m_target.id());
        return answer;
    }
    answer.failure = openpai::failureOf(answer.status, answer.body, m_target.id());
    if (reply.hasRawHeader("Retry-After")) {
        answer.retryAfterMs
            = openpai::retryAfterMs(reply.rawHeader("Retry-After"), QDateTime::currentMSecsSinceEpoch());
    }
    // "bytes 100-199/1234", or "bytes */1234" where there is nothing more.
    if (const QByteArray range = reply.rawHeader("Content-Range"); range.contains('/')) {
        bool isKnown = false;
        const qint64 size = range.mid(range.indexOf('/') + 1).trimmed().toLongLong(&isKnown);
        answer.size = isKnown ? size : -1;
        answer.from = range.mid(range.indexOf(' ') + 1).split('-').first().toLongLong();
    }
    return answer;
}

// ---- the cluster ----

void OpenPaiClient::info(const Then &then) { get(u"info"_s, then, {}, false); }

void OpenPaiClient::logIn(const QString &password, const Then &then)
{
    QNetworkRequest request = requestOf(callUrl(u"authn/basic/login"_s), false);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/x-www-form-urlencoded"_s);
    follow(m_network.post(request,
               "username=" + QUrl::toPercentEncoding(m_target.user) + "&password=" + QUrl::toPercentEncoding(password)),
        then);
}

void OpenPaiClient::user(const Then &then) { get(u"users/"_s + partOfPath(m_target.user), then); }

void OpenPaiClient::virtualClusters(const Then &then) { get(u"virtual-clusters"_s, then); }

void OpenPaiClient::storages(const Then &then) { get(u"storages"_s, then); }

void OpenPaiClient::skuTypes(const QString &virtualCluster, const Then &then)
{
    get(u"cluster/sku-types"_s, then, u"vc="_s + partOfPath(virtualCluster));
}

// ---- jobs ----

void OpenPaiClient::submit(const QByteArray &yaml, const Then &then)
{
    QNetworkRequest request = requestOf(callUrl(u"jobs"_s), true);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"text/yaml"_s);
    follow(m_network.post(request, yaml), ifTaken(then));
}

// An answer without a length may have broken off, and one that is a page is that of a proxy: then the cluster is asked
// what it has done.
OpenPaiClient::Then OpenPaiClient::ifTaken(const Then &then) const
{
    return [target = m_target.id(), then](Answer answer) {
        if (answer.isGood() && !openpai::saysTaken(answer.body)) {
            answer.failure = brokenOff(target);
        }
        then(answer);
    };
}

void OpenPaiClient::job(const QString &name, const Then &then) { get(jobPath(name), then); }

void OpenPaiClient::jobs(int most, const Then &then)
{
    get(u"jobs"_s, then,
        u"username=%1&limit=%2&withTotalCount=true&order=submissionTime,DESC"_s.arg(
            partOfPath(m_target.user), QString::number(most)));
}

void OpenPaiClient::jobConfig(const QString &name, const Then &then) { get(jobPath(name) + u"/config"_s, then); }

void OpenPaiClient::jobAttempt(const QString &name, int attempt, const Then &then)
{
    get(jobPath(name) + u"/attempts/%1"_s.arg(attempt), then);
}

void OpenPaiClient::stopJob(const QString &name, const Then &then)
{
    QNetworkRequest request = requestOf(callUrl(jobPath(name) + u"/executionType"_s), true);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    follow(m_network.put(request, QByteArray(R"({"value":"STOP"})")), ifTaken(then));
}

void OpenPaiClient::setTag(const QString &name, const QString &tag, bool isThere, const Then &then)
{
    QNetworkRequest request = requestOf(callUrl(jobPath(name) + u"/tag"_s), true);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    const QByteArray body = QJsonDocument(QJsonObject{{u"value"_s, tag}}).toJson(QJsonDocument::Compact);
    follow(isThere ? m_network.put(request, body) : m_network.sendCustomRequest(request, "DELETE", body), then);
}

void OpenPaiClient::events(const QString &name, const Then &then) { get(jobPath(name) + u"/events"_s, then); }

// ---- logs ----

void OpenPaiClient::logs(
    const QString &name, int attempt, const QString &role, int index, int taskAttempt, bool isTail, const Then &then)
{
    get(jobPath(name)
            + u"/attempts/%1/taskRoles/%2/taskIndex/%3/attempts/%4/logs"_s.arg(
                QString::number(attempt), partOfPath(role), QString::number(index), QString::number(taskAttempt)),
        then, isTail ? u"tail-mode=true"_s : QString());
}

void OpenPaiClient::content(const QString &uri, qint64 from, const Then &then)
{
    const QUrl base(m_target.address + u'/');
    const QUrl url = base.resolved(QUrl(uri));
    if (url.scheme() != "https"_L1 && url.scheme() != base.scheme()) {
        Answer refused;
        refused.failure = openpai::failureOfNetwork(QNetworkReply::InsecureRedirectError, url.scheme(), m_target.id());
        QMetaObject::invokeMethod(
            this, [then, refused] { then(refused); }, Qt::QueuedConnection);
        return;
    }
    QNetworkRequest request = requestOf(url, true);
    if (from > 0) {
        request.setRawHeader("Range", "bytes=" + QByteArray::number(from) + '-');
    }
    request.setRawHeader("Accept-Encoding", "identity"); // places are those of the file
    follow(m_network.get(request), then);
}

} // namespace trainyard
