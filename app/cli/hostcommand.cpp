// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostcommand.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/session.h"
#include "app/cli/useofhost.h"
#include "engine/client/sshnames.h"
#include "engine/client/sshsettings.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshtransport.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QThread>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int sshFailed = 255; // of ssh itself, or of a command that ended so
constexpr qint64 mostComplaints = 64 << 10;

// The script as a command that every login shell passes on unchanged. csh and fish read backslashes, exclamation marks,
// quotes and line ends within quotes in ways of their own, so that only what is plain to all of them is sent as it is.
QString forAnyShell(const QByteArray &script)
{
    static const QByteArray plain("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _./-");
    QString digits;
    for (const char c : script) {
        digits += plain.contains(c) ? QString(QLatin1Char(c)) : u"\\0%1"_s.arg(int(uchar(c)), 3, 8, QLatin1Char('0'));
    }
    return uR"SH(sh -c 'eval "$(printf "%b" "$0")"' ')SH"_s + digits + u'\'';
}

} // namespace

HostCommand::HostCommand(const HostInfo &host, const QString &script, bool withTerminal) : m_host(host)
{
    if (const QString config = qEnvironmentVariable("TRAINYARD_SSH_CONFIG"); !config.isEmpty()) {
        m_words += {u"-F"_s, config};
    }
    if (m_log.open()) {
        m_words += {u"-E"_s, m_log.fileName()};
    }
    m_words += {u"-o"_s, u"ConnectTimeout="_s + QString::number(SshOptions().connectTimeoutSeconds)};
    // Whatever the user's configuration says for logins by hand: another command, or a terminal, which changes bytes.
    SshSettings settings;
    settings.leaveOutUnknown();
    m_words += settings.words();
    if (withTerminal) {
        m_words += u"-t"_s;
    } else {
        // The output of a local command would be mixed with the output, and an open login may occupy the ports.
        m_words += {u"-T"_s, u"-o"_s, u"PermitLocalCommand=no"_s, u"-o"_s, u"ClearAllForwardings=yes"_s};
    }
    m_words += {u"--"_s, sshDestination(host.target), forAnyShell(script.toUtf8())};
}

void HostCommand::start(QProcess &process) const { process.start(u"ssh"_s, m_words); }

QByteArray HostCommand::complaints()
{
    QByteArray text;
    m_log.seek(0);
    const QByteArrayList lines = m_log.read(mostComplaints).split('\n');
    for (const QByteArray &line : lines) {
        if (!line.startsWith("Warning: ")) { // such as that the key of a new host is known from now on
            text += line.trimmed() + '\n';
        }
    }
    return text.trimmed();
}

bool HostCommand::isHeard() const
{
    constexpr int mostMs = 4000, pauseMs = 100; // a host says something each second
    const qint64 sinceMs = QDateTime::currentMSecsSinceEpoch(); // a shell may have worked for hours before the cut
    Session session;
    if (!session.connectToRunning()) {
        return false;
    }
    QElapsedTimer waited;
    waited.start();
    while (true) {
        const Result<QList<HostInfo>> hosts = session.call<api::ListHosts>({});
        if (!hosts) {
            return false;
        }
        if (std::any_of(hosts->cbegin(), hosts->cend(),
                [&](const HostInfo &host) { return host.id == m_host.id && host.heard > sinceMs; })) {
            return true;
        }
        if (waited.hasExpired(mostMs)) {
            return false;
        }
        QThread::msleep(pauseMs);
    }
}

std::optional<int> HostCommand::failure(const QProcess &process)
{
    if (process.error() == QProcess::FailedToStart) {
        failureLine({u"host.ssh-missing"_s, {{u"message"_s, process.errorString()}}});
        return exitNoEngine;
    }
    const bool isEnded = process.exitStatus() == QProcess::NormalExit;
    const QByteArray said = isEnded && process.exitCode() == sshFailed ? complaints() : QByteArray();
    if (said.isEmpty()) {
        return std::nullopt;
    }
    const QString &name = m_host.id;
    Error error = SshTransport::meaningOf(sshFailed, said, m_host.target);
    error.args.insert(u"host"_s, name == m_host.target ? name : tr("%1 (%2)").arg(name, m_host.target));
    // A host that the engine hears can be reached: what failed is the connection that this command makes. That the
    // engine counts it as online does not say so, because a line that was cut shows only after some time.
    const bool isReached = m_host.state == HostState::Online && isHeard();
    if (isReached && error.code == "host.unreachable"_L1) {
        error.code = u"host.ssh-failed"_s;
    }
    QString why = errorText(error);
    if (!why.endsWith(u'.')) {
        why += u'.';
    }
    const QString sentence = isReached
        ? tr("The command did not run on %1, because it needs a new connection by ssh. %2 The connection that the "
             "engine has still works. As soon as '%3' works, repeat the command.")
        : tr("The command did not run on %1. %2 Check the host with 'trainyardctl hosts check %1', then repeat the "
             "command.");
    errorLine(isReached ? sentence.arg(name, why, HostsFile::sshCommand(m_host.target)) : sentence.arg(name, why));
    return exitNoEngine;
}

HostInfo hostNamed(Session &session, const QString &id) { return knownHost(session, id).value_or(HostInfo()); }

int statusOf(const QProcess &process)
{
    constexpr int bySignal = 128;
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : bySignal + process.exitCode();
}

} // namespace trainyard::cli
