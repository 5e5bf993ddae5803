// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/hostfiles.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/sshhosts.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Data that jobs name, on other hosts: real sshds of another user, each with files of its own.
class TstJobData : public QObject
{
    Q_OBJECT

    std::unique_ptr<SshHosts> m_hosts;
    std::unique_ptr<EngineFixture> m_fixture;

    bool isOnline(const QString &id) const
    {
        const QList<HostInfo> all = m_fixture->engine().hosts();
        return std::any_of(all.cbegin(), all.cend(),
            [&id](const HostInfo &host) { return host.id == id && host.state == HostState::Online; });
    }
    bool waitForHost(const QString &id, bool online = true)
    {
        return QTest::qWaitFor([&] { return isOnline(id) == online; }, 60000);
    }
    void write(const QString &path, const QByteArray &bytes)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    static QByteArray noise(qsizetype bytes)
    {
        QByteArray all(bytes, Qt::Uninitialized);
        quint32 number = 1;
        for (char &byte : all) {
            number = number * 1664525 + 1013904223;
            byte = char(number >> 24);
        }
        return all;
    }
    QString run(const QByteArray &data, const QByteArrayList &commands, const QString &host = u"one"_s)
    {
        SubmitRequest request;
        request.target = host;
        request.file = u""_s;
        return m_fixture->submit(EngineFixture::document("data", EngineFixture::role("main", 1, commands),
                                     "extras: {trainyard: {data: {set: " + data + "}}}\n"),
            request);
    }
    QByteArray from(const QString &name, const QByteArray &more = {}) const
    {
        return "{from: " + m_fixture->path(name).toUtf8() + more + "}";
    }
    QString reason(const QString &job) { return m_fixture->task(job, u"main"_s, 0).reason; }
    bool succeeds(const QString &job, int ms = 60000)
    {
        return m_fixture->waitForEnd(job, ms) && m_fixture->job(job).state == State::Succeeded;
    }
    // Of contents on a host.
    QStringList contents(int host) const
    {
        QStringList names;
        QDirIterator it(m_hosts->home(host) + u"/state/trainyard"_s, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            if (const QString path = it.next(); path.contains("/data/contents/"_L1)) {
                names.append(path);
            }
        }
        return names;
    }
    // Clears host "one" away; the size of the data that stays.
    qint64 cleaned()
    {
        std::optional<Result<api::HostFiles>> told;
        m_fixture->engine().cleanHost(
            {u"one"_s, false, false}, this, [&told](const Result<api::HostFiles> &files) { told = files; });
        const bool isTold = QTest::qWaitFor([&] { return told.has_value(); }, 30000);
        return isTold && *told ? (*told)->dataBytes : -1;
    }
    void open(int hosts, SshHosts::Kind kind = SshHosts::Kind::Unlike)
    {
        cleanup();
        m_hosts = std::make_unique<SshHosts>(hosts, QStringList(), kind);
        SKIP_UNLESS_THERE(*m_hosts);
        qputenv("TRAINYARD_SSH_CONFIG", m_hosts->configFile().toUtf8());
        m_fixture = std::make_unique<EngineFixture>(QJsonObject{{u"ssh.aliveIntervalSeconds"_s, 1},
            {u"ssh.connectTimeoutSeconds"_s, 2}, {u"ssh.retryLastSeconds"_s, 1}, {u"data.maxGiB"_s, 1}});
        QVERIFY(m_fixture->open());
        const QStringList names{u"one"_s, u"two"_s};
        for (int i = 0; i < hosts; ++i) {
            QVERIFY(m_fixture->engine().addHost(m_hosts->name(i), names.at(i)));
            QVERIFY(waitForHost(names.at(i)));
        }
    }

private Q_SLOTS:
    void cleanup()
    {
        m_fixture.reset();
        m_hosts.reset();
        qunsetenv("TRAINYARD_SSH_CONFIG");
    }

