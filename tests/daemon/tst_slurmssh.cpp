// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/mpiprograms.h"
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Tasks of a real Slurm that log in to each other: the plugin ssh, with a real sshd.
class TstSlurmSsh : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup() { m_lab.reset(); }
    void tasksReachEachOther();
    void mpirunReachesTheTasks();
    void hydraReachesTheTasks();
    void notInImagesOfPyxis();

private:
    // A boss, and two workers that stay until it has ended.
    static QByteArray job(const QByteArrayList &commands)
    {
        return EngineFixture::document("with-ssh",
            EngineFixture::role("boss", 1, commands, {}, "{cpu: 1, memoryMB: 64, gpu: 0}")
                + EngineFixture::role(
                    "worker", 2, {"until [ -e done ]; do sleep 0.1; done"}, {}, "{cpu: 1, memoryMB: 64, gpu: 0}"),
            "extras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: ssh, parameters: {jobssh: true, sshbarrier: "
            "true, sshbarrierTimeout: 1}}\n");
    }

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmSsh::initTestCase()
{
    SKIP_WITHOUT_SSHD();
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmSsh::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

void TstSlurmSsh::tasksReachEachOther()
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
    EngineFixture &f = m_lab->engine;
    const QString uuid
        = m_lab->submit(job({"ssh worker-1 'echo \"at $PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX of $SLURM_JOB_ID\"'",
            "ssh worker-0 'exit 7' || echo \"status $?\"", "ssh worker-0 ssh boss-0 'echo back'", "touch done"}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY2(m_lab->ends(uuid, State::Succeeded), f.output(uuid, u"boss"_s, 0).constData());
    const QByteArray said = f.output(uuid, u"boss"_s, 0);
    QVERIFY2(said.contains("at worker-1 of ") && !said.contains("of \n"), said.constData());
    QVERIFY2(said.contains("status 7\n") && said.contains("back\n"), said.constData());
    // The key is gone with the job: from what it was handed over with, and from the folders of its tasks.
    const auto isKeyLeft = [&] {
        for (const QString &folder : {f.path(u"."_s), m_slurm->folder()}) {
            QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                if (EngineFixture::contents(it.next()).contains("BEGIN OPENSSH PRIVATE KEY")) {
                    qWarning("%s", qPrintable(it.filePath()));
                    return true;
                }
            }
        }
        return false;
    };
    QTRY_VERIFY(!isKeyLeft());
}

// Open MPI knows Slurm, and would start its own by srun, on nodes instead of tasks.
void TstSlurmSsh::mpirunReachesTheTasks()
{
    SKIP_WITHOUT_OPEN_MPI();
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
    const QString uuid = m_lab->submit(
        job({"mpirun --allow-run-as-root --bind-to none --oversubscribe --mca rtc ^hwloc -np 2 -H worker-0,worker-1 "
             "bash -c 'echo \"rank $OMPI_COMM_WORLD_RANK in $PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX.\"'",
            "touch done"}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY2(m_lab->ends(uuid, State::Succeeded), m_lab->engine.output(uuid, u"boss"_s, 0).constData());
    const QByteArray said = m_lab->engine.output(uuid, u"boss"_s, 0);
    QVERIFY2(said.contains("rank 0 in worker-0.") && said.contains("rank 1 in worker-1."), said.constData());
}

// MPICH knows Slurm as well. Its processes send each other a number.
void TstSlurmSsh::hydraReachesTheTasks()
{
    SKIP_WITHOUT_MPICH();
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
    const QString uuid = m_lab->submit(
        job({mpichSumProgram(), "mpiexec.hydra -np 3 -hosts worker-0:1,boss-0:1,worker-1:1 python3 sum.py", "echo here",
            "mpiexec.hydra -np 2 python3 sum.py", "touch done"}));
    QVERIFY(!uuid.isEmpty());
    QVERIFY2(m_lab->ends(uuid, State::Succeeded), m_lab->engine.output(uuid, u"boss"_s, 0).constData());
    const QByteArray said = m_lab->engine.output(uuid, u"boss"_s, 0);
    for (const char *line : {"rank 0 of 3 in worker-0: 33.", "rank 1 of 3 in boss-0: 33.",
             "rank 2 of 3 in worker-1: 33.", "rank 0 of 2 in boss-0: 21.", "rank 1 of 2 in boss-0: 21."}) {
        QVERIFY2(said.contains(line), said.constData());
    }
}

void TstSlurmSsh::notInImagesOfPyxis()
{
    m_lab = std::make_unique<SlurmFixture>(
        *m_slurm, QMap<QString, QString>(), QJsonObject{{u"slurmImages.lab"_s, u"pyxis"_s}});
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->submit(job({"true"})).isEmpty());
    QCOMPARE(m_lab->engine.error().code, u"slurm.ssh-pyxis"_s);
}

TRAINYARD_TEST(TstSlurmSsh)
#include "tst_slurmssh.moc"
