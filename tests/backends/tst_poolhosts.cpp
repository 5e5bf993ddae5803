// SPDX-License-Identifier: GPL-3.0-or-later
// Several hosts of the pool, all of them played: which of them a job gets, and what keeps new tasks from one.
#include "engine/api/failurefacts.h"
#include "engine/api/jobfacts.h"
#include "engine/pool/poolbackend.h"
#include "tests/backends/house.h"
#include "tests/backends/pooltarget.h"
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cerrno>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// This computer, lab1, and lab2 with the label big.
class Labs
{
public:
    Labs()
    {
        target.stateFolder = m_state.path();
        house.write(u"config/hosts.json"_s,
            R"({"hosts": [{"id": "lab1", "target": "me@lab1"},
                          {"id": "lab2", "target": "me@lab2", "labels": ["big"], "colour": "red"}]})");
    }
    bool open()
    {
        return house.open() && QTest::qWaitFor([this] {
            const QList<HostInfo> all = admin().hosts();
            return all.size() == 3 && std::all_of(all.cbegin(), all.cend(), [](const HostInfo &h) {
                return h.state == HostState::Online;
            });
        });
    }
    PoolBackend &pool() { return static_cast<PoolBackend &>(house.backend()); }
    HostAdmin &admin() { return pool().admin(); }
    HostInfo host(const QString &id)
    {
        const QList<HostInfo> all = admin().hosts();
        const auto it = std::find_if(all.cbegin(), all.cend(), [&id](const HostInfo &each) { return each.id == id; });
        return it == all.cend() ? HostInfo() : *it;
    }
    // One role of so many tasks, with such a rule for its hosts.
    QString submit(const QByteArray &rule, int tasks = 1)
    {
        return house.submit(EngineFixture::document("one", EngineFixture::role("main", tasks, {"true"}),
            "extras: {trainyard: {hosts: {main: " + rule + "}}}\n"));
    }
    QString reason(const QString &job) { return house.queries().summary(job).value_or(JobSummary()).reason; }
    QStringList hostsOf(const QString &job) { return house.queries().summary(job).value_or(JobSummary()).hosts; }
    bool waits(const QString &job, const QString &code)
    {
        return house.waitFor(
            job, [&code](const JobSummary &s) { return s.state == State::Waiting && s.reason == code; });
    }

    PoolTarget target;
    House house{target};

