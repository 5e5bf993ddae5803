// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/pendingfiles.h"
#include "engine/bring/filebringer.h"
#include "engine/client/settings.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/resultrules.h"

#include <QTimer>

#include <set>

namespace trainyard
{

// Brings the files of tasks to this computer by the rules of their jobs (docs/results.md): from time to time while a
// task runs, if its job asks for that, and when it has ended. Files that could not be brought then, because its host
// cannot be reached or is too busy, or the folder here is full or cannot be written to, are brought later, also after a
// restart. Only one task of a host is served at a time. Large because a round is many short steps, each the answer to
// the one before.
class ResultService : public QObject
{
    Q_OBJECT
public:
    ResultService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts);
    ~ResultService() override;

    void begin(const ResultTask &task); // safe to repeat
    void end(const QUuid &tryUuid); // however it ended
    // To be called after a start, when all jobs are there again: tries that no job has any longer have ended.
    void settle(const std::function<bool(const QUuid &tryUuid)> &isLive);
    void hostChanged(const PoolHost &at);

    bool isBusy() const; // something is on its way, or will be at once
    bool awaits(const QString &job, const QString &host) const;
    int pendingOn(const QString &host) const; // ended tasks of which something is still there
    // Whether the folders of a removed job have to stay on the host for a moment: removable() names them again.
    bool holdsRemoval(const QString &job, const QString &host, const QString &belowState);
    void forget(const QString &job); // it was removed
    QList<BroughtFiles> of(const QString &job) const;
    api::PendingFiles pendingOf(const QString &job) const; // reads no file

Q_SIGNALS:
    void settled(const QString &job); // nothing more of the tasks that have ended is to come
    void moved(const QString &job); // of() says something else, at most once a second for each
    void removable(const QString &host, const QString &belowState);

private:
    struct Entry {
        ResultTask task;
        bool isDue = false;
        bool wasTried = false; // since it has ended
        qint64 restsUntil = 0; // steady
        qint64 lastMs = 0; // steady: when its last round began
        int hostFailures = 0; // one after the other
        int awayAnswers = 0; // the same: the host sees nothing of this engine
    };
    // The work for one task; there is one for a host, and one for a folder here.
    struct Round {
        ResultTask task;
        std::unique_ptr<FileBringer> bringer;
        ResultLook look;
        bool isPlanned = false;
        int brought = 0;
        qint64 savedMs = 0;
    };
    Round *roundOf(const QString &host, const QUuid &tryUuid);
    void look(); // the timer's
    void runNext(const QString &host);
    void listed(const QString &host, const QUuid &tryUuid, const Result<AgentFileList> &found);
    void bring(const QString &host, const QUuid &tryUuid);
    void noteBrought(const QString &host, const QUuid &tryUuid, const QString &path, const KnownFile &known);
    void endRound(const QString &host, const Error &ended);
    bool isGoneForGood(Entry &entry, bool isAway) const;
    void tell(const ResultTask &task, const std::function<void(BroughtFiles &)> &change);
    void close(const QUuid &tryUuid); // nothing more of it is to be brought
    void releaseRemovals(const QString &job, const QString &host);
    void noteMoved(const QString &job);
    QList<BroughtFiles> withArriving(const QString &job, QList<BroughtFiles> all) const;
    QList<BroughtFiles> toldBefore(const QString &job) const;
    void writeTold();
    qint64 restMs() const;

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
    const ResultNotes m_notes;
    std::map<QUuid, Entry> m_entries;
    std::map<QString, std::unique_ptr<Round>> m_rounds; // by host
    QHash<QString, QList<BroughtFiles>> m_told; // of jobs that were active since the start
    QSet<QString> m_removed; // jobs that are no longer in any list
    QSet<QString> m_unsaved; // jobs of which m_told is newer than on the disk
    QSet<QString> m_moved; // jobs of which moved() has not been told
    QTimer m_timer, m_saveTimer, m_movedTimer;
    BringDisk m_disk; // goes first: what it does is for the others
};

} // namespace trainyard
