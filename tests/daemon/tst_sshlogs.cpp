// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back over ssh when the link is cut: the ends of tasks and their logs. A real sshd in a network namespace.
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstSshLogs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void survivesACutLink();
    void saysWhatAStopWaitsFor();
    void stopsWithoutTheLog();
    void waitsForTheLog();
    void saysWhichLogIsMissing();
    void followsAcrossACut();
};

void TstSshLogs::survivesACutLink()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f(
        {{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 2}});
    QVERIFY(f.open());
    const Result<HostInfo> added = f.engine().addHost(hosts.name(0), u"far"_s);
    QVERIFY(added);
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    constexpr int lines = 500;
    const QString uuid = f.submit(
        EngineFixture::document("cut",
            EngineFixture::role("main", 1,
                {"for i in $(seq " + QByteArray::number(lines) + "); do echo line $i; sleep 0.01; done", "exit 5"})),
        request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    const auto size = [&] { return QFileInfo(f.task(uuid, u"main"_s, 0).logFolder + u"/output.log"_s).size(); };
    QVERIFY(QTest::qWaitFor([&] { return size() > 100; }, 10000));
    hosts.setLink(0, false);
    QVERIFY(QTest::qWaitFor([&] { return state() != HostState::Online; }, 10000));
    QCOMPARE(f.job(uuid).state, State::Running);
    QCOMPARE(f.job(uuid).reason, u"job.host-out-of-reach"_s);
    const qint64 seen = f.job(uuid).reasonArgs.value("since"_L1).toInteger();
    QVERIFY2(seen >= f.job(uuid).submitted && seen <= QDateTime::currentMSecsSinceEpoch(),
        qPrintable(QString::number(seen)));
    const qint64 frozen = size();
    hosts.setLink(0, true);
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 10000));
    QVERIFY(QTest::qWaitFor([&] { return size() > frozen; }, 10000));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Failed);
    QCOMPARE(f.job(uuid).retries, 0);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(5));
    QByteArray wanted;
    for (int i = 1; i <= lines; ++i) {
        wanted += "line " + QByteArray::number(i) + '\n';
    }
    QTRY_COMPARE(f.output(uuid, u"main"_s, 0), wanted);
}

