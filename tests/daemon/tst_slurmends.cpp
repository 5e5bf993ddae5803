// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>

#include <cerrno>

using namespace Qt::StringLiterals;
using namespace trainyard;

// How tasks end that the cluster, and not their program, has ended or not let begin.
class TstSlurmEnds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup() { m_lab.reset(); }
    void tooMuchMemoryIsNamed();
    void whatNeverBeganHasNotFailed();
    void aGoodEndAfterTheNoticeSaysSo();
    void preparationIsNamed();
    void waitsForItsStep();
    void theControllerMayBeAwayBeforeTheFirstStep();
    void aFullFolderOfTheNodesIsNamed();
    void aNodeOfSeveralIsLost_data();
    void aNodeOfSeveralIsLost();

private:
    bool runtimeSays(const QByteArray &words) const; // the runtime log of a try
    // What watches a task takes memory too, and here the cluster kills for it.
    static QByteArray role(const QByteArray &name, int instances, const QByteArrayList &commands)
    {
        return EngineFixture::role(name, instances, commands, {}, "{cpu: 1, memoryMB: 1000, gpu: 0}");
    }
    bool hold() const
    {
        QFile file(m_scripts.filePath(u"hold"_s));
        return file.open(QIODevice::WriteOnly);
    }
    bool letGo() const { return QFile::remove(m_scripts.filePath(u"hold"_s)); }

    QTemporaryDir m_scripts, m_small; // the latter is a disk of its own, if it can be one
    int m_mountError = 0;
    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

// Of each job, nodes are prepared for as long as there is a file "hold".
void TstSlurmEnds::initTestCase()
{
    QVERIFY(m_scripts.isValid());
    const QString prolog = m_scripts.filePath(u"prolog"_s);
    QFile file(prolog);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nwhile [ -e \"$(dirname \"$0\")/hold\" ]; do sleep 0.1; done\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    // Before the nodes are there, which have their own view of what is mounted.
    if (::mount("trainyard-test", QFile::encodeName(m_small.path()).constData(), "tmpfs", 0, "size=512m,mode=0700")
        != 0) {
        m_mountError = errno;
    }
    m_slurm = std::make_unique<SlurmCluster>(SlurmCluster::Options{
        "JobAcctGatherParams=OverMemoryKill\nJobAcctGatherFrequency=2\nProlog=" + QFile::encodeName(prolog) + '\n', {},
        2, {}});
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmEnds::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
    if (m_mountError == 0) {
        ::umount2(QFile::encodeName(m_small.path()).constData(), MNT_DETACH);
    }
}

void TstSlurmEnds::init()
{
    letGo();
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
}

bool TstSlurmEnds::runtimeSays(const QByteArray &words) const
{
    QDirIterator logs(m_lab->engine.path(u"."_s), {u"runtime.log"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (logs.hasNext()) {
        if (EngineFixture::contents(logs.next()).contains(words)) {
            return true;
        }
    }
    return false;
}

// Slurm kills the step, keeper and all, and calls the job FAILED.
void TstSlurmEnds::tooMuchMemoryIsNamed()
{
    const QString uuid = m_lab->submit(EngineFixture::document("too-large",
        EngineFixture::role("worker", 1, {"{ head -c 300000000 /dev/zero; sleep 100; } | tail -c 400000000 | wc -c"},
            {}, "{cpu: 1, memoryMB: 100, gpu: 0}")));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->ends(uuid, State::Failed));
    const TaskInfo task = m_lab->engine.task(uuid, u"worker"_s, 0);
    QCOMPARE(task.exitCode.value_or(0), -1200);
    QCOMPARE(task.reason, u"exit.oom"_s);
    QCOMPARE(task.reasonArgs.value("limitMiB"_L1).toInt(), 100);
    QVERIFY(task.reasonArgs.value("usedMiB"_L1).toInt() >= 100); // when Slurm looked, perhaps only a little more
    QCOMPARE(m_lab->engine.job(uuid).retries, 0);
    QCOMPARE(m_lab->submissions().size(), 1);
}

// The job ends while two of its tasks still wait for their steps: they have not failed, but were stopped, as they are
// on a host.
void TstSlurmEnds::whatNeverBeganHasNotFailed()
{
    const QByteArray srun = QFile::encodeName(QStandardPaths::findExecutable(u"srun"_s));
    QVERIFY(m_lab->addOnNodes({{u"srun"_s,
        "case \"$*\" in *--job-name=late-*) : >$bin/waits; exec sleep 600 ;; esac\nexec " + srun + " \"$@\"\n"}}));
    const QString uuid = m_lab->submit(EngineFixture::document("in-part",
        role("worker", 1,
            {"while [ ! -e " + QFile::encodeName(m_lab->engine.path(u"bin/waits"_s)) + " ]; do sleep 0.1; done",
                "exit 3"})
            + role("late", 2, {"true"})));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->ends(uuid, State::Failed));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0).state, State::Failed);
    for (int index = 0; index < 2; ++index) {
        const TaskInfo task = m_lab->engine.task(uuid, u"late"_s, index);
        QCOMPARE(task.state, State::Stopped);
    }
}

