// SPDX-License-Identifier: GPL-3.0-or-later
// What a cluster says of its jobs, and does not say: an end is only what is known to be one, and only of our own job.
#include "tests/backends/clustertarget.h"
#include "tests/backends/house.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QScopeGuard>
#include <QTest>
#include <QTimer>

#include <sys/mount.h>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstClusterEnds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void silentAccountsAreNoEnd();
    void anUnreadableRecordIsNoEnd();
    void whatWritesIsNotGone();
    void anUnreadableAllocationIsNoEnd_data();
    void anUnreadableAllocationIsNoEnd();
    void accountsThatNeverAnswer();
    void aFullDiskIsWaitedFor();
    void itIsHandedOverWithItsNumber();
    void theClusterHasItTwice();
    void aNumberMayBecomeAnotherJobs_data();
    void aNumberMayBecomeAnotherJobs();
    void aCommentMayBeMissing();
};

// It has left the queue of the cluster without a record, and only the accounts can know how it ended.
void TstClusterEnds::silentAccountsAreNoEnd()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.forgetAll();
    target.setAccounts("echo 'sacct: error: Problem talking to the database: Connection refused' >&2\nexit 1\n");
    QVERIFY(house.open());
    // For longer than a cluster that answers may not know it.
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) {
        return isFinal(job.state) || target.starts() > 1 || target.accountQuestions() > 3;
    }));
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target.starts(), 1);
    target.setAccounts("exit 0\n"); // they do not know it, either
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

// There is one, and it cannot be read for a while: that says nothing.
void TstClusterEnds::anUnreadableRecordIsNoEnd()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask()), other = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running) && house.waitForState(other, State::Running));
    const auto recordOf = [&house](const QString &job) {
        return QString(house.backend().log(job, 0, u"main"_s, 0, 0).folder + u"/exit"_s);
    };
    target.endAll(0);
    const QString record = recordOf(uuid), kept = record + u".kept"_s;
    QVERIFY(QFile::rename(record, kept) && QFile::remove(recordOf(other)));
    // Nobody can read the first byte of its own memory.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, record));
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "slurm.folder-unread"_L1; }));
    // The one without a record is lost, and more looks follow.
    QVERIFY(house.waitFor(other, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 2; }));
    QVERIFY(house.waitForState(house.submit(oneTask()), State::Running));
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(QFile::remove(record) && QFile::rename(kept, record));
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// The queue answers well and has none of the jobs, for longer than a cluster may not know one.
void TstClusterEnds::whatWritesIsNotGone()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    QTimer printing;
    connect(&printing, &QTimer::timeout, this, [&target] { target.print("step\n"); });
    printing.start(20);
    target.setAccounts("exit 0\n"); // they do not know it, either
    target.hideAll();
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) {
        return isFinal(job.state) || target.starts() > 1 || target.accountQuestions() > 4;
    }));
    QCOMPARE(house.state(uuid), State::Running);
    QCOMPARE(target.starts(), 1);
    printing.stop();
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

void TstClusterEnds::anUnreadableAllocationIsNoEnd_data()
{
    QTest::addColumn<bool>("isPlan");
    QTest::newRow("where it is") << false;
    QTest::newRow("what it was to run") << true;
}

// Another engine cannot read what a task has noted, as without a ticket for the file server: the task may run.
void TstClusterEnds::anUnreadableAllocationIsNoEnd()
{
    QFETCH(bool, isPlan);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    const QString folder = house.backend().log(uuid, 0, u"main"_s, 0, 0).folder;
    const std::optional<SlurmAllocation::Link> link = SlurmAllocation::linkOf(folder);
    QVERIFY(link);
    house.close();
    const QString file = isPlan ? link->folder + u"/plan.json"_s : folder + u"/allocation"_s, kept = file + u".kept"_s;
    QVERIFY(QFile::rename(file, kept));
    // Nobody can read the first byte of its own memory.
    QVERIFY(QFile::link(u"/proc/self/mem"_s, file));
    QVERIFY(house.open());
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "slurm.folder-unread"_L1; }));
    QCOMPARE(target.starts(), 1 + 1);
    QVERIFY(QFile::remove(file) && QFile::rename(kept, file));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(target.starts(), 1 + 1);
}

