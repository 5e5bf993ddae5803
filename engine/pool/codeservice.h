// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/codeallowances.h"
#include "engine/pool/codecopy.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"
#include "engine/pool/sharedwork.h"
#include "engine/pool/worknotes.h"

#include <QThreadPool>

#include <list>

namespace trainyard
{

// The work folders of jobs on other hosts: copied there before the first task of a job starts on a host, once for each
// job and host, and ahead of any job at the user's request. Only one copy at a time is made to a host. A folder that is
// larger than the settings allow is copied once the user has allowed it; its job waits for that. Large because copies
// for jobs, copies ahead of them, and the question share the queues of the hosts.
class CodeService : public QObject
{
    Q_OBJECT
public:
    CodeService(
        const AgentFolders &folders, const Settings &settings, const HostPool &hosts, const QString &allowances);
    ~CodeService() override;

    // Whether the try cannot be launched yet, because the folder is still on its way: ready() names it again.
    bool isAwaited(const ActiveJob &job, const PoolHost &at, const QUuid &tryUuid);
    // Where the tasks of the job work on that host, once nothing is awaited. Empty: nothing is copied for it.
    QString folderOn(const ActiveJob &job, const PoolHost &at) const;
    std::optional<Error> problemOn(const ActiveJob &job, const PoolHost &at) const;
    // The reason why a try waits; nothing: it does not wait for this.
    Error reasonOf(const ActiveJob &job, const QString &host) const;
    void hostChanged(const PoolHost &at); // without a connection its copies stop; they are asked for again
    void attemptOpened(const ActiveJob &job); // what failed is tried again
    void forget(const QUuid &job); // or a copy ahead of any job, which then ends without a report

    // Whether the large folder of a job is copied, which reasonOf() asks by code.asks; if not, its tasks fail with
    // code.refused. code.no-question.
    Result<bool> answer(const QUuid &job, bool isCopied);
    void settingsChanged(); // what is asked may be decided now

    // Brings the contents of a folder to a host that is online, so that a job finds them there.
    struct Ahead {
        QString folder, host;
        QString without; // a file that stays here; empty: none
        bool isAllowed = false; // whatever its size; remembered for jobs
    };
    struct AheadDone {
        QString folder; // here
        QString shared; // the host has the same folder by a shared file system: nothing was copied
        qint64 bytes = 0, files = 0; // of the folder
        qint64 sentBytes = 0;
        bool isOfGit = false;
        bool operator==(const AheadDone &) const = default;
    };
    QUuid copyAhead(const Ahead &ahead); // aheadEnded() names it
    struct Part {
        qint64 bytes = 0, ofBytes = 0; // 0: not known yet
    };
    Part progressOf(const QUuid &copy, const QString &host) const;
    CodeNames &names() { return m_names; }

    // The folder of a job that is copied there, whether it is there yet or not; another one for another work folder.
    QString placeOn(const QString &uuid, const StoredDocument &document, const PoolHost &at) const;
    // Where its tasks work or worked there, as far as is known: placeOn(), or the folder itself where the host has that
    // by a shared file system. `logFolder`: of a try there, on this computer; it may be empty.
    QString workedOn(
        const QString &uuid, const StoredDocument &document, const PoolHost &at, const QString &logFolder) const;
    // Whether its tasks work or worked in a copy there, by what workedOn() knows.
    bool worksInCopy(const ActiveJob &job, const PoolHost &at, const QString &logFolder) const;
    // Whether the host was last seen to have that folder of this computer by a shared file system.
    bool wasShared(const PoolHost &at, const QString &folder) const { return m_shared.isShared(at.target, folder); }
    // Whether such a folder is the work folder here itself.
    static bool isWorkHere(const QString &folder, const StoredDocument &document);

Q_SIGNALS:
    void ready(const QUuid &job, const QSet<QUuid> &tries); // or it cannot be copied: problemOn() says why
    void described(const QUuid &job, const QSet<QUuid> &tries); // reasonOf() has changed
    // Beside the errors of snapshotOf() and CodeCopy: host.gone, host.unknown.
    void aheadEnded(const QUuid &copy, const trainyard::Result<trainyard::CodeService::AheadDone> &done);

private:
    struct There { // a job on a host
        QString folder; // empty: it is still to be copied
        std::optional<Error> problem;
        QSet<QUuid> tries; // that wait
        std::unique_ptr<CodeCopy> copy; // while it runs
        int failures = 0; // that pass, one after the other
        qint64 toldMs = 0;
    };
    struct Job {
        StoredDocument document; // without its text
        QString work; // the folder here
        QString without; // the document, if it has secrets
        std::optional<QStringList> secrets; // values that no record of the folder may have; nothing: they are lost
        std::map<QString, There> hosts;
        CodeCopy::Snapshot snapshot;
        bool isReading = false; // a snapshot is being made
        QSet<QString> wanting; // hosts that wait for it
        std::optional<Error> question; // code.asks, while it is not answered
        std::optional<Error> refused; // the answer was no
        bool isAhead = false, isAllowed = false;
    };
    const There *find(const ActiveJob &job, const QString &host) const; // null: nothing was asked for
    void begin(const QUuid &job, const QString &host);
    void beginNext(const QString &host);
    void takeSnapshot(const QUuid &job, const QString &host, bool isNew);
    struct Made {
        Result<CodeSnapshot> snapshot;
        QStringList probed; // of a folder that is too large: by what a shared file system is noticed
    };
    void snapshotMade(const QUuid &job, const Made &made);
    void isTooLarge(const QUuid &job, const QString &host, const Error &tooBig);
    void ask(const QUuid &job, const Error &tooBig, const QString &host);
    void goOn(const QUuid &job); // nothing is asked any longer
    void goOn(const std::function<bool(const Job &)> &isMeant);
    void drop(There &there);
    bool isTriedAgain(const QUuid &job, const QString &host);
    void end(const QUuid &job, const QString &host, const QString &folder, const std::optional<Error> &problem);

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
    CodeAllowances m_allowances;
    const WorkNotes m_notes;
    SharedWork m_shared;
    std::unordered_map<QUuid, Job, UuidHash> m_jobs;
    struct Queue {
        QUuid running; // the job whose copy is made now
        std::list<QUuid> next;
    };
    std::map<QString, Queue> m_queues; // by host
    CodeNames m_names;
    std::atomic<bool> m_isClosing = false;
    QThreadPool m_threads;
};

} // namespace trainyard
