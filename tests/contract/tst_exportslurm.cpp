// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/slurmcluster.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;

// Exported batch scripts, run by a real Slurm of three nodes; and scripts that run there and as jobs that they became.
class TstExportSlurm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void tasksFindEachOther();
    void shapesAreComponents();
    void firstFailureEndsTheJob();
    void tasksAreTriedAgain();
    void secretsStayOutOfSlurm();
    void stopsWhenItIsCancelled();
    void scriptsBecomeJobs_data();
    void scriptsBecomeJobs();

private:
    // Exports the job, hands it over, and waits for its end.
    int runJob(const QByteArray &job); // the status of the script
    QByteArray said() const; // by the last job
    QByteArray logOf(const QString &task, int attempt = 0) const; // of the last job
    QByteArray contents(const QString &path) const;
    bool exportJob(const QByteArray &job);

    std::unique_ptr<SlurmCluster> m_slurm;
    QString m_run; // the folder of the last run
};

namespace
{

QByteArray role(
    const char *name, int instances, const char *resources, const QByteArray &command, const QByteArray &more = {})
{
    return QByteArray("  ") + name + ":\n    instances: " + QByteArray::number(instances)
        + "\n    dockerImage: img\n    resourcePerInstance: {" + resources + "}\n" + more
        + "    commands:\n      - |\n        " + QByteArray(command).replace("\n", "\n        ") + '\n';
}

QByteArray job(const QByteArray &roles, const QByteArray &more = {})
{
    return "protocolVersion: 2\nname: exported\ntype: job\n" + more
        + "prerequisites:\n  - {name: img, type: dockerimage, uri: 'debian:12'}\ntaskRoles:\n" + roles;
}

const char small[] = "cpu: 1, memoryMB: 128, gpu: 0";

} // namespace

void TstExportSlurm::initTestCase()
{
    spareLeakChecks();
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
}

bool TstExportSlurm::exportJob(const QByteArray &job)
{
    QFile file(m_slurm->folder() + u"/job.yaml"_s);
    if (!file.open(QIODevice::WriteOnly) || file.write(job) != job.size()) {
        return false;
    }
    file.close();
    const auto exported = m_slurm->run(qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s,
        {u"export"_s, file.fileName(), u"--to"_s, u"sbatch"_s, u"--force"_s, u"-o"_s, u"job.sbatch"_s});
    if (exported.status != 0) {
        qWarning("%s", exported.err.constData());
    }
    return exported.status == 0;
}