    // Two jobs have one copy, another host has its own, and only what has changed goes again. Nobody writes into it.
    void isShared()
    {
        open(2);
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        write(f.path(u"set/train/a"_s), noise(300000));
        write(f.path(u"set/.hidden"_s), "hello");
        const QByteArrayList look{"cat $TRAINYARD_DATA_SET/.hidden", "stat -c %s $TRAINYARD_DATA_SET/train/a",
            "if touch $TRAINYARD_DATA_SET/mine 2>&1; then exit 1; fi", "echo at $TRAINYARD_DATA_SET."};
        const QString first = run(from(u"set"_s), look), second = run(from(u"set"_s), look);
        QVERIFY2(!first.isEmpty(), qPrintable(f.error().code));
        QVERIFY2(succeeds(first), qPrintable(f.job(first).reason));
        QVERIFY2(succeeds(second), qPrintable(f.job(second).reason));
        QTRY_VERIFY(f.output(second, u"main"_s, 0).contains("hello300000\n"));
        QTRY_COMPARE(f.output(first, u"main"_s, 0), f.output(second, u"main"_s, 0));
        QCOMPARE(contents(0).size(), 2);
        QVERIFY(contents(1).isEmpty());
        const QString third = run(from(u"set"_s), look, u"two"_s);
        QVERIFY2(succeeds(third), qPrintable(f.job(third).reason));
        QCOMPARE(contents(1).size(), 2);

        write(f.path(u"set/.hidden"_s), "goodbye");
        const QString changed = run(from(u"set"_s), look);
        QVERIFY2(succeeds(changed), qPrintable(f.job(changed).reason));
        QTRY_VERIFY(f.output(changed, u"main"_s, 0).contains("goodbye300000\n"));
        QCOMPARE(contents(0).size(), 3);
        // A single file, of which the host has the contents already.
        const QString one = run(from(u"set/train/a"_s), {"stat -c %s $TRAINYARD_DATA_SET", "echo $TRAINYARD_DATA_SET"});
        QVERIFY2(succeeds(one), qPrintable(f.job(one).reason));
        QTRY_VERIFY(f.output(one, u"main"_s, 0).contains("300000\n"));
        QVERIFY(f.output(one, u"main"_s, 0).contains("/a\n"));
        QCOMPARE(contents(0).size(), 3);

        // It counts as ours, and goes when it is asked for.
        std::optional<Result<api::HostFiles>> told;
        f.engine().filesOfHost(u"one"_s, this, [&told](const Result<api::HostFiles> &files) { told = files; });
        QVERIFY(QTest::qWaitFor([&] { return told.has_value(); }, 30000) && *told);
        QVERIFY((*told)->dataBytes >= 300000);
        QTRY_COMPARE_WITH_TIMEOUT(cleaned(), 0, 30000); // the last task may just be ending
        QVERIFY(contents(0).isEmpty());
    }

