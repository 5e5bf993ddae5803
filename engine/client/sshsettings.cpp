// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/sshsettings.h"

#include <QProcess>

#include <algorithm>

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr int longestAnswerMs = 3000;

} // namespace

QStringList SshSettings::words() const
{
    QStringList words;
    for (const QString &setting : m_settings) {
        words << u"-o"_s << setting;
    }
    return words;
}

bool SshSettings::leaveOutRefused(const QByteArray &complaints)
{
    const QList<QByteArray> lines = complaints.toLower().split('\n');
    const qsizetype refused = m_settings.removeIf([&lines](const QString &setting) {
        const QByteArray end = ": bad configuration option: " + setting.section(u'=', 0, 0).toLatin1().toLower();
        return std::any_of(lines.cbegin(), lines.cend(), [&end](const QByteArray &line) {
            return line.startsWith("command-line") && line.trimmed().endsWith(end); // and not a file of the user's
        });
    });
    return refused > 0;
}

void SshSettings::leaveOutUnknown()
{
    QByteArray said;
    do {
        QProcess ssh;
        ssh.setStandardInputFile(QProcess::nullDevice());
        ssh.setStandardOutputFile(QProcess::nullDevice());
        ssh.start(u"ssh"_s, QStringList{u"-F"_s, u"/dev/null"_s} + words() + QStringList{u"-G"_s, u"--"_s, u"none"_s});
        if (!ssh.waitForFinished(longestAnswerMs)) {
            ssh.kill(); // one that asks or waits knows them, for all that is known
            ssh.waitForFinished(longestAnswerMs);
        }
        said = ssh.readAllStandardError();
    } while (leaveOutRefused(said));
}

} // namespace trainyard
