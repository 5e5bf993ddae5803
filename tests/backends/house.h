// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/daemon/jobresults.h"
#include "engine/daemon/jobservice.h"
#include "tests/backends/target.h"

#include <QTemporaryDir>

QByteArray oneTask(); // a job

// The engine's house around any back end: store, tick, job service. close() is what a crash leaves behind, open() the
// next start.
class House
{
public:
    explicit House(Target &target);
    ~House() { close(); }
    void add(const QString &name, Target &target) { m_others.insert(name, &target); } // for the next open()
    void take(const QString &name) { m_others.remove(name); }
    QString path(const QString &name) const { return m_folder.path() + u'/' + name; }
    bool write(const QString &name, const QByteArray &bytes); // "config/hosts.json", before open()
    QByteArray read(const QString &name) const;
    bool open();
    void close();
    QString submit(const QByteArray &yaml, const QString &target = {}); // UUID, or empty
    bool waitFor(const QString &uuid, const std::function<bool(const trainyard::JobSummary &)> &wanted);
    bool waitForState(const QString &uuid, trainyard::State state);
    // Lets everything that is on its way arrive: another job (one more start) has come and gone since, and the target
    // has no more to say.
    bool settle();
    trainyard::State state(const QString &uuid);
    trainyard::ActiveJob *job(const QString &uuid) { return m_rooms->jobs.find(uuid); }
    trainyard::JobService &service() { return *m_rooms->service; }
    trainyard::JobBlocking &blocking() { return *m_rooms->blocking; }
    trainyard::Settings &settings() { return m_rooms->settings; }
    trainyard::Backend &backend() { return *m_rooms->backend; }
    trainyard::Tick &tick() { return *m_rooms->tick; }
    trainyard::Publisher &publisher() { return *m_rooms->publisher; }
    const trainyard::JobQueries &queries() { return *m_rooms->queries; }
    std::unique_ptr<trainyard::JobResults> makeResults(std::size_t most); // goes before close()
    Cut cut; // for the next open()

private:
    struct Rooms {
        trainyard::Settings settings;
        std::unique_ptr<trainyard::Store> store;
        trainyard::StoreReserve reserve;
        trainyard::SecretKeeper secrets;
        std::optional<trainyard::ExitRulesFile> exitRules;
        trainyard::ActiveJobs jobs;
        trainyard::core::Scheduler scheduler;
        std::unique_ptr<trainyard::Backend> backend;
        std::vector<std::unique_ptr<trainyard::Backend>> others;
        std::unique_ptr<trainyard::Backends> backends;
        trainyard::JobReadings readings;
        std::unique_ptr<trainyard::JobViews> views;
        std::unique_ptr<trainyard::Publisher> publisher;
        std::unique_ptr<trainyard::Tick> tick;
        std::unique_ptr<trainyard::JobQueries> queries;
        std::unique_ptr<trainyard::JobBlocking> blocking;
        std::unique_ptr<trainyard::JobPreparation> preparation;
        std::unique_ptr<trainyard::JobService> service;
    };
    QTemporaryDir m_folder{QStringLiteral("/tmp/tyXXXXXX")};
    Target &m_target; // the pool, as far as the house can tell
    QMap<QString, Target *> m_others;
    std::unique_ptr<Rooms> m_rooms;
};