// What is known is told, and some day nobody waits any more.
void TstClusterEnds::accountsThatNeverAnswer()
{
    ClusterTarget target;
    target.setUnaccountedMs(4000);
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.forgetAll();
    target.setAccounts("echo 'sacct: error: Problem talking to the database: Connection refused' >&2\nexit 1\n");
    QVERIFY(house.open());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "job.slurm-unaccounted"_L1; }));
    QCOMPARE(target.starts(), 1);
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
}

// The disk that the nodes share is full when a job is to be handed over. What failed is written again.
void TstClusterEnds::aFullDiskIsWaitedFor()
{
    QTemporaryDir shared;
    const QByteArray at = QFile::encodeName(shared.path());
    SKIP_UNLESS_MOUNTED(::mount("trainyard-test", at.constData(), "tmpfs", 0, "size=1m,mode=0700"));
    const auto unmount = qScopeGuard([&at] { ::umount2(at.constData(), MNT_DETACH); });
    ClusterTarget target;
    target.setFolder(shared.path());
    House house(target);
    QVERIFY(house.open());
    const QString before = house.submit(oneTask()); // what is there for all jobs is there then
    QVERIFY(house.waitForState(before, State::Running));
    target.endAll(0);
    QVERIFY(house.waitForState(before, State::Succeeded));
    QFile filling(shared.filePath(u"filling"_s));
    QVERIFY(filling.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    while (filling.write(QByteArray(4096, 'x')) == 4096) { }
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitFor(uuid, [](const JobSummary &job) { return job.reason == "wait.slurm-folder"_L1; }));
    QVERIFY(!isFinal(house.state(uuid)));
    QVERIFY(filling.resize(0));
    QVERIFY(house.waitForState(uuid, State::Running));
    QCOMPARE(target.starts(), 1 + 1);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// Until sbatch has answered, nothing says that the cluster has the job.
void TstClusterEnds::itIsHandedOverWithItsNumber()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    target.setAnswering(false);
    const QString uuid = house.submit(oneTask());
    QVERIFY(QTest::qWaitFor([&] { return target.isAsked(); }, 20'000));
    QCOMPARE(house.backend().waitReason(*house.job(uuid)).code, u"wait.slurm-submitting"_s);
    target.setAnswering(true);
    QVERIFY(house.waitForState(uuid, State::Running));
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
}

// Of two jobs of the cluster with the same tasks the one counts whose lead has begun with them.
void TstClusterEnds::theClusterHasItTwice()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    house.close();
    target.takeTwice();
    QVERIFY(house.open());
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(1000), 20'000);
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    target.endAll(0);
    QVERIFY(house.waitForState(uuid, State::Succeeded));
    QCOMPARE(target.starts(), 1 + 1); // the other one is that of settle()
}

void TstClusterEnds::aNumberMayBecomeAnotherJobs_data()
{
    QTest::addColumn<bool>("isStopped");
    QTest::addColumn<bool>("isNow");
    QTest::newRow("it goes on") << false << false;
    QTest::newRow("it is stopped") << true << false;
    QTest::newRow("it is killed") << true << true;
}

// A cluster that has lost its state counts again from the beginning. The other job is neither ours nor to be ended.
void TstClusterEnds::aNumberMayBecomeAnotherJobs()
{
    QFETCH(bool, isStopped);
    QFETCH(bool, isNow);
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target.giveNumberAway();
    if (isStopped) {
        QVERIFY(house.service().stop(uuid, isNow));
    }
    QVERIFY(house.waitFor(uuid, [&](const JobSummary &job) { return isFinal(job.state) || target.starts() > 1; }));
    QVERIFY(house.state(uuid) != State::Succeeded);
    QVERIFY(!isStopped || house.state(uuid) == State::Stopped);
    QVERIFY(!target.isAskedToCancel(1));
}

// Of a site that puts its own comments in the place of those of users: the job is known by its name.
void TstClusterEnds::aCommentMayBeMissing()
{
    ClusterTarget target;
    House house(target);
    QVERIFY(house.open());
    const QString uuid = house.submit(oneTask());
    QVERIFY(house.waitForState(uuid, State::Running));
    target.setComment("project 12");
    QVERIFY(house.settle());
    QCOMPARE(house.state(uuid), State::Running);
    QVERIFY(house.service().stop(uuid));
    QTRY_VERIFY_WITH_TIMEOUT(target.isAskedToCancel(1), 20'000);
    QVERIFY(house.waitForState(uuid, State::Stopped));
}

TRAINYARD_TEST(TstClusterEnds)
#include "tst_clusterends.moc"
