// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tasks that are tried again on another host find the checkpoints of their former try there. Two real sshds, each with
// files of its own.
class TstCheckpoints : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    int numberOf(const QString &host) const { return host == "one"_L1 ? 0 : 1; }
    static QString other(const QString &host) { return host == "one"_L1 ? u"two"_s : u"one"_s; }
    HostState stateOf(const QString &id) const
    {
        const QList<HostInfo> all = m_fixture->engine().hosts();
        for (const HostInfo &host : all) {
            if (host.id == id) {
                return host.state;
            }
        }
        return HostState::Offline;
    }
    bool waitForHost(const QString &id, bool isOnline = true)
    {
        return QTest::qWaitFor([&] { return (stateOf(id) == HostState::Online) == isOnline; }, 60000);
    }
    void drain(const QString &id, bool on = true)
    {
        api::HostChange change;
        change.id = id;
        change.drained = on;
        QVERIFY(m_fixture->engine().changeHost(change));
    }
    void touch(const QString &host, const QString &name) const
    {
        QFile file(m_hosts->home(numberOf(host)) + u'/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    // The first try does `first`, waits for a file and fails; a later one, which finds what it wrote, does `then`.
    QString run(
        const QByteArrayList &first, const QByteArrayList &then, const QByteArray &more = "    taskRetryCount: 1\n")
    {
        QByteArrayList commands{"cd \"$TRAINYARD_CHECKPOINT_DIR\"", "if [ -e step ]; then"};
        commands += then;
        commands += {"exit 0", "fi", "echo from the beginning", "[ -e ~/once ] && exit 0", "touch ~/once"};
        commands += first;
        commands += {"echo 7 > step", "touch ~/wrote", "until [ -e ~/go ]; do sleep 0.05; done", "exit 1"};
        SubmitRequest request;
        request.target = u"any"_s;
        request.file = u""_s;
        return m_fixture->submit(
            EngineFixture::document("net", EngineFixture::role("main", 1, {commands.join('\n')}, more),
                "extras: {gangAllocation: false, trainyard: {hosts: {main: {names: [one, two]}}}}\n"),
            request);
    }
    // Where it is, when it has written its checkpoints.
    QString whereItWrote(const QString &job)
    {
        const bool wrote = QTest::qWaitFor(
            [this] {
                return QFile::exists(m_hosts->home(0) + u"/wrote"_s) || QFile::exists(m_hosts->home(1) + u"/wrote"_s);
            },
            20000);
        return wrote ? m_fixture->task(job, u"main"_s, 0).host : QString();
    }
    QString reason(const QString &job) { return m_fixture->task(job, u"main"_s, 0).reason; }
    QString folderOn(const QString &host, const QString &job) const
    {
        QDirIterator it(m_hosts->home(numberOf(host)) + u"/state/trainyard"_s, QDir::Dirs | QDir::NoDotAndDotDot,
            QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString path = it.next(); path.endsWith(u'/' + job + u"/checkpoint"_s)) {
                return path;
            }
        }
        return {};
    }

    void open(SshHosts::Kind kind)
    {
        cleanup();
        m_hosts = std::make_unique<SshHosts>(2, QStringList(), kind);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"retry.pauseSeconds"_s, 0}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"one"_s));
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(1), u"two"_s));
        QVERIFY(waitForHost(u"one"_s) && waitForHost(u"two"_s));
    }

