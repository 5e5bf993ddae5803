// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/hosts/agentconnection.h"
#include "engine/hosts/awayclock.h"
#include "engine/hosts/copyroom.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUuid>

#include <chrono>
#include <functional>

namespace trainyard
{

// Copies the logs of one remote host's tries into local folders, by offset, so that every client reads ordinary local
// files. Outstanding copies are recorded in a folder with one small file per try, so that an ended try, even of a
// finished job, is copied to its last byte after any restart or lost connection. The exit record is written last, as
// the keeper writes it.
class LogMirrors : public QObject
{
    Q_OBJECT
public:
    // When a copy cannot be made now, for example of a file that cannot be read, it is requested again after a pause
    // that doubles each time up to the last one.
    struct Pauses {
        std::chrono::milliseconds first = std::chrono::seconds(1), last = std::chrono::minutes(1);
        std::chrono::milliseconds full = std::chrono::seconds(5); // until it is looked whether the disk has room again
        std::chrono::milliseconds away = std::chrono::minutes(5); // how long nothing of the engine may be on the host
        // How long nothing may come while isCopying() is still true.
        std::chrono::milliseconds quiet = std::chrono::minutes(1);
    };
    LogMirrors(AgentConnection *connection, const QString &bookFolder, QObject *parent = nullptr);
    void setPauses(const Pauses &pauses) { m_pauses = pauses; }
    void setReserve(const CopyReserve &reserve) { m_reserve = reserve; } // of this disk; without: nothing
    void setIsShared(bool isShared) { m_isShared = isShared; } // other computers write the logs, in a shared folder

    // Starts or continues copying. Safe to repeat.
    void add(const QUuid &tryUuid, const QString &remoteFolder, const QString &localFolder);
    QString remoteOf(const QUuid &tryUuid) const { return m_mirrors.value(tryUuid).remote; } // empty: not known
    bool isComplete(const QUuid &tryUuid) const { return !m_mirrors.contains(tryUuid); }
    void resumeAll(); // the host is online
    // Removes the folder of a removed job on that host. It is below the agent's state folder, which is known only once
    // the host was reached. Done now or when the host is reached again, also after a restart.
    void removeRemote(const QString &belowState);
    int pending() const { return int(m_mirrors.size()); }
    bool isCopying() const; // bytes come, or have been requested just now
    bool lacksRoom(const QUuid &tryUuid) const { return m_mirrors.value(tryUuid).lacksRoom; } // it waits for that

Q_SIGNALS:
    void grew(const QUuid &tryUuid, quint64 bytes); // so much of its output is here
    void moved(const QUuid &tryUuid); // something of it has come, of whichever file
    void roomChanged(const QUuid &tryUuid); // lacksRoom() has changed
    void completed(const QUuid &tryUuid); // also when there is nothing to copy (the remote folder is gone)

private:
    struct Mirror {
        QString remote, local;
        qint64 follow = 0; // 0: not being followed
        std::chrono::milliseconds pause{0}; // the newest one; 0: none was needed
        bool rests = false; // until the pause has ended
        AwayClock away = {}; // it is perhaps not mounted there
        bool lacksRoom = false; // on this disk
        bool waits = false; // until that is looked at again
        QElapsedTimer moved = {}; // since bytes came or were requested
    };
    void resume(const QUuid &tryUuid);
    void write(const QUuid &tryUuid, const contract::Chunk &chunk);
    void finish(const QUuid &tryUuid);
    void done(const QUuid &tryUuid);
    void restAndResume(const QUuid &tryUuid);
    bool isAwayForLong(Mirror &mirror) const;
    bool hasRoom(const Mirror &mirror, qint64 bytes) const;
    void setLacksRoom(const QUuid &tryUuid, bool lacks);
    void waitForRoom(const QUuid &tryUuid);
    void sendRemoval(const QString &name);
    // Output that cannot be written now because the disk is full is kept here and written again later.
    void writeNote(const QString &name, const QByteArray &text);
    void writeLateNotes();
    void dropNote(const QString &name);
    std::chrono::milliseconds longer(std::chrono::milliseconds pause) const;

    AgentConnection *m_connection;
    QString m_book;
    QHash<QUuid, Mirror> m_mirrors;
    struct Removal {
        bool isAsked = false; // or waits to be asked for again
        std::chrono::milliseconds pause{0};
    };
    QHash<QString, Removal> m_removals; // that were asked for on this connection or an earlier one
    QHash<QString, QByteArray> m_lateNotes; // by their names
    std::chrono::milliseconds m_latePause{0};
    QTimer m_lateTimer;
    Pauses m_pauses;
    CopyReserve m_reserve;
    bool m_isShared = false;
};

} // namespace trainyard
