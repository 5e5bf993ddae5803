// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/daemon/noticehooks.h"

#include "engine/client/systemproxies.h"
#include "engine/client/webaddress.h"

#include <QDir>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QProcess>
#include <QTimer>
#include <QUrl>

#include <signal.h>
#include <unistd.h>

#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int mostCommands = 4; // at a time: one that hangs is not started without end
constexpr int killAfterMs = 3000;
constexpr int mostHops = 3; // from one address to the next
constexpr int mostWaiting = 20; // to be sent again

QByteArray bytesOf(const QJsonObject &notices) { return QJsonDocument(notices).toJson(QJsonDocument::Compact); }

// With what it has started itself: a script that hangs waits for another program.
void endGroup(const QProcess &process, int signal)
{
    if (const qint64 pid = process.processId(); pid > 0) {
        ::kill(-pid_t(pid), signal);
    }
}

// Where an answer sends a notice that goes on as it is, not as a question without a body; else an invalid address.
// Nothing that was to be encrypted goes on without that.
QUrl nextAddress(const QUrl &from, int status, const QUrl &target)
{
    constexpr int temporary = 307, permanent = 308;
    const QUrl next = from.resolved(target);
    const bool isSafe = next.scheme() == "https"_L1 || (next.scheme() == "http"_L1 && from.scheme() == "http"_L1);
    return (status == temporary || status == permanent) && isSafe && !next.host().isEmpty() ? next : QUrl();
}

// The notice was not read there, so it cannot arrive twice when it is sent again.
bool isSurelyNotTaken(int status, QNetworkReply::NetworkError error)
{
    constexpr int tooMany = 429, unavailable = 503;
    if (status > 0) {
        return status == tooMany || status == unavailable;
    }
    return error == QNetworkReply::ConnectionRefusedError || error == QNetworkReply::HostNotFoundError
        || error == QNetworkReply::TemporaryNetworkFailureError || error == QNetworkReply::UnknownNetworkError
        || error == QNetworkReply::ProxyConnectionRefusedError || error == QNetworkReply::ProxyNotFoundError;
}

} // namespace

// A process object ends its program with itself: these are left, as the program has what it was given.
NoticeHooks::~NoticeHooks()
{
    // Until this program ends, too.
    static auto *const left = new QSet<QProcess *>; // NOLINT(bugprone-unhandled-exception-at-new)
    for (QProcess *process : std::as_const(m_commands)) {
        process->disconnect();
        delete process->findChild<QTimer *>(); // nothing is there to end it
        process->setParent(nullptr);
        left->insert(process);
    }
}

