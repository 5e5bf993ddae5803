// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/checkpointcopy.h"
#include "engine/pool/checkpointnotes.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"

#include <QTimer>

#include <list>

namespace trainyard
{

// The checkpoints of tasks that are tried again on another host than before: they go there before the task starts
// (docs/execution.md, "Checkpoints"). To one host one copy is made at a time. It waits for a host that has them and
// cannot be reached, but not forever. Large because tries, hosts and copies meet here, and each has its own answers.
class CheckpointService : public QObject
{
    Q_OBJECT
public:
    CheckpointService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts);
    ~CheckpointService() override;

    // Whether the try cannot be launched yet, because its checkpoints are still on their way: ready() names it again.
    bool isAwaited(const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid);
    // TRAINYARD_CHECKPOINT_DIR of the try, once nothing is awaited.
    QString folderOn(const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid) const;
    std::optional<Error> problemOf(const QUuid &tryUuid) const; // why it can start neither with them nor without them
    Error leftBehind(const QUuid &tryUuid) const; // why it starts without them, or nothing
    void launched(const ActiveJob &job, core::TaskRef task, const PoolHost &at, const QUuid &tryUuid);
    // Writes what launched() has noted to the disk, if that is possible. To be called before anything says that the try
    // has begun, since it is not noted later.
    void writePlaces();
    void end(const QUuid &tryUuid); // it has ended, or was stopped before it began
    void hostChanged(const PoolHost &at);
    void forget(const ActiveJob &job);

    // The reason why a try, or the job, waits; nothing: it does not wait for this.
    Error reasonOf(const QUuid &tryUuid) const;
    Error reasonOf(const ActiveJob &job) const;

Q_SIGNALS:
    void ready(const QUuid &job, const QSet<QUuid> &tries);
    void described(const QUuid &job, const QSet<QUuid> &tries); // reasonOf() has changed

private:
    struct Waiter { // a try
        QUuid job;
        bool isSettled = false;
        QString folder; // then; empty: its host's own
        std::optional<Error> problem;
        Error left;
    };
    // The checkpoints that are brought for the tries of a job that move from one folder to one host.
    struct Move {
        QUuid job;
        CheckpointPlace from;
        QString to;
        QSet<QUuid> tries;
        QSet<QUuid> late; // that came when the files had been listed already: another round is for them
        std::unique_ptr<CheckpointCopy> copy; // while it runs
        qint64 awaySinceMs = 0, restsUntilMs = 0, toldMs = 0; // steady
        int failures = 0;
        bool isUnseen = false; // the host that has them does not see them, as its file system is perhaps not mounted
    };
    using Moves = std::list<Move>;
    CheckpointPlace placeOf(const ActiveJob &job, const QString &task) const;
    CheckpointPlaces &placesOf(const QString &job) const;
    Error reasonOf(const Move &move) const;
    void runSoon();
    void run();
    bool settleAway(const Moves::iterator &move); // if no try waits for it any longer
    void begin(Move &move);
    Moves::iterator find(const CheckpointCopy *copy);
    void ended(const CheckpointCopy *copy, const Error &why);
    void settle(const Moves::iterator &move, const Waiter &as);
    static void drop(Move &move, CheckpointCopy::Part part);

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
    std::unordered_map<QUuid, Waiter, UuidHash> m_waiters; // by try
    Moves m_moves;
    mutable QHash<QString, CheckpointPlaces> m_places; // by job, of those that were asked for
    QSet<QString> m_unwritten; // jobs of which m_places is newer than on the disk
    QTimer m_timer, m_writeTimer;
    bool m_runsSoon = false;
};

} // namespace trainyard
