// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/checkpointplan.h"
#include "engine/bring/filebringer.h"
#include "engine/hosts/agentconnection.h"

namespace trainyard
{

// The files of a folder on a host, as its agent lists them.
struct AgentFileList {
    QList<BringFile> files; // by path
    bool isWhole = true; // false: there are more
    qint64 links = 0, others = 0, oddNames = 0; // that match and are left out
    qint64 sent = 0; // the same, of listMade()
    QString unreadable, unreadableWhy; // a folder in it that cannot be read: what is there is not in the list
    bool isUnreadableNow = false; // for a reason that passes
    QList<BringLink> inner; // of listAll(): the links that stay below the folder
};

namespace agentfiles
{

// In the arguments of results.host-failed: the host has said nothing of what is there (isAway()).
inline constexpr QLatin1StringView away{"away"};
inline bool isAway(const Error &why) { return why.args.value(away).toBool(); }

// Errors: host.gone, results.no-folder {folder}, results.unreadable {path, reason}, results.host-failed {path,
// reason}, which passes; with `away` where its file system is perhaps not mounted. No answer comes when `context` is
// gone; a null agent is a host that was removed.
void list(AgentConnection *agent, const QString &folder, const QStringList &globs, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer);
// The same, without those of a copied work folder that are there as they were sent.
void listMade(AgentConnection *agent, const QString &folder, const QStringList &globs, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer);
// All files, hidden ones too.
void listAll(AgentConnection *agent, const QString &folder, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer);
// The sum of a file as it was listed; results.mismatch {path}: it has changed since. Otherwise as read().
void sum(AgentConnection *agent, const QString &folder, const BringFile &file, QObject *context,
    const std::function<void(const Result<quint64> &)> &answer);
// As FileBringer reads.
void read(AgentConnection *agent, const QString &folder, const QString &path, qint64 offset, qint64 bytes,
    QObject *context, const FileBringer::Answer &answer);

} // namespace agentfiles

} // namespace trainyard
