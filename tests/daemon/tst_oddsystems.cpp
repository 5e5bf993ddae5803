// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hoststeps.h"
#include "engine/hosts/agentprograms.h"
#include "tests/daemon/oddserver.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/hosttexts.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QSysInfo>
#include <QVersionNumber>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Hosts whose whole system is another one: nothing but BusyBox, or another processor.
class TstOddSystems : public QObject
{
    Q_OBJECT
    static HostInfo infoOf(EngineFixture &f, const QString &id)
    {
        const QList<HostInfo> all = f.engine().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&](const HostInfo &one) { return one.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    // The host is there, or the test says what its steps say.
    static bool isOnline(EngineFixture &f, const QString &id)
    {
        const bool is = QTest::qWaitFor([&] { return infoOf(f, id).state == HostState::Online; }, 60000);
        if (!is) {
            qWarning("%s", qPrintable(hostReport(infoOf(f, id))));
        }
        return is;
    }
    // Of any user: with this word among its arguments.
    static bool hasProcess(const QByteArray &word)
    {
        const QStringList processes = QDir(u"/proc"_s).entryList({u"[1-9]*"_s}, QDir::Dirs);
        return std::any_of(processes.cbegin(), processes.cend(), [&](const QString &process) {
            QFile file(u"/proc/"_s + process + u"/cmdline"_s);
            return file.open(QIODevice::ReadOnly) && file.readAll().split('\0').contains(word);
        });
    }
    static QString run(EngineFixture &f, const QString &host, const QByteArrayList &commands)
    {
        SubmitRequest request;
        request.target = host;
        return f.submit(EngineFixture::document("odd", EngineFixture::role("main", 1, commands)), request);
    }

private Q_SLOTS:
    void cleanup() { qunsetenv("TRAINYARD_SSH_CONFIG"); }
    void runsOnBusyBoxAlone();
    void saysThatThereIsNoHelper_data();
    void saysThatThereIsNoHelper();
    void takesTheHelperOfItsProcessor();
};

// No library, no /etc with users and names, no shell but ash: nothing of them is used by the helper. Tasks run in bash,
// and where it is missing the sentence says so.
void TstOddSystems::runsOnBusyBoxAlone()
{
    if (!QFileInfo(u"/bin/busybox"_s).isExecutable()) {
        QSKIP("/bin/busybox is not installed: install the package busybox-static.");
    }
    OddAccount account{u"alone"_s, u"/bin/sh"_s};
    account.onlyBusyBox = true;
    const OddServer server({account});
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f({{u"environment.mode"_s, u"login"_s}});
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(u"alone"_s));
    QVERIFY(isOnline(f, u"alone"_s));
    // The first figures of the host complete the steps.
    const auto isWhole = [&] {
        const QList<HostStep> steps = infoOf(f, u"alone"_s).steps;
        return std::all_of(
            steps.cbegin(), steps.cend(), [](const HostStep &step) { return step.state == StepState::Passed; });
    };
    QVERIFY2(QTest::qWaitFor(isWhole, 20000), qPrintable(hostReport(infoOf(f, u"alone"_s))));
    QCOMPARE(hostNotes(infoOf(f, u"alone"_s)), QStringList()); // its login shell says its environment
    const QString without = run(f, u"alone"_s, {"true"});
    QVERIFY2(!without.isEmpty(), qPrintable(errorText(f.error())));
    QVERIFY(f.waitForEnd(without, 60000));
    QCOMPARE(f.job(without).state, State::Failed);
    const TaskInfo task = f.task(without, u"main"_s, 0);
    QCOMPARE(task.reason, u"launch.shell-missing"_s);
    const QString sentence = reasonText(task.reason, task.reasonArgs);
    QVERIFY2(sentence.contains(u"bash"_s) && sentence.endsWith(u"install it there."_s), qPrintable(sentence));
}

void TstOddSystems::saysThatThereIsNoHelper_data()
{
    QTest::addColumn<QByteArray>("processor");
    QTest::newRow("RISC-V") << QByteArray("riscv64");
    QTest::newRow("32 bits") << QByteArray("armv7l");
}

