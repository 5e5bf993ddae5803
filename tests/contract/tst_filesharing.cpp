// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/fileclaims.h"
#include "engine/agent/filesharing.h"
#include "engine/contract/uuid.h"
#include "tests/helpers/testregistry.h"

#include <QMap>
#include <QTest>

using namespace trainyard;
using namespace trainyard::agent;

// Which files of metrics are one job's alone. The file is always the same one, last changed at 150.
class TstFileSharing : public QObject
{
    Q_OBJECT

    static constexpr FileKey file{1, 7}, another{1, 8};

private Q_SLOTS:
    void sharing_data()
    {
        QTest::addColumn<QString>("otherJob");
        QTest::addColumn<int>("ended"); // this try began at 100
        QTest::addColumn<int>("otherBegan");
        QTest::addColumn<int>("otherEnded");
        QTest::addColumn<bool>("otherHasIt");
        QTest::addColumn<QString>("expected");
        const QString shared = QStringLiteral("shared with b"), later = QStringLiteral("later b"), own;
        QTest::newRow("both run") << "b" << 0 << 120 << 0 << true << shared;
        QTest::newRow("both run, but it has another file") << "b" << 0 << 120 << 0 << false << own;
        QTest::newRow("a try of the same job") << "a" << 0 << 120 << 0 << true << own;
        QTest::newRow("the other began before") << "b" << 0 << 50 << 0 << true << shared;
        QTest::newRow("the other ended while this one ran") << "b" << 0 << 50 << 110 << true << shared;
        QTest::newRow("the other was over before") << "b" << 0 << 50 << 100 << true << own;
        QTest::newRow("this one ended while the other ran") << "b" << 200 << 120 << 0 << true << shared;
        QTest::newRow("the other began afterwards and writes it") << "b" << 120 << 140 << 0 << true << later;
        QTest::newRow("the other began afterwards and has not written yet") << "b" << 120 << 150 << 0 << true << own;
    }
    void sharing()
    {
        QFETCH(const QString, otherJob);
        QFETCH(const int, ended);
        QFETCH(const int, otherBegan);
        QFETCH(const int, otherEnded);
        QFETCH(const bool, otherHasIt);
        QFETCH(const QString, expected);
        const FileUse mine{"a", 100, ended, {{file, 150}}};
        const FileUse other{otherJob.toStdString(), otherBegan, otherEnded, {{otherHasIt ? file : another, 150}}};
        QString text;
        for (const auto &[key, shared] : sharedFiles(mine, {other})) {
            QVERIFY(key == file);
            text += shared.sharing == Sharing::Shared ? QStringLiteral("shared with") : QStringLiteral("later");
            for (const std::string &job : shared.jobs) {
                text += QLatin1Char(' ') + QString::fromStdString(job);
            }
        }
        QCOMPARE(text, expected);
    }

    // Of several others, one that ran at the same time outweighs one that came later.
    void severalOthers()
    {
        const FileUse mine{"a", 100, 130, {{file, 150}, {another, 90}}};
        const FileUse beside{"b", 110, 0, {{file, 150}}}, later{"c", 140, 0, {{file, 150}, {another, 90}}};
        for (const std::vector<FileUse> &others : {std::vector{beside, later}, std::vector{later, beside}}) {
            const std::map<FileKey, SharedFile> shared = sharedFiles(mine, others);
            QCOMPARE(shared.size(), std::size_t(1));
            QVERIFY((shared.at(file) == SharedFile{Sharing::Shared, {"b", "c"}}));
        }
    }

    // By the time of the file, to 10 ms; the try ran from 5400 to 5600.
    void changes_data()
    {
        QTest::addColumn<int>("milliseconds");
        QTest::addColumn<bool>("isOfTry");
        QTest::addColumn<bool>("isLater");
        QTest::newRow("long before") << 3200 << false << false;
        QTest::newRow("in the second in which it began") << 5100 << false << false;
        QTest::newRow("as the clock of the file is behind") << 5395 << true << false;
        QTest::newRow("while it ran") << 5500 << true << false;
        QTest::newRow("at its end") << 5605 << true << false;
        QTest::newRow("in the second in which it ended") << 5650 << true << true;
        QTest::newRow("long after") << 7800 << false << true;
        QTest::newRow("in whole seconds") << 5000 << true << false;
    }
    void changes()
    {
        QFETCH(const int, milliseconds);
        struct stat about = {};
        about.st_mtim = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
        QTEST(mayBeChangedBy(about, 5400, 5600, 10), "isOfTry");
        QTEST(isChangedAfter(about, 5600, 10), "isLater");
    }

