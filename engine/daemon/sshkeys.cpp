// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/sshkeys.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace trainyard
{

std::optional<SshKeyPair> makeSshKeyPair(const QString &folder)
{
    const QTemporaryDir private_(folder + QStringLiteral("/key-XXXXXX")); // 0700
    if (!private_.isValid()) {
        return std::nullopt;
    }
    const QString file = private_.filePath(QStringLiteral("key"));
    QProcess program;
    program.setStandardInputFile(QProcess::nullDevice());
    program.start(QStringLiteral("ssh-keygen"),
        {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"), QStringLiteral("-N"), QString(),
            QStringLiteral("-C"), QStringLiteral("trainyard"), QStringLiteral("-f"), file});
    // Some milliseconds, once for a job that asks for ssh.
    if (!program.waitForFinished(10000) || program.exitStatus() != QProcess::NormalExit || program.exitCode() != 0) {
        return std::nullopt;
    }
    QFile privateKey(file);
    QFile publicKey(file + QStringLiteral(".pub"));
    if (!privateKey.open(QIODevice::ReadOnly) || !publicKey.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    return SshKeyPair{privateKey.readAll(), publicKey.readAll()};
}

QUuid sshKeyId(const QUuid &job) { return QUuid::createUuidV5(job, QStringLiteral("ssh")); }

} // namespace trainyard
