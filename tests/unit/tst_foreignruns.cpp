// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/filemetrics.h"
#include "engine/foreign/foreignruns.h"
#include "engine/foreign/metricdatabase.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/metricwriters.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Runs that other programs have recorded.
class TstForeignRuns : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;

    QString path(const QString &name) const { return m_dir.filePath(name); }
    void put(const QString &name, const QByteArray &bytes) const
    {
        QDir().mkpath(QFileInfo(path(name)).path());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    // Runs statements in a database; the connection stays open until the returned guard goes.
    struct Database {
        QString name;
        Database(const QString &path, const QStringList &statements) : name(path)
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, name);
            database.setDatabaseName(path);
            QVERIFY(database.open());
            for (const QString &statement : statements) {
                QSqlQuery query(database);
                QVERIFY2(query.exec(statement), qPrintable(statement + query.lastError().text()));
            }
        }
        ~Database()
        {
            QSqlDatabase::database(name).close();
            QSqlDatabase::removeDatabase(name);
        }
    };
    static QStringList mlflow()
    {
        return {u"CREATE TABLE runs (run_uuid TEXT PRIMARY KEY, name TEXT, status TEXT, start_time INTEGER, "
                "lifecycle_stage TEXT)"_s,
            u"CREATE TABLE metrics (key TEXT, value REAL, timestamp INTEGER, run_uuid TEXT, step INTEGER, is_nan "
            "BOOLEAN)"_s,
            u"CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT)"_s,
            u"INSERT INTO runs VALUES ('b', 'second', 'FAILED', 2000, 'active'), ('a', 'first', 'FINISHED', 1000, "
            "'active'), ('c', 'gone', 'FINISHED', 1, 'deleted')"_s,
            u"INSERT INTO params VALUES ('lr', '0.1', 'a'), ('model', 'big', 'a')"_s,
            u"INSERT INTO metrics VALUES ('loss', 2, 1001, 'a', 1, 0), ('loss', 0, 1002, 'a', 2, 1), "
            "('loss', 1, 1003, 'a', 3, 0), ('score', 5, 1001, 'a', 0, 0), ('score', 6, 1002, 'a', 0, 0)"_s};
    }
    static QStringList lines(const MetricDatabase &database, const QString &run)
    {
        const auto runs = database.runs();
        for (const MetricDatabase::Run &each : runs ? *runs : QList<MetricDatabase::Run>()) {
            if (each.name == run) {
                metricwriters::Taken taken;
                return database.read(each, taken) ? taken.lines() : QStringList{u"unreadable"_s};
            }
        }
        return {u"no such run"_s};
    }

