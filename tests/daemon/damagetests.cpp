// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/damagetests.h"

#include "tests/helpers/enginefixture.h"

#include <QProcess>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <signal.h>

using namespace Qt::StringLiterals;

QByteArray DamageTests::simple(const QByteArray &name, const QByteArrayList &commands, const QByteArray &more)
{
    return EngineFixture::document(name, EngineFixture::role("main", 1, commands), more);
}

void DamageTests::killAll(const QList<qint64> &pids)
{
    for (const qint64 pid : pids) {
        ::kill(static_cast<pid_t>(pid), SIGKILL);
    }
}

void DamageTests::leaveAStore(const ProgramsFixture &f)
{
    const QString file = f.write(u"work/before.yaml"_s, simple("before", {"echo hello"}));
    const auto run = f.ctl({u"run"_s, file, u"--wait"_s});
    QVERIFY2(run.status == 0, run.err.constData());
    QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
    QVERIFY(f.waitForNoDaemon());
}

ProgramsFixture::Output DamageTests::startByHand(const ProgramsFixture &f, const QStringList &options)
{
    QProcess daemon;
    daemon.start(f.program(u"trainyardd"_s), options);
    const bool ended = daemon.waitForFinished(20000);
    ProgramsFixture::Output output{
        ended ? daemon.exitCode() : -1, daemon.readAllStandardOutput(), daemon.readAllStandardError()};
    daemon.kill();
    daemon.waitForFinished();
    return output;
}

void DamageTests::changeStore(const QString &path, const QString &sql)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"change"_s);
        database.setDatabaseName(path);
        database.setConnectOptions(u"QSQLITE_BUSY_TIMEOUT=50"_s);
        QVERIFY(database.open());
        QSqlQuery query(database);
        // An engine in this process writes between the tries, not during one.
        bool isDone = false;
        const auto change = [&] { return isDone = isDone || query.exec(sql); };
        QVERIFY2(QTest::qWaitFor(change, 30000), qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(u"change"_s);
}

QString DamageTests::refusing(const QString &what)
{
    return u"CREATE TRIGGER refusing BEFORE %1 BEGIN SELECT RAISE(ABORT, 'no room'); END"_s.arg(what);
}
