// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

// The steps of HostInfo::steps in their order, and the facts that each has in its args when it has passed.
namespace trainyard::hoststep
{

inline const QString resolve = QStringLiteral("resolve"); // {address, port}, or {proxy}
inline const QString connect = QStringLiteral("connect"); // {software}
inline const QString key = QStringLiteral("key"); // {type, fingerprint}
inline const QString login = QStringLiteral("login"); // {method, file}
inline const QString shell = QStringLiteral("shell"); // {}: it runs commands
inline const QString folder = QStringLiteral("folder"); // {folder}: where programs can be put and run
inline const QString push = QStringLiteral("push"); // {bytes}; 0: it was there. Meanwhile {bytes, of}
inline const QString agent = QStringLiteral("agent"); // {version, user, folder}
inline const QString system = QStringLiteral("system"); // {os, kernel, cpu, cpus, memoryMiB}
inline const QString disk = QStringLiteral("disk"); // {freeMiB, folder, network}
inline const QString gpus = QStringLiteral("gpus"); // {gpus: [name]}
inline const QString containers = QStringLiteral("containers"); // {runtimes: [name]}
// {host}: the commands of a Slurm cluster that is not a target yet. Only then; empty: this computer. It passes when a
// controller answers them, and is a warning when none does: {host, detail}.
inline const QString cluster = QStringLiteral("cluster");
inline const QString clock = QStringLiteral("clock"); // {aheadMs}

// The steps of the connection; this computer has only the last one.
inline QStringList ofConnection(bool isLocal)
{
    return isLocal ? QStringList{agent} : QStringList{resolve, connect, key, login, shell, folder, push, agent};
}

} // namespace trainyard::hoststep
