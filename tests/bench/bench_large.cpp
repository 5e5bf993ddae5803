// SPDX-License-Identifier: GPL-3.0-or-later
// One job of very many tasks, and a store of very many jobs: what the daemon takes, and how soon people see something.
// The tasks run beside xargs, which keeps nothing of them; the lists beside the same store with one job in it.
#include "engine/client/paths.h"
#include "engine/client/rpcconnection.h"
#include "tests/bench/benchengine.h"

#include <QDateTime>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QThread>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray document(const QByteArray &name, int tasks)
{
    return "protocolVersion: 2\nname: " + name
        + "\ntype: job\nprerequisites:\n  - {name: none, type: dockerimage, uri: none}\ntaskRoles:\n  t:\n    "
          "instances: "
        + QByteArray::number(tasks)
        + "\n    dockerImage: none\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: ['true']\n"
          "extras: {gangAllocation: false}\n";
}

bool manyTasks(const QString &where, int count)
{
    BenchEngine engine(where);
    std::printf("\n== one job of %d tasks ==\n", count);
    BenchEngine::load();
    EngineClient client;
    if (!BenchEngine::connectClient(client)) {
        qFatal("no engine");
    }
    const qint64 daemon = BenchEngine::processes("trainyardd").value(0);

    QElapsedTimer clock;
    clock.start();
    QProcess peer;
    const QString logs = engine.path(u"peer"_s);
    QDir().mkpath(logs);
    peer.start(u"sh"_s, {u"-c"_s, u"seq %1 | xargs -P2 -I{} bash -c 'true > %2/{}.log 2>&1'"_s.arg(count).arg(logs)});
    peer.waitForFinished(-1);
    const double peerSeconds = double(clock.elapsed()) / 1000;

    SubmitRequest request;
    request.yaml = document("many", count);
    request.file = engine.write(u"many.yaml"_s, request.yaml);
    QString uuid;
    std::vector<double> lags;
    QObject context;
    QObject::connect(
        &client, &EngineClient::tasksChanged, &context, [&](const QString &, const QList<TaskInfo> &tasks) {
            const qint64 now = QDateTime::currentMSecsSinceEpoch();
            for (const TaskInfo &task : tasks) {
                if (task.completed) {
                    lags.push_back(double(now - *task.completed));
                }
            }
        });
    clock.start();
    client.call<api::Submit>(request, &context, [&](const Result<SubmitReply> &reply) {
        if (!reply) {
            qFatal("refused: %s", qPrintable(reply.error().code));
        }
        uuid = reply->uuid;
        client.watchTasks(uuid, true);
    });
    BenchEngine::waitUntil([&] { return !uuid.isEmpty(); }, 30000);
    const double submitted = double(clock.elapsed());
    // One more watches and never reads: it must not make the daemon grow.
    QLocalSocket sleeper;
    sleeper.setReadBufferSize(1);
    sleeper.connectToServer(*paths::engineSocket(paths::runtimeFolder(), paths::stateFolder()));
    sleeper.write("{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":[1,1]}}\n"
                  "{\"id\":2,\"method\":\"subscribe\"}\n{\"id\":3,\"method\":\"watch\",\"params\":{\"id\":\""
        + uuid.toLatin1() + "\"}}\n");
    BenchEngine::waitUntil([&] { return lags.size() > std::size_t(count) / 10; }, 60000);
    const double psBusy = BenchEngine::medianCtl({u"ps"_s}, 5);
    const double showBusy = BenchEngine::medianCtl({u"show"_s, u"many"_s}, 5);
    const auto over = [&] {
        const std::optional<JobSummary> job = client.job(uuid);
        return job && isFinal(job->state);
    };
    if (!BenchEngine::waitUntil(over, 600000)) {
        qFatal("it does not end");
    }
    const double seconds = double(clock.elapsed()) / 1000;
    const double start = BenchEngine::medianCtl({u"--version"_s});
    const double ps = BenchEngine::medianCtl({u"ps"_s});
    const double show = BenchEngine::medianCtl({u"show"_s, u"many"_s});
    const double tasks = BenchEngine::medianCtl({u"show"_s, u"many"_s, u"--tasks"_s});
    std::printf("submitted in %.0f ms, all over in %.1f s (xargs -P2: %.1f s, %.2f of its speed)\n", submitted, seconds,
        peerSeconds, peerSeconds / seconds);
    std::printf("trainyardctl --version, the bare start of the program: %.1f ms\n", start);
    std::printf("while it runs: ps %.1f ms, show %.1f ms\n", psBusy, showBusy);
    bool good = figure("daemon, most memory", BenchEngine::memory(daemon, "VmHWM"), "MiB", 150);
    good = figure("a change is seen after (median)", BenchEngine::median(lags), "ms", 100) && good;
    good = figure("a change is seen after (19 of 20)", BenchEngine::at(lags, 0.95), "ms", 100) && good;
    good = figure("ps", ps, "ms", 50) && good;
    good = figure("show", show, "ms", 50) && good;
    good = figure("show --tasks, for each 1,000", tasks * 1000 / count, "ms", 20) && good;
    return good;
}

