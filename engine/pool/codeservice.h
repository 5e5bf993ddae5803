// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/codecopy.h"
#include "engine/pool/hostpool.h"
#include "engine/pool/livetry.h"

#include <QThreadPool>

#include <list>

namespace trainyard
{

// The work folders of jobs on other hosts: copied there before the first task of a job starts on a host, once for each
// job and host. Of one host one copy is made at a time.
class CodeService : public QObject
{
    Q_OBJECT
public:
    CodeService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts);
    ~CodeService() override;

    // Whether the try cannot be launched yet, because the folder is still on its way: ready() names it again.
    bool isAwaited(const ActiveJob &job, const PoolHost &at, const QUuid &tryUuid);
    // Where the tasks of the job work on that host, once nothing is awaited. Empty: nothing is copied for it.
    QString folderOn(const ActiveJob &job, const PoolHost &at) const;
    std::optional<Error> problemOn(const ActiveJob &job, const PoolHost &at) const;
    // What a try waits for, as a reason; nothing: not for this.
    Error reasonOf(const ActiveJob &job, const QString &host) const;
    void hostChanged(const PoolHost &at); // without a connection its copies stop; they are asked for again
    void attemptOpened(const ActiveJob &job); // what failed is tried again
    void forget(const ActiveJob &job);

    // The folder of a job that is copied there, whether it is there yet or not; another one for another work folder.
    QString placeOn(const QString &uuid, const StoredDocument &document, const PoolHost &at) const;

Q_SIGNALS:
    void ready(const QUuid &job, const QSet<QUuid> &tries); // or it cannot be copied: problemOn() says why
    void described(const QUuid &job, const QSet<QUuid> &tries); // reasonOf() is another one

private:
    struct There { // a job on a host
        QString folder; // empty: it is still to be copied
        std::optional<Error> problem;
        QSet<QUuid> tries; // that wait
        std::unique_ptr<CodeCopy> copy; // while it runs
        qint64 toldMs = 0;
    };
    struct Job {
        StoredDocument document; // without its text
        QString work; // the folder here
        QString without; // the document, if it has secrets
        QStringList secrets; // their values, which no record of the folder may have
        std::map<QString, There> hosts;
        CodeCopy::Snapshot snapshot;
        bool isReading = false; // a snapshot is being made
        QSet<QString> wanting; // hosts that wait for it
    };
    const There *find(const ActiveJob &job, const QString &host) const; // null: nothing was asked for
    void begin(const QUuid &job, const QString &host);
    void beginNext(const QString &host);
    void takeSnapshot(const QUuid &job, const QString &host, bool isNew);
    void snapshotMade(const QUuid &job, const Result<CodeSnapshot> &made);
    void drop(There &there);
    void end(const QUuid &job, const QString &host, const QString &folder, const std::optional<Error> &problem);

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
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