// As `sbatch --wait` does, which looks every few seconds only.
int TstExportSlurm::runJob(const QByteArray &job)
{
    if (!exportJob(job)) {
        return -1;
    }
    const QString id = QString::fromUtf8(m_slurm->run(u"sbatch"_s, {u"--parsable"_s, u"job.sbatch"_s}).out.trimmed());
    m_run = m_slurm->folder() + u"/exported-"_s + id;
    static const QRegularExpression ended(u"JobState=(COMPLETED|FAILED|CANCELLED)[^J]*ExitCode=(\\d+):"_s,
        QRegularExpression::DotMatchesEverythingOption);
    int status = -1;
    const bool isOver = QTest::qWaitFor(
        [&] {
            QTest::qWait(100); // between two looks, each of which costs a process: Slurm tells nobody of an end
            const QByteArray shown = m_slurm->run(u"scontrol"_s, {u"show"_s, u"job"_s, id}).out;
            const QRegularExpressionMatch match = ended.match(QString::fromUtf8(shown));
            status = match.hasMatch() ? match.captured(2).toInt() : -1;
            return match.hasMatch();
        },
        120'000);
    return isOver ? status : -1;
}

// What the script itself says.
QByteArray TstExportSlurm::said() const
{
    return contents(m_slurm->folder() + u"/exported-"_s + m_run.section(u'-', -1) + u".out"_s);
}

QByteArray TstExportSlurm::contents(const QString &path) const
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray TstExportSlurm::logOf(const QString &task, int attempt) const
{
    return contents(m_run + u"/attempt-"_s + QString::number(attempt + 1) + u'/' + task + u".log"_s);
}

// One shape of tasks: a plain job with a step for each.
void TstExportSlurm::tasksFindEachOther()
{
    const QByteArray say
        = "echo \"$PAI_TASK_ROLE_NAME $PAI_TASK_INDEX at $PAI_CONTAINER_HOST_IP:$PAI_CONTAINER_HOST_PORT\"\n"
          "echo \"all: $PAI_TASK_ROLE_0_HOST_LIST $PAI_TASK_ROLE_1_HOST_LIST\"\n"
          "echo \"step $SLURM_STEP_ID, $SLURM_CPUS_PER_TASK core\"";
    const int ended = runJob(job(role("main", 5, small, say) + role("other", 1, small, say)));
    QVERIFY2(ended == 0, said().constData());
    QSet<QByteArray> places, steps;
    QByteArray all;
    for (const char *task : {"main-0", "main-1", "main-2", "main-3", "main-4", "other-0"}) {
        const QByteArrayList lines = logOf(QLatin1StringView(task)).trimmed().split('\n');
        QVERIFY2(lines.size() == 3, lines.join('\n').constData());
        const QByteArray name = QByteArray(task).replace('-', ' ') + " at ";
        QVERIFY2(lines.at(0).startsWith(name), lines.at(0).constData());
        places.insert(lines.at(0).mid(name.size()));
        QVERIFY(all.isEmpty() || all == lines.at(1));
        all = lines.at(1);
        QVERIFY2(lines.at(2).endsWith(", 1 core"), lines.at(2).constData());
        steps.insert(lines.at(2));
    }
    QCOMPARE(steps.size(), 6);
    QCOMPARE(places.size(), 6);
    for (const QByteArray &place : std::as_const(places)) { // of nodes whose names only Slurm knows
        QVERIFY2(place.startsWith("127.0.0.1:"), place.constData());
    }
    const QByteArrayList told = all.mid(5).replace(' ', ',').split(',');
    QCOMPARE(QSet<QByteArray>(told.cbegin(), told.cend()), places);
}

// Tasks that ask for different things are components of a heterogeneous job.
void TstExportSlurm::shapesAreComponents()
{
    const QByteArray say = "echo \"$SLURMD_NODENAME gpus=$CUDA_VISIBLE_DEVICES cores=$SLURM_CPUS_PER_TASK\"";
    const int ended = runJob(job(
        role("ps", 1, "cpu: 2, memoryMB: 200, gpu: 0", say) + role("worker", 2, "cpu: 1, memoryMB: 100, gpu: 2", say)));
    QVERIFY2(ended == 0, said().constData());
    const QByteArray server = logOf(u"ps-0"_s), first = logOf(u"worker-0"_s), second = logOf(u"worker-1"_s);
    QVERIFY2(server.endsWith(" gpus= cores=2\n"), server.constData());
    QVERIFY2(first.endsWith(" gpus=0,1 cores=1\n"), first.constData());
    QVERIFY2(second.endsWith(" gpus=0,1 cores=1\n"), second.constData());
    QVERIFY(first.left(2) != second.left(2)); // each node has two
}

void TstExportSlurm::firstFailureEndsTheJob()
{
    const int ended = runJob(job(role("server", 2, small, "trap 'echo asked; exit 0' TERM\nsleep 600 & wait")
        + role("main", 1, small, "until grep -qs . \"$RUN_FOLDER\"/attempt-1/none; do exit 7; done")));
    QCOMPARE(ended, 7);
    QVERIFY2(said().contains("main/0 ended with status 7") && said().contains("the job failed with status 7"),
        said().constData());
}

void TstExportSlurm::tasksAreTriedAgain()
{
    const int task = runJob(job(
        role("main", 1, small, "echo try $TRAINYARD_TASK_TRY\ntest $TRAINYARD_TASK_TRY = 1", "    taskRetryCount: 1\n"),
        "extras: {gangAllocation: false}\n"));
    QVERIFY2(task == 0, said().constData());
    QCOMPARE(logOf(u"main-0"_s), QByteArray("try 0\ntry 1\n"));
    const auto whole
        = runJob(job(role("main", 1, small, "echo attempt $TRAINYARD_JOB_ATTEMPT\ntest $TRAINYARD_JOB_ATTEMPT = 1"),
            "jobRetryCount: 1\n"));
    QVERIFY2(whole == 0, said().constData());
    QCOMPARE(logOf(u"main-0"_s), QByteArray("attempt 0\n"));
    QCOMPARE(logOf(u"main-0"_s, 1), QByteArray("attempt 1\n"));
}

// Neither in the script, nor in what Slurm stores of the job and tells of it.
void TstExportSlurm::secretsStayOutOfSlurm()
{
    const QByteArray value = "hunter2secret";
    const QString file = m_slurm->folder() + u"/exported.secrets"_s;
    QFile secrets(file);
    QVERIFY(secrets.open(QIODevice::WriteOnly) && secrets.write("SECRET_TOKEN=" + value + '\n') > 0);
    secrets.close();
    QVERIFY(secrets.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
    QVERIFY(exportJob(job(role("main", 1, small,
                              "echo \"it has $(printf %s '<% $secrets.token %>' | wc -c) bytes\"\n"
                              "until [ -e "
                                  + QFile::encodeName(m_slurm->folder()) + "/go ]; do sleep 0.05; done"),
        "secrets: {token: " + value + "}\n")));
    QVERIFY(!contents(m_slurm->folder() + u"/job.sbatch"_s).contains(value));
    const QString id = QString::fromUtf8(m_slurm->run(u"sbatch"_s, {u"--parsable"_s, u"job.sbatch"_s}).out.trimmed());
    m_run = m_slurm->folder() + u"/exported-"_s + id;
    QTRY_COMPARE_WITH_TIMEOUT(logOf(u"main-0"_s), QByteArray("it has 13 bytes\n"), 60'000);
    QVERIFY(!m_slurm->run(u"scontrol"_s, {u"show"_s, u"job"_s, u"-dd"_s, id}).out.contains(value));
    for (const QString &folder : QStringList{m_slurm->folder() + u"/state"_s, m_slurm->folder() + u"/spool"_s, m_run}) {
        QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        QVERIFY(files.hasNext());
        while (files.hasNext()) {
            const QString path = files.next();
            if (files.fileInfo().isSymLink()) {
                continue; // the commands, which are no file: an open pipe of the task, and of this process another one
            }
            QVERIFY2(!contents(path).contains(value), qPrintable(path));
        }
    }
    const QStringList processes = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &process : processes) {
        QVERIFY(!contents(u"/proc/"_s + process + u"/cmdline"_s).contains(value));
    }
    QFile go(m_slurm->folder() + u"/go"_s);
    QVERIFY(go.open(QIODevice::WriteOnly));
    QTRY_VERIFY_WITH_TIMEOUT(
        m_slurm->run(u"scontrol"_s, {u"show"_s, u"job"_s, id}).out.contains("JobState=COMPLETED"), 60'000);
    QVERIFY(QFile::remove(file));
    const int without = runJob(contents(m_slurm->folder() + u"/job.yaml"_s));
    QCOMPARE(without, 2);
    QVERIFY2(said().contains("the secret SECRET_TOKEN is missing"), said().constData());
}

void TstExportSlurm::stopsWhenItIsCancelled()
{
    QVERIFY(exportJob(job(role("main", 2, small, "trap 'echo asked; exit 0' TERM\necho there\nsleep 600 & wait"))));
    const QByteArray id = m_slurm->run(u"sbatch"_s, {u"--parsable"_s, u"job.sbatch"_s}).out.trimmed();
    QVERIFY(!id.isEmpty());
    m_run = m_slurm->folder() + u"/exported-"_s + QString::fromUtf8(id);
    QTRY_VERIFY_WITH_TIMEOUT(logOf(u"main-0"_s) == "there\n" && logOf(u"main-1"_s) == "there\n", 60'000);
    QCOMPARE(m_slurm->run(u"scancel"_s, {u"--batch"_s, u"--signal=TERM"_s, QString::fromUtf8(id)}).status, 0);
    QTRY_COMPARE_WITH_TIMEOUT(logOf(u"main-0"_s), QByteArray("there\nasked\n"), 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_slurm->run(u"scontrol"_s, {u"show"_s, u"job"_s, QString::fromUtf8(id)}).out.contains("ExitCode=143:0"),
        60'000);
}

void TstExportSlurm::scriptsBecomeJobs_data()
{
    QTest::addColumn<QByteArray>("script"); // says its lines by "say"
    QTest::addColumn<QByteArrayList>("lines");
    const QByteArray head = "#!/bin/bash\n#SBATCH --mem=64 --job-name=imported\n";
    QTest::newRow("a task alone") << head + "#SBATCH -c 2\ncd /tmp\nsay \"$SLURM_CPUS_PER_TASK of $SLURM_JOB_NAME\"\n"
                                  << QByteArrayList{"2 of imported"};
    QTest::newRow("a step of three tasks") << head
            + "#SBATCH -n 3\nexport ALL=$SLURM_NTASKS\n"
              "srun --label bash -c 'say \"$SLURM_PROCID of $ALL\"'\n"
                                           << QByteArrayList{"0 of 3", "1 of 3", "2 of 3"};
    QTest::newRow("an array") << head
            + "#SBATCH --array=1-7:3%2\nsay \"$SLURM_ARRAY_TASK_ID of $SLURM_ARRAY_TASK_COUNT\"\n"
              "test $SLURM_ARRAY_TASK_ID != 4 || exit 3\n"
                              << QByteArrayList{"1 of 3", "4 of 3", "7 of 3"};
    QTest::newRow("a list of ids") << head + "#SBATCH --array=2,3,9\nsay $SLURM_ARRAY_TASK_ID\n"
                                   << QByteArrayList{"2", "3", "9"};
    QTest::newRow("steps beside each other") << head
            + "#SBATCH -n 3\nfalse # and it goes on\nname=$(echo shared)\n"
              "srun -n1 --exact bash -c \"say server of $name\" &\n"
              "srun -n 2 --exact bash -c 'say worker $SLURM_PROCID' &\nwait\n"
                                             << QByteArrayList{"server of shared", "worker 0", "worker 1"};
    QTest::newRow("a step in a loop") << head
            + "#SBATCH --ntasks=2\nfor i in 1 2; do\n  srun -n 2 bash -c \"say $i of \\$SLURM_PROCID\"\ndone\n"
                                      << QByteArrayList{"1 of 0", "1 of 1", "2 of 0", "2 of 1"};
    QTest::newRow("a node for each task") << head
            + "#SBATCH -N 2 --ntasks-per-node=1\nfirst=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
              "srun bash -c \"[ -n '$first' ] && say \\$SLURM_NODEID of \\$SLURM_NNODES\"\n"
                                          << QByteArrayList{"0 of 2", "1 of 2"};
}

// The same lines come from both.
void TstExportSlurm::scriptsBecomeJobs()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArrayList, lines);
    const QString folder = m_slurm->folder();
    const auto write = [&](const QString &name, const QByteArray &text) {
        QFile file(folder + u'/' + name);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size()
            && file.setPermissions(QFile::Permissions(0x7755));
    };
    const auto saidIn = [&](const QString &name) {
        QByteArrayList all = contents(folder + u'/' + name).split('\n');
        all.removeAll({});
        std::sort(all.begin(), all.end());
        return all;
    };
    // A program that tasks find wherever they run; a line is written whole.
    QVERIFY(QDir().mkpath(folder + u"/bin"_s));
    QVERIFY(write(u"bin/say"_s, "#!/bin/sh\necho \"$*\" >>\"$SAID\"\n"));
    const QByteArray path = "export PATH=\"" + folder.toUtf8() + "/bin:$PATH\"\n";
    const qsizetype body = script.lastIndexOf("#SBATCH");
    const qsizetype at = script.indexOf('\n', body) + 1;
    const auto saying = [&](const char *to) {
        return QByteArray(script).insert(at, path + "export SAID=" + folder.toUtf8() + '/' + to + '\n');
    };
    for (const char *old : {"by-slurm", "by-trainyard"}) {
        QFile::remove(folder + u'/' + QLatin1String(old));
    }
    QVERIFY(write(u"by.sbatch"_s, saying("by-slurm")));
    const auto sent = m_slurm->run(u"sbatch"_s, {u"--parsable"_s, u"by.sbatch"_s});
    QVERIFY2(sent.status == 0, sent.err.constData());
    QTRY_COMPARE_WITH_TIMEOUT(saidIn(u"by-slurm"_s), lines, 90'000);

    QVERIFY(write(u"to.sbatch"_s, saying("by-trainyard")));
    const QString ctl = qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s;
    const auto converted = m_slurm->run(ctl, {u"convert"_s, u"to.sbatch"_s, u"--force"_s, u"-o"_s, u"to.pai.yaml"_s});
    QVERIFY2(converted.status == 0, converted.err.constData());
    QByteArray job = contents(folder + u"/to.pai.yaml"_s);
    QCOMPARE(job.contains("arrange: different-hosts"), script.contains("-N 2"));
    QVERIFY(write(u"to.pai.yaml"_s, job.replace("arrange: different-hosts", "arrange: spread"))); // there is one host
    const auto ran = m_slurm->run(ctl, {u"run"_s, u"--foreground"_s, u"to.pai.yaml"_s});
    QVERIFY2(ran.status == 0, QByteArray(contents(folder + u"/to.pai.yaml"_s) + ran.err).constData());
    QCOMPARE(saidIn(u"by-trainyard"_s), lines);
}

TRAINYARD_TEST(TstExportSlurm)
#include "tst_exportslurm.moc"
