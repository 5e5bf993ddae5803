// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/leadretries.h"
#include "engine/contract/taskfolder.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <signal.h>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The real lead of an allocation, with commands of Slurm that do what a test wants: it tries its task again by itself.
class TstLeadRetries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
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

private:
    QString path(const QString &name) const { return m_home->filePath(name); }
    std::string tryFolder(int number) const { return path(u"runs/job/0/w-0/%1"_s.arg(number)).toStdString(); }
    static std::string uuidOf(int number) { return "00000000-0000-0000-0000-00000000000" + std::to_string(number); }
    bool writeProgram(const QString &name, const QByteArray &text) const;
    // An allocation with one task and this script; of an array it is the second element.
    bool write(const std::string &script, std::int64_t budget, bool isArray = false);
    void start();
    bool waitForEnd(int ms = 60'000);
    bool hasFile(const QString &name) const { return QFile::exists(path(u"runs/job/allocations/a/"_s + name)); }
    std::optional<contract::LeadEnd> end(const QString &name = u"end"_s) const;
    int again(const QString &name = u"again"_s) const; // 0: never
    int status(int number) const; // of the try, as a shell reports it; -1: it has no record

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<QProcess> m_lead;
    contract::LeadRetries m_rules;
    bool m_mayRetry = true; // the plan says how
};

void TstLeadRetries::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    m_lead = std::make_unique<QProcess>();
    m_rules = contract::LeadRetries();
    m_mayRetry = true;
    m_rules.steadyMs = 600'000;
    m_rules.freeCap = 3;
    m_rules.rules = {{{137, 143}, {}, true, contract::LeadExitClass::Transient},
        {{136}, {}, true, contract::LeadExitClass::Permanent},
        {{}, "NameError", false, contract::LeadExitClass::Permanent}};
    QVERIFY(QDir().mkpath(path(u"bin"_s)));
    const QByteArray agent = QFile::encodeName(builtProgram(u"trainyard-agent"_s));
    QVERIFY(writeProgram(u"srun"_s, "while [ \"$1\" != '" + agent + "' ]; do shift; done\nexec \"$@\"\n"));
    QVERIFY(writeProgram(u"scontrol"_s, "echo n1\n"));
    QVERIFY(writeProgram(u"getent"_s, "echo 10.0.0.7 STREAM n1\n"));
    QVERIFY(writeProgram(u"squeue"_s, "echo '50:00 1:00:00'\n"));
}

void TstLeadRetries::cleanup()
{
    if (m_lead->state() == QProcess::Running) { // its test has failed
        ::kill(pid_t(m_lead->processId()), SIGUSR2);
        m_lead->waitForFinished(30'000);
    }
    m_lead.reset();
    m_home.reset();
}

bool TstLeadRetries::writeProgram(const QString &name, const QByteArray &text) const
{
    QFile file(path(u"bin/"_s + name));
    return file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\n" + text) > 0
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

bool TstLeadRetries::write(const std::string &script, std::int64_t budget, bool isArray)
{
    m_rules.budget = budget;
    contract::LeadPlan plan;
    plan.allocation = "a";
    plan.isArray = isArray;
    plan.stopGraceMs = 5000;
    if (m_mayRetry) {
        plan.retries = m_rules;
    }
    contract::LeadTask task;
    task.role = "w";
    task.folder = tryFolder(0);
    task.tryUuid = uuidOf(0);
    task.address = contract::addressWord("w", 0);
    task.furtherTries = {uuidOf(1), uuidOf(2), uuidOf(3)};
    plan.tasks.push_back(task);
    if (isArray) {
        contract::LeadTask other = task;
        other.folder = path(u"runs/job/0/w-1/0"_s).toStdString();
        plan.tasks.insert(plan.tasks.begin(), other);
    }
    contract::Launch launch;
    launch.dir = task.folder;
    launch.plan.job = "job";
    launch.plan.role = "w";
    launch.plan.tryUuid = task.tryUuid;
    launch.script = script;
    launch.cleanEnvironment = true;
    launch.env = {{"TRAINYARD_TASK_TRY", "0"}, {"TRAINYARD_TASK_FOLDER", task.folder}, {"SECRET", "s3cret-value"}};
    contract::Envelope envelope;
    envelope.id = 1;
    envelope.message = launch;
    const std::optional<std::string> bytes = contract::encode(envelope);
    const std::string folder = path(u"runs/job/allocations/a"_s).toStdString();
    return bytes && contract::makeFolders(folder) == 0
        && contract::writeAtomically(folder + (isArray ? "/launch-1" : "/launch-0"), *bytes, false) == 0
        && contract::writeAtomically(folder + "/plan.json", plan.toText(), false) == 0;
}

void TstLeadRetries::start()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_home->path());
    environment.insert(u"XDG_STATE_HOME"_s, path(u"state"_s));
    environment.insert(u"PATH"_s, path(u"bin"_s) + u":/usr/local/bin:/usr/bin:/bin"_s);
    environment.insert(u"SLURM_JOB_ID"_s, u"7"_s);
    environment.insert(u"SLURM_ARRAY_JOB_ID"_s, u"7"_s);
    environment.insert(u"SLURM_ARRAY_TASK_ID"_s, u"1"_s);
    environment.insert(u"SLURM_JOB_NODELIST"_s, u"n1"_s);
    environment.insert(u"SLURM_TASKS_PER_NODE"_s, u"1"_s);
    environment.remove(u"TRAINYARD_TRY"_s);
    m_lead->setProcessEnvironment(environment);
    m_lead->setProcessChannelMode(QProcess::ForwardedChannels);
    m_lead->start(builtProgram(u"trainyard-agent"_s), {u"--lead"_s, path(u"runs/job/allocations/a"_s)});
    QVERIFY(m_lead->waitForStarted());
}

bool TstLeadRetries::waitForEnd(int ms)
{
    return QTest::qWaitFor([this] { return m_lead->state() == QProcess::NotRunning; }, ms);
}

std::optional<contract::LeadEnd> TstLeadRetries::end(const QString &name) const
{
    const std::optional<std::string> text
        = contract::readWhole(path(u"runs/job/allocations/a/"_s + name).toStdString());
    return text ? contract::LeadEnd::parse(*text) : std::nullopt;
}

int TstLeadRetries::again(const QString &name) const
{
    const std::optional<std::string> text
        = contract::readWhole(path(u"runs/job/allocations/a/"_s + name).toStdString());
    const std::optional<contract::LeadAgain> again = text ? contract::LeadAgain::parse(*text) : std::nullopt;
    return again ? again->count : 0;
}

int TstLeadRetries::status(int number) const
{
    const std::optional<contract::ExitRecord> exit = contract::readExitRecord(tryFolder(number));
    return exit ? exit->shellStatus() : -1;
}

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
