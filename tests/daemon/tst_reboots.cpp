// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace trainyard;

// A host restarts: its server, its agent, the keepers and all tasks are gone without a word, and it has another boot.
// What ran is known to be lost and is tried again, what had ended counts, and nothing begins twice.
class TstReboots : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline() const { return m_fixture->engine().hosts().last().state == HostState::Online; }
    void write(const QString &name, const QByteArray &bytes) const
    {
        const QString path = m_fixture->path(u"work/"_s + name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QString run(int instances, const QByteArray &commands, const QByteArray &more = {})
    {
        SubmitRequest request;
        request.target = u"far"_s;
        return m_fixture->submit(EngineFixture::document("boot",
                                     EngineFixture::role("main", instances, {commands}, {},
                                         "{cpu: 1, memoryMB: 16, gpu: 0, ports: {data: 1}}"),
                                     "jobRetryCount: 0\n" + more),
            request);
    }
    QByteArrayList ledger() const // one line for each start
    {
        const QByteArray text = EngineFixture::contents(m_hosts->home(0) + u"/ledger"_s).trimmed();
        return text.isEmpty() ? QByteArrayList() : text.split('\n');
    }
    QStringList onHost(const QString &part, QDir::Filters filters) const
    {
        QStringList found;
        QDirIterator it(m_hosts->home(0) + u"/state"_s, filters | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString path = it.next(); path.contains(part)) {
                found.append(path);
            }
        }
        return found;
    }
    QByteArray result(const QString &job, int index) const
    {
        return EngineFixture::contents(
            m_fixture->path(u"work/results/%1-boot/main-%2/out-%2.txt"_s.arg(m_fixture->job(job).id).arg(index)));
    }

private Q_SLOTS:
    void init()
    {
        m_hosts = std::make_unique<SshHosts>(1, QStringList(), SshHosts::Kind::Unlike);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{
            {u"ssh.aliveIntervalSeconds"_s, 1}, {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}});
        QVERIFY(m_fixture->open());
        QVERIFY(m_fixture->engine().addHost(m_hosts->name(0), u"far"_s));
        QTRY_VERIFY_WITH_TIMEOUT(isOnline(), 60000);
    }
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    void whileTasksRun_data()
    {
        QTest::addColumn<bool>("isAway");
        QTest::newRow("the engine is there") << false;
        QTest::newRow("the engine is away") << true;
    }

    // The next attempt works in the same copy of the code, with what the first one left there, and its ports are free.
    void whileTasksRun()
    {
        QFETCH(bool, isAway);
        EngineFixture &f = *m_fixture;
        write(u"data/words.txt"_s, "hello\n");
        write(u"bind.py"_s, "import socket, sys\nsocket.create_server((\"\", int(sys.argv[1]))).close()\n");
        const QString job = run(2,
            "me=$PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX\necho $me $TRAINYARD_TRY >> ~/ledger\n"
            "if [ ! -e checkpoint-$me ]; then touch checkpoint-$me; sleep 600; fi\n"
            "python3 bind.py $PAI_CONTAINER_HOST_data_PORT_LIST\ncat data/words.txt > out-$me.txt",
            "extras: {trainyard: {results: ['out-*.txt']}}\n");
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QTRY_COMPARE_WITH_TIMEOUT(onHost(u"/checkpoint-"_s, QDir::Files).size(), 2, 30000);
        const QStringList contents = onHost(u"/code/contents/"_s, QDir::Files);
        QVERIFY(!contents.isEmpty());
        if (isAway) {
            f.close();
        }
        QVERIFY(m_hosts->reboot(0));
        QCOMPARE(ledger().size(), 2);
        QVERIFY(!isAway || f.open());
        QVERIFY(f.waitForEnd(job, 60000));
        QCOMPARE(f.job(job).state, State::Succeeded);

        // Each task was begun once in each of two attempts, and the restart costs the job none of its retries.
        const QByteArrayList begun = ledger();
        QCOMPARE(begun.size(), 4);
        QCOMPARE(QSet<QByteArray>(begun.cbegin(), begun.cend()).size(), 4);
        QCOMPARE(f.job(job).retries, 1);
        QCOMPARE(f.job(job).userRetries, 0);
        QStringList said;
        for (int i = 0; i < 2; ++i) {
            const TaskInfo lost = f.task(job, u"main"_s, i, 0);
            QVERIFY(lost.exitCode.value_or(0) < 0);
            said.append(reasonText(lost.reason, lost.reasonArgs));
        }
        QVERIFY2(!said.filter(u"The host was restarted"_s).isEmpty(), qPrintable(said.join(u" | "_s)));

        // The code was not sent again.
        QCOMPARE(onHost(u"/code/contents/"_s, QDir::Files), contents);
        QCOMPARE(onHost(u"/data/words.txt"_s, QDir::Files).size(), 1);
        for (int i = 0; i < 2; ++i) {
            QTRY_COMPARE_WITH_TIMEOUT(result(job, i), QByteArray("hello\n"), 20000);
        }
    }

    // Its record is on the disk of the host; nobody could fetch it before.
    void afterATaskHasEnded()
    {
        EngineFixture &f = *m_fixture;
        write(u"a"_s, "1");
        const QString job = run(1,
            "echo $TRAINYARD_TRY >> ~/ledger\nuntil [ -e ~/go ]; do sleep 0.05; done\nseq 1000\necho hello > out-0.txt",
            "extras: {trainyard: {results: ['out-*.txt']}}\n");
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        QTRY_COMPARE_WITH_TIMEOUT(ledger().size(), 1, 30000);
        m_hosts->setLink(0, false);
        QTRY_VERIFY_WITH_TIMEOUT(!isOnline(), 20000);
        QFile file(m_hosts->home(0) + u"/go"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(onHost(u"/main-0/0/exit"_s, QDir::Files).size(), 1, 20000);
        QVERIFY(m_hosts->reboot(0));
        m_hosts->setLink(0, true);
        QVERIFY(f.waitForEnd(job, 60000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QCOMPARE(f.job(job).retries, 0);
        QCOMPARE(ledger().size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(f.output(job, u"main"_s, 0).endsWith("\n1000\n"), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(result(job, 0), QByteArray("hello\n"), 20000);
    }

    // What has arrived is not sent again, and the task begins once.
    void whileCodeIsSent()
    {
        EngineFixture &f = *m_fixture;
        QByteArray big(24 << 20, Qt::Uninitialized);
        for (qsizetype i = 0; i < big.size(); ++i) {
            big[i] = char(i * 31 >> 7);
        }
        write(u"a"_s, big);
        write(u"b"_s, big.first(12 << 20));
        const QString job = run(1, "echo $TRAINYARD_TRY >> ~/ledger\ncat a b | wc -c");
        QVERIFY2(!job.isEmpty(), qPrintable(f.error().code));
        const auto copying = [&] {
            const TaskInfo task = f.task(job, u"main"_s, 0);
            return task.reason == "launch.copying"_L1 && task.reasonArgs.value("bytes"_L1).toInteger() > (1 << 20);
        };
        QTRY_VERIFY_WITH_TIMEOUT(copying(), 20000);
        QVERIFY(m_hosts->reboot(0));
        QVERIFY(f.waitForEnd(job, 90000));
        QCOMPARE(f.job(job).state, State::Succeeded);
        QCOMPARE(f.job(job).retries, 0);
        QCOMPARE(ledger().size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(
            f.output(job, u"main"_s, 0), QByteArray::number((24 << 20) + (12 << 20)) + '\n', 20000);
    }
};

TRAINYARD_TEST(TstReboots)
#include "tst_reboots.moc"
