// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/settings.h"
#include "engine/core/peeraddress.h"
#include "engine/core/scheduler.h"
#include "engine/pool/foundways.h"
#include "engine/pool/livetry.h"
#include "engine/pool/peerpairs.h"

#include <QHash>

namespace trainyard
{

// The addresses by which the tasks of a job on several hosts reach each other. They are chosen when its allocations are
// granted (core::peerAddresses()). If its tasks talk to each other, the agents test the connection from each host to
// each other one before the first task starts; the results are valid for a while. Where there is no connection, another
// address is chosen; when none is left, the allocations are released, and the two hosts are recorded as unconnected:
// the job gets other hosts, or waits. If the cause is not a single pair of hosts, it waits until another test is
// worthwhile.
class PeerService : public QObject
{
    Q_OBJECT
public:
    PeerService(const Settings &settings, core::Scheduler &scheduler, const ActiveJobs &jobs, HostPool &hosts);

    void choose(const ActiveJob &job, std::vector<core::event::Grant> &grants) const; // writes the addresses
    // Whether its tasks cannot start yet: settled() comes later, or the allocations are released.
    bool isAwaited(ActiveJob &job);
    void hostChanged(const PoolHost &host); // or its user asks: what was found of it counts no more
    void forget(const QUuid &job);

Q_SIGNALS:
    void settled(const QUuid &job);
    void happened(trainyard::ActiveJob *job, const trainyard::core::Event &event);
    void placingWanted(); // jobs that were held back may get allocations again

private:
    using Way = PeerWay;
    struct Test {
        quint64 number = 0;
        int attempt = 0;
        QList<Way> ways;
        QHash<QString, std::pair<int, std::string>> listening; // host: port, word
        int open = 0; // answers that are awaited
    };
    using Addresses = QMap<QString, QString>; // by host

    Addresses placesOf(const ActiveJob &job) const;
    core::PeerHost peerOf(const PoolHost &host, const QStringList &hosts) const;
    QStringList candidatesOf(const QString &host, const QStringList &hosts) const;
    QList<Way> waysOf(const Addresses &addresses) const;
    QString stuckHost(const ActiveJob &job, const Addresses &addresses) const;
    QList<core::NoWay> pairsApart(const QStringList &hosts) const;
    void giveWay(ActiveJob &job, const Addresses &addresses, const QList<Way> &blocked);
    void giveBack(ActiveJob &job, const Addresses &addresses, const Error &why);
    void begin(const ActiveJob &job, const QList<Way> &ways);
    void listen(const QUuid &job, Test &test);
    void call(const QUuid &job);
    void finish(const QUuid &job);
    Test *current(const QUuid &job, quint64 number);
    void lookAgain(const QUuid &job);
    void unblockJob(const QUuid &job);

    const Settings &m_settings;
    core::Scheduler &m_scheduler;
    const ActiveJobs &m_jobs;
    HostPool &m_hosts;
    FoundWays m_found;
    PeerPairs m_pairs;
    std::unordered_map<QUuid, Test, UuidHash> m_tests; // by job
    QHash<QUuid, QStringList> m_held; // jobs that are held back, with their hosts
    quint64 m_number = 0;
};

} // namespace trainyard
