// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDirIterator>
#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Jobs on a real Slurm that keeps accounts (slurmdbd), and whose queue forgets jobs within seconds: what is known of
// them then, while the accounts answer and while they do not, and what their limits say.
class TstSlurmAccounting : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup();
    void theAccountsTellTheEnd_data();
    void theAccountsTellTheEnd();
    void aLostNodeIsInTheAccounts();
    void theNewestRunCounts();
    void silentAccountsAreNoEnd();
    void isLookedForInTheAccounts();
    void waitsForSilentAccounts();
    void tooManyJobs();
    void limitsAreReasons_data();
    void limitsAreReasons();
    void theCheckNamesTheAccount();

private:
    // Says that it is up, notes each start, and waits for a file "go".
    static QByteArray waiting()
    {
        return EngineFixture::document("accounted",
            EngineFixture::role(
                "worker", 1, {"echo x >>starts", "echo up", "while [ ! -e go ]; do sleep 0.1; done", "echo end"}));
    }
    int starts() const { return int(EngineFixture::contents(m_lab->engine.path(u"work/starts"_s)).count('x')); }
    QString firstId() const { return QString::fromUtf8(m_lab->submissions().value(0)); }
    bool tell(const QString &program, const QStringList &arguments) const
    {
        const SlurmCluster::Output said = m_slurm->run(program, arguments);
        if (said.status != 0) {
            qWarning() << program << arguments << said.err;
        }
        return said.status == 0;
    }
    bool isForgotten(const QString &id) const; // waits until the queue does not have it any more
    QByteArray accountsOf(const QString &id) const; // the states of its runs
    void removeRecords() const; // of how anything ended
    bool losesItsAnswer(); // sbatch, whose job does not begin and is cancelled; its id is in bin/said

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmAccounting::initTestCase()
{
    SlurmCluster::Options options;
    options.settings = "MinJobAge=2\n";
    options.accounts = QList<QStringList>{{u"add"_s, u"qos"_s, u"single"_s, u"MaxSubmitJobsPerUser=1"_s},
        {u"add"_s, u"qos"_s, u"narrow"_s, u"GrpTRES=cpu=1"_s}, {u"add"_s, u"account"_s, u"group"_s, u"GrpTRES=cpu=1"_s},
        {u"add"_s, u"user"_s, u"root"_s, u"account=group"_s},
        {u"modify"_s, u"user"_s, u"root"_s, u"set"_s, u"qos+=single,narrow"_s}};
    m_slurm = std::make_unique<SlurmCluster>(options);
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmAccounting::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_lab.reset(); // it is left when it could not be opened
    m_slurm.reset();
}

void TstSlurmAccounting::init()
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm,
        QMap<QString, QString>{{u"single"_s, u"--partition=main --qos=single"_s},
            {u"narrow"_s, u"--partition=main --qos=narrow"_s}, {u"group"_s, u"--partition=main --account=group"_s},
            {u"nobody"_s, u"--partition=main --account=nobody"_s}});
    QVERIFY(m_lab->open());
}

void TstSlurmAccounting::cleanup()
{
    m_lab.reset();
    QVERIFY(m_slurm->accounts()->startDaemon());
}

