// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/importer.h"

#include "model/base/httpanswer.h"
#include "model/import/batchimport.h"

#include <QFileInfo>
#include <QMimeData>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTimer>

namespace trainyard
{
namespace
{
bool isWeb(const QUrl &url)
{
    return (url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http")) && !url.host().isEmpty();
}

// A text that is nothing but an address.
QUrl addressIn(const QString &text)
{
    const QString line = text.trimmed();
    if (line.isEmpty() || line.size() > 2000 || line.contains(QLatin1Char('\n')) || line.contains(QLatin1Char(' '))) {
        return {};
    }
    const QUrl url(line, QUrl::StrictMode);
    return isWeb(url) || (url.isLocalFile() && !url.path().isEmpty()) ? url : QUrl();
}

QString nameOf(const QUrl &url)
{
    const QString name = url.fileName();
    const QString ending = QFileInfo(name).suffix().toLower();
    if (ending == QLatin1String("yaml") || ending == QLatin1String("yml") || ending == QLatin1String("json")) {
        return name;
    }
    return name.isEmpty() ? QString() : name + QStringLiteral(".pai.yaml");
}

// For people: without what may be a password or a token.
QString shown(const QUrl &url)
{
    return url.toDisplayString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
}

bool isWebPage(const QByteArray &contentType, const QByteArray &text)
{
    const QByteArray start = text.left(256).trimmed().toLower();
    return contentType.startsWith("text/html") || start.startsWith("<!doctype html") || start.startsWith("<html");
}
bool isOnlyBegun(const QNetworkReply &reply, qint64 received)
{
    return (reply.error() == QNetworkReply::NoError || reply.error() == QNetworkReply::RemoteHostClosedError)
        && brokeOff(reply.rawHeader("Content-Length"), received);
}
} // namespace

Importer::Content Importer::contentOf(const QMimeData *mime)
{
    Content content;
    const QList<QUrl> urls = mime->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile()) {
            content.files.append(url.toLocalFile());
        } else if (isWeb(url)) {
            content.urls.append(url);
        }
    }
    if (!content.files.isEmpty() || !content.urls.isEmpty()) {
        return content;
    }
    for (const QString &format : {QStringLiteral("application/yaml"), QStringLiteral("application/x-yaml")}) {
        if (mime->hasFormat(format)) {
            content.text = mime->data(format);
            return content;
        }
    }
    const QString text = mime->text();
    const QUrl address = addressIn(text);
    if (address.isLocalFile()) {
        content.files.append(address.toLocalFile());
    } else if (address.isValid()) {
        content.urls.append(address);
    } else if (text.contains(QLatin1Char(':')) || isBatchScript(text.toUtf8())) { // no job is without a colon
        content.text = text.toUtf8();
    }
    return content;
}

bool Importer::isAccepted(const QMimeData *mime) { return !contentOf(mime).isEmpty(); }

Importer::Importer(QObject *parent) : QObject(parent), m_timer(new QTimer(this))
{
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, [this] {
        giveUp({QStringLiteral("import.timeout"),
            {{QStringLiteral("url"), shown(m_reply ? m_reply->url() : QUrl())},
                {QStringLiteral("seconds"), (m_timeoutMs + 999) / 1000}}});
    });
}

void Importer::fetch(const QList<QUrl> &urls)
{
    m_waiting += urls;
    if (!m_reply) {
        next();
    }
}

void Importer::cancel()
{
    m_waiting.clear();
    m_timer->stop();
    if (m_reply) {
        QNetworkReply *reply = m_reply;
        m_reply = nullptr;
        reply->disconnect(this);
        reply->abort();
        reply->deleteLater();
    }
    m_text.clear();
    Q_EMIT finished();
}

void Importer::next()
{
    if (m_waiting.isEmpty()) {
        Q_EMIT finished();
        return;
    }
    if (!m_network) {
        m_network = new QNetworkAccessManager(this);
        m_network->setRedirectPolicy(QNetworkRequest::NoLessSafeRedirectPolicy);
    }
    const QUrl url = m_waiting.takeFirst();
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::UserAgentHeader, QStringLiteral("Trainyard"));
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    m_text.clear();
    m_reply = m_network->get(request);
    m_timer->start(m_timeoutMs);
    Q_EMIT progress(url, 0, -1, int(m_waiting.size()));
    connect(m_reply, &QNetworkReply::readyRead, this, [this, url] {
        m_timer->start(m_timeoutMs);
        m_text += m_reply->readAll();
        const qint64 total = m_reply->header(QNetworkRequest::ContentLengthHeader).toLongLong();
        if (m_text.size() > mostBytes || total > mostBytes) {
            giveUp({QStringLiteral("import.too-large"),
                {{QStringLiteral("url"), shown(url)}, {QStringLiteral("limit"), mostBytes}}});
            return;
        }
        Q_EMIT progress(url, m_text.size(), total > 0 ? total : -1, int(m_waiting.size()));
    });
    connect(m_reply, &QNetworkReply::finished, this, &Importer::finish);
}

void Importer::finish()
{
    m_timer->stop();
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    reply->deleteLater();
    const QUrl url = reply->request().url();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    m_text += reply->readAll();
    if (status >= 400) {
        Q_EMIT failed(url,
            {QStringLiteral("import.status"),
                {{QStringLiteral("url"), shown(url)}, {QStringLiteral("status"), status},
                    {QStringLiteral("reason"),
                        reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString()}}});
    } else if (isOnlyBegun(*reply, m_text.size())) {
        Q_EMIT failed(url,
            {QStringLiteral("import.incomplete"),
                {{QStringLiteral("url"), shown(url)}, {QStringLiteral("bytes"), m_text.size()},
                    {QStringLiteral("size"), reply->rawHeader("Content-Length").toLongLong()}}});
    } else if (reply->error() != QNetworkReply::NoError) {
        Q_EMIT failed(url,
            {QStringLiteral("import.unreachable"),
                {{QStringLiteral("url"), shown(url)}, {QStringLiteral("reason"), reply->errorString()}}});
    } else if (isWebPage(reply->rawHeader("Content-Type").toLower(), m_text)) {
        Q_EMIT failed(url, {QStringLiteral("import.web-page"), {{QStringLiteral("url"), shown(url)}}});
    } else {
        Q_EMIT fetched(url, std::exchange(m_text, {}), nameOf(url));
    }
    next();
}

void Importer::giveUp(const Error &error)
{
    m_timer->stop();
    if (!m_reply) {
        return;
    }
    QNetworkReply *reply = m_reply;
    m_reply = nullptr;
    const QUrl url = reply->request().url();
    reply->disconnect(this);
    reply->abort();
    reply->deleteLater();
    m_text.clear();
    Q_EMIT failed(url, error);
    next();
}

} // namespace trainyard
