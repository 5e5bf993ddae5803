// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pump.h"
#include "engine/agent/trieselsewhere.h"
#include "engine/contract/messages.h"
#include "engine/contract/smallfiles.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace trainyard;
using namespace trainyard::contract;

// What is known of tries of other helpers, by their notices and the records in their folders.
class TstTriesElsewhere : public QObject
{
    Q_OBJECT

    static std::string dirOf(const std::string &jobs, const std::string &job)
    {
        return jobs + '/' + job + "/0/main-0/0";
    }
    static bool writeStarted(const std::string &dir)
    {
        StartedRecord started;
        started.at = agent::utcMs();
        return makeFolders(dir) == 0 && writeAtomically(dir + '/' + file::started, started.format(), false) == 0;
    }
    static bool writeExit(const std::string &dir, std::int64_t ended)
    {
        ExitRecord exit;
        exit.began = exit.ended = ended;
        return writeAtomically(dir + '/' + file::exit, exit.format(), false) == 0;
    }
    static void tell(const std::string &dir, const std::string &job, const agent::TryNotice &notice)
    {
        agent::NoticeWriter(dir, job, true).tell(notice);
    }
    // A try that runs, and whose folder is below that of its job.
    static std::string begin(const std::string &jobs, const std::string &job)
    {
        const std::string dir = dirOf(jobs, job);
        if (!writeStarted(dir)) {
            return {};
        }
        tell(dir, job, {{}, {}, agent::utcMs(), 0, "/work of it", {}});
        return dir;
    }
    static std::optional<agent::TryElsewhere> of(const agent::TriesElsewhere &tries, const std::string &dir)
    {
        std::optional<agent::TryElsewhere> found;
        tries.forEachBegun(
            [&](const agent::TryElsewhere &each) { found = each.who.dir == dir ? std::optional(each) : found; });
        return found;
    }
    // When it ended; 0: it runs.
    static std::optional<std::int64_t> endOf(const agent::TriesElsewhere &tries, const std::string &dir)
    {
        const std::optional<agent::TryElsewhere> found = of(tries, dir);
        return found ? std::optional(found->who.life.ended) : std::nullopt;
    }
    static QStringList noticesIn(const std::string &jobs)
    {
        return QDir(QString::fromStdString(agent::noticeFolder(jobs))).entryList(QDir::Files);
    }

private Q_SLOTS:
    void aNoticeSaysWhatATryHas()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = begin(jobs, "one");
        QVERIFY(!dir.empty());
        agent::TriesElsewhere tries;
        QVERIFY(tries.refresh(jobs, 0));
        QCOMPARE(of(tries, dir)->who.job, std::string("one"));
        QCOMPARE(of(tries, dir)->folders, std::set<std::string>{"/work of it"});
        QVERIFY(of(tries, dir)->files.empty());
        agent::NoticeWriter writer(dir, "one", true); // of the next helper
        writer.tell({{}, {}, agent::utcMs(), 0, "/data", {"/data/a b.csv"}});
        QVERIFY(tries.refresh(jobs, 0));
        QCOMPARE(of(tries, dir)->files, std::set<std::string>{"/data/a b.csv"});
        const std::int64_t ended = agent::utcMs();
        writer.tell({{}, {}, 1, ended, "/data", {"/data/a b.csv", "/data/c.csv"}});
        QVERIFY(tries.refresh(jobs, 0));
        QCOMPARE(endOf(tries, dir), std::optional(ended));
        QCOMPARE(of(tries, dir)->files.size(), std::size_t(2));
        QCOMPARE(noticesIn(jobs).size(), 1);
    }

    // Each look would otherwise read as many files as there are tries.
    void whatHasNotChangedIsNotReadAgain()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = begin(jobs, "one");
        QVERIFY(!dir.empty());
        agent::TriesElsewhere tries;
        QVERIFY(tries.refresh(jobs, 0));
        const QStringList names = noticesIn(jobs);
        QCOMPARE(names.size(), 1);
        QFile notice(QString::fromStdString(agent::noticeFolder(jobs)) + QLatin1Char('/') + names.first());
        QVERIFY(notice.resize(0)); // the names in its folder stay as they are
        QVERIFY(!tries.refresh(jobs, 0));
        QCOMPARE(of(tries, dir)->folders, std::set<std::string>{"/work of it"});
        const std::string next = begin(jobs, "two");
        QVERIFY(tries.refresh(jobs, 0));
        QCOMPARE(endOf(tries, next), std::optional<std::int64_t>(0));
        QCOMPARE(endOf(tries, dir), std::optional<std::int64_t>(0));
    }

    // Another one could otherwise find the first file of a try of which nothing is known yet.
    void anAnnouncedTryBeginsWithItsRecord()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = dirOf(jobs, "one");
        QCOMPARE(makeFolders(dir), 0);
        agent::NoticeWriter writer(dir, "one", true);
        writer.announce("/data");
        agent::TriesElsewhere tries;
        tries.refresh(jobs, 0);
        QVERIFY(!of(tries, dir));
        QVERIFY(writeStarted(dir));
        QVERIFY(tries.refresh(jobs, 0));
        QCOMPARE(endOf(tries, dir), std::optional<std::int64_t>(0));
        QCOMPARE(of(tries, dir)->folders, std::set<std::string>{"/data"});
        writer.withdraw();
        QVERIFY(noticesIn(jobs).isEmpty());
    }

    // Else every file that comes later in a folder where it worked would not count.
    void whatIsRemovedRunsNoLonger()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = begin(jobs, "1-one"), other = begin(jobs, "2-two");
        QVERIFY(!dir.empty() && !other.empty());
        agent::TriesElsewhere tries;
        tries.refresh(jobs, 0);
        QCOMPARE(endOf(tries, dir), std::optional<std::int64_t>(0));
        QVERIFY(QDir(QString::fromStdString(jobs + "/1-one")).removeRecursively());
        const std::int64_t before = agent::utcMs();
        tries.refresh(jobs, 0);
        QVERIFY(endOf(tries, dir).value_or(0) >= before);
        QCOMPARE(endOf(tries, other), std::optional<std::int64_t>(0));
    }

    // Of a task whose helper was killed with it.
    void anEndWithoutANoticeIsSeen()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        std::vector<std::string> dirs;
        for (const char *job : {"one", "two", "three", "four", "five"}) {
            dirs.push_back(begin(jobs, job));
            QVERIFY(!dirs.back().empty());
        }
        agent::TriesElsewhere tries;
        tries.refresh(jobs, 0);
        const std::int64_t ended = agent::utcMs();
        QVERIFY(writeExit(dirs[3], ended));
        for (std::size_t i = 0; i < dirs.size(); ++i) { // some of them at each look
            tries.refresh(jobs, 0);
        }
        QCOMPARE(endOf(tries, dirs[3]), std::optional(ended));
        QCOMPARE(endOf(tries, dirs[4]), std::optional<std::int64_t>(0));
        agent::TriesElsewhere later;
        later.refresh(jobs, 0);
        QCOMPARE(endOf(later, dirs[3]), std::optional(ended));
    }

    void whatEndedLongBeforeIsNotRead()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = dirOf(jobs, "one");
        tell(dir, "one", {{}, {}, 1000, 2000, "/data", {}});
        agent::TriesElsewhere tries, ofOlder;
        tries.refresh(jobs, agent::utcMs());
        QVERIFY(!of(tries, dir));
        ofOlder.refresh(jobs, 1500);
        QCOMPARE(endOf(ofOlder, dir), std::optional<std::int64_t>(2000));
    }

    // It would otherwise tell of every task that has ever run.
    void noticesThatTellNoOneAnythingAreRemoved()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::int64_t now = agent::utcMs();
        const std::string old = dirOf(jobs, "old");
        QCOMPARE(makeFolders(old), 0);
        tell(old, "old", {{}, {}, now - 900'000, 0, "/data", {}}); // it runs
        tell(dirOf(jobs, "one"), "one", {{}, {}, now - 800'000, now - 700'000, "/data", {}});
        const std::string next = begin(jobs, "next");
        QVERIFY(!next.empty());
        QCOMPARE(noticesIn(jobs).size(), 3); // the old one may find what that has left
        tell(old, "old", {{}, {}, now - 900'000, now - 600'000, "/data", {}});
        QVERIFY(!begin(jobs, "last").empty());
        const QStringList left = noticesIn(jobs);
        QCOMPARE(left.size(), 2);
        for (const std::string job : {"next", "last"}) {
            const QString key = QString::fromStdString(agent::noticeKey(job + std::string("/0/main-0/0")));
            QVERIFY2(left.filter(key).size() == 1, qPrintable(left.join(QLatin1Char(' '))));
        }
    }

    void aHostWithoutStepsWritesNone()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = dirOf(jobs, "one");
        QCOMPARE(makeFolders(dir), 0);
        agent::NoticeWriter writer(dir, "one", false);
        writer.announce("/data");
        writer.tell({{}, {}, 1, 0, "/data", {}});
        QVERIFY(!QFile::exists(QString::fromStdString(agent::noticeFolder(jobs))));
        QVERIFY(!begin(jobs, "two").empty()); // a step
        writer.tell({{}, {}, 1, 0, "/data", {}});
        QCOMPARE(noticesIn(jobs).size(), 2);
    }
};

TRAINYARD_TEST(TstTriesElsewhere)
#include "tst_trieselsewhere.moc"
