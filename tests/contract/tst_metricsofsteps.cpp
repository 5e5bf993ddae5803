// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/metricbook.h"
#include "engine/contract/taskfolder.h"
#include "engine/metricfiles/note.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

using namespace trainyard;
using namespace trainyard::contract;

// Whose the files of metrics are of jobs on a cluster, each of which has a helper of its own, that work in one folder.
class TstMetricsOfSteps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aClosedFileIsNoOnesWhereTwoJobsWork();
    void whatHasEndedBeforeHasNoClaim();
    void whatTwoJobsHaveOpenIsVoid();
    void aTaskHasWhatItHasOpen();
    void theRestIsReadBeforeTheEndIsReported();

private:
    struct Step {
        std::unique_ptr<AgentDriver> agent;
        Launch launch;
    };
    // A task of the job in the shared folder. It says that it is there, and "go" and "end" are what it may wait for.
    bool begin(const std::string &job, const std::string &script, int index = 0);
    bool release(const char *name) const
    {
        return QFile(QString::fromStdString(m_folder + '/' + name)).open(QIODevice::WriteOnly);
    }
    bool endAll();
    static MetricBook book(const Step &step)
    {
        return MetricBook::parse(fileText(step.launch.dir, file::metricBook).toStdString());
    }
    bool isTold(const std::string &name) const;
    QStringList filesOf(const Step &step) const; // below the folder, whose values count
    static QStringList notesOf(const Step &step);

    AgentFixture m_fixture;
    std::string m_folder;
    std::vector<Step> m_steps;
};

namespace
{

// Waits for a file that another task or the test makes.
std::string until(const std::string &name) { return "until [ -e " + name + " ]; do sleep 0.02; done\n"; }

} // namespace

void TstMetricsOfSteps::init()
{
    QVERIFY(m_fixture.begin());
    m_folder = m_fixture.home->filePath(QStringLiteral("shared")).toStdString();
    QVERIFY(QDir().mkpath(QString::fromStdString(m_folder)));
}

void TstMetricsOfSteps::cleanup()
{
    release("go"); // its test may have failed
    release("end");
    endAll();
    m_steps.clear();
    m_fixture.end();
}

