// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/serverplugins.h"

namespace trainyard
{
namespace
{

const QString &textOf(const Value *value)
{
    static const QString none;
    return value && value->asString() ? *value->asString() : none;
}

bool isTrue(const Value *value) { return value && value->asBool() && *value->asBool(); }

} // namespace

QStringList serverSshCommands(const Value &parameters, bool gang)
{
    const bool jobSsh = gang && isTrue(parameters.find(QStringLiteral("jobssh")));
    const Value *user = parameters.find(QStringLiteral("userssh"));
    const QString type = user ? textOf(user->find(QStringLiteral("type"))) : QString();
    const QString key = user ? textOf(user->find(QStringLiteral("value"))) : QString();
    const bool userSsh = !type.isEmpty() && !key.isEmpty();
    if (!jobSsh && !userSsh) {
        return {};
    }
    QString server
        = QStringLiteral("$PLUGINS/ssh/sshd.sh ") + (jobSsh ? QLatin1String("true") : QLatin1String("false"));
    if (userSsh) {
        server += QLatin1Char(' ') + type + QStringLiteral(" '") + key + QLatin1Char('\'');
    }
    QStringList commands{
        QStringLiteral("apt-get update;apt-get install -y openssh-client openssh-server;"), server + QLatin1Char('\n')};
    if (jobSsh && isTrue(parameters.find(QStringLiteral("sshbarrier")))) {
        const Value *timeout = parameters.find(QStringLiteral("sshbarrierTimeout"));
        const QString minutes = timeout && timeout->asInt() ? QString::number(*timeout->asInt()) : QString();
        commands.append(QStringLiteral("$PLUGINS/ssh/sshbarrier.sh ") + minutes + QLatin1Char('\n'));
    }
    return commands;
}

QStringList serverGitCommands(const Value &parameters)
{
    const QString folder = textOf(parameters.find(QStringLiteral("clone_dir")));
    if (folder.isEmpty()) {
        return {};
    }
    return {QStringLiteral("$PLUGINS/git/check_clone_dir.sh ") + folder, QStringLiteral("mkdir -p ") + folder,
        QStringLiteral("mv -f /usr/local/pai/code/* ") + folder};
}

} // namespace trainyard
