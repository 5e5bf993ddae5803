// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadretries.h"
#include "engine/contract/taskfolder.h"
#include "tests/contract/leadfixture.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QTest>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The real lead of an allocation, with commands of Slurm that do what a test wants: it tries its task again by itself.
class TstLeadRetries : public QObject, protected LeadFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(prepare()); }
    void cleanup() { tidy(); }
    void laterTriesHaveTheirOwnNames();
    void goesOnUntilItSucceeds();
    void endsWhenTheBudgetIsUsedUp();
    void repeatsASuccess();
    void leavesToTheEngineWhatItCannotJudge_data();
    void leavesToTheEngineWhatItCannotJudge();
    void aStopEndsThePause();
    void aStopGoesBeforeTheRules_data();
    void aStopGoesBeforeTheRules();
    void anElementHasFilesOfItsOwn();
    void anElementHasItsOwnTime();
    void aPipeInPlaceOfALogHoldsNothingUp();
    void aSecondRunFindsNothing();
    void anotherJobHasTheTasks_data();
    void anotherJobHasTheTasks();
};

void TstLeadRetries::laterTriesHaveTheirOwnNames()
{
    contract::LeadTask task;
    task.folder = "/r/0/w-0/1";
    task.tryUuid = "uuid-1";
    task.tryNumber = 1;
    task.furtherTries = {"uuid-2", "uuid-3"};
    task.stepOptions = {"--mem=1", "--container-workdir=/r/0/w-0/1/work"};
    contract::Launch launch;
    launch.dir = task.folder;
    launch.plan.tryUuid = task.tryUuid;
    launch.plan.tryNumber = 1;
    launch.plan.container.name = "trainyard-uuid-1";
    launch.script = "cd /r/0/w-0/1/work; ls /r/0/w-0/12";
    launch.env = {{"TRAINYARD_TASK_TRY", "1"}, {"FC_TASK_ATTEMPT_ID", "1"}, {"PAI_TASK_INDEX", "1"},
        {"PAI_WORK_DIR", "/r/0/w-0/1/work"}, {"TRAINYARD_TRY", "uuid-1"}};
    const contract::Launch later = agent::launchOfTry(launch, task, 2);
    QCOMPARE(later.dir, std::string("/r/0/w-0/3"));
    QCOMPARE(later.plan.tryUuid, std::string("uuid-3"));
    QCOMPARE(later.plan.tryNumber, 3);
    QCOMPARE(later.plan.container.name, std::string("trainyard-uuid-3"));
    QCOMPARE(later.script, std::string("cd /r/0/w-0/3/work; ls /r/0/w-0/12"));
    std::string values;
    for (const contract::Variable &each : later.env) {
        values += each.value + ' ';
    }
    QCOMPARE(values, std::string("3 3 1 /r/0/w-0/3/work uuid-3 "));
    const contract::LeadTask same = agent::taskOfTry(task, 0);
    QVERIFY(same == task);
    const contract::LeadTask next = agent::taskOfTry(task, 1);
    QCOMPARE(next.folder, std::string("/r/0/w-0/2"));
    QCOMPARE(next.tryUuid, std::string("uuid-2"));
    QCOMPARE(next.stepOptions.at(1), std::string("--container-workdir=/r/0/w-0/2/work"));
}

void TstLeadRetries::goesOnUntilItSucceeds()
{
    QVERIFY(
        write("echo try $TRAINYARD_TASK_TRY in $TRAINYARD_TASK_FOLDER with $SECRET\n[ $TRAINYARD_TASK_TRY = 2 ]\n", 5));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 0);
    QCOMPARE(again(), 2);
    QCOMPARE(end()->why, std::string("done"));
    QCOMPARE(status(0), 1);
    QCOMPARE(status(1), 1);
    QCOMPARE(status(2), 0);
    for (int number = 0; number < 3; ++number) {
        const std::string folder = tryFolder(number);
        QCOMPARE(outputOf(folder),
            QByteArray::fromStdString("try " + std::to_string(number) + " in " + folder + " with s3cret-value\n"));
        QCOMPARE(contract::readStartedRecord(folder)->tryUuid, uuidOf(number));
    }
    QVERIFY(!hasFile(u"launch-0"_s));
    QVERIFY(!hasFile(u"stopping"_s));
}