bool TstMetricsOfSteps::begin(const std::string &job, const std::string &script, int index)
{
    Step step;
    step.agent = m_fixture.newAgent();
    step.agent->mode = QStringLiteral("--step");
    step.agent->environment.insert(QStringLiteral("SLURM_JOB_ID"), QString::number(m_steps.size() + 1));
    step.launch = m_fixture.launchOf(job.c_str(), script);
    step.launch.dir += "/0/main-" + std::to_string(index) + "/0";
    step.launch.plan.job = job;
    step.launch.plan.index = index;
    step.launch.cwd = m_folder;
    if (!step.agent->start() || !step.agent->ask<Launched>(step.launch)) {
        return false;
    }
    m_steps.push_back(std::move(step));
    return QTest::qWaitFor([this] { return readStartedRecord(m_steps.back().launch.dir).has_value(); }, 30'000);
}

bool TstMetricsOfSteps::endAll()
{
    bool areOver = true;
    for (Step &step : m_steps) {
        areOver = QTest::qWaitFor([&step] { return book(step).isOver; }, 30'000) && areOver;
    }
    return areOver;
}

QStringList TstMetricsOfSteps::filesOf(const Step &step) const
{
    const MetricBook all = book(step);
    QStringList paths;
    for (std::size_t i = 0; i < all.files.size(); ++i) {
        const bool isVoid = std::any_of(all.notes.begin(), all.notes.end(),
            [i](const MetricBook::Note &note) { return makesVoid(note.code) && note.file == int(i); });
        if (!isVoid) {
            paths.append(QString::fromStdString(all.files[i].path.substr(m_folder.size() + 1)));
        }
    }
    paths.sort();
    return paths;
}

// Whether a step has told the others that it has this file.
bool TstMetricsOfSteps::isTold(const std::string &name) const
{
    std::string jobs = m_steps.front().launch.dir; // JOB/0/main-0/0 in it
    for (int i = 0; i < 4; ++i) {
        jobs.erase(jobs.rfind('/'));
    }
    QDirIterator notices(QString::fromStdString(jobs + "/.tries"), QDir::Files | QDir::Hidden);
    while (notices.hasNext()) {
        QFile notice(notices.next());
        if (notice.open(QIODevice::ReadOnly) && notice.readAll().contains(QByteArray::fromStdString(name))) {
            return true;
        }
    }
    return false;
}

QStringList TstMetricsOfSteps::notesOf(const Step &step)
{
    QStringList codes;
    for (const MetricBook::Note &note : book(step).notes) {
        codes.append(QString::fromStdString(note.code));
    }
    return codes;
}

// As in a sweep whose jobs open their files only to add a line: nothing says which job wrote which.
void TstMetricsOfSteps::aClosedFileIsNoOnesWhereTwoJobsWork()
{
    for (const std::string job : {"one", "two"}) {
        const std::string other = job == "one" ? "two" : "one";
        QVERIFY(begin(job,
            until("go") + "mkdir -p outs/" + job + "-lr\nprintf 'epoch,loss\\n1,3\\n' >outs/" + job
                + "-lr/metrics.csv\n" + until("outs/" + other + "-lr/metrics.csv")));
    }
    QVERIFY(begin("three", until("end"))); // which writes nothing
    QVERIFY(release("go"));
    for (const std::size_t i : {0U, 1U}) {
        QVERIFY(m_steps[i].agent->exited(m_steps[i].launch.dir, 30'000));
    }
    QVERIFY(release("end"));
    QVERIFY(endAll());
    for (const Step &step : m_steps) {
        QCOMPARE(filesOf(step), QStringList());
        QVERIFY2(notesOf(step).contains(QLatin1StringView(metricfiles::note::sharedFolder)),
            qPrintable(notesOf(step).join(u' ')));
    }
}

void TstMetricsOfSteps::whatHasEndedBeforeHasNoClaim()
{
    for (const std::string job : {"one", "two"}) {
        QVERIFY(begin(job, "printf 'epoch,loss\\n1,3\\n' >" + job + ".csv"));
        QVERIFY(m_steps.back().agent->exited(m_steps.back().launch.dir, 30'000));
        // Beginnings and changes are told apart by more than the ticks by which both are stamped.
        const qint64 ended = QDateTime::currentMSecsSinceEpoch();
        QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > ended + 20);
    }
    QVERIFY(endAll());
    QCOMPARE(filesOf(m_steps[0]), QStringList{QStringLiteral("one.csv")});
    QCOMPARE(filesOf(m_steps[1]), QStringList{QStringLiteral("two.csv")});
    QCOMPARE(notesOf(m_steps[1]), QStringList());
}

// The values in it are those of both.
void TstMetricsOfSteps::whatTwoJobsHaveOpenIsVoid()
{
    for (const std::string job : {"one", "two"}) {
        QVERIFY(begin(job,
            until("go") + "exec 3>>metrics.csv\n[ " + job + " = two ] || printf 'epoch,loss\\n' >&3\n"
                + "printf '1,3\\n' >&3\n" + until("end") + "printf '2,2\\n' >&3\n"));
    }
    QVERIFY(release("go"));
    for (const Step &step : m_steps) {
        QTRY_COMPARE_WITH_TIMEOUT(book(step).files.size(), std::size_t(1), 30'000);
    }
    QVERIFY(release("end"));
    QVERIFY(endAll());
    for (const Step &step : m_steps) {
        QCOMPARE(filesOf(step), QStringList());
        QVERIFY2(notesOf(step).contains(QString::fromLatin1(sharedFileNote.data(), qsizetype(sharedFileNote.size()))),
            qPrintable(notesOf(step).join(u' ')));
    }
}

// Two tasks of one job, each with its file open. The other one of the job is not found in the folder.
void TstMetricsOfSteps::aTaskHasWhatItHasOpen()
{
    for (const int index : {0, 1}) {
        const std::string name = "rank" + std::to_string(index) + ".csv";
        QVERIFY(begin("job",
            until("go") + "exec 3>" + name + "\nprintf 'epoch,loss\\n1,3\\n' >&3\n" + until("end")
                + "printf '2,2\\n' >&3\n",
            index));
    }
    QVERIFY(release("go"));
    for (const std::size_t i : {0U, 1U}) {
        QTRY_VERIFY_WITH_TIMEOUT(!book(m_steps[i]).files.empty(), 30'000);
        // It has told the other one, which may look for the last time as soon as the tasks end.
        QTRY_VERIFY_WITH_TIMEOUT(isTold("rank" + std::to_string(i) + ".csv"), 30'000);
    }
    QVERIFY(release("end"));
    QVERIFY(endAll());
    QCOMPARE(filesOf(m_steps[0]), QStringList{QStringLiteral("rank0.csv")});
    QCOMPARE(filesOf(m_steps[1]), QStringList{QStringLiteral("rank1.csv")});
}

// The lead of an allocation ends it when it has heard of the last end: what is left in the files is read before.
void TstMetricsOfSteps::theRestIsReadBeforeTheEndIsReported()
{
    QVERIFY(begin("one", "mkdir one; printf 'epoch,loss\\n1,3\\n' > one/metrics.csv"));
    Step &step = m_steps.back();
    QVERIFY(step.agent->exited(step.launch.dir, 30'000));
    QVERIFY(book(step).isOver);
    QCOMPARE(filesOf(step), QStringList{QStringLiteral("one/metrics.csv")});
}

TRAINYARD_TEST(TstMetricsOfSteps)
#include "tst_metricsofsteps.moc"
