// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace trainyard::contract;

// The agent that is made for aarch64, on this computer by qemu. What is stopped by a signal is not tried: the user mode
// of qemu takes a signal that a program waits for with signalfd() for itself.
class TstOtherProcessor : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup() { m_fixture.end(); }

    void tellsItsVersion();
    void greets();
    void runsATask();
    void runsManyAtOnce();

private:
    QString m_emulator;
    AgentFixture m_fixture;
};
TRAINYARD_TEST(TstOtherProcessor)

void TstOtherProcessor::initTestCase()
{
    if (!QFile::exists(builtProgram(QStringLiteral("trainyard-agent-aarch64")))) {
        QSKIP("The helper for aarch64 was not built: './dev test --full' builds it.");
    }
    m_emulator = QStandardPaths::findExecutable(QStringLiteral("qemu-aarch64-static"));
    if (m_emulator.isEmpty()) {
        QSKIP("qemu-aarch64-static is not installed: './dev setup cross' installs it.");
    }
}

// The driver starts a script that is the agent at once.
void TstOtherProcessor::init()
{
    QVERIFY(m_fixture.begin());
    const QString program = m_fixture.home->filePath(QStringLiteral("agent"));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexec '" + QFile::encodeName(m_emulator) + "' '"
        + QFile::encodeName(builtProgram(QStringLiteral("trainyard-agent-aarch64"))) + "' \"$@\"\n");
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_fixture.agent->program = program;
}

void TstOtherProcessor::tellsItsVersion()
{
    QProcess process;
    process.start(m_fixture.agent->program, {QStringLiteral("--version")});
    QVERIFY(process.waitForFinished());
    const QByteArray text = process.readAllStandardOutput();
    QVERIFY2(text.startsWith("trainyard-agent ") && text.contains(" contract 1 build "), text.constData());
}

void TstOtherProcessor::greets()
{
    QVERIFY(m_fixture.agent->start());
    const HelloReply &hello = m_fixture.agent->hello;
    QCOMPARE(hello.contract, 1);
    QCOMPARE(hello.bootId, currentBootId());
    QCOMPARE(hello.pid, m_fixture.agent->pid());
    QVERIFY(hello.diskFreeBytes > 0);
}

// Its keeper writes the log and the record of the end.
void TstOtherProcessor::runsATask()
{
    QVERIFY(m_fixture.agent->start());
    Launch launch = m_fixture.launchOf("arm", "echo $((6 * 7)); echo err >&2; exit 3");
    launch.sealed = true;
    const auto exited = m_fixture.runToEnd(launch, 30000);
    QVERIFY(exited && exited->exit.kind == ExitKind::Exited);
    QCOMPARE(exited->exit.value, 3);
    const QByteArray output = outputOf(launch.dir);
    QCOMPARE(output.size(), qsizetype(7));
    QVERIFY(output.contains("42\n") && output.contains("err\n"));
    QVERIFY(indexIsWhole(launch.dir, 7));
}

void TstOtherProcessor::runsManyAtOnce()
{
    QVERIFY(m_fixture.agent->start());
    std::vector<Launch> launches;
    for (const char *name : {"a", "b", "c", "d"}) {
        launches.push_back(m_fixture.launchOf(name, std::string("head -c 300000 /dev/zero | tr '\\0' ") + name));
        QVERIFY(m_fixture.agent->ask<Launched>(launches.back(), 30000));
    }
    for (const Launch &launch : launches) {
        QVERIFY(m_fixture.agent->exited(launch.dir, 30000));
        QCOMPARE(outputOf(launch.dir).size(), qsizetype(300000));
    }
}

#include "tst_otherprocessor.moc"