private:
    QTemporaryDir m_state{u"/tmp/tyXXXXXX"_s};
};

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

    // As soon as it is known to run there: an engine that is killed then has no other word of it.
    void theHostOfCheckpointsIsOnTheDisk()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QByteArray notes;
        QVERIFY(labs.house.waitFor(job, [&](const JobSummary &now) {
            notes = labs.house.read(u"state/runs/"_s + job + u"/checkpoints.json"_s);
            return now.state == State::Running;
        }));
        QVERIFY2(notes.contains("\"host\":\"lab1\""), notes.constData());
    }

    // The home folder of the host that has them is not mounted: they are not missing.
    void checkpointsThatAreNotSeenAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        const QString first = labs.hostsOf(job).value(0), second = first == u"lab1"_s ? u"lab2"_s : u"lab1"_s;
        QVERIFY(labs.admin().changeHost({first, {}, {}, true, {}})); // the next attempt goes to the other one
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.target.setMounted(false);
        QVERIFY(labs.house.service().retry({job, {}, false, {}}));
        QVERIFY(labs.house.waitFor(job, [](const JobSummary &now) { return now.reason == u"checkpoints.waiting"_s; }));
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.starts(), 2, 20000);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.hostsOf(job), QStringList{second});
    }

    // A host that has no descriptor to spare has not lost them.
    void checkpointsOfABusyHostAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1, lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        const QString first = labs.hostsOf(job).value(0);
        QVERIFY(labs.admin().changeHost({first, {}, {}, true, {}}));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.target.failLists(1, EMFILE);
        QVERIFY(labs.house.service().retry({job, {}, false, {}}));
        QTRY_COMPARE_WITH_TIMEOUT(labs.target.starts(), 2, 20000);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.house.job(job)->state.tasks.front().tryIndex, 0);
        QVERIFY(labs.hostsOf(job).value(0) != first);
    }

    // Nor are results: they come when it is there.
    void resultsThatAreNotSeenAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setMounted(false);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QTRY_VERIFY(!told().problems.isEmpty());
        QVERIFY(told().isPending);
        labs.target.setMounted(true);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
    }

    // Nor are those of one folder that a host has no descriptor to spare for.
    void resultsOfAFolderThatIsNotReadNowAreAwaited()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.failLists(1000, EMFILE, "out/deep");
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QTRY_VERIFY(told().isPending && !told().problems.isEmpty());
        QCOMPARE(told().problems.size(), 1);
        QCOMPARE(told().problems.first().code, u"results.host-failed"_s);
        labs.target.failLists(0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
    }

    // The engine has begun again, and makes its connections: nobody knows yet whether a host is out of reach.
    void hostsThatAreBeingConnected()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString runs = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(runs, State::Running));
        labs.house.close();
        labs.target.setGreeting(false);
        QVERIFY(labs.house.open());
        QTRY_VERIFY(labs.host(u"lab1"_s).state == HostState::Connecting);
        QTRY_COMPARE(labs.reason(runs), u"job.host-connecting"_s);
        const QString waits = labs.house.submit(oneTask(), u"lab2"_s);
        QVERIFY(labs.waits(waits, u"wait.host"_s));
        const auto isConnecting = [&] {
            return labs.house.queries().summary(waits).value_or(JobSummary()).reasonArgs[u"connecting"].toBool();
        };
        QTRY_VERIFY(isConnecting());
        // The next attempt is one after a failure.
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_COMPARE(labs.reason(runs), u"job.host-out-of-reach"_s);
        QTRY_VERIFY(!isConnecting());
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state == HostState::Connecting, 20000);
        QVERIFY(!isConnecting());
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Connecting, 20000);
        QCOMPARE(labs.reason(runs), u"job.host-out-of-reach"_s);
        labs.target.greet(u"lab1"_s);
        labs.target.greet(u"lab2"_s);
        QVERIFY(labs.house.waitForState(waits, State::Running));
        QTRY_COMPARE(labs.reason(runs), QString());
    }

    // What is left of its metrics is read by the next agent, which has to hide the same.
    void theNextAgentLearnsTheSecretsOfWhatHasEnded()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"false"}),
            "secrets: {token: hunter2secret}\nextras: {trainyard: {hosts: {main: {names: [lab1]}}}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(1);
        QTRY_COMPARE(labs.target.running(), 0);
        QCOMPARE(labs.house.state(job), State::Running); // its log is awaited, which may say why
        QVERIFY(!labs.target.knowsSecretsOfAnotherAgents(u"lab1"_s));
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.target.knowsSecretsOfAnotherAgents(u"lab1"_s), 20000);
    }

    // Another computer at the new address would say that it knows nothing of the output.
    void theAddressStaysUntilTheOutputIsHere()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded)); // its log is on its way
        const Result<HostInfo> set = labs.admin().setHost(u"lab1"_s, u"me@other"_s);
        QVERIFY(!set);
        QCOMPARE(set.error().code, u"host.logs-coming"_s);
        QCOMPARE(set.error().args[u"logs"].toInt(), 1);
        QCOMPARE(labs.host(u"lab1"_s).target, u"me@lab1"_s);
        // Of one that is away, the address may be what is wrong.
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().setHost(u"lab1"_s, u"me@other"_s));
        QCOMPARE(labs.host(u"lab1"_s).target, u"me@other"_s);
    }

    // A host that comes for a moment, and does not answer, gives no stop more time before it is given up.
    void aStopDoesNotWaitForShortVisits()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.setAnswering(false);
        const auto until = [&] { // of an outage that begins now
            labs.target.cut(u"lab1"_s);
            if (labs.house.state(job) == State::Running) {
                labs.house.service().stop(job);
            }
            const JobSummary now = labs.house.queries().summary(job).value_or(JobSummary());
            return now.reason == u"stop.host-away"_s ? now.reasonArgs[u"until"].toInteger() : 0;
        };
        const qint64 first = until();
        QVERIFY(first > 0);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QCOMPARE(until(), first);
        labs.target.setAnswering(true);
        QVERIFY(labs.house.waitForState(job, State::Stopped));
    }

    // What waits for a host that is away ends here at once; what runs there may go on.
    void aStopIsGivenUpByItsUser()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        const QString other = labs.submit("{names: [lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(labs.house.waitForState(other, State::Running));
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        labs.house.service().stop(job);
        QTRY_COMPARE(labs.reason(job), u"stop.host-away"_s);
        QCOMPARE(labs.house.state(job), State::Stopping);
        QVERIFY(labs.house.service().giveUp(job).value_or(false));
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        const JobSummary ended = labs.house.queries().summary(job).value_or(JobSummary());
        QCOMPARE(ended.reason, u"stop.host-unreachable"_s);
        QCOMPARE(ended.reasonArgs[u"host"].toString(), u"lab1"_s);
        QCOMPARE(labs.house.state(other), State::Running);
    }

    // Its data were still on their way, so nothing was launched, and nothing is waited for.
    void aStopOfWhatWasNeverLaunched()
    {
        Labs labs;
        labs.target.loseData(1'000'000, ETIMEDOUT);
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, data: {sets: {paths: {lab1: /srv/sets}}}}}\n"));
        QVERIFY(!job.isEmpty());
        const auto isLaunching
            = [&] { return std::holds_alternative<core::Launching>(labs.house.job(job)->state.tasks.front().state); };
        QTRY_VERIFY(isLaunching());
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE(labs.reason(job), u"job.host-out-of-reach"_s);
        QVERIFY(isUnstartedThere(labs.house.queries().summary(job).value_or(JobSummary()).reasonArgs));
        QCOMPARE(labs.host(u"lab1"_s).filesFolder, labs.target.stateFolder); // where files stay if it is removed now
        QCOMPARE(labs.admin().removeHost(u"lab1"_s, true).error().code, u"host.in-use"_s);
        labs.house.service().stop(job);
        QVERIFY(labs.house.waitForState(job, State::Stopped));
        const QString why = labs.reason(job);
        QVERIFY2(why != "stop.host-unreachable"_L1, qPrintable(why)); // nothing may still be running
        QCOMPARE(labs.target.starts(), 0);
        QVERIFY(labs.admin().removeHost(u"lab1"_s, false));
    }

    // Two names of one account would count its cores twice, and each would remove what the other has there.
    void oneAccountIsOneHost()
    {
        Labs labs;
        QVERIFY(labs.open()); // nothing is known of their machines
        labs.target.machineIds = {{u"lab1"_s, "one"}, {u"lab2"_s, "one"}};
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).error, u"host.same"_s, 20000);
        QCOMPARE(labs.host(u"lab2"_s).state, HostState::Failed);
        QCOMPARE(labs.host(u"lab2"_s).errorArgs[u"other"].toString(), u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        // Another machine, and the same one under one name, are hosts.
        labs.target.machineIds[u"lab2"_s] = "two";
        QVERIFY(labs.admin().checkHost(u"lab2"_s));
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).state, HostState::Online, 20000);
        // What runs there already is not lost by that.
        const QString job = labs.submit("{names: [lab2]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.machineIds[u"lab2"_s] = "one";
        labs.target.cut(u"lab2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state != HostState::Online, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab2"_s).state, HostState::Online, 20000);
        QCOMPARE(labs.house.state(job), State::Running);
    }

    // What is still to come from it is not left there, either.
    void anAccountWithResultsIsAskedForThem()
    {
        Labs labs;
        labs.target.setListing(true);
        QVERIFY(labs.house.write(u"config/engine.json"_s,
            R"({"environment.mode": "clean", "results.everySeconds": 1, "disk.holdMiB": 0, "disk.warnMiB": 0})"));
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab2]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.failLists(1000, EMFILE, "out/deep");
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        const auto told = [&] { return labs.pool().broughtFiles(job).value(0); };
        QTRY_VERIFY(told().isPending && !told().problems.isEmpty());
        labs.target.machineIds = {{u"lab1"_s, "one"}, {u"lab2"_s, "one"}};
        labs.target.cut(u"lab1"_s);
        labs.target.cut(u"lab2"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab2"_s).state != HostState::Online, 20000);
        for (const QString &lab : {u"lab1"_s, u"lab2"_s}) {
            QTRY_COMPARE_WITH_TIMEOUT(labs.host(lab).state, HostState::Online, 20000);
        }
        labs.target.failLists(0, 0);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPending, 20000);
        QVERIFY(told().problems.isEmpty());
    }

    // A host cannot end what runs on another one, though it may know its name.
    void aHostSpeaksForItsOwnTasks()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.claimEnds(u"lab2"_s, 0);
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.target.claimEnds(u"lab1"_s, 0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
    }

    // Its log never comes: those that wait for it are told all the same, by what is known without it.
    void aFailureWhoseLogDoesNotCome()
    {
        Labs labs;
        QVERIFY(labs.open());
        using namespace std::chrono_literals;
        labs.pool().reports().setPatience({1h, 300ms});
        const QString job = labs.submit("{names: [lab1, lab2], arrange: different-hosts}", 2);
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.claimEnds(u"lab1"_s, 3);
        QVERIFY(labs.house.waitForState(job, State::Failed));
        const QList<TaskInfo> tasks = labs.house.queries().tasks(job, -1, 0, 2).value_or(QList<TaskInfo>());
        QCOMPARE(tasks.size(), 2);
        const auto onLab1
            = std::find_if(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return task.host == u"lab1"_s; });
        QVERIFY(onLab1 != tasks.cend());
        QCOMPARE(onLab1->rawExit, std::optional<int>(3));
        const FailureFacts facts = failureFacts(onLab1->reasonArgs);
        QCOMPARE(facts.cause, u"unknown"_s);
        QCOMPARE(facts.args[u"logOn"].toString(), u"lab1"_s);
        QVERIFY(!facts.args.contains(u"silent"_s));
    }

    // Its output may be here, and what comes with it is on a slow way: that is no reason to do without.
    void aFailureWhoseLogComesSlowly()
    {
        Labs labs;
        QVERIFY(labs.open());
        using namespace std::chrono_literals;
        labs.pool().reports().setPatience({1h, 1s});
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.claimEnds(u"lab1"_s, 3);
        constexpr int longerThanThePatience = 3000;
        QVERIFY(!QTest::qWaitFor(
            [&] {
                labs.target.sendMore(u"lab1"_s);
                return labs.house.state(job) == State::Failed;
            },
            longerThanThePatience));
        QVERIFY(labs.house.waitForState(job, State::Failed)); // nothing comes any more
    }

    // The next helper of its host may choose another state folder, where there is nothing.
    void whatRunsStaysWhereItIs()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.stateFolder += u"/other"_s;
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.house.close();
        QVERIFY(labs.open());
        QVERIFY(labs.house.settle());
        QCOMPARE(labs.house.state(job), State::Running);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
    }

    // It was launched, and the answer was lost. Where its folder is not mounted, it is not launched once more.
    void whatIsNotMountedIsNotLaunchedAgain()
    {
        Labs labs;
        QVERIFY(labs.open());
        labs.target.loseAnswers(true);
        const QString job = labs.submit("{names: [lab1]}");
        QVERIFY(QTest::qWaitFor([&] { return labs.target.running() == 1; }));
        labs.target.setMounted(false);
        labs.target.loseAnswers(false);
        labs.target.cut(u"lab1"_s);
        QVERIFY(labs.waits(job, u"observe.away"_s));
        QCOMPARE(labs.target.starts(), 1);
        labs.house.close(); // nor by the next engine
        QVERIFY(labs.open());
        QVERIFY(labs.waits(job, u"observe.away"_s));
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.target.starts(), 1);
    }

    // Nor does another task begin where it would make a folder that hides what runs there.
    void whatIsNewWaitsForWhatIsNotMounted()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString first = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(first, State::Running));
        labs.target.setMounted(false);
        const QString second = labs.submit("{names: [lab1]}");
        QVERIFY(labs.waits(second, u"observe.away"_s));
        labs.house.close();
        QVERIFY(labs.open());
        QVERIFY(labs.waits(second, u"observe.away"_s));
        QCOMPARE(labs.house.state(first), State::Running);
        QCOMPARE(labs.target.starts(), 1);
        labs.target.setMounted(true);
        QVERIFY(labs.house.waitForState(second, State::Running));
        QCOMPARE(labs.target.starts(), 2);
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(first, State::Succeeded));
        QVERIFY(labs.house.waitForState(second, State::Succeeded));
    }

    // Several that have waited for it for too long each have it made anew, and all hear that it is there.
    void allHearOfAFolderThatIsMadeAnew()
    {
        Labs labs;
        QVERIFY(labs.open());
        PoolHost *host = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(host);
        const QString folder = u"/state/remote/epoch/jobs/1"_s;
        const QUuid one = QUuid::createUuid(), two = QUuid::createUuid();
        QTemporaryDir state;
        OwnFolders own(RunFolders(state.path()), u"epoch"_s);
        QSet<QUuid> shown, away;
        connect(&own, &OwnFolders::shown, this, [&shown](const QSet<QUuid> &tries) { shown += tries; });
        connect(&own, &OwnFolders::away, this, [&away](const QSet<QUuid> &tries) { away += tries; });
        QVERIFY(!own.isThere(*host, folder, one));
        QTRY_COMPARE(shown, QSet<QUuid>{one});
        QVERIFY(own.isThere(*host, folder, two));
        labs.target.setMounted(false);
        own.hide(*host, folder);
        shown.clear();
        QVERIFY(!own.isThere(*host, folder, one) && !own.isThere(*host, folder, two));
        QTRY_COMPARE(away, (QSet<QUuid>{one, two}));
        for (const QUuid &each : {one, two}) {
            own.forget(u"lab1"_s, folder);
            QVERIFY(!own.isThere(*host, folder, each));
        }
        QTRY_COMPARE(shown, (QSet<QUuid>{one, two}));
        // A launch of before may say late that it is away.
        own.hide(*host, folder);
        shown.clear();
        labs.target.setMounted(true);
        QVERIFY(!own.isThere(*host, folder, one));
        own.hide(*host, folder);
        QVERIFY(!own.isThere(*host, folder, two));
        QTRY_COMPARE(shown, (QSet<QUuid>{one, two}));
    }

    // Where it gets another address, it may be another computer, which has nothing of the engine yet.
    void anotherAddressHasNoFolderYet()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString first = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(first, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(false));
        labs.target.cut(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        const QString second = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(second, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(true));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(first, State::Succeeded));
        QVERIFY(labs.house.waitForState(second, State::Succeeded));
        labs.target.setGreeting(false); // while it is away, what is left of the output is not waited for
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().setHost(u"lab1"_s, u"me@other"_s));
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_COMPARE_WITH_TIMEOUT(labs.host(u"lab1"_s).state, HostState::Online, 20000);
        const QString third = labs.submit("{names: [lab1]}");
        QVERIFY(labs.house.waitForState(third, State::Running));
        QCOMPARE(labs.target.knowsFolderOf(u"lab1"_s), std::optional(false));
    }

    // When it is cut off, it says when it was last seen, and no longer when it is back.
    void isSeenLastAtTheCut()
    {
        Labs labs;
        QVERIFY(labs.open());
        QCOMPARE(labs.host(u"lab1"_s).lastSeen, 0);
        const qint64 before = QDateTime::currentMSecsSinceEpoch();
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        const qint64 seen = labs.host(u"lab1"_s).lastSeen;
        QVERIFY(seen > before - 60'000 && seen <= QDateTime::currentMSecsSinceEpoch());
        labs.target.setGreeting(true);
        labs.target.greet(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(labs.host(u"lab1"_s).state == HostState::Online, 20000);
        QCOMPARE(labs.host(u"lab1"_s).lastSeen, 0);
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

    // People are asked about a host when something waits for it, and each time anew.
    void wantedHosts()
    {
        Labs labs;
        for (const QString &id : {u"lab1"_s, u"lab2"_s}) {
            labs.target.setRefused(id, true);
        }
        QVERIFY(labs.house.open());
        HostPool &hosts = labs.pool().hosts();
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::NeedsLogin);
        const PoolHost *wanted = hosts.find(u"lab1"_s), *other = hosts.find(u"lab2"_s);
        QVERIFY(wanted && other && !wanted->isWanted);
        hosts.setCanAsk(true);
        QVERIFY(labs.house.waitForState(labs.submit("{names: [local]}"), State::Running));
        QVERIFY(!wanted->isWanted && !wanted->couldAsk);
        const QString job = labs.submit("{names: [lab1]}");
        QTRY_VERIFY(wanted->isWanted && wanted->couldAsk);
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin); // and is not tried again and again
        QVERIFY(!other->isWanted && !other->couldAsk);
        labs.target.setRefused(u"lab1"_s, false);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QVERIFY(labs.house.waitForState(job, State::Running));
        QVERIFY(!wanted->isWanted);
        // Its task is there: that is reason enough.
        labs.target.setRefused(u"lab1"_s, true);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(wanted->isWanted && wanted->couldAsk, 20000);
        QVERIFY(!other->isWanted);
    }

    // A host that has no process to spare, or whose folder is not to be seen, has not said that the work folder cannot
    // be copied.
    void busyHostsGetTheirCopyLater_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("busy") << QByteArray("code.host-failed");
        QTest::newRow("away") << QByteArray("observe.away");
    }
    void busyHostsGetTheirCopyLater()
    {
        QFETCH(QByteArray, code);
        Labs labs;
        labs.target.loseCode(1, code.toStdString());
        QVERIFY(labs.open());
        QVERIFY(QDir().mkpath(labs.house.path(u"project"_s)));
        QVERIFY(labs.house.write(u"project/train.sh"_s, "true\n"));
        SubmitRequest request;
        request.yaml = oneTask();
        request.target = u"lab1"_s;
        request.work = labs.house.path(u"project"_s);
        const Result<SubmitReply> reply = labs.house.service().submit(request);
        QVERIFY2(reply, reply ? "" : qPrintable(reply.error().code));
        QTRY_COMPARE_WITH_TIMEOUT(labs.house.state(reply->uuid), State::Running, 20000);
        const core::JobState &state = labs.house.job(reply->uuid)->state;
        QCOMPARE(state.retries, 0);
        QCOMPARE(state.tasks.front().tryIndex, 0);
        QCOMPARE(labs.target.starts(), 1);
    }

    // Nor has one whose file server does not answer said that the data of a job cannot be read.
    void dataOfASlowFileServerIsAwaited()
    {
        Labs labs;
        labs.target.loseData(1, ETIMEDOUT);
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, data: {sets: {paths: {lab1: /srv/sets}}}}}\n"));
        QVERIFY(!job.isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(labs.house.state(job), State::Running, 20000);
        const core::JobState &state = labs.house.job(job)->state;
        QCOMPARE(state.retries, 0);
        QCOMPARE(state.tasks.front().tryIndex, 0);
    }

    // What an ended task has left there is to come here, whatever else there is to do.
    void wantedForResults()
    {
        Labs labs;
        QVERIFY(labs.open());
        const QString job = labs.house.submit(EngineFixture::document("one", EngineFixture::role("main", 1, {"true"}),
            "extras: {trainyard: {hosts: {main: {names: [lab1]}}, results: [out/]}}\n"));
        QVERIFY(labs.house.waitForState(job, State::Running));
        labs.target.endAll(0);
        QVERIFY(labs.house.waitForState(job, State::Succeeded));
        labs.house.close();
        for (const QString &id : {u"lab1"_s, u"lab2"_s}) {
            labs.target.setRefused(id, true);
        }
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::NeedsLogin);
        const PoolHost *wanted = labs.pool().hosts().find(u"lab1"_s), *other = labs.pool().hosts().find(u"lab2"_s);
        QTRY_VERIFY(wanted && wanted->isWanted);
        QVERIFY(other && !other->isWanted);
    }

    // Also when the job says of the others why they are of no use, and not of this one that it is away.
    void wantedWhereOthersAreOfNoUse()
    {
        Labs labs;
        QVERIFY(labs.open());
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, true, {}}));
        const QString apart = labs.submit("{arrange: different-hosts}", 3);
        QVERIFY(labs.waits(apart, u"wait.drained"_s));
        labs.house.close();
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.waits(apart, u"wait.hosts"_s));
        QVERIFY(away && !away->isWanted); // it would get nothing
        QVERIFY(labs.admin().changeHost({u"lab1"_s, {}, {}, false, {}}));
        QTRY_VERIFY(away->isWanted);
        labs.house.close();
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        away = labs.pool().hosts().find(u"lab1"_s);
        QTRY_VERIFY(away->isWanted);
        labs.house.service().stop(apart);
        QVERIFY(labs.house.waitForState(apart, State::Stopped));
    }

    // What a host has that was never reached is not known: a job that only it may be able to run is not refused.
    void wantedWhereTheOthersAreNotEnough()
    {
        Labs labs;
        labs.target.gpus = 1;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(away && !away->isWanted);
        const QString job = labs.house.submit(EngineFixture::document(
            "wide", EngineFixture::role("main", 3, {"true"}, {}, "{cpu: 1, memoryMB: 16, gpu: 1}")));
        QVERIFY(!job.isEmpty());
        QVERIFY(labs.waits(job, u"wait.host"_s));
        QCOMPARE(labs.house.queries().summary(job)->reasonArgs[u"hosts"].toArray(), QJsonArray{u"lab1"_s});
        QTRY_VERIFY(away->isWanted);
        labs.target.setRefused(u"lab1"_s, false);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QVERIFY(labs.house.waitForState(job, State::Running));
        QCOMPARE(labs.hostsOf(job).size(), 3);
    }

    void wantedWhereOthersAreDrained()
    {
        Labs labs;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.admin().changeHost({u"lab2"_s, {}, {}, true, {}}));
        QVERIFY(labs.waits(labs.submit("{names: [lab2]}"), u"wait.drained"_s));
        QVERIFY(away && !away->isWanted);
        QVERIFY(labs.waits(labs.submit("{names: [lab1, lab2]}"), u"wait.drained"_s));
        QTRY_VERIFY(away->isWanted);
    }

    void wantedBehindManyThatWaitForAnother()
    {
        Labs labs;
        labs.target.setRefused(u"lab1"_s, true);
        QVERIFY(labs.house.open());
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::NeedsLogin);
        QTRY_COMPARE(labs.host(u"lab2"_s).state, HostState::Online);
        const PoolHost *away = labs.pool().hosts().find(u"lab1"_s);
        QVERIFY(labs.admin().changeHost({u"lab2"_s, {}, {}, true, {}}));
        constexpr int many = 15; // more than those whose reasons are worked out
        QString last;
        for (int i = 0; i < many; ++i) {
            last = labs.house.submit(oneTask(), u"lab2"_s);
        }
        QVERIFY(labs.waits(last, u"wait.queue-far"_s));
        QVERIFY(away && !away->isWanted);
        last = labs.house.submit(oneTask(), u"lab1"_s);
        QVERIFY(labs.waits(last, u"wait.queue-far"_s));
        QTRY_VERIFY(away->isWanted);
    }

    // A window was closed and opened again while ssh was at it: what it wanted to know was refused meanwhile.
    void isAskedAgainForTheNextWindow()
    {
        Labs labs;
        QVERIFY(labs.open());
        HostPool &hosts = labs.pool().hosts();
        hosts.setCanAsk(true);
        labs.target.setGreeting(false);
        labs.target.cut(u"lab1"_s);
        QTRY_VERIFY(labs.host(u"lab1"_s).state != HostState::Online);
        QVERIFY(labs.admin().checkHost(u"lab1"_s));
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::Connecting);
        QVERIFY(hosts.find(u"lab1"_s)->couldAsk);
        hosts.setCanAsk(false);
        hosts.setCanAsk(true);
        labs.target.setGreeting(true);
        labs.target.cut(u"lab1"_s, u"host.needs-login.key"_s);
        QTRY_COMPARE(labs.host(u"lab1"_s).state, HostState::Online);
    }
};

TRAINYARD_TEST(TstPoolHosts)
#include "tst_poolhosts.moc"
