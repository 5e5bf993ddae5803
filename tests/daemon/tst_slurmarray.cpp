// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QFile>
#include <QSet>
#include <QStandardPaths>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The jobs of a sweep on a real Slurm: one array, of which each job is an element.
class TstSlurmArray : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void cleanup() { m_lab.reset(); }
    void eachHasItsOwnEnd();
    void theLimitIsTheClusters();
    void aWaitingOneIsCancelledThere();
    void allAreStoppedTogether();
    void aLostAnswerMakesNoSecondArray();
    void isFoundAfterARestart();
    void largerThanTheClusterTakes();
    void noArraysAtAll();
    void theRoomIsForFewer();
    void theRoomIsForFewerTasks();
    void tasksAreMoreThanAnArrayMayHave();
    void aRetryHandsOverAtOnce();
    void oneIsQueuedAgainThere();
    void many();

private:
    QString alone(int tasks, const QByteArrayList &commands); // one job, without a gang
    QStringList sweep(int jobs, const QByteArrayList &commands, int limit = 0);
    bool countSubmissions(const QByteArray &before = {}); // script, in which sbatch is what is counted
    bool noteCancels(); // the arguments of each scancel, in the file "cancels"
    QByteArrayList calls() const { return m_lab->file(u"calls"_s).trimmed().split('\n'); }
    QSet<QByteArray> arrays() const; // their ids; empty ones are of jobs that are no elements
    // Each job waits for a file of its own, which says how it ends.
    static QByteArrayList waiting()
    {
        return {"echo up", "while [ ! -e go-$TRAINYARD_JOB_ID ]; do sleep 0.1; done", ". ./go-$TRAINYARD_JOB_ID"};
    }
    bool release(const QString &uuid, const QByteArray &words = {}) const;

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmArray::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmArray::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

void TstSlurmArray::init()
{
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
}

QStringList TstSlurmArray::sweep(int jobs, const QByteArrayList &commands, int limit)
{
    QStringList uuids;
    for (int i = 0; i < jobs; ++i) {
        SubmitRequest request;
        request.target = u"slurm:lab"_s;
        request.group = u"sweep"_s;
        request.groupLimit = limit;
        uuids.append(m_lab->engine.submit(
            EngineFixture::document("sweep-" + QByteArray::number(i + 1), EngineFixture::role("worker", 1, commands)),
            request));
    }
    return uuids;
}

QString TstSlurmArray::alone(int tasks, const QByteArrayList &commands)
{
    return m_lab->submit(EngineFixture::document(
        "alone", EngineFixture::role("worker", tasks, commands), "extras: {gangAllocation: false}\n"));
}

bool TstSlurmArray::countSubmissions(const QByteArray &before)
{
    return m_lab->replaceSubmit("echo \"$*\" >>calls\n" + before + "exec \"$SBATCH\" \"$@\"\n");
}

bool TstSlurmArray::noteCancels()
{
    const QByteArray real = QFile::encodeName(QStandardPaths::findExecutable(u"scancel"_s));
    return m_lab->addOnNodes({{u"scancel"_s, "echo \"$*\" >>\"$bin/cancels\"\nexec '" + real + "' \"$@\"\n"}});
}

QSet<QByteArray> TstSlurmArray::arrays() const
{
    QSet<QByteArray> ids;
    const QByteArrayList elements = m_lab->submissions();
    for (const QByteArray &element : elements) {
        ids.insert(element.contains('_') ? element.left(element.indexOf('_')) : QByteArray());
    }
    return ids;
}

bool TstSlurmArray::release(const QString &uuid, const QByteArray &words) const
{
    const QString name = m_lab->engine.path(u"work/go-"_s + uuid);
    QFile file(name + u".new"_s);
    if (!file.open(QIODevice::WriteOnly) || file.write(words) != words.size()) {
        return false;
    }
    file.close();
    return file.rename(name);
}