void TstLeadRetries::endsWhenTheBudgetIsUsedUp()
{
    QVERIFY(write("exit 3\n", 1));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 1);
    QCOMPARE(again(), 1);
    QCOMPARE(status(0), 3);
    QCOMPARE(status(1), 3);
    QCOMPARE(status(2), -1);
    QCOMPARE(end()->why, std::string("done"));
}

// As many tries as the plan has names for.
void TstLeadRetries::repeatsASuccess()
{
    QVERIFY(write("exit 0\n", -2));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 0);
    QCOMPARE(again(), 3);
    QCOMPARE(status(3), 0);
    QCOMPARE(status(4), -1);
}

void TstLeadRetries::leavesToTheEngineWhatItCannotJudge_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("squeue");
    QTest::addColumn<int>("tries");
    const QByteArray enough = "echo '50:00 1:00:00'\n";
    QTest::newRow("words") << QByteArray("echo NameError; exit 3\n") << enough << 0;
    QTest::newRow("permanent") << QByteArray("exit 136\n") << enough << 0;
    QTest::newRow("a step") << QByteArray("echo '[0] [trainyard] [ERROR] STEP FAILED before 1 git'"
                                          " >>$TRAINYARD_TASK_FOLDER/runtime.log; exit 3\n")
                            << enough << 0;
    QTest::newRow("memory that the cluster did not give")
        << QByteArray("echo 'slurmstepd-n1: error: StepId=7.0 exceeded memory limit (474939392 > 104857600), being"
                      " killed' >>$TRAINYARD_TASK_FOLDER/runtime.log; exit 3\n")
        << enough << 0;
    QTest::newRow("half of the time") << QByteArray("exit 3\n") << QByteArray("echo '29:59 1:00:00'\n") << 0;
    QTest::newRow("the time is not known") << QByteArray("exit 3\n") << QByteArray("exit 1\n") << 1;
    QTest::newRow("no limit") << QByteArray("exit 3\n") << QByteArray("echo 'UNLIMITED UNLIMITED'\n") << 1;
}

void TstLeadRetries::leavesToTheEngineWhatItCannotJudge()
{
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, squeue);
    QVERIFY(writeProgram(u"squeue"_s, squeue));
    QVERIFY(write(script.toStdString(), 1));
    start();
    QVERIFY(waitForEnd());
    QTEST(again(), "tries");
    QCOMPARE(m_lead->exitCode(), 1);
    QCOMPARE(end()->why, std::string("done"));
}