// A stop at a host that is away says until when, and so does whoever is refused meanwhile.
void TstSshLogs::saysWhatAStopWaitsFor()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"stop.forceMinutes"_s, 30}});
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    const auto state = [&] { return f.engine().hosts().last().state; };
    QVERIFY(QTest::qWaitFor([&] { return state() == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    const QString uuid
        = f.submit(EngineFixture::document("away", EngineFixture::role("main", 1, {"sleep 600"})), request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    hosts.setLink(0, false);
    QVERIFY(QTest::qWaitFor([&] { return state() != HostState::Online; }, 15000));
    QCOMPARE(f.engine().removeHost(u"far"_s, true).error().code, u"host.in-use"_s);
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(f.engine().stop(uuid, true).value_or(false));
    QTRY_COMPARE(f.job(uuid).reason, u"stop.host-away"_s);
    const JobSummary job = f.job(uuid);
    QCOMPARE(job.state, State::Stopping);
    QCOMPARE(job.reasonArgs.value("host"_L1).toString(), u"far"_s);
    const qint64 until = job.reasonArgs.value("until"_L1).toInteger();
    constexpr qint64 patience = 30 * 60 * 1000;
    QVERIFY(until >= before + patience && until <= QDateTime::currentMSecsSinceEpoch() + patience);
    const Result<bool> removal = f.engine().remove(uuid);
    QVERIFY(!removal);
    QCOMPARE(removal.error().code, u"job.stopping-waits"_s);
    const Result<bool> hostRemoval = f.engine().removeHost(u"far"_s, true);
    QVERIFY(!hostRemoval);
    QCOMPARE(hostRemoval.error().code, u"host.in-use-stopping"_s);
    for (const QString &said : {jobReasonText(job), errorText(removal.error()), errorText(hostRemoval.error())}) {
        QVERIFY2(
            said.contains("far cannot be reached"_L1) && said.contains("stop.forceMinutes"_L1) && !said.contains(u'{'),
            qPrintable(said));
    }
    hosts.setLink(0, true);
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QVERIFY(f.engine().removeHost(u"far"_s, true));
}

// What the end of a task means may stand in its log. When that cannot come here, a stop must not wait for it.
void TstSshLogs::stopsWithoutTheLog()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    EngineFixture f;
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(hosts.name(0), u"far"_s));
    QVERIFY(QTest::qWaitFor([&] { return f.engine().hosts().last().state == HostState::Online; }, 15000));
    SubmitRequest request;
    request.target = u"far"_s;
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QByteArray over = QFile::encodeName(f.path(u"over"_s));
    const QString uuid
        = f.submit(EngineFixture::document("far",
                       EngineFixture::role("main", 1,
                           {"until [ -e " + go + " ]; do sleep 0.02; done", "echo x", "touch " + over, "exit 5"})),
            request);
    QVERIFY2(!uuid.isEmpty(), qPrintable(f.error().code));
    QVERIFY(f.waitFor(uuid, [](const JobSummary &job) { return job.state == State::Running; }));
    const QString here = f.task(uuid, u"main"_s, 0).logFolder;
    QVERIFY(QFile::link(u"nowhere"_s, here + u"/output.log"_s)); // which is not followed: nothing can be written
    QFile file(QFile::decodeName(go));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QTRY_VERIFY(QFile::exists(QFile::decodeName(over)));
    QSignalSpy looks(&f.engine(), &Engine::hostChanged);
    const auto looksAtFar = [&] {
        return std::count_if(looks.cbegin(), looks.cend(),
            [](const QList<QVariant> &one) { return one.constFirst().value<HostInfo>().id == u"far"_s; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(looksAtFar() >= 3, 20000); // the end is known since
    QCOMPARE(f.job(uuid).state, State::Running);
    QVERIFY(f.engine().stop(uuid).value_or(false));
    QVERIFY(f.waitForEnd(uuid));
    QCOMPARE(f.job(uuid).state, State::Stopped);
    QCOMPARE(f.task(uuid, u"main"_s, 0).rawExit, std::optional<int>(5));
}

// What is printed right after the wait is all there is.
void TstSshLogs::waitsForTheLog()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QString file = f.write(u"work/long.yaml"_s,
        EngineFixture::document(
            "long", EngineFixture::role("main", 1, {"echo there >made", "head -c 80000000 /dev/zero", "echo last"})));
    const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s, u"--wait"_s}, {}, 120000);
    QVERIFY2(run.status == 0, run.err.constData());
    const auto logs = f.ctl({u"logs"_s, u"1"_s}, {}, 60000);
    QVERIFY2(logs.status == 0, logs.err.constData());
    QCOMPARE(logs.out.size(), qsizetype(80000005));
    QVERIFY(logs.out.endsWith("last\n"));
    const auto second = f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}, {}, 60000);
    QVERIFY2(second.status == 0, second.err.constData());
    QCOMPARE(f.ctl({u"wait"_s, u"2"_s}, {}, 120000).status, 0);
    const QString made = f.path(u"made"_s);
    const auto copied = f.ctl({u"cp"_s, u"2:made"_s, made}, {}, 60000);
    QVERIFY2(copied.status == 0, copied.err.constData());
    QCOMPARE(EngineFixture::contents(made), QByteArray("there\n"));
    const auto absent = f.ctl({u"cp"_s, u"2:none"_s, made}, {}, 60000);
    QCOMPARE(absent.status, 2);
    QVERIFY2(absent.err.contains("There is no ") && absent.err.contains("/none on far") && !absent.err.contains("tar:"),
        absent.err.constData());
    const auto tail = f.ctl({u"logs"_s, u"2"_s, u"--tail"_s, u"1"_s}, {}, 60000);
    QVERIFY2(tail.status == 0, tail.err.constData());
    QVERIFY(tail.out.endsWith("last\n"));
}