// One fails, one is stopped alone, and the engine is away in the middle.
void TstSlurmArray::eachHasItsOwnEnd()
{
    QVERIFY(countSubmissions());
    const QStringList jobs = sweep(4, waiting());
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->says(uuid, "up"));
    }
    QCOMPARE(calls().size(), 1);
    QVERIFY(calls().first().contains("--array=0-3 "));
    QCOMPARE(arrays().size(), 1);
    const QByteArrayList elements = m_lab->submissions();
    QCOMPARE(QSet<QByteArray>(elements.begin(), elements.end()).size(), 4);
    m_lab->engine.close();
    QVERIFY(release(jobs[0]));
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->ends(jobs[0], State::Succeeded));
    QVERIFY(m_lab->engine.engine().stop(jobs[2], false));
    QVERIFY(m_lab->ends(jobs[2], State::Stopped));
    QCOMPARE(m_lab->engine.job(jobs[1]).state, State::Running);
    QCOMPARE(m_lab->engine.job(jobs[3]).state, State::Running);
    QVERIFY(release(jobs[1], "exit 3\n"));
    QVERIFY(m_lab->ends(jobs[1], State::Failed));
    QCOMPARE(m_lab->engine.task(jobs[1], u"worker"_s, 0).rawExit.value_or(-1), 3);
    QVERIFY(release(jobs[3]));
    QVERIFY(m_lab->ends(jobs[3], State::Succeeded));
    QCOMPARE(calls().size(), 1);
}

// To stop one that waits leaves the others in the queue.
void TstSlurmArray::theLimitIsTheClusters()
{
    QVERIFY(countSubmissions());
    const QStringList jobs = sweep(3, waiting(), 1);
    QVERIFY(m_lab->says(jobs[0], "up"));
    QVERIFY(calls().first().contains("--array=0-2%1 "));
    for (const QString &uuid : {jobs[1], jobs[2]}) {
        QVERIFY(m_lab->engine.waitFor(
            uuid, [](const JobSummary &job) { return job.reason == u"wait.slurm-array"_s; }, 30'000));
    }
    QVERIFY(m_lab->engine.engine().stop(jobs[1], false));
    QVERIFY(m_lab->ends(jobs[1], State::Stopped));
    QCOMPARE(m_lab->engine.job(jobs[2]).state, State::Waiting);
    QVERIFY(release(jobs[0]));
    QVERIFY(m_lab->ends(jobs[0], State::Succeeded));
    QVERIFY(m_lab->says(jobs[2], "up"));
    QVERIFY(release(jobs[2]));
    QVERIFY(m_lab->ends(jobs[2], State::Succeeded));
    QCOMPARE(calls().size(), 1);
}

// Slurm keeps nothing of it. It was cancelled, and is not submitted again.
void TstSlurmArray::aWaitingOneIsCancelledThere()
{
    QVERIFY(countSubmissions());
    const QStringList jobs = sweep(3, waiting(), 1);
    QVERIFY(m_lab->says(jobs[0], "up"));
    QVERIFY(m_lab->waitForSubmissions(3));
    QVERIFY(m_lab->engine.waitFor(
        jobs[1], [](const JobSummary &job) { return job.reason == u"wait.slurm-array"_s; }, 30'000));
    m_slurm->run(u"scancel"_s, {QString::fromUtf8(*arrays().cbegin() + "_1")});
    QVERIFY(m_lab->ends(jobs[1], State::Stopped));
    QCOMPARE(m_lab->engine.job(jobs[1]).reason, u"slurm.cancelled"_s);
    for (const QString &uuid : {jobs[0], jobs[2]}) {
        QVERIFY(m_lab->says(uuid, "up"));
        QVERIFY(release(uuid));
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(calls().size(), 1);
}

void TstSlurmArray::allAreStoppedTogether()
{
    QVERIFY(noteCancels());
    const QStringList jobs = sweep(3, waiting(), 1);
    QVERIFY(m_lab->says(jobs[0], "up"));
    QVERIFY(m_lab->waitForSubmissions(3));
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->engine.engine().stop(uuid, false));
    }
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->ends(uuid, State::Stopped));
    }
    const QByteArray array = *arrays().constBegin();
    const QByteArray once = "--state=PENDING " + array + "\n--batch --signal=TERM " + array + '\n';
    const QByteArray cancels = m_lab->file(u"cancels"_s);
    QVERIFY2(cancels.startsWith(once), cancels);
    for (const QByteArray &again : cancels.mid(once.size()).split('\n')) { // of a queue that answers slowly
        QVERIFY2(again.isEmpty() || again.startsWith("--batch --signal=TERM "), cancels);
    }
}

void TstSlurmArray::aLostAnswerMakesNoSecondArray()
{
    QVERIFY(countSubmissions(
        "if [ ! -e lost ]; then\n: >lost\n\"$SBATCH\" \"$@\" >/dev/null\n"
        "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2\nexit 1\n"
        "fi\n"));
    const QStringList jobs = sweep(3, waiting());
    QVERIFY(m_lab->waitForSubmissions(3));
    QCOMPARE(arrays().size(), 1);
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->says(uuid, "up"));
        QVERIFY(release(uuid));
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(calls().size(), 1);
}

