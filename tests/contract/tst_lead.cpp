// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadclaim.h"
#include "engine/agent/leadrules.h"
#include "engine/agent/slurmnodes.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <thread>

using namespace trainyard;

// What leads an allocation of a cluster: its files, its rules, and who is where.
class TstLead : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filesComeBack()
    {
        contract::LeadPlan plan;
        plan.allocation = "a-b";
        plan.components = 2;
        plan.completedLimit = 3;
        plan.stopSignal = 10;
        plan.stopGraceMs = 1234;
        plan.stopsOnlyMain = true;
        plan.limitMs = 61'000;
        plan.loginMs = 3000;
        plan.roles = {{"worker", 1, -1}, {"ps \"x\"\n", 0, 2}};
        plan.tasks = {{"worker", 0, 1, "/runs/w 0", "uuid", "@a@", {"--gpus=2", "--mem=0"}, true}};
        QVERIFY(contract::LeadPlan::parse(plan.toText()) == plan);
        plan.tasks[0].tryNumber = 2;
        plan.tasks[0].furtherTries = {"uuid-3", "uuid-4"};
        plan.tasks[0].charged = 1;
        plan.tasks[0].consecutiveFreeRetries = 4;
        plan.tasks[0].ports = {{"http", {20001}}, {"ssh \"x\"", {20100, 20101}}};
        plan.retries = contract::LeadRetries{-2, 3, 600'000, 3000, 300'000,
            {{{137, 143}, "", true, contract::LeadExitClass::Transient},
                {{}, "a \"b\"", false, contract::LeadExitClass::Permanent}},
            contract::LeadExitClass::Unknown};
        QVERIFY(contract::LeadPlan::parse(plan.toText()) == plan);
        QVERIFY(contract::LeadAgain::parse(contract::LeadAgain{3, 99}.toText()) == (contract::LeadAgain{3, 99}));
        const contract::LeadPlaces places{"42", {{"n1", "10.0.0.1"}, {}}};
        QVERIFY(contract::LeadPlaces::parse(places.toText()) == places);
        const contract::LeadEnd end{"fault", "no \xff words", 99};
        QCOMPARE(contract::LeadEnd::parse(end.toText())->at, 99);
        for (const char *broken : {"", "{", "[]", "{\"allocation\":\"a\"}", "{\"id\":7}", "{\"why\":[]}",
                 "{\"allocation\":\"a\",\"tasks\":[{\"folder\":\"relative\"}]}",
                 "{\"allocation\":\"a\",\"tasks\":[{\"folder\":\"/x\",\"component\":1}]}",
                 "{\"allocation\":1,\"tasks\":3}", "{\"allocation\":\"a\",\"tasks\":[4]}"}) {
            QVERIFY(!contract::LeadPlan::parse(broken));
            QVERIFY(!contract::LeadPlaces::parse(broken));
            QVERIFY(!contract::LeadEnd::parse(broken));
            QVERIFY(!contract::LeadAgain::parse(broken));
        }
        QCOMPARE(contract::ofElement("end", 7), std::string("end-7"));
        QCOMPARE(contract::ofElement("end", -1), std::string("end"));
    }

    // Copies of a job that begin at the same moment: one of them starts the tasks, also when it is requeued.
    void oneOfManyClaimsIt()
    {
        const QTemporaryDir folder;
        constexpr std::size_t copies = 8;
        for (int round = 0; round < 50; ++round) {
            const std::string file = folder.filePath(QString::number(round)).toStdString();
            std::array<agent::Claim, copies> claims{};
            std::array<std::thread, copies> threads;
            for (std::size_t i = 0; i < copies; ++i) {
                threads[i] = std::thread([&, i] { claims[i] = agent::claimOf(file, std::to_string(i)); });
            }
            for (std::thread &each : threads) {
                each.join();
            }
            QCOMPARE(std::count(claims.begin(), claims.end(), agent::Claim::Own), 1);
            QCOMPARE(std::count(claims.begin(), claims.end(), agent::Claim::Anothers), std::ptrdiff_t(copies - 1));
            const auto owner = std::find(claims.begin(), claims.end(), agent::Claim::Own) - claims.begin();
            QVERIFY(agent::claimOf(file, std::to_string(owner)) == agent::Claim::Own);
            QVERIFY(agent::claimOf(file, "another") == agent::Claim::Anothers);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 50); // and nothing beside
        QVERIFY(agent::claimOf("/proc/nothing/claimed", "1") == agent::Claim::Unwritable);
    }

    // A lead that cannot write, or read what is there, must not say that tasks are over that another one runs.
    void claimsOutliveFaultsOfTheDisk()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("claimed")).toStdString();
        QVERIFY(agent::claimOf(file, "1") == agent::Claim::Own);
        for (const char *id : {"1", "2"}) { // no file can be written there
            QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("claimed.of-%1/x").arg(QLatin1StringView(id))));
        }
        QVERIFY(agent::claimOf(file, "2") == agent::Claim::Anothers);
        QVERIFY(agent::claimOf(file, "1") == agent::Claim::Own);
        QVERIFY(QFile::remove(folder.filePath(QStringLiteral("claimed"))));
        QVERIFY(agent::claimOf(file, "1") == agent::Claim::Unwritable);
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("claimed"))); // it is there, and cannot be read
        QVERIFY(agent::claimOf(file, "1") == agent::Claim::Unknown);
        QVERIFY(agent::claimOf(file, "3") == agent::Claim::Unknown);
    }

    // Where there are no links, a lead may be killed when it has made the file and not written it. Its job goes on when
    // it is requeued, and no other one takes the tasks of a lead that may only be slow.
    void claimsOutliveAKilledLead()
    {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("claimed")).toStdString();
        QCOMPARE(contract::writeAtomically(file, "", false), 0);
        QVERIFY(agent::claimOf(file, "2") == agent::Claim::Unknown);
        QCOMPARE(contract::writeAtomically(file + ".of-1", "1", false), 0); // so it was left
        QVERIFY(agent::claimOf(file, "1") == agent::Claim::Own);
        QVERIFY(agent::claimOf(file, "2") == agent::Claim::Anothers);
    }

    void addressesTakeTheirPlaces_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("replaced");
        const QByteArray first = QByteArray::fromStdString(contract::addressWord("worker", 1));
        const QByteArray second = QByteArray::fromStdString(contract::addressWord("worker", 11));
        const QByteArray other = QByteArray::fromStdString(contract::addressWord("ps", 0));
        const QByteArray six = QByteArray::fromStdString(contract::addressWord("six", 0));
        QTest::newRow("none") << QByteArray("a@b") << QByteArray("a@b");
        QTest::newRow("two") << first + ":80," + second + ":81" << QByteArray("10.0.0.1:80,10.0.0.11:81");
        QTest::newRow("in brackets") << "[" + first + "]:80,[" + second + "]:81"
                                     << QByteArray("10.0.0.1:80,10.0.0.11:81");
        QTest::newRow("IPv6") << "[" + six + "]:80," + six << QByteArray("[fd00::7]:80,fd00::7");
        QTest::newRow("brackets of its own") << "[" + first + "] [" + first << QByteArray("[10.0.0.1] [10.0.0.1");
        QTest::newRow("side by side") << first + first << QByteArray("10.0.0.110.0.0.1");
        QTest::newRow("not known") << "x" + other + "y" << QByteArray("xy");
        QTest::newRow("cut") << QByteArray("x@trainyard-address-of:ps:0") << QByteArray("x@trainyard-address-of:ps:0");
        QTest::newRow("empty") << QByteArray() << QByteArray();
    }
    void addressesTakeTheirPlaces()
    {
        QFETCH(QByteArray, text);
        std::string replaced = text.toStdString();
        contract::replaceAddresses(replaced,
            {{contract::addressWord("worker", 1), "10.0.0.1"}, {contract::addressWord("worker", 11), "10.0.0.11"},
                {contract::addressWord("eval", 0), ""}, {contract::addressWord("six", 0), "fd00::7"}});
        QTEST(QByteArray::fromStdString(replaced), "replaced");
    }

    void nodes_data()
    {
        QTest::addColumn<QByteArrayList>("names");
        QTest::addColumn<QByteArray>("counts");
        QTest::addColumn<QByteArrayList>("nodes");
        QTest::newRow("one") << QByteArrayList{"a"} << QByteArray("2") << QByteArrayList{"a", "a"};
        QTest::newRow("the same") << QByteArrayList{"a", "b"} << QByteArray("2(x2)")
                                  << QByteArrayList{"a", "a", "b", "b"};
        QTest::newRow("mixed") << QByteArrayList{"a", "b", "c"} << QByteArray("1(x2),3")
                               << QByteArrayList{"a", "b", "c", "c", "c"};
        QTest::newRow("too few nodes") << QByteArrayList{"a"} << QByteArray("1(x2)") << QByteArrayList{};
        QTest::newRow("too many nodes") << QByteArrayList{"a", "b"} << QByteArray("1") << QByteArrayList{};
        QTest::newRow("no numbers") << QByteArrayList{"a"} << QByteArray("x") << QByteArrayList{};
        QTest::newRow("cut") << QByteArrayList{"a", "b"} << QByteArray("1(x2") << QByteArrayList{};
        QTest::newRow("huge") << QByteArrayList{"a"} << QByteArray("1(x999999999999)") << QByteArrayList{};
    }
    void nodes()
    {
        QFETCH(QByteArrayList, names);
        QFETCH(QByteArray, counts);
        std::vector<std::string> given;
        for (const QByteArray &name : names) {
            given.push_back(name.toStdString());
        }
        QByteArrayList found;
        for (const std::string &node : agent::nodesOfTasks(given, counts.toStdString())) {
            found.append(QByteArray::fromStdString(node));
        }
        QTEST(found, "nodes");
    }

    void addresses()
    {
        QCOMPARE(
            agent::firstAddress("127.0.1.1 STREAM n1\n127.0.1.1 DGRAM\n10.0.0.7 STREAM n1\n"), std::string("10.0.0.7"));
        QCOMPARE(agent::firstAddress(""), std::string());
        QCOMPARE(
            agent::nodeAddress("NodeName=n1 Arch=x86_64 NodeAddr=10.0.0.8 NodeHostName=n1\n"), std::string("10.0.0.8"));
        QCOMPARE(agent::nodeAddress("slurm_load_node error"), std::string());
    }

    void rules()
    {
        contract::LeadPlan plan;
        plan.roles = {{"worker", 2, 3}, {"ps", 0, 0}};
        agent::LeadRules rules(plan);
        QVERIFY(!rules.taskEnded("ps", false));
        QVERIFY(!rules.taskEnded("worker", false));
        QVERIFY(!rules.taskEnded("worker", true));
        QCOMPARE(rules.taskEnded("worker", false), "minFailed");
        agent::LeadRules good(plan);
        QVERIFY(!good.taskEnded("worker", true));
        QVERIFY(!good.taskEnded("worker", true));
        QCOMPARE(good.taskEnded("worker", true), "minSucceeded");
        plan.completedLimit = 2;
        agent::LeadRules some(plan);
        QVERIFY(!some.taskEnded("ps", true));
        QCOMPARE(some.taskEnded("ps", false), "completed");
    }

    // As the cluster shows it: whatever becomes of tasks that a rule ends is no failure, nor is one that no rule
    // counts.
    void resultsByTheRules_data()
    {
        QTest::addColumn<QByteArray>("ends"); // "w+" a worker that succeeds, "p-" a server that fails
        QTest::addColumn<qint64>("completed");
        QTest::addColumn<bool>("areFailed");
        QTest::newRow("all succeed") << QByteArray("w+ w+ p+") << qint64(0) << false;
        QTest::newRow("the first failure") << QByteArray("w- w+ p+") << qint64(0) << true;
        QTest::newRow("enough succeed, the others are ended") << QByteArray("w+ w+ p- p-") << qint64(0) << false;
        QTest::newRow("an end after the failure") << QByteArray("w- w+ w+") << qint64(0) << true;
        QTest::newRow("a failure that no rule counts") << QByteArray("p- w+") << qint64(0) << false;
        QTest::newRow("the last that counts fails") << QByteArray("p+ p-") << qint64(2) << true;
        QTest::newRow("the last that counts succeeds") << QByteArray("p- p+ w-") << qint64(2) << false;
        QTest::newRow("nothing has ended") << QByteArray() << qint64(0) << false;
    }
    void resultsByTheRules()
    {
        QFETCH(QByteArray, ends);
        QFETCH(qint64, completed);
        contract::LeadPlan plan;
        plan.roles = {{"w", 1, 2}, {"p", 0, 0}};
        plan.completedLimit = completed;
        agent::LeadRules rules(plan);
        const QByteArrayList all = ends.isEmpty() ? QByteArrayList() : ends.split(' ');
        for (const QByteArray &end : all) {
            rules.taskEnded(end.first(1).toStdString(), end.endsWith('+'));
        }
        QTEST(rules.areFailed(), "areFailed");
    }
};

TRAINYARD_TEST(TstLead)
#include "tst_lead.moc"
