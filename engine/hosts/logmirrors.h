// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentconnection.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QUuid>

namespace trainyard
{

// Copies the logs of one remote host's tries into local folders, by offset, so that every client reads ordinary local
// files. What is still to be copied stands in a folder, one small file per try: a try that has ended, even of a job
// that is final, is copied to its last byte after any restart or cut. The exit record is written last, as the keeper
// does it.
class LogMirrors : public QObject
{
    Q_OBJECT
public:
    LogMirrors(AgentConnection *connection, const QString &bookFolder, QObject *parent = nullptr);

    // Begins, or goes on. Twice is once.
    void add(const QUuid &tryUuid, const QString &remoteFolder, const QString &localFolder);
    bool isComplete(const QUuid &tryUuid) const { return !m_mirrors.contains(tryUuid); }
    void resumeAll(); // the host is online
    // The folder of a job that was forgotten, there: below the agent's state folder, which only a host that was reached
    // can tell. Now or when the host is reached again, also after a restart.
    void removeRemote(const QString &belowState);
    int pending() const { return int(m_mirrors.size()); }

Q_SIGNALS:
    void grew(const QUuid &tryUuid, quint64 bytes); // so much of its output is here
    void completed(const QUuid &tryUuid); // also when there is nothing to copy (the remote folder is gone)

private:
    struct Mirror {
        QString remote, local;
        qint64 follow = 0; // 0: not being followed
    };
    void resume(const QUuid &tryUuid);
    void write(const QUuid &tryUuid, const contract::Chunk &chunk);
    void finish(const QUuid &tryUuid);
    void done(const QUuid &tryUuid);
    void sendRemoval(const QString &name);

    AgentConnection *m_connection;
    QString m_book;
    QHash<QUuid, Mirror> m_mirrors;
};

} // namespace trainyard