// A link that is cut right behind the end.
void TstSshLogs::saysWhichLogIsMissing()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    f.setSettings({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}});
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QString file = f.write(u"work/cut.yaml"_s,
        EngineFixture::document("cut",
            EngineFixture::role(
                "main", 1, {"echo first", "until [ -e " + go + " ]; do sleep 0.02; done", "echo last"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out == "first\n", 20000);
    const auto folderOf = [&] {
        QDirIterator it(f.stateFolder() + u"/runs"_s, {u"output.log"_s}, QDir::Files, QDirIterator::Subdirectories);
        return it.hasNext() ? QFileInfo(it.next()).path() : QString();
    };
    const QString log = folderOf() + u"/output.log"_s;
    QVERIFY(QFile::rename(log, log + u".kept"_s) && QFile::link(u"nowhere"_s, log)); // nothing of it can be written
    f.write(u"go"_s, {});
    const auto isOver = [&] {
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        return shown.out.contains("SUCCEEDED") || shown.out.contains("Succeeded");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOver(), 20000);
    hosts.setLink(0, false);
    const auto isAway = [&] {
        return !f.ctl({u"hosts"_s, u"list"_s, u"--json"_s}).json().array().last()[u"error"].toString().isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isAway(), 20000);
    const auto waited = f.ctl({u"wait"_s, u"1"_s}, {}, 40000);
    QCOMPARE(waited.status, 0);
    QVERIFY2(waited.err.contains("The log of main/0 is incomplete"), waited.err.constData());
    QVERIFY2(waited.err.contains("far"), waited.err.constData());
    const auto logs = f.ctl({u"logs"_s, u"1"_s});
    QCOMPARE(logs.status, 1);
    QVERIFY2(logs.err.contains("The log of main/0 is incomplete"), logs.err.constData());
    const auto followed = f.ctl({u"logs"_s, u"-f"_s, u"1"_s}, {}, 40000);
    QCOMPARE(followed.status, 1);
    QVERIFY2(followed.err.contains("The log of main/0 is incomplete") && followed.err.contains("far"),
        followed.err.constData());
    const auto shown = f.ctl({u"show"_s, u"1"_s});
    QVERIFY2(shown.out.contains("The log of main/0 is incomplete"), shown.out.constData());
    const auto refused = f.ctl({u"hosts"_s, u"remove"_s, u"far"_s});
    QCOMPARE(refused.status, 4);
    QVERIFY2(
        refused.err.contains("The output of tasks on far") && refused.err.contains("(1 log)"), refused.err.constData());
    QVERIFY2(refused.err.contains("hosts remove --force far"), refused.err.constData());
    // It comes when it can.
    QVERIFY(QFile::remove(log) && QFile::rename(log + u".kept"_s, log));
    hosts.setLink(0, true);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).status == 0, 40000);
    QCOMPARE(f.ctl({u"logs"_s, u"1"_s}).out, QByteArray("first\nlast\n"));
    QVERIFY(!f.ctl({u"show"_s, u"1"_s}).out.contains("incomplete"));
    const auto removed = f.ctl({u"hosts"_s, u"remove"_s, u"far"_s});
    QVERIFY2(removed.status == 0, removed.err.constData());
    // What needs it says how it comes back.
    for (const QString &command : {u"pull"_s, u"ssh"_s}) {
        const auto gone = f.ctl({command, u"1"_s});
        QVERIFY(gone.status != 0);
        QVERIFY2(gone.err.contains("'trainyardctl hosts add ADDRESS --name far'"), gone.err.constData());
    }
}

// Whoever follows a job hears that its host is out of reach, and gets the rest when it is back.
void TstSshLogs::followsAcrossACut()
{
    SshHosts hosts(1);
    SKIP_UNLESS_THERE(hosts);
    qputenv("TRAINYARD_SSH_CONFIG", hosts.configFile().toUtf8());
    ProgramsFixture f;
    f.setSettings({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
        {u"ssh.retryLastSeconds"_s, 2}, {u"environment.mode"_s, u"clean"_s}});
    const auto added = f.ctl({u"hosts"_s, u"add"_s, hosts.name(0), u"--name"_s, u"far"_s}, {}, 60000);
    QVERIFY2(added.status == 0, added.err.constData());
    const QByteArray go = QFile::encodeName(f.path(u"go"_s)); // these hosts share the disk
    const QString file = f.write(u"work/cut.yaml"_s,
        EngineFixture::document("cut",
            EngineFixture::role(
                "main", 1, {"echo first", "until [ -e " + go + " ]; do sleep 0.02; done", "echo last"})));
    QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"far"_s}).status, 0);
    QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"logs"_s, u"1"_s}).out == "first\n", 20000);
    const auto follows = f.startCtl({u"logs"_s, u"-f"_s, u"1"_s});
    QByteArray said;
    hosts.setLink(0, false);
    const QByteArray away
        = "trainyardctl: #1 cut: far cannot be reached at the moment; tasks there may still be running.\n";
    const auto hasSaid = [&] {
        said += follows->readAllStandardError();
        return said.contains(away);
    };
    QTRY_VERIFY2_WITH_TIMEOUT(hasSaid(), said.constData(), 30000);
    // Nothing of it has failed, but that is not all that there is to say.
    const auto why = f.ctl({u"why"_s, u"1"_s});
    QVERIFY2(why.status == 0
            && why.out.startsWith("far cannot be reached at the moment; tasks there may still be running.\n"),
        QByteArray(why.out + why.err).constData());
    const auto show = f.ctl({u"show"_s, u"1"_s});
    QVERIFY2(show.out.contains("It was last seen at "), QByteArray(show.out + show.err).constData());
    const auto list = f.ctl({u"hosts"_s, u"list"_s});
    QVERIFY2(list.out.contains(", last seen "), QByteArray(list.out + list.err).constData());
    const auto json = f.ctl({u"why"_s, u"1"_s, u"--json"_s});
    QCOMPARE(json.status, 0);
    QCOMPARE(json.json()[u"waits"][u"code"].toString(), u"job.host-out-of-reach"_s);
    hosts.setLink(0, true);
    f.write(u"go"_s, {});
    QTRY_VERIFY_WITH_TIMEOUT(follows->state() == QProcess::NotRunning, 60000);
    QCOMPARE(follows->exitCode(), 0);
    QCOMPARE(follows->readAllStandardOutput(), QByteArray("first\nlast\n"));
    QCOMPARE(said + follows->readAllStandardError(), away);
}

TRAINYARD_TEST(TstSshLogs)
#include "tst_sshlogs.moc"
