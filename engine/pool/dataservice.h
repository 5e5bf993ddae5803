// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/pool/datacopy.h"
#include "engine/pool/dataplace.h"
#include "engine/pool/livetry.h"

#include <QThreadPool>
#include <QTimer>

#include <list>

namespace trainyard
{

// The data that jobs name for their tasks (docs/hosts.md, "Data"): on its host before a task starts, and kept there for
// as long as the task has its allocation. To one host one copy is made at a time.
class DataService : public QObject
{
    Q_OBJECT
public:
    DataService(const AgentFolders &folders, const Settings &settings, const HostPool &hosts);
    ~DataService() override;

    // Whether the try cannot be launched yet, because its data is still on its way: ready() names it again.
    bool isAwaited(const ActiveJob &job, core::TaskRef task, const DataPlace &at, const QUuid &tryUuid);
    std::optional<Error> problemOf(const QUuid &tryUuid) const; // why the try cannot start without it
    // Once nothing is awaited: the variables with the paths on the host, and the trees of copies that are kept there.
    launch::Variables variablesOf(const QUuid &tryUuid) const;
    std::vector<std::string> treesOf(const QUuid &tryUuid) const;
    // The variables as they are to be expected before there is a try. The path of a copy has "…" in it.
    launch::Variables expectedOn(
        const JobSpec &spec, const StoredDocument &document, const QString &role, const PoolHost &at) const;
    void end(const QUuid &tryUuid); // it has released its allocation
    void forget(const ActiveJob &job);
    void hostChanged(const PoolHost &at);

    // The reason why a try, or the first one of a job, waits; nothing: it does not wait for this.
    Error reasonOf(const QUuid &tryUuid) const;
    Error reasonOf(const ActiveJob &job) const;

Q_SIGNALS:
    void ready(const QUuid &job, const QSet<QUuid> &tries); // or it is not available: problemOf() says why
    void described(const QUuid &job, const QSet<QUuid> &tries); // reasonOf() has changed

private:
    struct Item { // data of a job on a host
        int id = 0;
        QUuid job;
        QString host, cache; // as of its DataPlace
        QString named; // to people
        launch::DataWant data;
        QSet<QUuid> tries; // that have an allocation there
        bool isSettled = false;
        QString place; // then
        QString tree; // its name, once it is known
        std::optional<Error> problem;
        std::unique_ptr<DataCopy> copy; // while it runs
        std::shared_ptr<std::atomic<bool>> isCancelled; // the reading here
        std::shared_ptr<std::atomic<qint64>> bytesRead;
        qint64 toldMs = 0, restsUntilMs = 0; // steady
        int failures = 0;
    };
    using Items = std::list<Item>;
    Item *find(int id);
    void runSoon();
    void run();
    void begin(Item &item);
    void takeSnapshot(int id);
    void snapshotMade(int id, const Result<DataSnapshot> &made);
    void ended(int id, const Error &why);
    void settle(Item &item);
    bool isBehindAnother(const Item &item) const;
    Error reasonOf(const Item &item) const;
    static void stop(Item &item, DataCopy::Part part);
    void drop(const Items::iterator &item); // it is not needed

    AgentFolders m_folders;
    const Settings &m_settings;
    const HostPool &m_hosts;
    Items m_items;
    QSet<QUuid> m_tries; // whose data is known
    int m_lastId = 0;
    CodeNames m_names;
    std::atomic<bool> m_areNamesLoaded = false;
    QTimer m_timer;
    bool m_runsSoon = false;
    QThreadPool m_threads;
};

} // namespace trainyard