// It has succeeded, but the time of its allocation is why it ended.
void TstSlurmEnds::aGoodEndAfterTheNoticeSaysSo()
{
    const QByteArray squeue = QFile::encodeName(QStandardPaths::findExecutable(u"squeue"_s));
    QVERIFY(m_lab->addOnNodes(
        {{u"squeue"_s, "case \"$*\" in *'%L %l'*) echo '0:30 1:00:00'; exit ;; esac\nexec " + squeue + " \"$@\"\n"}}));
    const QString uuid = m_lab->submit(EngineFixture::document(
        "noticed", role("worker", 1, {"trap 'exit 0' TERM", "echo up", "while :; do sleep 0.1; done"})));
    QVERIFY(m_lab->says(uuid, "up"));
    m_slurm->run(
        u"scancel"_s, {u"--batch"_s, u"--signal=USR1"_s, QString::fromUtf8(m_lab->submissions().constFirst())});
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    const TaskInfo task = m_lab->engine.task(uuid, u"worker"_s, 0);
    QCOMPARE(task.exitCode.value_or(-1), 0);
    QCOMPARE(task.reason, u"slurm.noticed-time"_s);
}

// Slurm calls it running while the Prolog of its node takes its time.
void TstSlurmEnds::preparationIsNamed()
{
    QVERIFY(hold());
    const QString uuid = m_lab->submit(EngineFixture::document("prepared", role("worker", 1, {"true"})));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->engine.waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "wait.slurm-preparing"_L1; }, 30'000));
    QCOMPARE(m_lab->engine.job(uuid).state, State::Waiting);
    QVERIFY(m_lab->engine.job(uuid).reasonArgs.value("began"_L1).toInteger() > 0);
    QVERIFY(letGo());
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
}