    // Two tasks of one job; a file is stamped to 10 ms.
    void writers_data()
    {
        QTest::addColumn<int>("born");
        QTest::addColumn<int>("changed");
        QTest::addColumn<int>("ended"); // this one began at 1000
        QTest::addColumn<int>("otherBegan");
        QTest::addColumn<int>("otherEnded");
        QTest::addColumn<QString>("expected");
        const QString own = QStringLiteral("own"), other = QStringLiteral("other"), either = QStringLiteral("either");
        QTest::newRow("both ran all the time") << 1100 << 1200 << 0 << 1000 << 0 << either;
        QTest::newRow("both ran and have ended") << 1100 << 1200 << 1300 << 1005 << 1290 << either;
        QTest::newRow("the other began after it had changed") << 1100 << 1200 << 0 << 1300 << 0 << own;
        QTest::newRow("the other began after it was made") << 1100 << 1500 << 0 << 1300 << 0 << own;
        QTest::newRow("the other had ended before it changed") << 1100 << 1500 << 0 << 900 << 1300 << own;
        QTest::newRow("the other had ended before it was made") << 1400 << 1500 << 0 << 900 << 1300 << own;
        QTest::newRow("this one had ended before it changed") << 1100 << 1500 << 1300 << 1050 << 0 << other;
        QTest::newRow("it was made before this one began") << 950 << 1500 << 0 << 900 << 0 << other;
        QTest::newRow("it is older than both") << 500 << 1500 << 0 << 900 << 0 << either;
        QTest::newRow("nobody knows when it was made") << 0 << 1500 << 0 << 1300 << 0 << either;
        QTest::newRow("as the clock of the file is behind") << 1095 << 1200 << 0 << 1100 << 0 << either;
    }
    void writers()
    {
        QFETCH(const int, born);
        QFETCH(const int, changed);
        QFETCH(const int, ended);
        QFETCH(const int, otherBegan);
        QFETCH(const int, otherEnded);
        const FileTimes file{born, changed, changed, 10};
        const Life one{1000, ended}, other{otherBegan, otherEnded};
        const auto word = [](Writer writer, const char *first, const char *second) {
            return QLatin1StringView(writer == Writer::Either ? "either" : writer == Writer::One ? first : second);
        };
        QFETCH(const QString, expected);
        QCOMPARE(word(writerOf(file, one, other), "own", "other"), expected);
        QCOMPARE(word(writerOf(file, other, one), "other", "own"), expected);
    }

    // Two tries ran from 1000 on, and the file changed at 1500.
    void claims_data()
    {
        QTest::addColumn<QString>("otherJob");
        QTest::addColumn<int>("otherTie");
        QTest::addColumn<int>("ownTie");
        QTest::addColumn<int>("otherEnded");
        QTest::addColumn<QString>("otherDir"); // this one is in "m"
        QTest::addColumn<QString>("expected");
        const QString own = QStringLiteral("own"), job = QStringLiteral("of the job");
        const QString first = QStringLiteral("of the first task"), unclear = QStringLiteral("unclear");
        const QString other = QStringLiteral("other");
        QTest::newRow("the folder of this one is deeper") << "b" << 3 << 5 << 0 << "a" << own;
        QTest::newRow("the folder of the other is deeper") << "b" << 5 << 3 << 0 << "a" << other;
        QTest::newRow("no folder has it") << "b" << 0 << 0 << 0 << "a" << own;
        QTest::newRow("two jobs in one folder") << "b" << 5 << 5 << 0 << "a" << unclear;
        QTest::newRow("two tasks in one folder, this one is the first") << "a" << 5 << 5 << 0 << "z" << job;
        QTest::newRow("two tasks in one folder, the other is the first") << "a" << 5 << 5 << 0 << "b" << first;
        QTest::newRow("the other task had ended before") << "a" << 5 << 5 << 1300 << "b" << own;
    }
    void claims()
    {
        QFETCH(const QString, otherJob);
        QFETCH(const int, otherTie);
        QFETCH(const int, ownTie);
        QFETCH(const int, otherEnded);
        QFETCH(const QString, otherDir);
        const Claimant own{"a", "m", {1000, 0}};
        const Claimant other{otherJob.toStdString(), otherDir.toStdString(), {1000, otherEnded}};
        const FileTimes times{1100, 1500, 1500, 10};
        static const QMap<TryMetrics::Whose, QString> words{{TryMetrics::Whose::Own, QStringLiteral("own")},
            {TryMetrics::Whose::OfJob, QStringLiteral("of the job")},
            {TryMetrics::Whose::OfFirstTask, QStringLiteral("of the first task")},
            {TryMetrics::Whose::Unclear, QStringLiteral("unclear")},
            {TryMetrics::Whose::Other, QStringLiteral("other")}};
        QTEST(words.value(fileClaimOf(other, std::size_t(otherTie), own, std::size_t(ownTie), times)), "expected");
    }

