// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/daemon/damagetests.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the engine finds when it starts: settings with mistakes, locks, other daemons, a computer that was restarted,
// and no room for one more process.
class TstOddStarts : public DamageTests
{
    Q_OBJECT

private Q_SLOTS:
    void configuration()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const QString settings = u"config/trainyard/engine.json"_s;
        f.write(settings, "{\"gpu.exclude\": [");
        auto asked = f.ctl({u"ps"_s, u"--json"_s});
        QCOMPARE(asked.json().array().size(), 1);
        QVERIFY2(asked.err.contains(QByteArray("Cannot read the settings " + f.path(settings).toUtf8()))
                && asked.err.contains("Fix the file, or move it away."),
            asked.err.constData());
        // Nothing is written over it.
        QVERIFY(f.ctl({u"settings"_s, u"stop.graceSeconds"_s, u"5"_s}).status != 0);
        QCOMPARE(EngineFixture::contents(f.path(settings)), QByteArray("{\"gpu.exclude\": ["));
        f.write(settings, R"({"stop.graceSeconds": "soon", "of.later.versions": 1})");
        asked = f.ctl({u"ps"_s});
        QVERIFY2(asked.err.contains("The setting stop.graceSeconds in")
                && asked.err.contains("must be a whole number from 0 to 86400")
                && asked.err.contains("the default 30 is used."),
            asked.err.constData());
        QVERIFY2(!asked.err.contains("of.later.versions"), asked.err.constData());
        f.write(settings, R"({"stop.graceSeconds": 3})");
        QCOMPARE(f.ctl({u"ps"_s}).err, QByteArray());
        // The running engine goes by the mended file.
        QTRY_COMPARE_WITH_TIMEOUT(f.ctl({u"settings"_s, u"stop.graceSeconds"_s}).out, QByteArray("3\n"), 10000);
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
        f.write(u"config/trainyard/hosts.json"_s, "{");
        asked = f.ctl({u"ps"_s});
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(asked.err.contains(QByteArray(f.path(u"config/trainyard/hosts.json"_s).toUtf8() + ": "))
                && asked.err.contains("Fix the file"),
            asked.err.constData());
    }

    // Somebody holds the lock and serves nobody.
    void lockOfAHangingEngine()
    {
        ProgramsFixture f;
        leaveAStore(f);
        const int lock = ::open(QFile::encodeName(f.stateFolder() + u"/daemon.lock"_s).constData(), O_RDWR | O_CLOEXEC);
        QVERIFY(lock >= 0 && ::flock(lock, LOCK_EX) == 0);
        const auto asked = f.ctl({u"ps"_s}, {}, 40000);
        QCOMPARE(asked.status, exitNoEngine);
        QVERIFY2(
            asked.err.contains("cannot be reached from here") && !asked.err.contains("End it"), asked.err.constData());
        const auto status = f.ctl({u"engine"_s, u"status"_s});
        QCOMPARE(status.status, exitNoEngine);
        QVERIFY2(status.err.contains("cannot be reached from here"), status.err.constData());
        ::close(lock);
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    // The file alone is no lock: one of a killed engine keeps nobody out.
    void deadLock()
    {
        ProgramsFixture f;
        leaveAStore(f);
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const QList<qint64> first = f.pidsOf(u"trainyardd"_s);
        QCOMPARE(first.size(), 1);
        killAll(first);
        QVERIFY(f.waitForNoDaemon());
        QVERIFY(QFile::exists(f.stateFolder() + u"/daemon.lock"_s));
        QVERIFY(QFile::exists(f.socketPath())); // a dead one, too
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    void twoDaemons()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const QList<qint64> first = f.pidsOf(u"trainyardd"_s);
        for (const QStringList &options : {QStringList{u"--foreground"_s}, QStringList{}}) {
            const auto second = startByHand(f, options);
            QCOMPARE(second.status, 4);
            QVERIFY2(second.err.contains("Another daemon serves already"), second.err.constData());
            QTRY_COMPARE(f.pidsOf(u"trainyardd"_s), first); // it has said its word, and ends
        }
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
    }

    // As from cron, or in a second login: the runtime folder is another one, the state folder is the same.
    void clientsOfAnotherSession()
    {
        ProgramsFixture f;
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const QList<qint64> first = f.pidsOf(u"trainyardd"_s);
        QCOMPARE(first.size(), 1);
        QVERIFY(QDir(f.path({})).mkdir(u"other"_s, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(f.path(u"other"_s))); // the fixture sets it back
        const auto status = f.ctl({u"engine"_s, u"status"_s, u"--json"_s});
        QVERIFY2(status.status == 0, status.err.constData());
        QCOMPARE(status.json().object().value("pid"_L1).toInteger(), first.constFirst());
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        const auto second = startByHand(f, {});
        QCOMPARE(second.status, 4);
        QTRY_COMPARE(f.pidsOf(u"trainyardd"_s), first);
        // The note of one that was killed keeps nobody from starting another, which the first session finds.
        killAll(first);
        QVERIFY(f.waitForNoDaemon());
        QCOMPARE(f.ctl({u"ps"_s}).status, 0);
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(f.path(u"run"_s)));
        QCOMPARE(f.ctl({u"engine"_s, u"stop"_s}).status, 0);
        QVERIFY(f.waitForNoDaemon());
    }

    void startedByHand()
    {
        ProgramsFixture f;
        const auto started = startByHand(f, {});
        QVERIFY2(started.status == 0 && started.err.isEmpty(), started.err.constData());
        QCOMPARE(f.ctl({u"engine"_s, u"status"_s}).status, 0); // which starts none
        QCOMPARE(f.pidsOf(u"trainyardd"_s).size(), 1);
    }

    void saysByHandWhyItDoesNotStart_data()
    {
        QTest::addColumn<QByteArray>("damage");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("store of a newer version") << QByteArray("newer") << QByteArray("written by a newer version");
        QTest::newRow("no folder") << QByteArray("folder") << QByteArray("state/trainyard");
    }

    void saysByHandWhyItDoesNotStart()
    {
        QFETCH(QByteArray, damage);
        QFETCH(QByteArray, says);
        ProgramsFixture f;
        if (damage == "newer") {
            leaveAStore(f);
            changeStore(f.stateFolder() + u"/store.db"_s, u"UPDATE meta SET value='9999' WHERE key='schema'"_s);
        } else {
            f.write(u"state/trainyard"_s, "a file");
        }
        for (const QStringList &options : {QStringList{}, QStringList{u"--foreground"_s}}) {
            const auto started = startByHand(f, options);
            QCOMPARE(started.status, exitNoEngine);
            QVERIFY2(started.err.contains(says), started.err.constData());
        }
        QVERIFY(f.waitForNoDaemon());
    }

    // All processes are gone, and their numbers belong to somebody else: to this test. Nothing counts as running,
    // nobody is signalled, and what was cut off is begun again.
    void reboot_data()
    {
        QTest::addColumn<bool>("emptyRecord");
        QTest::newRow("records whole") << false;
        QTest::newRow("cut off by the power") << true;
    }

    void reboot()
    {
        QFETCH(bool, emptyRecord);
        ProgramsFixture f;
        const QString file = f.write(u"work/boot.yaml"_s,
            simple("boot", {"echo line; echo begin >> begun; until [ -e go ]; do sleep 0.02; done"}));
        QCOMPARE(f.ctl({u"run"_s, file}).status, 0);
        QTRY_COMPARE_WITH_TIMEOUT(EngineFixture::contents(f.path(u"work/begun"_s)), QByteArray("begin\n"), 15000);
        killAll(f.pidsOf(u"trainyardd"_s));
        killAll(f.pidsOf(u"trainyard-agent"_s));
        killAll(f.pidsOf(u"bash"_s));
        QTRY_VERIFY(f.pidsOf(u"bash"_s).isEmpty() && f.pidsOf(u"trainyard-agent"_s).isEmpty());
        const QDir runs(f.stateFolder() + u"/runs"_s);
        const QString folder
            = runs.filePath(runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot).constFirst()) + u"/0/main-0/0"_s;
        // A session of somebody else's, whose number the keeper once had.
        QProcess stranger;
        stranger.start(u"setsid"_s, {u"sleep"_s, u"1000"_s});
        QVERIFY(stranger.waitForStarted());
        QTRY_COMPARE(::getsid(pid_t(stranger.processId())), pid_t(stranger.processId()));
        const auto mine = contract::identityOf(stranger.processId());
        QVERIFY(mine);
        for (const char *name : {"started", "keeper"}) {
            const QString path = folder + u'/' + QLatin1StringView(name);
            QByteArrayList lines = EngineFixture::contents(path).split('\n');
            for (QByteArray &line : lines) {
                if (line.startsWith("bootId ")) {
                    line = "bootId 00000000-0000-4000-8000-000000000000";
                } else if (line.startsWith("pid ")) {
                    line = "pid " + QByteArray::number(stranger.processId());
                } else if (line.startsWith("startTime ")) {
                    line = "startTime " + QByteArray::number(quint64(mine->startTime));
                }
            }
            QFile record(path);
            QVERIFY(record.open(QIODevice::WriteOnly));
            if (!emptyRecord || qstrcmp(name, "keeper") == 0) {
                record.write(lines.join('\n'));
            }
        }
        f.write(u"work/go"_s, {});
        const auto waited = f.ctl({u"wait"_s, u"boot"_s}, {}, 30000);
        QVERIFY2(waited.status == 0, waited.err.constData());
        QCOMPARE(stranger.state(), QProcess::Running);
        const auto exit = contract::readExitRecord(QFile::encodeName(folder).toStdString());
        QVERIFY(exit);
        QCOMPARE(exit->kind, contract::ExitKind::Lost);
        QCOMPARE(QString::fromStdString(exit->reason), u"host.restarted"_s);
        QCOMPARE(EngineFixture::contents(folder + u"/output.log"_s), QByteArray("line\n"));
        QCOMPARE(EngineFixture::contents(f.path(u"work/begun"_s)), QByteArray("begin\nbegin\n"));
        const auto shown = f.ctl({u"ps"_s, u"--json"_s}).json().array().at(0).toObject();
        QCOMPARE(shown.value("state"_L1).toString(), u"SUCCEEDED"_s);
        QCOMPARE(shown.value("retries"_L1).toInt(), 1);
        stranger.kill();
        stranger.waitForFinished();
    }

    void noProcesses()
    {
        if (::getuid() != 0) {
            QSKIP(
                "The limit counts all processes of a user, and only root can become one who has none: run it as root.");
        }
        ProgramsFixture f;
        f.setSettings({{u"environment.mode"_s, u"clean"_s}, {u"retry.pauseSeconds"_s, 1}, {u"retry.freeCap"_s, 100}});
        const uid_t user = 54321 + uid_t(::getpid() % 1000);
        QCOMPARE(QProcess::execute(u"chown"_s, {u"-R"_s, QString::number(user), f.path({})}), 0);
        const auto as = [&](const QString &limit, const QStringList &words) {
            QProcess process;
            process.setWorkingDirectory(f.path(u"work"_s));
            process.start(u"setpriv"_s,
                QStringList{u"--reuid"_s, QString::number(user), u"--clear-groups"_s, u"prlimit"_s,
                    u"--nproc="_s + limit, f.program(u"trainyardctl"_s)}
                    + words);
            process.waitForFinished(40000);
            return ProgramsFixture::Output{
                process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
        };
        f.write(u"work/one.yaml"_s, simple("one", {"true"}));
        // Where they may look and it does not run, something is wrong.
        for (QFileInfo place(f.program(u"trainyardctl"_s)); !place.isRoot(); place.setFile(place.absolutePath())) {
            if (!place.permission(QFile::ExeOther)) {
                QSKIP("Other users cannot run the programs: build them where every user may look.");
            }
        }
        const auto first = as(u"64"_s, {u"run"_s, u"one.yaml"_s, u"--wait"_s});
        QVERIFY2(first.status == 0, first.err.constData());
        // The agent of the running engine may start nothing any more.
        const QList<qint64> agents = f.agentPids();
        QCOMPARE(agents.size(), 1);
        const auto allow = [&](const QString &limit) {
            return QProcess::execute(u"setpriv"_s,
                {u"--reuid"_s, QString::number(user), u"--clear-groups"_s, u"prlimit"_s, u"--pid"_s,
                    QString::number(agents.constFirst()), QString(u"--nproc="_s + limit)});
        };
        QCOMPARE(allow(u"1:64"_s), 0);
        f.write(u"work/two.yaml"_s, simple("two", {"true"}));
        const auto second = as(u"64"_s, {u"run"_s, u"two.yaml"_s});
        QVERIFY2(second.status == 0, second.err.constData());
        // It is tried again, says why, and goes through as soon as there is room.
        QTRY_VERIFY_WITH_TIMEOUT(as(u"64"_s, {u"show"_s, u"two"_s}).out.contains("allows no more processes"), 60000);
        QCOMPARE(allow(u"64:64"_s), 0);
        const auto waited = as(u"64"_s, {u"wait"_s, u"two"_s});
        QVERIFY2(waited.status == 0, waited.err.constData());
    }
};

TRAINYARD_TEST(TstOddStarts)
#include "tst_oddstarts.moc"
