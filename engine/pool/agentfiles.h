// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bring/filebringer.h"
#include "engine/hosts/agentconnection.h"

namespace trainyard
{

// The files of a folder on a host, as its agent tells them.
struct AgentFileList {
    QList<BringFile> files; // by path
    bool isWhole = true; // false: there are more
    qint64 links = 0, others = 0, oddNames = 0; // that match and are left out
};

namespace agentfiles
{

// Errors: host.gone, results.no-folder {folder}, results.unreadable {path, reason}, results.host-failed {path,
// reason}, which passes. No answer comes when `context` is gone; a null agent is a host that was removed.
void list(AgentConnection *agent, const QString &folder, const QStringList &globs, qsizetype most, QObject *context,
    const std::function<void(const Result<AgentFileList> &)> &answer);
// As FileBringer reads.
void read(AgentConnection *agent, const QString &folder, const QString &path, qint64 offset, qint64 bytes,
    QObject *context, const FileBringer::Answer &answer);

} // namespace agentfiles

} // namespace trainyard