private Q_SLOTS:
    void init() { open(SshHosts::Kind::Unlike); }
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // Hidden files and links come along; nothing is gone where they were. Back there, the newer ones go back.
    void followATask()
    {
        const QString job = run({"mkdir -p ckpt-7", "echo meta > ckpt-7/.metadata",
                                    "head -c 3000000 /dev/zero > ckpt-7/big", "ln -s \"$PWD/ckpt-7\" latest"},
            {"echo goes on from $(cat step) with $(cat latest/.metadata), $(stat -Lc %s latest/big) bytes",
                "[ $(cat step) = 8 ] && exit 0", "echo 8 > step", "touch ~/again",
                "until [ -e ~/go ]; do sleep 0.05; done", "exit 1"},
            "    taskRetryCount: 2\n");
        QVERIFY2(!job.isEmpty(), qPrintable(m_fixture->error().code));
        const QString first = whereItWrote(job), second = other(first);
        QVERIFY(!first.isEmpty());
        drain(first);
        touch(first, u"go"_s);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(m_hosts->home(numberOf(second)) + u"/again"_s); }, 30000));
        QCOMPARE(m_fixture->task(job, u"main"_s, 0).host, second);
        QVERIFY(!reason(job).startsWith("checkpoints."_L1));
        QVERIFY(QFile::exists(folderOn(first, job) + u"/ckpt-7/big"_s));
        QCOMPARE(QFile(folderOn(second, job) + u"/latest"_s).symLinkTarget(), folderOn(second, job) + u"/ckpt-7"_s);
        drain(second);
        drain(first, false);
        touch(second, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job, 30000));
        QCOMPARE(m_fixture->job(job).state, State::Succeeded);
        QCOMPARE(m_fixture->task(job, u"main"_s, 0).host, first);
        QTRY_VERIFY(m_fixture->output(job, u"main"_s, 0).contains("goes on from 8 with meta, 3000000 bytes"));
        // Nothing half is left anywhere.
        QDirIterator it(
            m_hosts->home(1) + u"/state"_s, {u"*.part"_s}, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        QVERIFY2(!it.hasNext(), qPrintable(it.next()));
    }

    // Where both hosts see the same files, nothing is copied, and the task goes on where it was.
    void staysInASharedFolder()
    {
        open(SshHosts::Kind::Like);
        if (QTest::currentTestFailed()) {
            return;
        }
        const QString job = run({"mkdir -p deep", "echo 1 > deep/a"}, {"echo goes on from $(cat step) in $PWD"}, {});
        const QString first = whereItWrote(job), second = other(first);
        QVERIFY(!first.isEmpty());
        const QString folder = folderOn(first, job);
        touch(first, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job));
        drain(first);
        RetryRequest again;
        again.uuid = job;
        QVERIFY(m_fixture->engine().retry(again));
        QVERIFY(m_fixture->waitForEnd(job, 30000));
        QCOMPARE(m_fixture->job(job).state, State::Succeeded);
        QCOMPARE(m_fixture->task(job, u"main"_s, 0).host, second);
        QTRY_VERIFY(m_fixture->output(job, u"main"_s, 0).contains(QByteArray("goes on from 7 in " + folder.toUtf8())));
        QVERIFY(folderOn(second, job).isEmpty());
    }

    // The same when the job is started again by hand, after a restart of the engine, with a cut in the middle.
    void followAJobThroughACut()
    {
        const QString job = run(
            {"head -c 24000000 /dev/urandom > big", "sha256sum big > sum"}, {"sha256sum -c sum && echo whole"}, {});
        const QString first = whereItWrote(job), second = other(first);
        QVERIFY(!first.isEmpty());
        touch(first, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job));
        QCOMPARE(m_fixture->job(job).state, State::Failed);
        m_fixture->close();
        QVERIFY(m_fixture->open());
        QVERIFY(waitForHost(first) && waitForHost(second));
        drain(first);
        QVERIFY(m_hosts->setRate(numberOf(first), u"40mbit"_s));
        RetryRequest again;
        again.uuid = job;
        QVERIFY(m_fixture->engine().retry(again));
        const auto copied = [&] {
            const TaskInfo task = m_fixture->task(job, u"main"_s, 0);
            return task.reason == "checkpoints.copying"_L1 ? task.reasonArgs.value("bytes"_L1).toInteger() : 0;
        };
        QVERIFY(QTest::qWaitFor([&] { return copied() > (1 << 20); }, 30000));
        QCOMPARE(m_fixture->job(job).reason, u"checkpoints.copying"_s);
        m_hosts->setLink(numberOf(first), false);
        QVERIFY(waitForHost(first, false));
        QTRY_COMPARE(reason(job), u"checkpoints.waiting"_s);
        m_hosts->heal(numberOf(first));
        m_hosts->setLink(numberOf(first), true);
        QVERIFY(m_fixture->waitForEnd(job, 60000));
        QCOMPARE(m_fixture->job(job).state, State::Succeeded);
        QTRY_VERIFY(m_fixture->output(job, u"main"_s, 0).contains("whole"));
    }

    // A host that stays away is not waited for longer than the settings say, and the task tells it.
    void beginsWithout()
    {
        const QString job = run({}, {"echo never"}, {});
        const QString first = whereItWrote(job), second = other(first);
        QVERIFY(!first.isEmpty());
        touch(first, u"go"_s);
        touch(second, u"once"_s);
        QVERIFY(m_fixture->waitForEnd(job));
        m_hosts->setLink(numberOf(first), false);
        QVERIFY(waitForHost(first, false));
        drain(first);
        RetryRequest again;
        again.uuid = job;
        QVERIFY(m_fixture->engine().retry(again));
        QTRY_COMPARE_WITH_TIMEOUT(reason(job), u"checkpoints.waiting"_s, 20000);
        QCOMPARE(m_fixture->task(job, u"main"_s, 0).reasonArgs.value("from"_L1).toString(), first);
        QVERIFY(m_fixture->engine().stop(job)); // a stop waits for nothing
        QVERIFY(m_fixture->waitForEnd(job));
        QCOMPARE(m_fixture->job(job).state, State::Stopped);
        m_fixture->close();
        m_fixture->setSettings({{u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2},
            {u"ssh.retryLastSeconds"_s, 1}, {u"checkpoints.waitMinutes"_s, 0}});
        QVERIFY(m_fixture->open());
        QVERIFY(waitForHost(second));
        QVERIFY(m_fixture->engine().retry(again));
        QVERIFY(m_fixture->waitForEnd(job, 30000));
        QCOMPARE(m_fixture->job(job).state, State::Succeeded);
        QTRY_VERIFY(m_fixture->output(job, u"main"_s, 0).contains("from the beginning"));
    }

    // Nor is a folder that somebody has removed there, and the task that runs says so.
    void saysThatTheyAreGone()
    {
        const QString job = run({}, {"echo never"}, {});
        const QString first = whereItWrote(job), second = other(first);
        QVERIFY(!first.isEmpty());
        touch(first, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job));
        drain(first);
        QVERIFY(QDir(folderOn(first, job)).removeRecursively());
        RetryRequest again;
        again.uuid = job;
        QVERIFY(m_fixture->engine().retry(again));
        QTRY_COMPARE_WITH_TIMEOUT(reason(job), u"checkpoints.left-missing"_s, 20000);
        QCOMPARE(m_fixture->task(job, u"main"_s, 0).host, second);
        touch(second, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job));
    }

    // What cannot be copied is said, and nothing begins without it.
    void saysWhyNot()
    {
        const QString job = run({"truncate -s 2G big"}, {"echo never"}, {});
        const QString first = whereItWrote(job);
        QVERIFY(!first.isEmpty());
        touch(first, u"go"_s);
        QVERIFY(m_fixture->waitForEnd(job));
        drain(first);
        m_fixture->close();
        m_fixture->setSettings({{u"checkpoints.maxGiB"_s, 1}});
        QVERIFY(m_fixture->open());
        QVERIFY(waitForHost(u"one"_s) && waitForHost(u"two"_s));
        RetryRequest again;
        again.uuid = job;
        QVERIFY(m_fixture->engine().retry(again));
        QVERIFY(m_fixture->waitForEnd(job, 30000));
        QCOMPARE(m_fixture->job(job).state, State::Failed);
        QCOMPARE(m_fixture->job(job).reason, u"checkpoints.too-big"_s);
        QCOMPARE(m_fixture->job(job).reasonArgs.value("from"_L1).toString(), first);
    }
};

TRAINYARD_TEST(TstCheckpoints)
#include "tst_checkpoints.moc"
