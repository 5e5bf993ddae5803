// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/enginefixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/programsfixture.h"
#include "tests/helpers/slurmcluster.h"
#include "tests/helpers/testregistry.h"

#include <QJsonArray>
#include <QScopeGuard>

using namespace Qt::StringLiterals;

// A cluster from the command line, as somebody on its login node has it: the programs, and a real Slurm.
class TstCliSlurm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_slurm = std::make_unique<SlurmCluster>(
            SlurmCluster::Options{{}, "PartitionName=short Nodes=n3 MaxTime=00:05:00 State=UP\n", 2, {}});
        SKIP_UNLESS_THERE(*m_slurm);
        qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
    }
    void cleanupTestCase()
    {
        qunsetenv("SLURM_CONF");
        m_slurm.reset();
    }

    void aTargetIsAddedAndUsed()
    {
        ProgramsFixture f;
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"-p"_s, u"main"_s});
        QVERIFY2(added.status == 0, added.err.constData());
        QVERIFY2(added.err.contains("'lab' names no kind of cluster, so it is taken for one of Slurm: slurm:lab."),
            added.err.constData());
        QVERIFY2(added.out.contains("partition main: 2 nodes with 4 cores each, gpu:2, no time limit"),
            added.out.constData());
        QVERIFY(added.out.contains("trainyardctl run --on slurm:lab JOB"));
        const auto listed = f.ctl({u"targets"_s});
        QVERIFY2(listed.out.contains("slurm:lab") && listed.out.contains("--partition=main"), listed.out.constData());
        const auto withMore = f.ctl({u"targets"_s, u"add"_s, u"slurm:more"_s, u"--modules"_s, u"cuda/12,torch"_s,
            u"--images"_s, u"pyxis"_s, u"--"_s, u"-p"_s, u"main"_s});
        const QByteArray all = f.ctl({u"targets"_s, u"list"_s}).out;
        QVERIFY2(all.contains("IMAGES") && all.contains("pyxis") && all.contains("cuda/12,torch"),
            QByteArray(withMore.err + all).constData());
        QCOMPARE(f.ctl({u"targets"_s, u"remove"_s, u"slurm:more"_s}).status, 0);
        const QJsonArray json = f.ctl({u"targets"_s, u"list"_s, u"--json"_s}).json().array();
        QCOMPARE(json.first().toObject().value("id"_L1).toString(), u"slurm:lab"_s);

        const QString file = f.write(u"work/job.yaml"_s,
            EngineFixture::document("on-lab", EngineFixture::role("worker", 2, {"echo I am $SLURMD_NODENAME"})));
        const auto planned = f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s, u"--dry-run"_s});
        QVERIFY2(planned.status == 0, planned.err.constData());
        for (const char *part : {"#SBATCH --partition=main\n", "#SBATCH --ntasks=2\n",
                 "# sbatch --parsable '--job-name=", "# worker/1: lab\n", "echo I am $SLURMD_NODENAME"}) {
            QVERIFY2(planned.out.contains(part), planned.out.constData());
        }
        QVERIFY(f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s, u"--dry-run"_s, u"--json"_s})
                    .json()
                    .object()
                    .value("submission"_L1)
                    .toString()
                    .contains("#SBATCH --ntasks=2\n"_L1));
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s, u"--wait"_s}, {}, 60'000);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(f.ctl({u"logs"_s, u"1"_s, u"worker/1"_s}).out.startsWith("I am n"), run.out.constData());
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(shown.out.contains("slurm:lab"), shown.out.constData());

        const auto removed = f.ctl({u"targets"_s, u"remove"_s, u"slurm:lab"_s});
        QVERIFY2(removed.status == 0, removed.err.constData());
        const auto refused = f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s});
        QCOMPARE(refused.status, 4);
        QVERIFY2(refused.err.contains("slurm:lab has been removed from the settings"), refused.err.constData());
    }

    // Until it is a target, or was declined.
    void aClusterIsOffered()
    {
        ProgramsFixture f;
        const QByteArray hint = "A Slurm cluster answers on this computer";
        const QByteArray step
            = "a Slurm cluster answers; 'trainyardctl targets add slurm:NAME' makes it a target of jobs";
        QVERIFY2(f.ctl({u"targets"_s}).err.contains(hint), f.ctl({u"targets"_s}).err.constData());
        QTRY_VERIFY_WITH_TIMEOUT(f.ctl({u"hosts"_s, u"check"_s, u"local"_s}).out.contains(step), 30'000);
        QCOMPARE(f.ctl({u"targets"_s, u"add"_s, u"lab"_s}).status, 0);
        QVERIFY(!f.ctl({u"targets"_s}).err.contains(hint));
        QVERIFY(!f.ctl({u"hosts"_s, u"check"_s, u"local"_s}).out.contains(step));
        QCOMPARE(f.ctl({u"targets"_s, u"remove"_s, u"slurm:lab"_s}).status, 0);
        QVERIFY(f.ctl({u"targets"_s}).err.contains(hint));
        QCOMPARE(f.ctl({u"settings"_s, u"clusters.offerSlurm"_s, u"false"_s}).status, 0);
        QVERIFY(!f.ctl({u"targets"_s}).err.contains(hint));
        QVERIFY(!f.ctl({u"hosts"_s, u"check"_s, u"local"_s}).out.contains(step));
    }

    // The programs are there, and nobody answers them: no cluster is offered.
    void commandsWithoutACluster()
    {
        const QByteArray before = qgetenv("SLURM_CONF");
        qputenv("SLURM_CONF", "/nowhere/slurm.conf");
        const QScopeGuard restore([before] { qputenv("SLURM_CONF", before); });
        ProgramsFixture f;
        const auto checked = f.ctl({u"hosts"_s, u"check"_s, u"local"_s}, {}, 60'000); // waits for its last step
        QCOMPARE(checked.status, 0);
        QVERIFY2(checked.out.contains("the commands of Slurm are installed, but no "), checked.out.constData());
        QVERIFY2(!checked.out.contains("targets add slurm:NAME"), checked.out.constData());
    }

    // A folder with a misspelt name is seen at once.
    void aNewFolderIsNamed()
    {
        ProgramsFixture f;
        const QString folder = f.path(u"typing/error"_s);
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"slurm:lab"_s, u"--folder"_s, folder});
        QVERIFY2(added.out.contains(QByteArray(folder.toUtf8() + ", which was not there and is made")),
            added.out.constData());
        QVERIFY2(!added.err.contains("no kind of cluster"), added.err.constData());
        QVERIFY(!f.ctl({u"targets"_s, u"check"_s, u"slurm:lab"_s}).out.contains("is made"));
        const QString file
            = f.write(u"work/job.yaml"_s, EngineFixture::document("here", EngineFixture::role("worker", 1, {"true"})));
        const auto run = f.ctl({u"run"_s, file, u"--on"_s, u"lab"_s}); // without its kind
        QVERIFY2(run.status != 0 && run.err.contains("slurm:lab is a cluster: 'run --on slurm:lab' runs a job there"),
            run.err.constData());
        const auto odd = f.ctl({u"targets"_s, u"add"_s, u"slurm:odd"_s, u"--folder"_s, u"/proc/foo"_s});
        QVERIFY2(odd.out.contains("/proc/foo cannot be used for the runs of a cluster: No such file or directory"),
            odd.out.constData());
    }

    void wrongOptionsAreRefused()
    {
        ProgramsFixture f;
        const auto owned = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"--nodes=2"_s});
        QVERIFY(owned.status != 0);
        QVERIFY2(owned.err.contains("--nodes cannot be set for a cluster"), owned.err.constData());
        const auto wrong = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"--partition=nowhere"_s});
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.out.contains("slurm:lab refuses a small job"), wrong.out.constData());
        QVERIFY(wrong.err.contains("slurm:lab is kept"));
        const auto tooLong
            = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"--partition=short"_s, u"--time=1-00"_s});
        QCOMPARE(tooLong.status, 1);
        QVERIFY2(tooLong.out.contains("none of them ever starts"), tooLong.out.constData());
    }

    // Slurm takes such a job without a word, and it never starts.
    void aTimeThatNoPartitionHasIsSaid()
    {
        ProgramsFixture f;
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s, u"--"_s, u"--partition=short"_s});
        QVERIFY2(added.status == 0, QByteArray(added.out + added.err).constData());
        const auto other = f.ctl({u"targets"_s, u"add"_s, u"free"_s, u"--"_s, u"--partition=main"_s});
        QVERIFY2(other.status == 0, QByteArray(other.out + other.err).constData());
        const QString file = f.write(u"work/job.yaml"_s,
            EngineFixture::document("long", EngineFixture::role("worker", 1, {"true"}),
                "extras: {trainyard: {limits: {timeSeconds: 600}}}\n"));
        const auto run = [&f, &file](const QString &target) {
            return f.ctl({u"run"_s, file, u"--on"_s, target, u"--dry-run"_s}, {}, 60'000).err;
        };
        const QByteArray warned = run(u"slurm:lab"_s);
        QVERIFY2(warned.contains("The job never starts at slurm:lab: it asks for 1")
                && warned.contains("the partition short allows 5:00."),
            warned.constData());
        const QByteArray quiet = run(u"slurm:free"_s);
        QVERIFY2(!quiet.contains("never starts"), quiet.constData());
    }

    // Its jobs would wait; which nodes are away, and why, is what there is to know.
    void drainedNodesAreNamed()
    {
        ProgramsFixture f;
        const auto tell = [this](const QString &state) {
            return m_slurm->run(
                u"scontrol"_s, {u"update"_s, u"nodename=n[1-3]"_s, u"state="_s + state, u"reason=new disks"_s});
        };
        QCOMPARE(tell(u"drain"_s).status, 0);
        const QScopeGuard restore([&tell, this] { // which may not be taken while a job of before completes
            (void)QTest::qWaitFor(
                [&tell, this] {
                    tell(u"resume"_s);
                    // A node that has come back takes jobs once it has answered: until then it is "idle*".
                    const QByteArray states = m_slurm->run(u"sinfo"_s, {u"--noheader"_s, u"--format=%T"_s}).out;
                    return !states.contains("drain") && !states.contains('*');
                },
                120'000);
        });
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s});
        QCOMPARE(added.status, 1);
        QVERIFY2(added.out.contains("2 of 2 take no jobs (drained: new disks)"), added.out.constData());
        QVERIFY2(added.out.contains("No node of slurm:lab takes jobs now (drained: new disks)"), added.out.constData());
    }

    // A command beside a task runs on its node, with its environment.
    void commandsRunBesideTasks()
    {
        ProgramsFixture f;
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s});
        QVERIFY2(added.status == 0, QByteArray(added.out + added.err).constData());
        const QString file = f.write(u"work/job.yaml"_s,
            EngineFixture::document(
                "on-lab", EngineFixture::role("worker", 1, {"export OWN=mine; echo up; sleep 100"})));
        QCOMPARE(f.ctl({u"run"_s, file, u"--on"_s, u"slurm:lab"_s}).status, 0);
        QVERIFY(QTest::qWaitFor([&] { return f.ctl({u"logs"_s, u"1"_s}).out.contains("up"); }, 30'000));
        // The cluster's word that the task runs may come after its first line.
        ProgramsFixture::Output beside;
        (void)QTest::qWaitFor(
            [&] {
                beside = f.ctl({u"exec"_s, u"1"_s, u"worker/0"_s, u"--"_s, u"sh"_s, u"-c"_s,
                                   u"echo in $PAI_JOB_NAME at $SLURMD_NODENAME"_s},
                    {}, 30'000);
                return beside.status == 0;
            },
            30'000);
        QVERIFY2(beside.out.contains("on-lab at n"), QByteArray(beside.out + beside.err).constData());
        QCOMPARE(f.ctl({u"stop"_s, u"1"_s, u"--now"_s}).status, 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return m_slurm->run(u"squeue"_s, {u"-h"_s, u"-t"_s, u"R,PD"_s}).out.isEmpty();
            },
            30'000));
    }

    // Without a gang they have what elements of an array have, and with one they do not.
    void variablesOfArraysAreKnown()
    {
        ProgramsFixture f;
        const auto added = f.ctl({u"targets"_s, u"add"_s, u"lab"_s});
        QVERIFY2(added.status == 0, QByteArray(added.out + added.err).constData());
        const QByteArray role = EngineFixture::role("worker", 2, {"echo $SLURM_ARRAY_TASK_ID"});
        const QString alone = f.write(
            u"work/alone.yaml"_s, EngineFixture::document("alone", role, "extras: {gangAllocation: false}\n"));
        const auto run = f.ctl({u"run"_s, alone, u"--on"_s, u"slurm:lab"_s, u"--wait"_s}, {}, 120'000);
        QCOMPARE(run.status, 0);
        QVERIFY2(!run.err.contains("SLURM_ARRAY_TASK_ID"), run.err.constData());
        const auto shown = f.ctl({u"show"_s, u"1"_s});
        QVERIFY2(shown.out.contains("Number at slurm:lab"), shown.out.constData());
        const QString together = f.write(u"work/together.yaml"_s, EngineFixture::document("together", role));
        const auto gang = f.ctl({u"run"_s, together, u"--on"_s, u"slurm:lab"_s});
        QVERIFY2(gang.err.contains("SLURM_ARRAY_TASK_ID"), gang.err.constData());
        f.ctl({u"stop"_s, u"2"_s, u"--now"_s});
    }

private:
    std::unique_ptr<SlurmCluster> m_slurm;
};

TRAINYARD_TEST(TstCliSlurm)
#include "tst_clislurm.moc"
