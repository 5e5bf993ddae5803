// SPDX-License-Identifier: GPL-3.0-or-later
// Several hosts of the pool, all of them played: which of them a job gets, and what keeps new tasks from one.
#include "engine/pool/poolbackend.h"
#include "tests/backends/labs.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QString dayNamed(const QDateTime &when) { return QLocale::c().dayName(when.date().dayOfWeek(), QLocale::ShortFormat); }

} // namespace

class TstPoolHosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rolesChooseHosts()
    {
        Labs labs;
        QVERIFY(labs.open());
        QCOMPARE(labs.host(u"lab2"_s).labels, QStringList{u"big"_s});
        const QString big = labs.submit("{labels: [big]}");
        QVERIFY(labs.house.waitForState(big, State::Running));
        QCOMPARE(labs.hostsOf(big), QStringList{u"lab2"_s});
        const QString apart = labs.submit("{arrange: different-hosts}", 3);
        QVERIFY(labs.house.waitForState(apart, State::Running));
        QCOMPARE(labs.hostsOf(apart).size(), 3);
        const QString named = labs.submit("{names: [lab1]}", 2);
        QVERIFY(labs.house.waitForState(named, State::Running));
        QCOMPARE(labs.hostsOf(named), QStringList{u"lab1"_s});
    }

    // What is set while the engine runs counts when a host is connected again.
    void settingsOfTheNextConnection()
    {
        Labs labs;
        QVERIFY(labs.open());
        QCOMPARE(labs.target.loginMsOf(u"lab1"_s), 10'000);
        QVERIFY(labs.house.settings().set(u"environment.loginSeconds"_s, 3));
        labs.pool().settingsChanged();
        QCOMPARE(labs.target.loginMsOf(u"lab1"_s), 10'000);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.target.loginMsOf(u"lab1"_s), 3000);
        QCOMPARE(labs.target.loginMsOf(u"lab2"_s), 10'000);
    }

    // What can never run is said when it is submitted.
    void neverRuns()
    {
        Labs labs;
        QVERIFY(labs.open());
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"refuse\\.hosts"_s));
        QCOMPARE(labs.submit("{labels: [tpu]}"), QString());
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(u"refuse\\.different-hosts"_s));
        QCOMPARE(labs.submit("{arrange: different-hosts}", 4), QString());
        // A label that a host gets lets it run.
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {u"tpu"_s}, {}, {}, {}}));
        const QString job = labs.submit("{labels: [tpu]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.hostsOf(job), QStringList{u"lab1"_s});
    }

    // What runs goes on, nothing new starts, and that is kept.
    void drain()
    {
        Labs labs;
        QVERIFY(labs.open());
        QSignalSpy told(&labs.pool(), &PoolBackend::hostChanged);
        const QString before = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(before, State::Running));
        told.clear();
        const Result<HostInfo> drained = labs.admin().changeHost({u"lab1"_s, {}, {}, true, {}});
        QVERIFY(drained && drained->drained && drained->tasks == 1);
        QCOMPARE(drained->hold, u"wait.drained"_s);
        QVERIFY(!told.isEmpty());
        const QString after = labs.submit("{names: [lab1]}");
        QVERIFY(labs.waits(after, u"wait.drained"_s));
        QCOMPARE(labs.house.state(before), State::Running);
        const QString elsewhere = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(elsewhere, State::Running));
        QCOMPARE(labs.hostsOf(elsewhere), QStringList{u"lab2"_s});
        // Over a restart.
        labs.house.close();
        QVERIFY(labs.open());
        QVERIFY(labs.host(u"lab1"_s).drained);
        QVERIFY(labs.waits(after, u"wait.drained"_s));
        const QJsonObject file = QJsonDocument::fromJson(labs.house.read(u"config/hosts.json"_s)).object();
        QCOMPARE(file[u"hosts"][1][u"colour"].toString(), u"red"_s); // of a newer version
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, false, {}}));
        QVERIFY(labs.house.waitForState(after, State::Running));
    }

    // A typing error in the file makes an entry no host. Its user finds it there, whatever else is written.
    void entriesThatAreNoHostsStay()
    {
        Labs labs;
        labs.house.write(u"config/hosts.json"_s,
            R"({"hosts": [{"id": "lab1", "target": "me@lab1"}, {"id": "typo", "target": "me@lab 3", "labels": ["a"]},
                          {"id": "lab2", "target": "me@lab2"}, {"id": "lab1", "target": "me@other"}]})");
        QVERIFY(labs.open());
        QVERIFY(labs.admin().changeHost({u"lab2"_s, {u"big"_s}, {}, {}, {}}));
        const auto written = [&labs] {
            QStringList list;
            const QJsonArray hosts
                = QJsonDocument::fromJson(labs.house.read(u"config/hosts.json"_s)).object()[u"hosts"].toArray();
            for (const QJsonValue &host : hosts) {
                list.append(host[u"id"].toString() + u' ' + host[u"target"].toString());
            }
            list.sort();
            return list;
        };
        QCOMPARE(
            written(), (QStringList{u"lab1 me@lab1"_s, u"lab1 me@other"_s, u"lab2 me@lab2"_s, u"typo me@lab 3"_s}));
        // A host that is removed does not come back by its second entry.
        const QString book = labs.house.path(u"state/mirror/lab1"_s);
        QVERIFY(QFileInfo(book).isDir());
        QVERIFY(labs.admin().removeHost(u"lab1"_s, true));
        QCOMPARE(written(), (QStringList{u"lab2 me@lab2"_s, u"typo me@lab 3"_s}));
        QVERIFY(!QFileInfo::exists(book));
    }

    void closedHours()
    {
        Labs labs;
        QVERIFY(labs.open());
        // From yesterday to tomorrow, however late it is.
        const QDateTime now = QDateTime::currentDateTime();
        const QString hours = dayNamed(now.addDays(-1)) + u'-' + dayNamed(now.addDays(1)) + u" 00:00-24:00"_s;
        const Result<HostInfo> closed = labs.admin().changeHost({u"lab1"_s, {}, {}, {}, hours});
        QVERIFY(closed);
        QCOMPARE(closed->hours, hours);
        QCOMPARE(closed->hold, u"wait.closed"_s);
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.waits(job, u"wait.closed"_s));
        const QJsonObject args = labs.house.queries().summary(job)->reasonArgs;
        QVERIFY2(args[u"until"].toString().endsWith(u"24:00"_s), qPrintable(args[u"until"].toString()));
        // An hour that has passed is none.
        const QString past = dayNamed(now.addDays(-2)) + u" 10-11"_s;
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, {}, past}));
        QVERIFY(labs.house.waitForState(job, State::Running));
    }

    void wrongChanges_data()
    {
        QTest::addColumn<QStringList>("labels");
        QTest::addColumn<QString>("hours");
        QTest::addColumn<QString>("code");
        QTest::newRow("label") << QStringList{u"two words"_s} << QString() << u"host.bad-label"_s;
        QTest::newRow("long label") << QStringList{QString(65, u'x')} << QString() << u"host.bad-label"_s;
        QTest::newRow("hours") << QStringList() << u"at night"_s << u"host.bad-hours"_s;
        QTest::newRow("always") << QStringList() << u"0-24"_s << u"host.always-closed"_s;
    }

    void wrongChanges()
    {
        QFETCH(QStringList, labels);
        QFETCH(QString, hours);
        QFETCH(QString, code);
        Labs labs;
        QVERIFY(labs.open());
        QCOMPARE(labs.admin().changeHost({u"lab1"_s, labels, {}, {}, hours}).error().code, code);
        QCOMPARE(labs.host(u"lab1"_s).hold, QString());
        QCOMPARE(labs.admin().changeHost({u"lab9"_s, {}, {}, true, {}}).error().code, u"host.unknown"_s);
        QCOMPARE(labs.admin().releaseHost(u"lab1"_s, -1).error().code, u"host.no-quarantine"_s);
    }

    // Three tries in a row that it could not start take a host out of use, with what speaks against it.
    void quarantine()
    {
        Labs labs;
        QVERIFY(labs.open());
        labs.target.breakHost(u"lab1"_s, "launch.keeper-died");
        labs.pool().quarantine().setGap(0);
        QSignalSpy told(&labs.pool().quarantine(), &HostQuarantine::quarantined);
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.waits(job, u"wait.quarantine"_s));
        const HostInfo broken = labs.host(u"lab1"_s);
        QCOMPARE(broken.quarantines.size(), 1);
        QCOMPARE(told.size(), 1);
        QCOMPARE(told.first().first().toString(), u"lab1"_s);
        QCOMPARE(broken.quarantines.first().kind, u"launch.keeper-died"_s);
        QCOMPARE(broken.quarantines.first().failures.size(), 3);
        QCOMPARE(broken.quarantines.first().failures.first().task, u"main/0"_s);
        QVERIFY(broken.quarantines.first().failures.first().at > 0);
        // Others run elsewhere, and it is kept.
        const QString other = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(other, State::Running));
        QCOMPARE(labs.hostsOf(other), QStringList{u"lab2"_s});
        labs.house.close();
        QVERIFY(labs.open());
        QCOMPARE(labs.host(u"lab1"_s).quarantines, broken.quarantines);
        QVERIFY(labs.waits(job, u"wait.quarantine"_s));
        QCOMPARE(labs.admin().releaseHost(u"lab1"_s, 0).error().code, u"host.no-quarantine"_s); // not a GPU of it
        labs.target.breakHost(u"lab1"_s, {});
        const Result<HostInfo> released = labs.admin().releaseHost(u"lab1"_s, -1);
        QVERIFY(released && released->quarantines.isEmpty());
        QVERIFY(labs.house.waitForState(job, State::Running));
    }

    // One GPU of a host, as an engine has left it.
    void quarantineOfAGpu()
    {
        Labs labs;
        labs.target.gpus = 1;
        QVERIFY(labs.house.write(u"config/hosts.json"_s,
            R"({"hosts": [{"id": "lab1", "target": "me@lab1", "quarantines": [{"gpu": "GPU-lab1-0", "index": 0,)"
            R"("kind": "gpu-lost", "since": 5, "failures": [{"job": 3, "task": "w/0", "at": 4}]}]},)"
            R"({"id": "lab2", "target": "me@lab2"}]})"));
        QVERIFY(labs.open());
        const auto kept = [&] { return labs.host(u"lab1"_s).gpus.value(0).kept; };
        QTRY_COMPARE(kept(), u"quarantine"_s);
        const QByteArray gpu = "{cpu: 1, memoryMB: 16, gpu: 1}";
        const QString job
            = labs.house.submit(EngineFixture::document("gpu", EngineFixture::role("main", 1, {"true"}, {}, gpu),
                "extras: {trainyard: {hosts: {main: {names: [lab1]}}}}\n"));
        QVERIFY(labs.waits(job, u"wait.hosts"_s)); // others have GPUs
        QCOMPARE(labs.house.queries().summary(job)->reasonArgs[u"hosts"][0][u"quarantined"][0].toInt(-1), 0);
        const QString other = labs.house.submit(EngineFixture::document("cpu", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}}}\n"));
        QVERIFY(labs.house.waitForState(other, State::Running)); // the host itself takes tasks
        QVERIFY(labs.admin().releaseHost(u"lab1"_s, 0));
        QCOMPARE(kept(), QString());
        QVERIFY(labs.house.waitForState(job, State::Running));
        const GpuInfo held = labs.host(u"lab1"_s).gpus.value(0); // by whom, in words
        QCOMPARE(held.jobName, u"gpu"_s);
        QCOMPARE(held.task, u"main/0"_s);
        const QList<JobOnHost> jobs = labs.host(u"lab1"_s).jobs;
        QCOMPARE(jobs.size(), 2);
        QCOMPARE(jobs.at(0).name, u"gpu"_s);
        QCOMPARE(jobs.at(1).name, u"cpu"_s);
        QCOMPARE(jobs.at(1).tasks, 1);
        QCOMPARE(labs.host(u"lab2"_s).jobs, QList<JobOnHost>());
    }

    // The setting of one host goes before the one for all.
    void loginShellOfOneHost()
    {
        Labs labs;
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "hostEnvironment.lab1": "login", "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        QVERIFY(labs.target.hasAskedLoginShell(u"lab1"_s));
        QVERIFY(!labs.target.hasAskedLoginShell(u"lab2"_s));
    }

    // A program's own error counts as often as it likes for nothing.
    void errorsOfPrograms()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"false"}),
            "jobRetryCount: 6\nextras: {trainyard: {hosts: {main: {names: "
            "[local]}}}}\n"));
        for (int i = 1; i <= 7; ++i) {
            QVERIFY(QTest::qWaitFor([&] { return labs.target.starts() == i && labs.target.running() == 1; }));
            labs.target.endAll(1);
        }
        QVERIFY(labs.house.waitForState(job, State::Failed));
        QVERIFY(labs.host(u"local"_s).quarantines.isEmpty());
    }
};

TRAINYARD_TEST(TstPoolHosts)
#include "tst_poolhosts.moc"