// The engine has ended before it heard the number of the array, which has not begun.
void TstSlurmArray::isFoundAfterARestart()
{
    QVERIFY(countSubmissions("\"$SBATCH\" --hold \"$@\" >/dev/null\n: >handed-over\nexec sleep 1000\n"));
    const QStringList jobs = sweep(2, waiting());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_lab->engine.path(u"bin/handed-over"_s)), 30'000);
    m_lab->engine.close();
    QVERIFY(m_lab->submissions().isEmpty());
    QVERIFY(m_lab->open());
    QVERIFY(m_lab->waitForSubmissions(2));
    QCOMPARE(arrays().size(), 1);
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->engine.waitFor(
            uuid, [](const JobSummary &job) { return job.reason.startsWith("wait.slurm-held"_L1); }, 30'000));
    }
    const QString array = QString::fromUtf8(*arrays().constBegin());
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"release"_s, array}).status, 0);
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->says(uuid, "up"));
        QVERIFY(release(uuid));
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(calls().size(), 1);
}

void TstSlurmArray::largerThanTheClusterTakes()
{
    QVERIFY(countSubmissions(
        "case \"$*\" in *--array=0-5*)\n"
        "echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1;;\nesac\n"));
    const QStringList jobs = sweep(6, {"true"});
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(calls().size(), 3);
    QCOMPARE(arrays().size(), 2);
    QVERIFY(!arrays().contains(QByteArray()));
}

void TstSlurmArray::noArraysAtAll()
{
    QVERIFY(countSubmissions(
        "case \"$*\" in *--array=*)\n"
        "echo 'sbatch: error: Batch job submission failed: Job arrays are not for this partition' >&2; exit 1;;\n"
        "esac\n"));
    const QStringList jobs = sweep(3, {"true"});
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(calls().size(), 4);
    QCOMPARE(arrays(), QSet<QByteArray>{QByteArray()});
}

void TstSlurmArray::theRoomIsForFewer()
{
    QVERIFY(countSubmissions(
        "case \"$*\" in *--array=0-7*)\necho 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2\n"
        "echo 'sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, "
        "user'\"'\"'s size and/or time limits)' >&2; exit 1;;\nesac\n"));
    const QStringList jobs = sweep(8, {"true"});
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->ends(uuid, State::Succeeded, 120'000));
    }
    QCOMPARE(calls().size(), 5);
    QCOMPARE(arrays().size(), 4);
}

