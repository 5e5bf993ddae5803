// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/containertests.h"
#include "tests/daemon/podman.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Plugins of jobs in containers: ssh between tasks, a TensorBoard, and storages.
class TstContainerPlugins : public ContainerTests
{
    Q_OBJECT

private Q_SLOTS:
    void sshBetweenContainers();
    void tensorboard();
    void storages();
};

// The ssh plugin with the sshd of the image: a task is root in it, whoever it is outside.
void TstContainerPlugins::sshBetweenContainers()
{
    SKIP_WITHOUT_SSHD();
    QVERIFY(m_podman->makeSshImage());
    const QByteArray plugin
        = "  com.microsoft.pai.runtimeplugin:\n"
          "    - {plugin: ssh, parameters: {jobssh: true, sshbarrier: true, sshbarrierTimeout: 1}}\n";
    const QByteArray yaml = EngineFixture::document("meet",
        role({"if [ $PAI_TASK_INDEX = 0 ]; then",
                 "  ssh main-1 'echo \"at $PAI_TASK_INDEX in $(pwd)\"; ls /' && touch done", "else",
                 "  until [ -e done ]; do sleep 0.05; done", "fi"},
            {}, "{cpu: 1, memoryMB: 64, gpu: 0}", 2),
        imageLine(Podman::sshImage().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n" + plugin);
    const QString uuid = m_fixture->submit(yaml);
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid, 40000));
    const QByteArray out = m_fixture->output(uuid, u"main"_s, 0);
    QVERIFY2(m_fixture->job(uuid).state == State::Succeeded,
        QByteArray(out + m_fixture->runtimeLog(uuid, u"main"_s, 0)).constData());
    QVERIFY2(out.contains(QByteArray("at 1 in " + m_fixture->path(u"work"_s).toUtf8() + "\n")), out.constData());
    QVERIFY2(out.contains("sys\n") && !out.contains("home\n"), out.constData()); // the image's root, not the host's
    // In an image without sshd it is said, and nobody waits for what cannot come.
    const QString without = m_fixture->submit(EngineFixture::document("alone", role({"echo began"}),
        imageLine(Podman::image().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n" + plugin));
    QVERIFY(m_fixture->waitForEnd(without));
    QCOMPARE(m_fixture->task(without, u"main"_s, 0).reason, u"exit.ssh-no-sshd"_s);
    QVERIFY(!m_fixture->output(without, u"main"_s, 0).contains("began"));
}

// The image's TensorBoard (here a program that answers at its port) is reached from outside, and ends with the task.
void TstContainerPlugins::tensorboard()
{
    const auto job = [](const QByteArrayList &preCommands, const QByteArrayList &commands) {
        QByteArray pre;
        for (const QByteArray &command : preCommands) {
            pre += "\n            - " + command;
        }
        return EngineFixture::document("board", role(commands),
            imageLine(Podman::image().toUtf8())
                + "extras:\n  trainyard: {runIn: podman}\n  com.microsoft.pai.runtimeplugin:\n"
                + (pre.isEmpty() ? QByteArray()
                                 : "    - plugin: cmd\n      parameters:\n        preCommands:" + pre + '\n')
                + "    - {plugin: tensorboard, parameters: {logdir: {a: runs/a}}}\n");
    };
    const QString uuid
        = m_fixture->submit(job({"\"printf '%s\\\\n' '#!/bin/sh' 'while [ $1 != --port ]; do shift; done' "
                                 "'exec busybox nc -ll -p $2 -e cat' > /bin/tensorboard\"",
                                    "chmod +x /bin/tensorboard"},
            {"echo trains", "until [ -e seen ]; do sleep 0.05; done"}));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(waitForOutput(uuid, "trains\n"));
    QString address;
    QTRY_VERIFY2_WITH_TIMEOUT(
        [&] {
            const QList<ServiceInfo> services = m_fixture->engine().job(uuid)->services;
            address = services.isEmpty() ? QString() : services.first().address;
            return !address.isEmpty();
        }(),
        m_fixture->runtimeLog(uuid, u"main"_s, 0).constData(), 15000);
    const QUrl url(address);
    QTcpSocket socket;
    socket.connectToHost(url.host(), quint16(url.port()));
    QVERIFY2(socket.waitForConnected(5000), qPrintable(address));
    socket.write("hello\n");
    QVERIFY(socket.waitForReadyRead(5000));
    QCOMPARE(socket.readAll(), "hello\n");
    socket.close();
    QFile seen(m_fixture->path(u"work/seen"_s));
    QVERIFY(seen.open(QIODevice::WriteOnly));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
    // An image without one trains all the same.
    const QString without = m_fixture->submit(job({}, {"echo trains"}));
    QVERIFY(m_fixture->waitForEnd(without));
    QCOMPARE(m_fixture->job(without).state, State::Succeeded);
    QVERIFY(m_fixture->output(without, u"main"_s, 0).contains("No TensorBoard"));
}

// Folders of the settings stand where the job wants them, for reading only where it says so.
void TstContainerPlugins::storages()
{
    m_fixture->close();
    const QString data = m_fixture->path(u"the, \"data\""_s);
    QVERIFY(QDir().mkpath(data));
    QFile file(data + u"/file"_s);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("of the storage\n") > 0);
    file.close();
    m_fixture->setSettings({{u"storages.team data"_s, data}, {u"storages.gone"_s, m_fixture->path(u"gone"_s)}});
    QVERIFY(m_fixture->open());
    const auto job = [](const QByteArray &name, const QByteArrayList &commands, const QByteArray &storages) {
        return EngineFixture::document(name, role(commands),
            imageLine(Podman::image().toUtf8()) + "extras:\n  trainyard: {runIn: podman}\n  storages:\n" + storages);
    };
    const QString uuid = m_fixture->submit(job("data",
        {"cat /mnt/x/file \"$TRAINYARD_STORAGE_TEAM_DATA/file\"", "echo new > \"/in here/new\"",
            "(echo no > /mnt/x/new) 2>/dev/null || echo read-only"},
        "    - {name: team data, mountPath: '/in here'}\n    - {name: team data, mountPath: /mnt/x, readOnly: "
        "true}\n"));
    QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
    QVERIFY(m_fixture->waitForEnd(uuid));
    QCOMPARE(m_fixture->engine().job(uuid)->runIn, u"podman"_s);
    QCOMPARE(m_fixture->output(uuid, u"main"_s, 0), "of the storage\nof the storage\nread-only\n");
    QCOMPARE(EngineFixture::contents(data + u"/new"_s), "new\n");

    // Nothing of a folder that is not there: which one is said, and nothing has started or is left.
    const QString gone = m_fixture->submit(job("gone", {"echo began"}, "    - {name: gone, mountPath: /mnt/y}\n"));
    QVERIFY(m_fixture->waitForEnd(gone));
    QCOMPARE(m_fixture->task(gone, u"main"_s, 0).reason, u"launch.container-folder"_s);
    QCOMPARE(m_fixture->task(gone, u"main"_s, 0).reasonArgs.value(u"detail"_s).toString(), m_fixture->path(u"gone"_s));
    QVERIFY(m_fixture->output(gone, u"main"_s, 0).isEmpty());
    // Nor can one stand where the image has its own.
    const QString taken = m_fixture->submit(job("taken", {"echo began"}, "    - {name: team data, mountPath: /usr}\n"));
    QVERIFY(m_fixture->waitForEnd(taken));
    QCOMPARE(m_fixture->task(taken, u"main"_s, 0).reason, u"launch.container-storage"_s);
}

TRAINYARD_TEST(TstContainerPlugins)
#include "tst_containerplugins.moc"