void NoticeHooks::noteEnd()
{
    if (!isBusy()) {
        Q_EMIT becameIdle();
    }
}

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
    if (m_commands.size() >= mostCommands) {
        fail(program,
            tr("%1 is not started for a notice, because %2 earlier notices are still being handled.")
                .arg(program)
                .arg(m_commands.size()));
        return;
    }
    auto *process = new QProcess(this);
    m_commands.insert(process);
    process->setProgram(program.startsWith("~/"_L1) ? QDir::homePath() + program.mid(1) : program); // there is no shell
    process->setArguments(command.mid(1));
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setChildProcessModifier([] { ::setpgid(0, 0); });
    auto *limit = new QTimer(process);
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, process, [this, process, program] {
        fail(program,
            tr("%1 did not end within %2 s after a notice, and was ended.").arg(program).arg(m_timeoutMs / 1000.0));
        endGroup(*process, SIGTERM);
        QTimer::singleShot(killAfterMs, process, [process] { endGroup(*process, SIGKILL); });
    });
    connect(process, &QProcess::errorOccurred, this, [this, process, program](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // else finished() follows
            m_commands.remove(process);
            fail(program, tr("%1 cannot be started for a notice: %2").arg(program, process->errorString()));
            process->deleteLater();
            noteEnd();
        }
    });
    connect(process, &QProcess::finished, this, [this, process, program, limit](int status, QProcess::ExitStatus how) {
        m_commands.remove(process);
        if (how == QProcess::NormalExit && status == 0) {
            succeed(program);
        } else if (limit->isActive()) {
            const QString said = QString::fromLocal8Bit(process->readAllStandardError()).trimmed().right(500);
            fail(program,
                said.isEmpty() ? tr("%1 ended with status %2 after a notice.").arg(program).arg(status)
                               : tr("%1 ended with status %2 after a notice: %3").arg(program).arg(status).arg(said));
        }
        process->deleteLater();
        noteEnd();
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
    if (!isWebAddress(address)) {
        fail(address, tr("The setting notify.webhook is not a valid address that begins with https:// or http://."));
        return;
    }
    m_address = address;
    send(QUrl(address, QUrl::StrictMode), {bytesOf(notices), address, mostHops});
}

void NoticeHooks::send(const QUrl &url, const Outgoing &notices)
{
    if (!m_network) {
        m_network = new QNetworkAccessManager(this);
        m_network->setProxyFactory(new SystemProxies); // the manager's own from here on
    }
    QNetworkRequest request(url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    request.setHeader(QNetworkRequest::UserAgentHeader, u"Trainyard"_s);
    // Otherwise a notice goes on as a GET without its body, and counts as delivered although it was not read.
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    QNetworkReply *reply = m_network->post(request, notices.body);
    ++m_posts;
    auto *limit = new QTimer(reply); // of all of it: an answer may come in small pieces without end
    limit->setSingleShot(true);
    connect(limit, &QTimer::timeout, reply, &QNetworkReply::abort);
    limit->start(m_timeoutMs);
    connect(reply, &QIODevice::readyRead, reply, [reply] { reply->skip(reply->bytesAvailable()); });
    connect(reply, &QNetworkReply::finished, this, [this, reply, notices] {
        --m_posts;
        takeAnswer(reply, notices);
        reply->deleteLater();
        noteEnd();
    });
}

void NoticeHooks::sendLater(const Outgoing &notices)
{
    if (notices.tries >= m_pausesMs.size() || m_waiting >= mostWaiting) {
        return;
    }
    ++m_waiting;
    QTimer::singleShot(m_pausesMs.at(notices.tries), this, [this, notices] {
        --m_waiting;
        if (notices.address == m_address) {
            send(QUrl(notices.address, QUrl::StrictMode), {notices.body, notices.address, mostHops, notices.tries + 1});
        }
    });
}

// An address may have a secret in it: only the host is named.
void NoticeHooks::takeAnswer(QNetworkReply *reply, const Outgoing &notices)
{
    constexpr int answered = 200, redirected = 300, refused = 400;
    const QString &address = notices.address;
    const QString host = reply->url().host();
    const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QUrl target = reply->attribute(QNetworkRequest::RedirectionTargetAttribute).toUrl();
    if (status >= answered && status < redirected) {
        succeed(address); // whatever became of the rest of the answer
    } else if (status >= redirected && status < refused && !target.isEmpty()) {
        const QUrl next = nextAddress(reply->url(), status, target);
        if (next.isValid() && notices.hopsLeft > 0) {
            send(next, {notices.body, address, notices.hopsLeft - 1, notices.tries});
            return;
        }
        const QUrl there = reply->url().resolved(target);
        fail(address,
            tr("%1 does not take a notice and refers to %2 (status %3). Set notify.webhook to the address there.")
                .arg(host, there.scheme() + "://"_L1 + there.host())
                .arg(status));
    } else if (status > 0) {
        fail(address, tr("%1 answered a notice with status %2.").arg(host).arg(status));
    } else if (reply->error() == QNetworkReply::OperationCanceledError) {
        fail(address, tr("%1 did not answer a notice within %2 s.").arg(host).arg(m_timeoutMs / 1000.0));
    } else {
        fail(address, tr("A notice did not reach %1: %2").arg(host, reply->errorString()));
    }
    if (isSurelyNotTaken(status, reply->error())) {
        sendLater(notices);
    }
}

} // namespace trainyard