// Rows as the engine writes them, made many by SQL: running so many jobs would take a day.
void multiply(const QString &path, int count)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"multiply"_s);
        database.setDatabaseName(path);
        QSqlQuery query(database);
        if (!database.open()) {
            qFatal("cannot open the store");
        }
        query = QSqlQuery(database);
        const auto run = [&](const QString &sql) {
            if (!query.exec(sql)) {
                qFatal("%s: %s", qPrintable(sql), qPrintable(query.lastError().text()));
            }
        };
        run(u"BEGIN"_s);
        QStringList tables;
        query.exec(u"SELECT name FROM sqlite_master WHERE type='table' AND name IN ('job', 'document', 'machine',"
                   " 'attempt', 'task')"_s);
        while (query.next()) {
            tables.append(query.value(0).toString());
        }
        for (const QString &table : std::as_const(tables)) {
            QStringList columns, values;
            query.exec(u"PRAGMA table_info(%1)"_s.arg(table));
            while (query.next()) {
                const QString name = query.value(1).toString();
                columns.append(name);
                if (name == "job"_L1 || (table == "job"_L1 && name == "id"_L1)) {
                    values.append(u"n.i"_s);
                } else if (table == "job"_L1 && name == "uuid"_L1) {
                    values.append(u"printf('%08x-0000-7000-8000-000000000000', n.i)"_s);
                } else if (table == "job"_L1 && (name == "name"_L1 || name == "run_name"_L1)) {
                    values.append(u"'sweep' || n.i"_s);
                } else {
                    values.append(u"t."_s + name);
                }
            }
            run(u"WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %1) INSERT INTO %2(%3)"
                " SELECT %4 FROM n, %2 t WHERE t.%5 = 1"_s.arg(count)
                    .arg(table, columns.join(u", "_s), values.join(u", "_s), table == "job"_L1 ? u"id"_s : u"job"_s));
        }
        run(u"COMMIT"_s);
        run(u"PRAGMA wal_checkpoint(TRUNCATE)"_s);
    }
    QSqlDatabase::removeDatabase(u"multiply"_s);
}

struct Lists {
    double start = 0, page = 0, ps = 0;
};

Lists measureLists()
{
    Lists lists;
    std::vector<double> starts, pages;
    const QString path = *paths::engineSocket(paths::runtimeFolder(), paths::stateFolder());
    for (int round = 0; round < 5; ++round) {
        BenchEngine::stop();
        QElapsedTimer clock;
        clock.start();
        QProcess daemon;
        daemon.start(BenchEngine::program(u"trainyardd"_s), {u"--foreground"_s});
        // A client that knocks all the time; those of people wait longer between two tries.
        auto socket = std::make_unique<QLocalSocket>();
        while (socket->state() != QLocalSocket::ConnectedState && !clock.hasExpired(60000)) {
            socket->connectToServer(path);
            if (socket->state() != QLocalSocket::ConnectedState && !socket->waitForConnected(100)) {
                QThread::msleep(1); // the pace at which it knocks
            }
        }
        EngineClient client;
        client.startWith(std::make_unique<LocalSocketConnection>(std::move(socket)));
        if (!BenchEngine::waitUntil([&client] { return client.status() == EngineClient::Status::Ready; }, 60000)) {
            qFatal("the daemon does not answer");
        }
        starts.push_back(double(clock.nsecsElapsed()) / 1e6);
        for (qint64 before : {qint64(0), qint64(50000), qint64(99000)}) {
            QElapsedTimer asked;
            asked.start();
            bool there = false;
            client.call<api::ListJobs>(
                {{}, before, 500}, &client, [&there](const Result<QList<JobSummary>> &) { there = true; });
            BenchEngine::waitUntil([&there] { return there; }, 30000);
            pages.push_back(double(asked.nsecsElapsed()) / 1e6);
        }
        daemon.terminate();
        daemon.waitForFinished(10000);
    }
    lists.start = BenchEngine::median(starts);
    lists.page = BenchEngine::median(pages);
    BenchEngine::ctl({u"ps"_s});
    lists.ps = BenchEngine::medianCtl({u"ps"_s});
    return lists;
}

bool manyJobs(const QString &where, int count)
{
    BenchEngine engine(where);
    std::printf("\n== %d finished jobs in the store ==\n", count);
    BenchEngine::load();
    engine.write(u"one.yaml"_s, document("one", 2));
    BenchEngine::ctl({u"run"_s, engine.path(u"one.yaml"_s), u"--wait"_s});
    const Lists small = measureLists();
    BenchEngine::stop();
    const QDir state(qEnvironmentVariable("XDG_STATE_HOME") + u"/trainyard"_s);
    const QString store
        = state.filePath(state.entryList(QDir::Dirs | QDir::NoDotAndDotDot).constFirst()) + u"/store.db"_s;
    multiply(store, count);
    std::printf("the store has %.0f MiB\n", double(QFileInfo(store).size()) / (1 << 20));
    const Lists large = measureLists();
    std::printf("the same with one job: start %.0f ms, page %.1f ms, ps %.1f ms\n", small.start, small.page, small.ps);
    bool good = figure("daemon, from its start to the first client", large.start, "ms", 500);
    good = figure("a page of 500 jobs", large.page, "ms", 50) && good;
    good = figure("ps", large.ps, "ms", 50) && good;
    return good;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    int tasks = 10000, jobs = 100000;
    QString where = u"/var/tmp"_s;
    const QStringList words = QCoreApplication::arguments();
    for (qsizetype i = 1; i < words.size(); i += 2) {
        if (i + 1 == words.size() || !QStringList({u"--tasks"_s, u"--jobs"_s, u"--folder"_s}).contains(words.at(i))) {
            std::puts("Usage: bench_large [--tasks N] [--jobs N] [--folder DIR]    0 leaves a part out\n"
                      "Exit status 1 when a figure is missed.");
            return words.at(i) == "--help"_L1 ? 0 : 2;
        }
        if (words.at(i) == "--folder"_L1) {
            where = words.at(i + 1);
        } else {
            (words.at(i) == "--tasks"_L1 ? tasks : jobs) = words.at(i + 1).toInt();
        }
    }
    bool good = tasks <= 0 || manyTasks(where, tasks);
    good = (jobs <= 0 || manyJobs(where, jobs)) && good;
    return good ? 0 : 1;
}
