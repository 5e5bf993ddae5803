// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <sys/mount.h>

#include <memory>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The disk of another host is full to the last byte: a small file system of its own holds the files of tasks there.
class TstHostDisk : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;
    QByteArray m_place;

    QString run(const QByteArrayList &commands, const QString &target)
    {
        SubmitRequest request;
        request.target = target;
        return m_fixture->submit(
            EngineFixture::document("disk", EngineFixture::role("main", 1, commands), "jobRetryCount: 0\n"), request);
    }
    bool isFull(const QString &uuid)
    {
        return m_fixture->waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 30000);
    }
    bool makeRoom() const
    {
        return ::mount(nullptr, m_place.constData(), "tmpfs", MS_REMOUNT, "size=64m,mode=0700") == 0;
    }

private Q_SLOTS:
    void init()
    {
        m_hosts = std::make_unique<SshHosts>(1);
        SKIP_UNLESS_THERE(*m_hosts);
        const QString state = m_hosts->home(0) + u"/state"_s;
        QVERIFY(QDir().mkpath(state));
        SKIP_UNLESS_MOUNTED(
            ::mount("trainyard-test", QFile::encodeName(state).constData(), "tmpfs", 0, "size=4m,mode=0700"));
        m_place = QFile::encodeName(state);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>();
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QVERIFY2(
            QTest::qWaitFor([this] { return m_fixture->engine().hosts().last().state == HostState::Online; }, 60000),
            qPrintable(m_fixture->engine().hosts().last().error));
    }
    void cleanup()
    {
        m_fixture.reset();
        if (!m_place.isEmpty()) {
            ::umount2(m_place.constData(), MNT_DETACH);
            m_place.clear();
        }
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // It says so, other hosts go on, and as soon as there is room all of the output comes.
    void goesOnWhenThereIsRoom()
    {
        const QString uuid = run({"head -c 8000000 /dev/zero"}, u"far"_s);
        QVERIFY2(!uuid.isEmpty(), qPrintable(m_fixture->error().code));
        QVERIFY2(isFull(uuid), qPrintable(m_fixture->job(uuid).reason));
        QCOMPARE(m_fixture->job(uuid).state, State::Running);
        const TaskInfo task = m_fixture->task(uuid, u"main"_s, 0);
        QCOMPARE(task.reason, u"task.disk-full"_s);
        QCOMPARE(task.reasonArgs[u"host"].toString(), u"far"_s);
        m_fixture->close(); // the next agent has no pipe from the keeper of the task
        QVERIFY(m_fixture->open());
        QVERIFY2(isFull(uuid), qPrintable(m_fixture->job(uuid).reason));
        const QString here = run({"true"}, u"local"_s);
        QVERIFY(m_fixture->waitForEnd(here));
        QCOMPARE(m_fixture->job(here).state, State::Succeeded);
        QVERIFY(makeRoom());
        QVERIFY(m_fixture->waitForEnd(uuid, 30000));
        QCOMPARE(m_fixture->job(uuid).state, State::Succeeded);
        QCOMPARE(m_fixture->job(uuid).reason, QString());
        QTRY_VERIFY_WITH_TIMEOUT(m_fixture->output(uuid, u"main"_s, 0) == QByteArray(8000000, '\0'), 20000);
    }

    // A stop is heard, and its end is written down as soon as that can be.
    void isStopped()
    {
        const QString uuid = run({"while :; do head -c 65536 /dev/zero; done"}, u"far"_s);
        QVERIFY2(isFull(uuid), qPrintable(m_fixture->job(uuid).reason));
        QFile rest(QFile::decodeName(m_place) + u"/rest"_s);
        QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        while (rest.write(QByteArray(512, 'x')) == 512) { }
        QVERIFY(m_fixture->engine().stop(uuid).value_or(false));
        QTRY_COMPARE_WITH_TIMEOUT(m_fixture->job(uuid).reason, u"stop.disk-full"_s, 20000);
        QVERIFY(makeRoom());
        QVERIFY(m_fixture->waitForEnd(uuid, 30000));
        QCOMPARE(m_fixture->job(uuid).state, State::Stopped);
    }
};

TRAINYARD_TEST(TstHostDisk)
#include "tst_hostdisk.moc"
