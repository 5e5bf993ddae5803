// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/pump.h"
#include "engine/agent/trieselsewhere.h"
#include "engine/contract/messages.h"
#include "engine/contract/smallfiles.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace trainyard;
using namespace trainyard::contract;

// What is known of tries of other helpers, by the records in their folders.
class TstTriesElsewhere : public QObject
{
    Q_OBJECT

    // A try that runs, and whose folder is below that of its job.
    static std::string begin(const std::string &jobs, const std::string &job)
    {
        std::string dir = jobs + '/' + job + "/0/main-0/0";
        Plan plan;
        plan.job = job;
        StartedRecord started;
        started.at = agent::utcMs();
        const bool isMade = makeFolders(dir) == 0 && writeAtomically(dir + '/' + file::plan, planJson(plan), false) == 0
            && writeAtomically(dir + '/' + file::started, started.format(), false) == 0;
        return isMade ? dir : std::string();
    }
    // When it ended; 0: it runs.
    static std::optional<std::int64_t> endOf(const agent::TriesElsewhere &tries, const std::string &dir)
    {
        std::optional<std::int64_t> ended;
        tries.forEachBegun([&](const agent::TryElsewhere &each) {
            ended = each.who.dir == dir ? std::optional(each.who.life.ended) : ended;
        });
        return ended;
    }

private Q_SLOTS:
    // Else every file that comes later in a folder where it worked would not count.
    void whatIsRemovedRunsNoLonger()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = begin(jobs, "1-one"), other = begin(jobs, "2-two");
        QVERIFY(!dir.empty() && !other.empty());
        agent::TriesElsewhere tries;
        tries.refresh(jobs);
        QCOMPARE(endOf(tries, dir), std::optional<std::int64_t>(0));
        QVERIFY(QDir(QString::fromStdString(jobs + "/1-one")).removeRecursively());
        const std::int64_t before = agent::utcMs();
        tries.refresh(jobs);
        QVERIFY(endOf(tries, dir).value_or(0) >= before);
        QCOMPARE(endOf(tries, other), std::optional<std::int64_t>(0));
    }

    void theEndOfAnOlderJobIsSeen()
    {
        QTemporaryDir folder;
        const std::string jobs = folder.path().toStdString();
        const std::string dir = begin(jobs, "1-one");
        QVERIFY(!dir.empty());
        agent::TriesElsewhere tries;
        tries.refresh(jobs);
        for (int i = 0; i < 600; ++i) {
            QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("2-%1").arg(i)));
        }
        tries.refresh(jobs);
        QCOMPARE(endOf(tries, dir), std::optional<std::int64_t>(0));
        ExitRecord exit;
        exit.began = exit.ended = agent::utcMs();
        QCOMPARE(writeAtomically(dir + '/' + file::exit, exit.format(), false), 0);
        tries.refresh(jobs);
        QCOMPARE(endOf(tries, dir), std::optional(exit.ended));
    }
};

TRAINYARD_TEST(TstTriesElsewhere)
#include "tst_trieselsewhere.moc"