private Q_SLOTS:
    // They repeat values of runs that are listed already.
    void savedTablesAreRefused()
    {
        put(u"saved/lr.csv"_s, "Run,Name,lr,loss,State,Step,Seconds,trainyard\n#2,a,0.1,0.5,Succeeded,9,60,1\n");
        put(u"saved/curves.csv"_s, "metric,run,step,time,value,trainyard\nloss,#2,1,2026-11-30T00:35:04.755Z,0.5,1\n");
        put(u"saved/own.csv"_s, "step,loss\n1,0.5\n2,0.4\n");
        for (const QString &name : {u"saved/lr.csv"_s, u"saved/curves.csv"_s}) {
            const Result<FoundForeigns> found = findForeign(path(name));
            QVERIFY2(!found, qPrintable(name));
            QCOMPARE(found.error().code, u"metricfile.own-export"_s);
            QCOMPARE(found.error().args.value(u"file"_s).toString(), path(name));
        }
        const Result<FoundForeigns> own = findForeign(path(u"saved/own.csv"_s));
        QVERIFY(own);
        QCOMPARE(own->runs.size(), 1);
    }

    void mlflowIsRead()
    {
        const QString file = path(u"mlflow.db"_s);
        const Database writer(file, mlflow());
        const auto database = MetricDatabase::open(file);
        QVERIFY2(database, qPrintable(database ? QString() : database.error().code));
        const auto runs = (*database)->runs();
        QVERIFY(runs);
        QCOMPARE(runs->size(), 2); // in the order in which they began, without the deleted one
        QCOMPARE(runs->at(0).name, u"first"_s);
        QCOMPARE(lines(**database, u"first"_s),
            (QStringList{u"loss | step 1 = 2"_s, u"loss | step 2 = nan"_s, u"loss | step 3 = 1"_s,
                u"score | row 1 = 5"_s, u"score | row 2 = 6"_s}));
        QCOMPARE(lines(**database, u"second"_s), QStringList());
    }

    // With its log, and without a file of ours beside it.
    void trackioIsReadWhileItIsWritten()
    {
        QDir().mkpath(path(u"trackio"_s));
        const QString file = path(u"trackio/project.db"_s);
        const Database writer(file,
            {u"PRAGMA journal_mode=WAL"_s,
                u"CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)"_s,
                u"CREATE TABLE configs (run_name TEXT, config TEXT)"_s,
                u"INSERT INTO configs VALUES ('r', '{\"lr\": 0.5, \"_Username\": \"x\"}')"_s,
                u"INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES "
                "('2026-01-01T00:00:01+00:00', 'r', 4, '{\"a\": {\"loss\": 0.5}, \"n\": \"text\"}'), "
                "('2026-01-01T00:00:02+00:00', 'r', 5, 'broken'), "
                "('2026-01-01T00:00:03+00:00', 'r', 6, '{\"a\": {\"loss\": NaN}}')"_s});
        QVERIFY(MetricDatabase::hasName(file));
        const auto database = MetricDatabase::open(file);
        QVERIFY2(database, qPrintable(database ? QString() : database.error().code));
        QCOMPARE(lines(**database, u"r"_s).size(), 2);
        QVERIFY(lines(**database, u"r"_s).constFirst().startsWith(u"a/loss | step 4 = 0.5"_s));
    }

    void nothingIsWrittenBesideADatabase()
    {
        QDir().mkpath(path(u"rest/trackio"_s));
        const QString file = path(u"rest/trackio/project.db"_s);
        {
            const Database writer(file,
                {u"PRAGMA journal_mode=WAL"_s,
                    u"CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)"_s,
                    u"INSERT INTO metrics (run_name, step, metrics) VALUES ('r', 1, '{\"loss\": 1}')"_s});
        }
        const QStringList before = QDir(QFileInfo(file).path()).entryList(QDir::Files);
        QCOMPARE(before.size(), 1);
        const auto database = MetricDatabase::open(file);
        QVERIFY(database);
        QCOMPARE(lines(**database, u"r"_s).size(), 1);
        QCOMPARE(QDir(QFileInfo(file).path()).entryList(QDir::Files), before);
    }

    void lockedDatabasesSaySo()
    {
        const QString file = path(u"locked/mlflow.db"_s);
        QDir().mkpath(path(u"locked"_s));
        QStringList statements = mlflow();
        statements.append(u"BEGIN EXCLUSIVE"_s);
        const Database writer(file, statements);
        const auto database = MetricDatabase::open(file);
        QVERIFY(!database);
        QCOMPARE(database.error().code, u"metricdatabase.locked"_s);
        put(u"text.db"_s, "no database at all");
        QCOMPARE(MetricDatabase::open(path(u"text.db"_s)).error().code, u"metricdatabase.unknown"_s);
    }

    void runsAreOpenedFollowedAndForgotten()
    {
        QByteArray events = metricwriters::eventFileHead();
        for (int step = 1; step <= 3; ++step) {
            events += metricwriters::scalarRecord("loss", step, float(4 - step), 1700000000.0 + step);
        }
        put(u"runs/one/events.out.tfevents.1"_s, events);
        put(u"runs/two/metrics.csv"_s, "epoch,loss\n1,3\n2,2\n");
        QDir().mkpath(path(u"runs/mlflow"_s));
        {
            const Database writer(path(u"runs/mlflow/mlflow.db"_s), mlflow());
        }
        const QString book = path(u"files.json"_s), cache = path(u"files"_s);
        QString one;
        {
            ForeignRuns runs(book, cache, nullptr);
            QSignalSpy opened(&runs, &ForeignRuns::opened);
            runs.open({path(u"runs"_s)});
            QTRY_COMPARE(opened.size(), 1);
            QCOMPARE(opened.at(0).at(2).toInt(), 4);
            QCOMPARE(runs.runs().size(), 4);
            for (const ForeignRun &run : runs.runs()) {
                QVERIFY(isForeign(run.summary.uuid));
                if (run.summary.name == u"one"_s) {
                    one = run.summary.uuid;
                    QCOMPARE(run.summary.results.value(u"loss"_s).toObject().value(u"last"_s).toDouble(), 1.0);
                    QCOMPARE(run.summary.launched.value_or(0), qint64(1700000001000));
                    FileMetrics metrics(run.task.logFolder);
                    const auto grown = metrics.takeNew();
                    QCOMPARE(grown.size(), std::size_t(1));
                    QCOMPARE(grown[0].points.size(), std::size_t(3));
                } else if (run.summary.name == u"first"_s) {
                    QCOMPARE(run.summary.state, State::Succeeded);
                    QCOMPARE(run.summary.parameters.value(u"lr"_s).toDouble(), 0.1);
                    QCOMPARE(run.summary.parameters.value(u"model"_s).toString(), u"big"_s);
                } else if (run.summary.name == u"second"_s) {
                    QCOMPARE(run.summary.state, State::Failed);
                }
            }
            QSignalSpy removed(&runs, &ForeignRuns::removed);
            runs.forget(one);
            QCOMPARE(removed.size(), 1);
            QVERIFY(QFile::exists(path(u"runs/one/events.out.tfevents.1"_s)));
        }
        // They come back without the one that was forgotten, until somebody opens it again.
        ForeignRuns runs(book, cache, nullptr);
        QSignalSpy opened(&runs, &ForeignRuns::opened);
        runs.restore();
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(runs.runs().size(), 3);
        QVERIFY(!runs.run(one));
        runs.open({path(u"runs"_s)});
        QTRY_VERIFY(runs.run(one));
        // What was removed by mistake comes back alone.
        const QString other = runs.runs().constFirst().summary.uuid == one ? runs.runs().at(1).summary.uuid
                                                                           : runs.runs().constFirst().summary.uuid;
        runs.forget(one);
        runs.forget(other);
        QVERIFY(!runs.run(one));
        runs.bringBack(one);
        QTRY_VERIFY(runs.run(one));
        QVERIFY(!runs.run(other));
        runs.bringBack(one); // no more than once
        QCOMPARE(runs.runs().size(), 3);
    }

    void whatCannotBeReadIsSaid()
    {
        ForeignRuns runs(path(u"bad.json"_s), path(u"bad"_s), nullptr);
        QSignalSpy failed(&runs, &ForeignRuns::failed), opened(&runs, &ForeignRuns::opened);
        runs.open({path(u"nowhere.csv"_s)});
        QTRY_COMPARE(failed.size(), 1);
        QDir().mkpath(path(u"empty"_s));
        runs.open({path(u"empty"_s)});
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(opened.at(0).at(2).toInt(), 0);
    }
};
TRAINYARD_TEST(TstForeignRuns)

#include "tst_foreignruns.moc"
