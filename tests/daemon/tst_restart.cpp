// SPDX-License-Identifier: GPL-3.0-or-later
// Engine and agents are killed with -9 while tasks run: nothing may be lost or done twice.
#include "tests/daemon/hostprocess.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <signal.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QString jobFile(const EngineFixture &f, const QString &name, const QByteArray &yaml)
{
    const QString path = f.path(u"work/"_s + name);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(yaml) == yaml.size() ? path : QString();
}

} // namespace

class TstRestart : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void engineIsKilledWhileTasksWrite();
    void engineIsKilledWhileTasksBegin();
    void agentIsKilled();
};

void TstRestart::engineIsKilledWhileTasksWrite()
{
    EngineFixture f;
    const QString file = jobFile(f, u"numbers.yaml"_s,
        EngineFixture::document("numbers",
            EngineFixture::role("main", 3,
                {"i=0; until [ -e go ]; do echo line $((++i)); sleep 0.01; done", "echo $i > lines-$PAI_TASK_INDEX",
                    "exit $PAI_TASK_INDEX"},
                "    completion: {minFailedInstances: -1}\n")));
    QString uuid;
    for (int round = 0; round < 5; ++round) {
        HostProcess host(f.options());
        QVERIFY(host.waitFor("ready"));
        if (uuid.isEmpty()) {
            uuid = host.submit(file);
            QVERIFY2(QUuid::fromString(uuid) != QUuid(), qPrintable(uuid));
        }
        const QString log = f.path(u"state/runs/"_s) + uuid + u"/0/main-1/0/output.log"_s;
        const qint64 before = QFileInfo(log).size();
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(log).size() > before, 20000);
        if (round % 2 == 1) {
            for (const qint64 pid : host.children()) {
                ::kill(pid_t(pid), SIGKILL);
            }
        }
        host.kill();
    }
    QVERIFY(f.open());
    QFile go(f.path(u"work/go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(f.waitForEnd(uuid, 20000));
    QCOMPARE(f.job(uuid).retries, 0);
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    for (int index = 0; index < 3; ++index) {
        const int lines = EngineFixture::contents(f.path(u"work/lines-%1"_s.arg(index))).toInt();
        QVERIFY(lines > 0);
        QByteArray wanted;
        for (int i = 1; i <= lines; ++i) {
            wanted += "line " + QByteArray::number(i) + '\n';
        }
        QCOMPARE(f.output(uuid, u"main"_s, index), wanted);
        QCOMPARE(f.task(uuid, u"main"_s, index).rawExit, std::optional<int>(index));
        QCOMPARE(f.task(uuid, u"main"_s, index).tries, 0);
    }
}

void TstRestart::engineIsKilledWhileTasksBegin()
{
    EngineFixture f;
    constexpr int tasks = 80;
    const QString file = jobFile(f, u"once.yaml"_s,
        EngineFixture::document("once",
            EngineFixture::role("main", tasks, {"echo $PAI_TASK_INDEX >> once"}, {}, "{cpu: 1, memoryMB: 1, gpu: 0}"),
            "extras: {gangAllocation: false}\n"));
    QString uuid;
    for (int round = 0; round < 6; ++round) {
        HostProcess host(f.options());
        QVERIFY(host.waitFor("ready"));
        if (uuid.isEmpty()) {
            uuid = host.submit(file);
        }
        // At no particular moment of what it does.
        const int moment = QRandomGenerator::global()->bounded(5, 120);
        QElapsedTimer clock;
        clock.start();
        QVERIFY(QTest::qWaitFor([&] { return clock.elapsed() >= moment; }, 1000));
        host.kill();
    }
    QVERIFY(f.open());
    QVERIFY(f.waitForEnd(uuid, 20000));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).counts.succeeded, tasks);
    QList<int> seen;
    for (const QByteArray &line : EngineFixture::contents(f.path(u"work/once"_s)).trimmed().split('\n')) {
        seen.append(line.toInt());
    }
    std::sort(seen.begin(), seen.end());
    QList<int> wanted(tasks);
    std::iota(wanted.begin(), wanted.end(), 0);
    QCOMPARE(seen, wanted);
}

void TstRestart::agentIsKilled()
{
    EngineFixture f;
    QVERIFY(f.open());
    const QString uuid = f.submit(EngineFixture::document("agents",
        EngineFixture::role("main", 2, {"for i in $(seq 150); do echo $i; sleep 0.01; done", "exit $PAI_TASK_INDEX"},
            "    completion: {minFailedInstances: -1}\n")));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.counts.running == 2; }));
    int killed = 0;
    for (int round = 0; round < 4; ++round) {
        QFile file(u"/proc/self/task/%1/children"_s.arg(::getpid()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QByteArray &pid : file.readAll().split(' ')) {
            const QFile comm(u"/proc/%1/comm"_s.arg(QString::fromLatin1(pid)));
            if (EngineFixture::contents(comm.fileName()).startsWith("trainyard-agen")) {
                killed += ::kill(pid.toInt(), SIGKILL) == 0;
            }
        }
        QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().first().state != HostState::Online; }, 5000));
        QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().first().state == HostState::Online; }, 10000));
    }
    QCOMPARE(killed, 4);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Succeeded);
    QCOMPARE(f.job(uuid).retries, 0);
    QByteArray wanted;
    for (int i = 1; i <= 150; ++i) {
        wanted += QByteArray::number(i) + '\n';
    }
    for (int index = 0; index < 2; ++index) {
        QCOMPARE(f.output(uuid, u"main"_s, index), wanted);
        QCOMPARE(f.task(uuid, u"main"_s, index).rawExit, std::optional<int>(index));
    }
}

TRAINYARD_TEST(TstRestart)
#include "tst_restart.moc"