    void owners()
    {
        FileOwners owners;
        QVERIFY(!owners.isOfOther("/w/a.csv", "one", 100));
        owners.take("/w/a.csv", "one", 0);
        QVERIFY(!owners.isOfOther("/w/a.csv", "one", 100));
        QVERIFY(owners.isOfOther("/w/a.csv", "two", 100)); // it runs
        owners.noteEnd("one", 200);
        QVERIFY(owners.isOfOther("/w/a.csv", "two", 100));
        QVERIFY(!owners.isOfOther("/w/a.csv", "two", 200)); // which began when that one was over
        owners.makeRoom();
        QVERIFY(owners.isOfOther("/w/a.csv", "two", 100)); // there was room
        owners.take("/w/a.csv", "two", 0);
        QVERIFY(owners.isOfOther("/w/a.csv", "one", 100));
    }

    void families()
    {
        QCOMPARE(familyOf("/w/runs/arr-2/metrics.csv"), familyOf("/w/runs/arr-14/metrics.csv"));
        QCOMPARE(familyOf("/w/metrics-2.csv"), familyOf("/w/metrics-14.csv"));
        QVERIFY(familyOf("/w/train.csv") != familyOf("/w/eval.csv"));
        QVERIFY(familyOf("/w/metrics.csv") != familyOf("/w/metrics-2.csv"));
    }

    void names()
    {
        const std::string job = "01a221b3-8da4-7738-a50a-3f421ca1571a";
        QVERIFY(namesJob("/home/ada/runs/" + job + "/metrics.csv", job));
        QVERIFY(namesJob("/home/ada/run-" + job + ".csv", job));
        QVERIFY(!namesJob("/home/ada/runs/01a221b3-8da4-7738-a50a-000000000000/metrics.csv", job));
        QVERIFY(!namesJob("/home/ada/1/metrics.csv", "1")); // it may be the number of anything
        QVERIFY(!namesJob("/home/ada/metrics.csv", {}));
    }

    void identifiers_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        const QString one = QStringLiteral("01a221b3-8da4-7738-a50a-3f421ca1571a");
        const QString two = QStringLiteral("01a221b3-8da4-7738-a50a-000000000000");
        const QString both = QStringLiteral("%1 %2").arg(one, two);
        QTest::newRow("none") << "/home/ada/runs/7/metrics.csv" << QString();
        QTest::newRow("a folder") << QStringLiteral("runs/%1/metrics.csv").arg(one) << one;
        QTest::newRow("a part of a name") << QStringLiteral("run-%1.csv").arg(one) << one;
        QTest::newRow("two") << QStringLiteral("%1/%2").arg(one, two) << both;
        QTest::newRow("too short") << one.chopped(1) << QString();
        QTest::newRow("another form") << QString(one).replace(u'-', u'_') << QString();
    }
    void identifiers()
    {
        QFETCH(const QString, path);
        QStringList found;
        for (const std::string &one : identifiersIn(path.toStdString())) {
            found.append(QString::fromStdString(one));
        }
        QTEST(found.join(u' '), "expected");
    }

    void identifiersOfJobs()
    {
        QVERIFY(contract::isJobId("01a221b3-8da4-7738-a50a-3f421ca1571a"));
        QVERIFY(!contract::isJobId("01a221b3-8da4-4738-a50a-3f421ca1571a")); // a random one
        QVERIFY(!contract::isJobId("01a221b3-8da4-7738-c50a-3f421ca1571a"));
        QVERIFY(!contract::isJobId("01a221b3-8da4-7738-a50a"));
        QVERIFY(!contract::isJobId({}));
    }

    void foldersOfJobs()
    {
        QCOMPARE(folderOfJobs("/state/runs/one/0/main-0/0", "one"), std::string("/state/runs"));
        QCOMPARE(folderOfJobs("/one/runs/one/0/main-0/0", "one"), std::string("/one/runs"));
        QVERIFY(folderOfJobs("/state/runs/one/0/main-0/0", "two").empty());
        QVERIFY(folderOfJobs("/state/runs/one/0/main-0/0", {}).empty());
    }
};
TRAINYARD_TEST(TstFileSharing)

#include "tst_filesharing.moc"