bool TstSlurmAccounting::isForgotten(const QString &id) const
{
    return !id.isEmpty()
        && QTest::qWaitFor(
            [&] {
                const SlurmCluster::Output all
                    = m_slurm->run(u"squeue"_s, {u"-h"_s, u"-t"_s, u"all"_s, u"-o"_s, u"%i"_s});
                return all.status == 0 && !all.out.split('\n').contains(id.toUtf8());
            },
            60'000);
}

QByteArray TstSlurmAccounting::accountsOf(const QString &id) const
{
    return m_slurm->run(u"sacct"_s, {u"-n"_s, u"-P"_s, u"-X"_s, u"-D"_s, u"-j"_s, id, u"-o"_s, u"State"_s}).out;
}

void TstSlurmAccounting::removeRecords() const
{
    QDirIterator files(
        m_lab->engine.path(u"."_s), {u"exit"_s, u"end"_s, u"stopping"_s}, QDir::Files, QDirIterator::Subdirectories);
    QStringList found;
    while (files.hasNext()) {
        found.append(files.next());
    }
    for (const QString &file : std::as_const(found)) {
        QVERIFY(QFile::remove(file));
    }
}

bool TstSlurmAccounting::losesItsAnswer()
{
    return m_lab->replaceSubmit(
        "echo x >>asked\n"
        "[ -e said ] && exec \"$SBATCH\" \"$@\"\n"
        "\"$SBATCH\" --begin=now+1hour \"$@\" >said || exit 1\n"
        "scancel \"$(cat said)\"\n"
        "while [ \"$(squeue -h -t all -o %i | grep -c -x \"$(cat said)\")\" != 0 ]; do sleep 0.2; done\n"
        "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\n"
        "exit 1\n");
}

void TstSlurmAccounting::theAccountsTellTheEnd_data()
{
    QTest::addColumn<QByteArray>("state"); // in the accounts
    QTest::addColumn<State>("end");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<int>("code"); // 0: any
    QTest::newRow("time limit") << QByteArray("TIMEOUT") << State::Failed << u"slurm.time-limit"_s << -1004;
    QTest::newRow("out of memory") << QByteArray("OUT_OF_MEMORY") << State::Failed << u"slurm.out-of-memory"_s << -1200;
    QTest::newRow("cancelled") << QByteArray("CANCELLED by 0") << State::Stopped << u"slurm.cancelled"_s << 0;
}

// It ended while the engine was off, the queue has forgotten it, and its own records are gone.
void TstSlurmAccounting::theAccountsTellTheEnd()
{
    QFETCH(QByteArray, state);
    QFETCH(State, end);
    QFETCH(QString, reason);
    QFETCH(int, code);
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString id = firstId();
    m_lab->engine.close();
    if (state == "TIMEOUT") {
        QVERIFY(tell(u"scontrol"_s, {u"update"_s, u"jobid="_s + id, u"EndTime=now"_s}));
    } else {
        QVERIFY(tell(u"scancel"_s, {id}));
    }
    QVERIFY(isForgotten(id));
    removeRecords();
    if (state == "OUT_OF_MEMORY") { // as a cluster writes it whose nodes limit memory by cgroups
        QTRY_COMPARE_WITH_TIMEOUT(accountsOf(id), QByteArray("CANCELLED by 0\n"), 20'000);
        QVERIFY(m_slurm->accounts()->write("UPDATE trainyard_job_table SET state=11 WHERE id_job=" + id.toUtf8()));
    }
    QTRY_COMPARE_WITH_TIMEOUT(accountsOf(id), state + '\n', 20'000);
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->ends(uuid, end));
    if (code != 0) {
        const TaskInfo task = m_lab->engine.task(uuid, u"worker"_s, 0);
        QCOMPARE(task.exitCode.value_or(0), code);
        QCOMPARE(task.reason, reason);
    } else {
        QCOMPARE(m_lab->engine.job(uuid).reason, reason);
    }
    QCOMPARE(starts(), 1);
    QCOMPARE(m_lab->submissions().size(), 1);
}

void TstSlurmAccounting::aLostNodeIsInTheAccounts()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString id = firstId(), host = m_lab->engine.task(uuid, u"worker"_s, 0).host;
    QVERIFY2(host.startsWith("slurm:lab/n"_L1), qPrintable(host));
    const int node = host.last(1).toInt();
    m_lab->engine.close();
    QVERIFY(m_slurm->loseNode(node));
    QVERIFY(isForgotten(id));
    QVERIFY(m_slurm->startNode(node));
    removeRecords();
    QTRY_COMPARE_WITH_TIMEOUT(accountsOf(id), QByteArray("NODE_FAIL\n"), 20'000);
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->waitForSubmissions(2)); // it is tried again, although the job has no retries
    QVERIFY(m_lab->says(uuid, "up", 0, 1));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
    QCOMPARE(m_lab->engine.task(uuid, u"worker"_s, 0, 0).exitCode.value_or(0), -1001);
    QCOMPARE(starts(), 2);
}

// Somebody has queued it again there, and then cancelled it: both runs are in the accounts.
void TstSlurmAccounting::theNewestRunCounts()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString id = firstId();
    m_lab->engine.close();
    QVERIFY(tell(u"scontrol"_s, {u"update"_s, u"jobid="_s + id, u"Requeue=1"_s}));
    QVERIFY(tell(u"scontrol"_s, {u"requeue"_s, id}));
    QTRY_COMPARE_WITH_TIMEOUT(m_lab->queue(u"%i %T"_s), id.toUtf8() + " PENDING\n", 30'000);
    QVERIFY(tell(u"scancel"_s, {id}));
    QVERIFY(isForgotten(id));
    removeRecords();
    QTRY_COMPARE_WITH_TIMEOUT(accountsOf(id), QByteArray("REQUEUED\nCANCELLED by 0\n"), 20'000);
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->ends(uuid, State::Stopped));
    QCOMPARE(m_lab->engine.job(uuid).reason, u"slurm.cancelled"_s);
    QCOMPARE(starts(), 1);
}

// The controller keeps what it has to tell them, and they know it when they are back.
void TstSlurmAccounting::silentAccountsAreNoEnd()
{
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->says(uuid, "up"));
    const QString id = firstId();
    m_lab->engine.close();
    QVERIFY(m_slurm->accounts()->stopDaemon());
    QVERIFY(tell(u"scancel"_s, {id}));
    QVERIFY(isForgotten(id));
    removeRecords();
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->engine.waitFor(
        uuid, [](const JobSummary &job) { return job.reason == "job.slurm-silent"_L1; }, 30'000));
    QCOMPARE(m_lab->engine.job(uuid).state, State::Running);
    const QList<ClusterInfo> targets = m_lab->engine.engine().targets();
    const auto lab = std::find_if(
        targets.cbegin(), targets.cend(), [](const ClusterInfo &each) { return each.id == "slurm:lab"_L1; });
    QVERIFY(lab != targets.cend());
    QCOMPARE(lab->error, u"slurm.silent"_s);
    QCOMPARE(lab->errorArgs.value(u"program"_s).toString(), u"sacct"_s);
    QVERIFY(m_slurm->accounts()->startDaemon());
    QVERIFY(m_lab->ends(uuid, State::Stopped, 120'000));
    QCOMPARE(m_lab->engine.job(uuid).reason, u"slurm.cancelled"_s);
    QCOMPARE(m_lab->submissions(), QByteArrayList{id.toUtf8()});
}

// The cluster has taken it, the answer is lost, and the queue has forgotten it already.
void TstSlurmAccounting::isLookedForInTheAccounts()
{
    QVERIFY(losesItsAnswer());
    const QString uuid = m_lab->submit(waiting());
    QVERIFY(m_lab->ends(uuid, State::Stopped, 120'000)); // it was cancelled there
    QCOMPARE(m_lab->engine.job(uuid).reason, u"slurm.cancelled"_s);
    QCOMPARE(m_lab->submissions(), QByteArrayList{m_lab->file(u"said"_s).trimmed()});
    QCOMPARE(m_lab->file(u"asked"_s), QByteArray("x\n"));
    QCOMPARE(starts(), 0);
}

// As before; nothing is sent again while nobody can say whether it was taken.
void TstSlurmAccounting::waitsForSilentAccounts()
{
    QVERIFY(losesItsAnswer());
    QVERIFY(m_slurm->accounts()->stopDaemon());
    const QString uuid = m_lab->submit(waiting());
    // Its first reason has the words of sbatch; this one comes when the accounts have been asked.
    QVERIFY(m_lab->engine.waitFor(
        uuid,
        [](const JobSummary &job) {
            return job.reason == "wait.slurm-silent"_L1 && !job.reasonArgs.contains("detail"_L1);
        },
        60'000));
    QVERIFY(m_slurm->accounts()->startDaemon());
    QVERIFY(m_lab->ends(uuid, State::Stopped, 120'000));
    QCOMPARE(m_lab->submissions(), QByteArrayList{m_lab->file(u"said"_s).trimmed()});
    QCOMPARE(m_lab->file(u"asked"_s), QByteArray("x\n"));
}

void TstSlurmAccounting::tooManyJobs()
{
    const QString first = m_lab->submit(waiting(), u"slurm:single"_s);
    QVERIFY(m_lab->says(first, "up"));
    const QString second = m_lab->submit(waiting(), u"slurm:single"_s);
    QVERIFY(m_lab->engine.waitFor(
        second, [](const JobSummary &job) { return job.reason == "wait.slurm-submit-limit"_L1; }, 30'000));
    const QString words = m_lab->engine.job(second).reasonArgs.value(u"detail"_s).toString();
    QVERIFY2(words.contains("QOSMaxSubmitJobPerUserLimit"_L1), qPrintable(words));
    QVERIFY(m_lab->engine.waitFor(
        second, [](const JobSummary &job) { return job.reasonArgs.contains("numbers"_L1); }, 30'000));
    QCOMPARE(m_lab->engine.job(second).reasonArgs.value(u"numbers"_s).toObject(),
        (QJsonObject{{u"limit"_s, 1}, {u"used"_s, 1}, {u"of"_s, u"submit"_s}}));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(first, State::Succeeded));
    QVERIFY(m_lab->ends(second, State::Succeeded, 120'000));
    QCOMPARE(m_lab->submissions().size(), 2);
}

void TstSlurmAccounting::limitsAreReasons_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("word");
    QTest::newRow("of the QOS") << u"slurm:narrow"_s << u"wait.slurm-qos"_s << u"QOSGrpCpuLimit"_s;
    QTest::newRow("of the account") << u"slurm:group"_s << u"wait.slurm-account"_s << u"AssocGrpCpuLimit"_s;
}

void TstSlurmAccounting::limitsAreReasons()
{
    QFETCH(QString, target);
    QFETCH(QString, reason);
    QFETCH(QString, word);
    const QString first = m_lab->submit(waiting(), target);
    QVERIFY(m_lab->says(first, "up"));
    const QString second = m_lab->submit(waiting(), target);
    QVERIFY(m_lab->engine.waitFor(
        second, [&](const JobSummary &job) { return job.reason == reason; }, 30'000));
    QCOMPARE(m_lab->engine.job(second).reasonArgs.value(u"reason"_s).toString(), word);
    QVERIFY(m_lab->engine.waitFor(
        second, [&](const JobSummary &job) { return job.reasonArgs.contains("numbers"_L1); }, 30'000));
    QCOMPARE(m_lab->engine.job(second).reasonArgs.value(u"numbers"_s).toObject(),
        (QJsonObject{{u"limit"_s, 1}, {u"used"_s, 1}, {u"asked"_s, 1}, {u"of"_s, u"cpu"_s}}));
    QVERIFY(m_lab->touch(u"go"_s));
    QVERIFY(m_lab->ends(first, State::Succeeded));
    QVERIFY(m_lab->ends(second, State::Succeeded));
}

void TstSlurmAccounting::theCheckNamesTheAccount()
{
    for (const bool isGood : {true, false}) {
        std::optional<Result<ClusterInfo>> checked;
        m_lab->engine.engine().checkTarget(isGood ? u"slurm:group"_s : u"slurm:nobody"_s, this,
            [&checked](const Result<ClusterInfo> &answer) { checked = answer; });
        QVERIFY(QTest::qWaitFor([&] { return checked.has_value(); }, 30'000));
        QVERIFY(checked->has_value());
        const QList<ClusterStep> &steps = (*checked)->steps;
        const auto step = std::find_if(
            steps.begin(), steps.end(), [](const ClusterStep &each) { return each.id == "submission"_L1; });
        QVERIFY(step != steps.end());
        QCOMPARE(step->isGood, isGood);
        const QString detail = step->args.value(u"detail"_s).toString();
        QVERIFY2(isGood || detail.contains("account"_L1), qPrintable(detail));
    }
}

TRAINYARD_TEST(TstSlurmAccounting)
#include "tst_slurmaccounting.moc"