void TstLeadRetries::aStopEndsThePause()
{
    m_rules.minPauseMs = m_rules.maxPauseMs = 3'600'000;
    QVERIFY(write("exit 3\n", -1));
    start();
    QVERIFY(QTest::qWaitFor([this] { return again() == 1; }, 60'000));
    ::kill(pid_t(m_lead->processId()), SIGTERM);
    QVERIFY(waitForEnd());
    QCOMPARE(end()->why, std::string("signal"));
    QCOMPARE(end(u"stopping"_s)->why, std::string("signal"));
    QCOMPARE(again(), 1);
    const std::optional<contract::ExitRecord> exit = contract::readExitRecord(tryFolder(1));
    QVERIFY(exit && exit->kind == contract::ExitKind::StartFailed);
    QVERIFY(!contract::readStartedRecord(tryFolder(1)));
}

void TstLeadRetries::aStopGoesBeforeTheRules_data()
{
    QTest::addColumn<bool>("mayRetry");
    QTest::newRow("that retry it") << true;
    QTest::newRow("that end the job") << false;
}

// A cluster may end a task before it tells the lead.
void TstLeadRetries::aStopGoesBeforeTheRules()
{
    QFETCH(bool, mayRetry);
    m_mayRetry = mayRetry;
    QVERIFY(write("kill -9 $$\n", 5));
    start();
    QVERIFY(QTest::qWaitFor([this] { return status(0) >= 0; }, 60'000));
    ::kill(pid_t(m_lead->processId()), SIGTERM);
    QVERIFY(waitForEnd());
    QCOMPARE(status(0), 137);
    QCOMPARE(again(), 0);
    QCOMPARE(end()->why, std::string("signal"));
}

void TstLeadRetries::anElementHasFilesOfItsOwn()
{
    QVERIFY(write("[ $TRAINYARD_TASK_TRY = 1 ]\n", 1, true));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 0);
    QCOMPARE(again(u"again-1"_s), 1);
    QVERIFY(!hasFile(u"again"_s) && !hasFile(u"end"_s));
    QCOMPARE(end(u"end-1"_s)->why, std::string("done"));
    QCOMPARE(status(1), 0);
}

// The number of one of the elements is that of the array, for which Slurm tells the times of all of them.
void TstLeadRetries::anElementHasItsOwnTime()
{
    QVERIFY(writeProgram(u"squeue"_s,
        "case \" $* \" in *' --jobs=7_1 '*) echo '1:00 1:00:00' ;;\n"
        "*) printf '50:00 1:00:00\\n1:00 1:00:00\\n' ;; esac\n"));
    QVERIFY(write("touch ${TRAINYARD_TASK_FOLDER}/../runs\nwhile :; do sleep 0.1; done\n", 0, true));
    start();
    QVERIFY(QTest::qWaitFor([this] { return QFile::exists(path(u"runs/job/0/w-0/runs"_s)); }, 60'000));
    ::kill(pid_t(m_lead->processId()), SIGUSR1); // the notice of the end of its time
    QVERIFY(waitForEnd());
    QCOMPARE(end(u"stopping-1"_s)->why, std::string("time"));
    QCOMPARE(end(u"end-1"_s)->why, std::string("time"));
}

// The lead looks at the output of the first try, and opens the log of the second one.
void TstLeadRetries::aPipeInPlaceOfALogHoldsNothingUp()
{
    QVERIFY(write("[ $TRAINYARD_TASK_TRY = 0 ] || exit 0\nfor log in output.log runtime.log; do\n"
                  "rm -f $TRAINYARD_TASK_FOLDER/$log; mkfifo $TRAINYARD_TASK_FOLDER/$log; done\nexit 3\n",
        1));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(end()->why, std::string("done"));
    QCOMPARE(again(), 1);
    QCOMPARE(status(1), 0);
}

// As when somebody has queued it again: what it would start is not there any more.
void TstLeadRetries::aSecondRunFindsNothing()
{
    QVERIFY(write("exit 3\n", 1));
    start();
    QVERIFY(waitForEnd());
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 2);
    QCOMPARE(end()->why, std::string("fault"));
    QCOMPARE(again(), 1);
    QCOMPARE(status(2), -1);
}

// The answer of sbatch was lost, and the cluster has taken the job twice: what the first lead has written stays.
void TstLeadRetries::anotherJobHasTheTasks_data()
{
    QTest::addColumn<bool>("isOld");
    QTest::newRow("it says so") << false;
    QTest::newRow("of a version that did not") << true;
}

void TstLeadRetries::anotherJobHasTheTasks()
{
    QFETCH(bool, isOld);
    QVERIFY(write("exit 0\n", 0));
    const QString file = QLatin1StringView(isOld ? contract::leadfile::placed : contract::leadfile::claimed);
    const std::string theirs = path(u"runs/job/allocations/a/"_s + file).toStdString();
    const std::string first = isOld ? contract::LeadPlaces{"6", {{"n2", "10.0.0.8"}}, "6"}.toText() : std::string("6");
    QCOMPARE(contract::writeAtomically(theirs, first, false), 0);
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 2);
    QCOMPARE(contract::readWhole(theirs).value_or(""), first);
    QCOMPARE(hasFile(u"placed"_s), isOld);
    QVERIFY(hasFile(u"launch-0"_s) && !hasFile(u"end"_s));
    QCOMPARE(status(0), -1);
}

TRAINYARD_TEST(TstLeadRetries)
#include "tst_leadretries.moc"