// A controller that does not answer srun ends no job.
void TstSlurmEnds::waitsForItsStep()
{
    const QByteArray srun = QFile::encodeName(QStandardPaths::findExecutable(u"srun"_s));
    QVERIFY(m_lab->addOnNodes({{u"srun"_s,
        "[ -e $bin/back ] || { echo 'srun: error: Unable to confirm allocation for job 1: Unable to contact slurm"
        " controller (connect failure)' >&2; exit 1; }\nexec "
            + srun + " \"$@\"\n"}}));
    const QString uuid = m_lab->submit(EngineFixture::document("patient", role("worker", 1, {"true"})));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(QTest::qWaitFor([this] { return runtimeSays("Unable to contact"); }, 60'000));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0).state, State::Waiting);
    QFile back(m_lab->engine.path(u"bin/back"_s));
    QVERIFY(back.open(QIODevice::WriteOnly));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->submissions().size(), 1);
}

// The same with the controller itself. srun of Slurm 22.05 takes minutes to give up, and to be served again.
void TstSlurmEnds::theControllerMayBeAwayBeforeTheFirstStep()
{
    if (!isFullForm()) {
        QSKIP("It takes minutes: set TRAINYARD_TEST_FULL=1 to run it.");
    }
    QVERIFY(hold());
    const QString uuid = m_lab->submit(EngineFixture::document("patient", role("worker", 1, {"true"})));
    QVERIFY(!uuid.isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(m_lab->queue(), QByteArray("RUNNING\n"), 30'000);
    QVERIFY(m_slurm->stopController());
    QVERIFY(letGo());
    const bool wasRefused = QTest::qWaitFor([this] { return runtimeSays("Unable to contact"); }, 120'000);
    QVERIFY(m_slurm->startController());
    QVERIFY2(wasRefused, "srun has not said that the controller is away");
    QVERIFY(m_lab->ends(uuid, State::Succeeded, 300'000));
}

// Its tasks wait with their output, lose nothing of it, and go on when there is room.
void TstSlurmEnds::aFullFolderOfTheNodesIsNamed()
{
    errno = m_mountError;
    SKIP_UNLESS_MOUNTED(m_mountError);
    QVERIFY(m_lab->engine.engine().setSetting(u"slurmFolder.lab"_s, m_small.path()));
    const QString uuid = m_lab->submit(EngineFixture::document(
        "large", role("worker", 1, {"echo up", "until [ -e go ]; do sleep 0.1; done", "head -c 3000000 /dev/zero"})));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->says(uuid, "up"));
    QFile rest(m_small.filePath(u"rest"_s));
    QVERIFY(rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
    const QByteArray much(1 << 20, 'x');
    for (const int size : {1 << 20, 512}) {
        while (rest.write(much.constData(), size) == size) { }
    }
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY2(m_lab->engine.waitFor(
                 uuid, [](const JobSummary &job) { return job.reason == u"task.disk-full"_s; }, 60'000),
        qPrintable(m_lab->engine.job(uuid).reason));
    QCOMPARE(m_lab->engine.job(uuid).reasonArgs.value("host"_L1).toString(), u"slurm:lab"_s);
    const TaskInfo task = m_lab->engine.task(uuid, u"worker"_s, 0);
    QCOMPARE(task.reason, u"task.disk-full"_s);
    QVERIFY(task.reasonArgs.value("folder"_L1).toString().startsWith(m_small.path()));
    QVERIFY(rest.remove());
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->engine.job(uuid).reason, QString());
    QCOMPARE(m_lab->engine.output(uuid, u"worker"_s, 0), QByteArray("up\n") + QByteArray(3'000'000, '\0'));
}

void TstSlurmEnds::aNodeOfSeveralIsLost_data()
{
    QTest::addColumn<bool>("dies");
    QTest::newRow("it dies") << true;
    QTest::newRow("it is taken out of use") << false;
}

// The lead, on another node, sees only that the step is gone. The cluster says why, a little later.
void TstSlurmEnds::aNodeOfSeveralIsLost()
{
    QFETCH(const bool, dies);
    const QString uuid = m_lab->submit(
        EngineFixture::document("apart", role("worker", 2, {"echo up", "while [ ! -e go ]; do sleep 0.1; done"}),
            "extras:\n  trainyard:\n    hosts: {worker: {arrange: different-hosts}}\n"));
    QVERIFY(!uuid.isEmpty());
    QVERIFY(m_lab->says(uuid, "up") && m_lab->says(uuid, "up", 1));
    const QString host = m_lab->engine.task(uuid, u"worker"_s, 1).host;
    QVERIFY2(
        host.startsWith("slurm:lab/n"_L1) && host != m_lab->engine.task(uuid, u"worker"_s, 0).host, qPrintable(host));
    const QString node = host.section(u'/', 1);
    const auto say = [&](const QString &state) {
        return m_slurm->run(u"scontrol"_s, {u"update"_s, u"nodename="_s + node, u"state="_s + state, u"reason=power"_s})
                   .status
            == 0;
    };
    QVERIFY(dies ? m_slurm->loseNode(node.last(1).toInt()) : say(u"down"_s));
    QVERIFY(m_lab->waitForSubmissions(2)); // it is tried again, although the job has no retries
    // Slurm itself may take it again before that, and may not be told to while a job of before completes.
    const auto isBack = [&] {
        say(u"resume"_s);
        const QByteArray state = m_slurm->run(u"sinfo"_s, {u"-h"_s, u"-N"_s, u"-n"_s, node, u"-o"_s, u"%t"_s}).out;
        return !state.isEmpty() && !state.contains("down") && !state.contains("drain");
    };
    QVERIFY(dies ? m_slurm->startNode(node.last(1).toInt()) : QTest::qWaitFor(isBack, 60'000));
    const TaskInfo lost = m_lab->engine.task(uuid, u"worker"_s, 1, 0);
    QCOMPARE(lost.exitCode.value_or(0), -1001);
    QCOMPARE(lost.reason, u"slurm.node-lost"_s);
    QVERIFY(m_lab->says(uuid, "up", 1, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
}

TRAINYARD_TEST(TstSlurmEnds)
#include "tst_slurmends.moc"
