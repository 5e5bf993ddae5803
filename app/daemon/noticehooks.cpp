// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/noticehooks.h"

#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTimer>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int mostCommands = 4; // at a time: one that hangs is not started without end
constexpr int killAfterMs = 3000;

QByteArray bytesOf(const QJsonObject &notices) { return QJsonDocument(notices).toJson(QJsonDocument::Compact); }

} // namespace

void NoticeHooks::fail(const QString &what, const QString &sentence)
{
    if (!m_broken.contains(what)) {
        m_broken.insert(what);
        Q_EMIT failed(sentence);
    }
}

void NoticeHooks::succeed(const QString &what)
{
    m_broken.remove(what);
    Q_EMIT delivered(what);
}

void NoticeHooks::run(const QStringList &command, const QJsonObject &notices)
{
    if (command.isEmpty() || command.constFirst().isEmpty()) {
        return;
    }
    const QString &program = command.constFirst();
    if (m_running >= mostCommands) {
        fail(program,
            tr("%1 is not started for a notice, because %2 earlier notices are still being handled.")
                .arg(program)
                .arg(m_running));
        return;
    }
    ++m_running;
    auto *process = new QProcess(this);
    process->setProgram(program);
    process->setArguments(command.mid(1));
    process->setStandardOutputFile(QProcess::nullDevice());
    auto *limit = new QTimer(process);
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, process, [this, process, program] {
        fail(program,
            tr("%1 did not end within %2 s after a notice, and was ended.").arg(program).arg(m_timeoutMs / 1000.0));
        process->terminate();
        QTimer::singleShot(killAfterMs, process, &QProcess::kill);
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, program](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // else finished() follows
            --m_running;
            fail(program, tr("%1 cannot be started for a notice: %2").arg(program, process->errorString()));
            process->deleteLater();
        }
    });
    connect(process, &QProcess::finished, this, [this, process, program, limit](int status, QProcess::ExitStatus how) {
        --m_running;
        if (how == QProcess::NormalExit && status == 0) {
            succeed(program);
        } else if (limit->isActive()) {
            const QString said = QString::fromLocal8Bit(process->readAllStandardError()).trimmed().right(500);
            fail(program,
                said.isEmpty() ? tr("%1 ended with status %2 after a notice.").arg(program).arg(status)
                               : tr("%1 ended with status %2 after a notice: %3").arg(program).arg(status).arg(said));
        }
        process->deleteLater();
    });
    limit->start(m_timeoutMs);
    process->start();
    process->write(bytesOf(notices));
    process->closeWriteChannel();
}

void NoticeHooks::post(const QString &address, const QJsonObject &notices)
{
    if (address.isEmpty()) {
        return;
    }
    const QUrl url(address, QUrl::StrictMode);
    // An address may have a secret in it: only the host is named.
    const QString host = url.host();
    if (!url.isValid() || host.isEmpty() || (url.scheme() != "https"_L1 && url.scheme() != "http"_L1)) {
        fail(address, tr("The setting notify.webhook is not an address that begins with https:// or http://."));
        return;
    }
    if (!m_network) {
        m_network = new QNetworkAccessManager(this);
    }
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setHeader(QNetworkRequest::UserAgentHeader, u"Trainyard"_s);
    request.setTransferTimeout(m_timeoutMs);
    QNetworkReply *reply = m_network->post(request, bytesOf(notices));
    connect(reply, &QNetworkReply::finished, this, [this, reply, address, host] {
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        if (reply->error() == QNetworkReply::NoError) {
            succeed(address);
        } else if (status > 0) {
            fail(address, tr("%1 answered a notice with status %2.").arg(host).arg(status));
        } else if (reply->error() == QNetworkReply::OperationCanceledError) {
            fail(address, tr("%1 did not answer a notice within %2 s.").arg(host).arg(m_timeoutMs / 1000.0));
        } else {
            fail(address, tr("A notice did not reach %1: %2").arg(host, reply->errorString()));
        }
        reply->deleteLater();
    });
}

} // namespace trainyard