    // What the host has already is used as it is; where it has nothing, or something else, a sentence says so.
    void isThereAlready()
    {
        open(1);
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        const QString job = run("{paths: {one: /etc/passwd}}", {"echo at $TRAINYARD_DATA_SET."});
        QVERIFY2(succeeds(job), qPrintable(f.job(job).reason));
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains("at /etc/passwd."));
        const QString missing = run("{paths: {one: /srv/nothing}}", {"echo never"});
        QVERIFY(f.waitForEnd(missing, 30000));
        QCOMPARE(f.job(missing).reason, u"data.missing"_s);
        QCOMPARE(f.job(missing).reasonArgs.value("path"_L1).toString(), u"/srv/nothing"_s);
        QCOMPARE(f.job(missing).reasonArgs.value("on"_L1).toString(), u"one"_s);
        QVERIFY(f.output(missing, u"main"_s, 0).isEmpty());
        const QString other = run("{paths: {one: /etc/passwd}, sha256: " + QByteArray(64, 'a') + "}", {"echo never"});
        QVERIFY(f.waitForEnd(other, 30000));
        QCOMPARE(f.job(other).reason, u"data.wrong-sum"_s);
        write(f.path(u"file"_s), "x");
        const QString here = run(from(u"file"_s, ", sha256: " + QByteArray(64, 'a')), {"echo never"});
        QVERIFY(f.waitForEnd(here, 30000));
        QCOMPARE(f.job(here).reason, u"data.wrong-sum"_s);
        QVERIFY(contents(0).isEmpty());
        // What is known before anything runs is told before.
        QVERIFY(run("{paths: {two: /srv}}", {"echo never"}).isEmpty());
        QCOMPARE(f.error().code, u"data.nowhere"_s);
        for (const QString &on : {u"one"_s, u"local"_s}) {
            QVERIFY(run(from(u"lost"_s), {"echo never"}, on).isEmpty());
            QCOMPARE(f.error().code, u"data.missing"_s);
            QCOMPARE(f.error().args.value("path"_L1).toString(), f.path(u"lost"_s));
        }
        QVERIFY(!run("{from: /not/there, paths: {one: /etc/passwd}}", {"true"}, u""_s).isEmpty());
        const QString local = run(from(u"file"_s), {"cat $TRAINYARD_DATA_SET"}, u"local"_s);
        QVERIFY2(succeeds(local), qPrintable(f.job(local).reason));
        QTRY_COMPARE(f.output(local, u"main"_s, 0), QByteArray("x"));
    }

    // A cut and another engine in the middle of it: the rest comes then. A stop ends it.
    void goesOn()
    {
        open(1);
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        write(f.path(u"set/big"_s), noise(64 << 20));
        const auto copied = [&](const QString &job) {
            const TaskInfo task = f.task(job, u"main"_s, 0);
            return task.reason == "data.copying"_L1 ? task.reasonArgs.value("bytes"_L1).toInteger() : 0;
        };
        QStringList said; // no other copy is before it, from the first moment
        const auto listening = connect(&f.engine(), &Engine::jobChanged, this,
            [&said](const JobSummary &changed) { said.append(changed.reason); });
        const QString job = run(from(u"set"_s), {"stat -c %s $TRAINYARD_DATA_SET/big"});
        QVERIFY(QTest::qWaitFor([&] { return copied(job) > (1 << 20); }, 30000));
        disconnect(listening);
        QVERIFY2(said.contains(u"data.copying"_s) && !said.contains(u"data.queued"_s), qPrintable(said.join(u' ')));
        QCOMPARE(f.job(job).reason, u"data.copying"_s);
        m_hosts->setLink(0, false);
        QVERIFY(waitForHost(u"one"_s, false));
        f.close();
        m_hosts->setLink(0, true);
        QVERIFY(f.open());
        QVERIFY2(succeeds(job, 90000), qPrintable(f.job(job).reason));
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(QByteArray::number(64 << 20)));

        write(f.path(u"other/big"_s), noise((64 << 20) + 1));
        const QString stopped = run(from(u"other"_s), {"true"});
        QVERIFY(QTest::qWaitFor([&] { return copied(stopped) > 0; }, 30000));
        QVERIFY(f.engine().stop(stopped));
        QVERIFY(f.waitForEnd(stopped));
        QCOMPARE(f.job(stopped).state, State::Stopped);
    }

    // The copy that no task uses goes for a newer one; what a task uses stays, and the newer one is refused.
    void makesRoomForNewer()
    {
        open(1); // whose limit is 1 GiB
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        constexpr qint64 limit = 1LL << 30, margin = 1 << 20;
        const QByteArray rest = noise(2 * margin);
        for (const QString &name : {u"old"_s, u"young"_s}) {
            write(f.path(name + u"/big"_s), name.toUtf8() + rest);
        }
        const auto sizes = [this] {
            QList<qint64> all;
            const QStringList paths = contents(0);
            for (const QString &path : paths) {
                all.append(QFileInfo(path).size());
            }
            return all;
        };
        // The one copy on the host takes up nearly all that is allowed, though nothing was carried there: what counts
        // is how large the file says that it is.
        const auto grow = [&] {
            const QStringList paths = contents(0);
            return paths.size() == 1
                && ::truncate(QFile::encodeName(paths.constFirst()).constData(), limit - margin) == 0;
        };
        const QByteArrayList look{"head -c 3 $TRAINYARD_DATA_SET/big"};
        const QString first = run(from(u"old"_s), look);
        QVERIFY2(succeeds(first), qPrintable(f.job(first).reason));
        QCOMPARE(sizes(), QList<qint64>{rest.size() + 3});
        QVERIFY(grow());
        const QString second = run(from(u"young"_s), look + QByteArrayList{"echo holds", "sleep 1000"});
        QTRY_VERIFY_WITH_TIMEOUT(f.output(second, u"main"_s, 0).contains("holds"), 60000);
        QVERIFY(f.output(second, u"main"_s, 0).contains("you"));
        QCOMPARE(sizes(), QList<qint64>{rest.size() + 5});
        QVERIFY(grow());
        const QString third = run(from(u"old"_s), look);
        QVERIFY(f.waitForEnd(third, 60000));
        QCOMPARE(f.job(third).reason, u"data.too-big"_s);
        QCOMPARE(sizes(), QList<qint64>{limit - margin});
        QVERIFY(f.engine().stop(second));
        QVERIFY(f.waitForEnd(second));
        const QString fourth = run(from(u"old"_s), look);
        QVERIFY2(succeeds(fourth), qPrintable(f.job(fourth).reason));
        QCOMPARE(sizes(), QList<qint64>{rest.size() + 3});
    }

    // What the limit does not allow is not copied.
    void keepsTheLimit()
    {
        open(1);
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        f.close();
        f.setSettings({{u"data.maxGiB"_s, 0}});
        QVERIFY(f.open());
        QVERIFY(waitForHost(u"one"_s));
        write(f.path(u"set/a"_s), noise(1000));
        const QString job = run(from(u"set"_s), {"true"});
        QVERIFY(f.waitForEnd(job, 30000));
        QCOMPARE(f.job(job).reason, u"data.too-big"_s);
    }

    // Where both see the same files, nothing is copied.
    void staysInASharedFolder()
    {
        open(1, SshHosts::Kind::Like);
        if (QTest::currentTestFailed()) {
            return;
        }
        EngineFixture &f = *m_fixture;
        write(f.path(u"set/a"_s), "x");
        const QString job = run(from(u"set"_s), {"echo at $TRAINYARD_DATA_SET."});
        QVERIFY2(succeeds(job), qPrintable(f.job(job).reason));
        QTRY_VERIFY(f.output(job, u"main"_s, 0).contains(QByteArray("at " + f.path(u"set"_s).toUtf8() + '.')));
        QVERIFY(contents(0).isEmpty());
    }
};

TRAINYARD_TEST(TstJobData)
#include "tst_jobdata.moc"
