// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hostcommand.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshtransport.h"
#include "widgets/text/texts.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int sshFailed = 255; // of ssh itself, or of a command that ended so
constexpr qint64 mostComplaints = 64 << 10;

} // namespace

HostCommand::HostCommand(const QString &host, const QString &target, const QString &command, bool withTerminal)
    : m_host(host), m_target(target)
{
    if (const QString config = qEnvironmentVariable("TRAINYARD_SSH_CONFIG"); !config.isEmpty()) {
        m_words += {u"-F"_s, config};
    }
    if (m_log.open()) {
        m_words += {u"-E"_s, m_log.fileName()};
    }
    m_words += {u"-o"_s, u"ConnectTimeout="_s + QString::number(SshOptions().connectTimeoutSeconds)};
    if (withTerminal) {
        m_words.append(u"-t"_s);
    }
    m_words += {u"--"_s, HostsFile::sshDestination(target), command};
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

std::optional<int> HostCommand::failure(const QProcess &process)
{
    if (process.error() == QProcess::FailedToStart) {
        errorLine(errorText({u"host.ssh-missing"_s, {{u"message"_s, process.errorString()}}}));
        return exitNoEngine;
    }
    const bool isEnded = process.exitStatus() == QProcess::NormalExit;
    const QByteArray said = isEnded && process.exitCode() == sshFailed ? complaints() : QByteArray();
    if (said.isEmpty()) {
        return std::nullopt;
    }
    Error error = SshTransport::meaningOf(sshFailed, said, m_target);
    error.args.insert(u"host"_s, m_host == m_target ? m_host : tr("%1 (%2)").arg(m_host, m_target));
    QString why = errorText(error);
    if (!why.endsWith(u'.')) {
        why += u'.';
    }
    errorLine(tr("The command did not run on %1. %2 Check the host with 'trainyardctl hosts check %1', then repeat the "
                 "command.")
                  .arg(m_host, why));
    return exitNoEngine;
}

int statusOf(const QProcess &process)
{
    constexpr int bySignal = 128;
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : bySignal + process.exitCode();
}

} // namespace trainyard::cli