// At once: nothing is copied that could not run there.
void TstOddSystems::saysThatThereIsNoHelper()
{
    QFETCH(QByteArray, processor);
    OddSystem system;
    system.processor = processor;
    const OddServer server({{u"foreign"_s}}, system);
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(u"foreign"_s));
    QTRY_VERIFY_WITH_TIMEOUT(!infoOf(f, u"foreign"_s).error.isEmpty(), 30000);
    const HostInfo info = infoOf(f, u"foreign"_s);
    QCOMPARE(info.error, u"host.agent-none"_s);
    QCOMPARE(info.state, HostState::Failed);
    const QString sentence = reasonText(info.error, info.errorArgs);
    QVERIFY2(sentence.contains(u"Linux "_s + QString::fromLatin1(processor)), qPrintable(sentence));
    QVERIFY2(sentence.contains(AgentPrograms::machineHere()), qPrintable(sentence));
    QVERIFY2(!sentence.contains(u'{'), qPrintable(sentence));
    QVERIFY(!QDir(server.home(u"foreign"_s) + u"/.cache"_s).exists());
}

// A host with another processor gets the program for it, finds it again, and runs a task with it.
void TstOddSystems::takesTheHelperOfItsProcessor()
{
    const QString emulator = QStandardPaths::findExecutable(u"qemu-aarch64-static"_s);
    const QString program = QFileInfo(OddServer::agentProgram()).path() + u"/trainyard-agent-aarch64"_s;
    if (!QFileInfo::exists(program)) {
        QSKIP("The helper for aarch64 was not built: './dev test --full' builds it.");
    }
    if (emulator.isEmpty()) {
        QSKIP("qemu-aarch64-static is not installed: './dev setup cross' installs it.");
    }
    if (QVersionNumber::fromString(QSysInfo::kernelVersion()) < QVersionNumber(6, 7)) {
        QSKIP("No server for another processor can be made: use Linux 6.7 or newer.");
    }
    OddSystem system;
    system.processor = "aarch64";
    system.emulator = QFile::encodeName(emulator);
    const OddServer server({{u"arm"_s}}, system);
    SKIP_UNLESS_THERE(server);
    qputenv("TRAINYARD_SSH_CONFIG", server.configFile().toUtf8());
    EngineFixture f;
    f.setAgentProgram(OddServer::agentProgram());
    QVERIFY(f.open());
    QVERIFY(f.engine().addHost(u"arm"_s));
    QVERIFY(isOnline(f, u"arm"_s));
    const QDir cache(server.home(u"arm"_s) + u"/.cache/trainyard"_s);
    const QStringList helpers = cache.entryList({u"agent-*"_s}, QDir::Files);
    QCOMPARE(helpers.size(), 1);
    QCOMPARE(QFileInfo(cache.filePath(helpers.first())).size(), QFileInfo(program).size());
    const QString job = run(f, u"arm"_s, {"echo It runs on $(uname -m)."});
    QVERIFY2(!job.isEmpty(), qPrintable(errorText(f.error())));
    QVERIFY(f.waitForEnd(job, 60000));
    QCOMPARE(f.job(job).state, State::Succeeded);
    QTRY_COMPARE(f.output(job, u"main"_s, 0), QByteArray("It runs on aarch64.\n"));
    // A stop finds the processes of a task there, also one that has left its session.
    QVERIFY(!hasProcess("98765.5"));
    const QString running
        = run(f, u"arm"_s, {"trap 'exit 3' TERM", "setsid sleep 98765.5 &", "echo up", "sleep 98765.5 & wait"});
    QVERIFY2(!running.isEmpty(), qPrintable(errorText(f.error())));
    QVERIFY(QTest::qWaitFor([&] { return f.output(running, u"main"_s, 0) == "up\n"; }, 60000));
    QVERIFY(QTest::qWaitFor([] { return hasProcess("98765.5"); }, 10000));
    QVERIFY(f.engine().stop(running, false));
    QVERIFY(f.waitForEnd(running, 60000));
    QCOMPARE(f.job(running).state, State::Stopped);
    QVERIFY(QTest::qWaitFor([] { return !hasProcess("98765.5"); }, 30000));
    // Another engine finds it by its hash.
    EngineFixture second;
    second.setAgentProgram(OddServer::agentProgram());
    QVERIFY(second.open());
    QVERIFY(second.engine().addHost(u"arm"_s));
    QVERIFY(isOnline(second, u"arm"_s));
    const QList<HostStep> steps = infoOf(second, u"arm"_s).steps;
    const auto push
        = std::find_if(steps.cbegin(), steps.cend(), [](const HostStep &step) { return step.id == hoststep::push; });
    QVERIFY(push != steps.cend());
    QCOMPARE(push->args.value("bytes"_L1).toInteger(-1), 0);
}

TRAINYARD_TEST(TstOddSystems)
#include "tst_oddsystems.moc"
