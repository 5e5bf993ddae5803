// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/srunwords.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// What is known of a step by the words of srun and slurmstepd, as Slurm 22.05 says them.
class TstSrunWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void says_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<bool>("isOverMemory");
        QTest::addColumn<int>("usedMiB");
        QTest::addColumn<int>("limitMiB");
        QTest::addColumn<bool>("isControllerAway");
        QTest::addColumn<bool>("isMemoryTaken");
        QTest::addColumn<bool>("isNodeAway");
        const auto row = [](const char *name, const QByteArray &log, bool isOverMemory, int used, int limit,
                             bool isAway = false, bool isTaken = false, bool isNodeAway = false) {
            QTest::newRow(name) << log << isOverMemory << used << limit << isAway << isTaken << isNodeAway;
        };
        row("nothing", "", false, 0, 0);
        row("polled memory",
            "slurmstepd-n1: error: StepId=97.0 exceeded memory limit (474939392 > 104857600), being killed\n"
            "srun: Job step aborted: Waiting up to 4 seconds for job step to finish.\n"
            "srun: error: n1: task 0: Killed\n",
            true, 452, 100);
        row("the memory of the job", "slurmstepd-n1: error: Exceeded job memory limit\n", true, 0, 0);
        row("the memory of a cgroup",
            "slurmstepd: error: Detected 1 oom_kill event in StepId=8.0. Some of the step tasks have been OOM "
            "Killed.\n",
            true, 0, 0);
        row("as srun calls it", "srun: error: n1: task 0: Out Of Memory", true, 0, 0);
        row("amounts that are none", "slurmstepd: error: exceeded memory limit (? > 5)\n", true, 0, 0);
        row("a line that is cut", "slurmstepd: error: exceeded memory limit (7", true, 0, 0);
        row("the controller",
            "srun: error: Unable to confirm allocation for job 47: Unable to contact slurm controller (connect "
            "failure)\n"
            "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 47\n",
            false, 0, 0, true);
        row("an answer that is late",
            "srun: error: Unable to create step for job 4: Socket timed out on send/recv operation\n", false, 0, 0,
            true);
        row("memory of another step",
            "srun: error: Unable to create step for job 52: Memory required by task is not available\n", false, 0, 0,
            false, true);
        row("a node that does not answer",
            "srun: error: Task launch for StepId=8.0 failed on node n2: Communication connection failure\n"
            "srun: error: Application launch failed: Communication connection failure\n"
            "srun: Job step aborted\n",
            false, 0, 0, false, false, true);
        row("a launch that a node refuses",
            "srun: error: Task launch for StepId=8.0 failed on node n2: Invalid job credential\n"
            "srun: error: Application launch failed: Invalid job credential\n",
            false, 0, 0);
        row("a refusal", "srun: error: Unable to create step for job 52: Invalid node name specified\n", false, 0, 0);
        row("cancelled",
            "srun: forcing job termination\nslurmstepd-n2: error: *** STEP 109.5 ON n2 CANCELLED AT 2026-11-30 ***\n",
            false, 0, 0);
        row("words of others",
            "[Mon Nov 30] [trainyard] srun: exceeded memory limit (9 > 5)\nexceeded memory limit (9 > 5)\n"
            "a step: Connection refused\nslurmstepd: error: Connection refused\n",
            false, 0, 0);
    }

    void says()
    {
        QFETCH(QByteArray, log);
        const contract::SrunWords words = contract::srunWords({log.constData(), std::size_t(log.size())});
        QTEST(words.isOverMemory, "isOverMemory");
        QTEST(int(words.usedMiB), "usedMiB");
        QTEST(int(words.limitMiB), "limitMiB");
        QTEST(words.isControllerAway, "isControllerAway");
        QTEST(words.isMemoryTaken, "isMemoryTaken");
        QTEST(words.isNodeAway, "isNodeAway");
    }
};

TRAINYARD_TEST(TstSrunWords)
#include "tst_srunwords.moc"