// Each of them starts once, in whichever array it is.
void TstSlurmArray::theRoomIsForFewerTasks()
{
    QVERIFY(countSubmissions(
        "case \"$*\" in *--array=0-7*)\necho 'sbatch: error: AssocMaxSubmitJobLimit' >&2\n"
        "echo 'sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, "
        "user'\"'\"'s size and/or time limits)' >&2; exit 1;;\nesac\n"));
    const QString uuid = alone(8, {"echo of $PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX; echo x >>starts"});
    QVERIFY(m_lab->ends(uuid, State::Succeeded, 120'000));
    for (int i = 0; i < 8; ++i) {
        QVERIFY(m_lab->engine.output(uuid, u"worker"_s, i).contains(QByteArray("of " + QByteArray::number(i))));
    }
    QCOMPARE(EngineFixture::contents(m_lab->engine.path(u"work/starts"_s)), QByteArray("x\n").repeated(8));
    QCOMPARE(calls().size(), 4); // all, a quarter, twice as many, and the rest
    QCOMPARE(m_lab->submissions().size(), 3);
}

void TstSlurmArray::tasksAreMoreThanAnArrayMayHave()
{
    QVERIFY(countSubmissions(
        "case \"$*\" in *--array=0-5*)\n"
        "echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1;;\nesac\n"));
    QVERIFY(m_lab->ends(alone(6, {"true"}), State::Succeeded));
    QCOMPARE(calls().size(), 3);
    QCOMPARE(m_lab->submissions().size(), 2);
}

void TstSlurmArray::aRetryHandsOverAtOnce()
{
    QVERIFY(countSubmissions(
        "[ -e room ] || { echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2\n"
        "echo 'sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, "
        "user'\"'\"'s size and/or time limits)' >&2; exit 1; }\n"));
    const QString uuid = alone(1, {"true"});
    const auto isRefused = [](const JobSummary &job) { return job.reason == "wait.slurm-submit-limit"_L1; };
    QVERIFY(m_lab->engine.waitFor(uuid, isRefused, 30'000));
    QTRY_VERIFY_WITH_TIMEOUT(calls().size() >= 3, 60'000); // now the pause is long
    QVERIFY(m_lab->engine.waitFor(
        uuid,
        [](const JobSummary &job) {
            return job.reasonArgs.value("next"_L1).toInteger() > QDateTime::currentMSecsSinceEpoch() + 10'000;
        },
        30'000));
    const qint64 next = m_lab->engine.job(uuid).reasonArgs.value("next"_L1).toInteger();
    QFile room(m_lab->engine.path(u"bin/room"_s));
    QVERIFY(room.open(QIODevice::WriteOnly));
    RetryRequest request;
    request.uuid = uuid;
    QVERIFY(m_lab->engine.engine().retry(request).value_or(false));
    QVERIFY(m_lab->engine.waitFor(
        uuid, [&](const JobSummary &job) { return !isRefused(job); }, 30'000));
    QVERIFY(QDateTime::currentMSecsSinceEpoch() < next);
    QVERIFY(m_lab->ends(uuid, State::Succeeded));
}

// What is taken out of the queue again is that element and nothing else: others of the array wait there.
void TstSlurmArray::oneIsQueuedAgainThere()
{
    QVERIFY(noteCancels());
    const QStringList jobs = sweep(4, waiting(), 2);
    for (const QString &uuid : {jobs[0], jobs[1]}) {
        QVERIFY(m_lab->says(uuid, "up"));
    }
    QCOMPARE(arrays().size(), 1);
    const QString id = QString::fromUtf8(*arrays().constBegin()) + u"_1"_s;
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"update"_s, u"jobid="_s + id, u"Requeue=1"_s}).status, 0);
    QCOMPARE(m_slurm->run(u"scontrol"_s, {u"requeue"_s, id}).status, 0);
    QVERIFY(m_lab->waitForSubmissions(5));
    QVERIFY(m_lab->says(jobs[1], "up", 0, 1));
    QVERIFY(m_lab->says(jobs[2], "up")); // in its room
    QCOMPARE(m_lab->file(u"cancels"_s), id.toUtf8() + '\n');
    QCOMPARE(m_lab->engine.job(jobs[3]).state, State::Waiting);
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->says(uuid, "up"));
        QVERIFY(release(uuid));
        QVERIFY(m_lab->ends(uuid, State::Succeeded));
    }
    QCOMPARE(m_lab->engine.task(jobs[1], u"worker"_s, 0, 0).reason, u"slurm.requeued"_s);
    for (const QString &uuid : {jobs[0], jobs[2], jobs[3]}) {
        QCOMPARE(m_lab->engine.job(uuid).retries, 0);
    }
}

void TstSlurmArray::many()
{
    QVERIFY(countSubmissions());
    const QStringList jobs = sweep(isFullForm() ? 200 : 12, {"true"}, 8);
    for (const QString &uuid : jobs) {
        QVERIFY(m_lab->ends(uuid, State::Succeeded, 1'200'000));
    }
    QVERIFY(calls().size() <= 3); // a slow computer hands them over in more than one go
}

TRAINYARD_TEST(TstSlurmArray)
#include "tst_slurmarray.moc"
