// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/seriesset.h"
#include "tests/contract/leadfixture.h"
#include "tests/helpers/agentfixture.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QScopeGuard>
#include <QTest>

#include <signal.h>

#include <vector>

using namespace Qt::StringLiterals;
using namespace trainyard;

// The real lead of an allocation: what it makes of srun's answers, and of the time limit of the job.
class TstLeadSteps : public QObject, protected LeadFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { tidy(); }
    void asksAgainForAStep_data();
    void asksAgainForAStep();
    void aRefusalIsFinal();
    void aStopEndsTheQuestions();
    void whatIsStoppedBeforeItsStepIsNotRefused();
    void aNotedStopStartsNothing_data();
    void aNotedStopStartsNothing();
    void aNotedStopEndsTheTries();
    void aNotedStopEndsWhatRuns_data();
    void aNotedStopEndsWhatRuns();
    void aGoodEndAfterTheRequestIsNoSuccess_data();
    void aGoodEndAfterTheRequestIsNoSuccess();
    void whatMakesRoomSavesItsState_data();
    void whatMakesRoomSavesItsState();
    void theClusterIsAskedOnceAboutRoom();
    void aStepWithoutGpusHasNoneOfTheAllocation();
    void theLimitBeginsWithTheTask();
    void aTaskThatEndsInTimeHasNoLimit();
    void aPauseIsNotCounted();
    void whatATaskUsesIsMeasuredOnItsNode();
    void aLoginShellHasTheTimeOfTheSetting();

private:
    // srun, which says this and fails as long as there is no file "go".
    bool refuseSteps(const QByteArray &words) const
    {
        return writeProgram(u"srun"_s,
            "echo asked >>" + fileOf(u"asked"_s) + "\n[ -e " + fileOf(u"go"_s) + " ] || { echo '" + words
                + "' >&2; exit 1; }\n" + m_run);
    }
    QByteArray fileOf(const QString &name) const { return QFile::encodeName(path(name)); }
    int questions() const;
    std::optional<contract::ExitRecord> exitOf() const { return contract::readExitRecord(tryFolder(0)); }

    QByteArray m_run; // what srun does otherwise
};

void TstLeadSteps::init()
{
    QVERIFY(prepare());
    m_mayRetry = false;
    const QByteArray agent = QFile::encodeName(builtProgram(u"trainyard-agent"_s));
    m_run = "while [ \"$1\" != '" + agent + "' ]; do shift; done\nexec \"$@\"\n";
}

int TstLeadSteps::questions() const
{
    QFile file(path(u"asked"_s));
    return file.open(QIODevice::ReadOnly) ? int(file.readAll().count('\n')) : 0;
}

void TstLeadSteps::asksAgainForAStep_data()
{
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("the controller is away") << QByteArray(
        "srun: error: Unable to confirm allocation for job 7: Unable to contact slurm controller (connect failure)");
    QTest::newRow("memory is still held")
        << QByteArray("srun: error: Unable to create step for job 7: Memory required by task is not available");
    QTest::newRow("the node does not answer yet")
        << QByteArray("srun: error: Task launch for StepId=7.0 failed on node n1: Communication connection failure");
}

// A cluster that does not answer ends no job.
void TstLeadSteps::asksAgainForAStep()
{
    QFETCH(QByteArray, words);
    QVERIFY(refuseSteps(words));
    QVERIFY(write("exit 0\n", 0));
    start();
    QVERIFY(QTest::qWaitFor([this] { return questions() >= 2; }, 60'000));
    QVERIFY(!exitOf());
    QFile go(path(u"go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 0);
    QCOMPARE(status(0), 0);
    QCOMPARE(end()->why, std::string("done"));
}

void TstLeadSteps::aRefusalIsFinal()
{
    QVERIFY(refuseSteps("srun: error: Unable to create step for job 7: Invalid node name specified"));
    QVERIFY(write("exit 0\n", 0));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(questions(), 1);
    QVERIFY(exitOf() && exitOf()->kind == contract::ExitKind::StartFailed);
    QCOMPARE(exitOf()->reason, std::string("cluster.step-refused"));
}

void TstLeadSteps::aStopEndsTheQuestions()
{
    QVERIFY(refuseSteps("srun: error: Unable to contact slurm controller (connect failure)"));
    QVERIFY(write("exit 0\n", 0));
    start();
    QVERIFY(QTest::qWaitFor([this] { return questions() >= 1; }, 60'000));
    ::kill(pid_t(m_lead->processId()), SIGTERM);
    QVERIFY(waitForEnd());
    QCOMPARE(end()->why, std::string("signal"));
    QVERIFY(exitOf() && exitOf()->kind == contract::ExitKind::StartFailed);
    QCOMPARE(exitOf()->reason, std::string("cluster.step-stopped"));
}

// It waits for room in the allocation: that it is ended then is nothing that srun has decided.
void TstLeadSteps::whatIsStoppedBeforeItsStepIsNotRefused()
{
    QVERIFY(writeProgram(u"srun"_s, "echo asked >>" + fileOf(u"asked"_s) + "\nexec sleep 600\n"));
    QVERIFY(write("exit 0\n", 0));
    start();
    QVERIFY(QTest::qWaitFor([this] { return questions() >= 1; }, 60'000));
    ::kill(pid_t(m_lead->processId()), SIGTERM);
    QVERIFY(waitForEnd());
    QVERIFY(exitOf());
    QCOMPARE(exitOf()->reason, std::string("cluster.step-stopped"));
}

void TstLeadSteps::aNotedStopStartsNothing_data()
{
    QTest::addColumn<bool>("isArray");
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isMeant");
    QTest::newRow("job") << false << u"stop"_s << true;
    QTest::newRow("element") << true << u"stop-1"_s << true;
    QTest::newRow("whole array") << true << u"stop"_s << true;
    QTest::newRow("another element") << true << u"stop-0"_s << false;
}

// The signal came before the lead: the cluster was still preparing the node.
void TstLeadSteps::aNotedStopStartsNothing()
{
    QFETCH(bool, isArray);
    QFETCH(QString, name);
    QFETCH(bool, isMeant);
    QVERIFY(writeProgram(u"srun"_s, "echo asked >>" + fileOf(u"asked"_s) + "\n" + m_run));
    QVERIFY(write("exit 0\n", 0, isArray));
    QFile note(path(u"runs/job/allocations/a/"_s + name));
    QVERIFY(note.open(QIODevice::WriteOnly));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(questions(), isMeant ? 0 : 1);
    const std::optional<contract::LeadEnd> over = end(isArray ? u"end-1"_s : u"end"_s);
    QVERIFY(over);
    QCOMPARE(over->why, std::string(isMeant ? "signal" : "done"));
    QCOMPARE(m_lead->exitCode() == 0, !isMeant);
    QVERIFY(!hasFile(isArray ? u"launch-1"_s : u"launch-0"_s)); // which may hold secrets
}

void TstLeadSteps::aNotedStopEndsTheTries()
{
    m_mayRetry = true;
    const QByteArray note = fileOf(u"runs/job/allocations/a/stop"_s);
    QVERIFY(writeProgram(u"srun"_s, "echo asked >>" + fileOf(u"asked"_s) + "\n" + m_run));
    QVERIFY(write(": >'" + note.toStdString() + "'\nexit 137\n", 3));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(questions(), 1);
    QCOMPARE(again(), 0);
    QCOMPARE(status(0), 137);
}

void TstLeadSteps::aNotedStopEndsWhatRuns_data()
{
    QTest::addColumn<bool>("isArray");
    QTest::addColumn<QString>("name");
    QTest::newRow("job") << false << u"stop"_s;
    QTest::newRow("element") << true << u"stop-1"_s;
}

// No signal comes: the controller is down. The task has its grace period as with any other stop.
void TstLeadSteps::aNotedStopEndsWhatRuns()
{
    QFETCH(bool, isArray);
    QFETCH(QString, name);
    QVERIFY(write(
        "trap 'sleep 1; exit 7' TERM\n: >'" + fileOf(u"ready"_s).toStdString() + "'\nwhile :; do sleep 0.1; done\n", 0,
        isArray));
    start();
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path(u"ready"_s)); }, 60'000));
    QFile note(path(u"runs/job/allocations/a/"_s + name));
    QVERIFY(note.open(QIODevice::WriteOnly));
    QVERIFY(waitForEnd());
    QCOMPARE(status(0), 7);
    QCOMPARE(end(isArray ? u"end-1"_s : u"end"_s)->why, std::string("signal"));
    QVERIFY(hasFile(isArray ? u"stopping-1"_s : u"stopping"_s));
    QCOMPARE(m_lead->exitCode(), 1);
}

void TstLeadSteps::aGoodEndAfterTheRequestIsNoSuccess_data()
{
    QTest::addColumn<qint64>("limitMs");
    QTest::newRow("time limit") << qint64(1000);
    QTest::newRow("stop") << qint64(0);
}

// Jobs of the cluster that depend on its success must not begin.
void TstLeadSteps::aGoodEndAfterTheRequestIsNoSuccess()
{
    QFETCH(qint64, limitMs);
    m_limitMs = limitMs;
    const QByteArray ready = fileOf(u"ready"_s);
    QVERIFY(write("trap 'exit 0' TERM\n: >'" + ready.toStdString() + "'\nwhile :; do sleep 0.1; done\n", 0));
    start();
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path(u"ready"_s)); }, 60'000));
    if (limitMs == 0) {
        ::kill(pid_t(m_lead->processId()), SIGTERM);
    }
    QVERIFY(waitForEnd());
    QCOMPARE(status(0), 0);
    QCOMPARE(end()->why, std::string(limitMs > 0 ? "limit" : "signal"));
    QCOMPARE(m_lead->exitCode(), 1);
}

void TstLeadSteps::whatMakesRoomSavesItsState_data()
{
    QTest::addColumn<QByteArray>("times");
    QTest::addColumn<QString>("why");
    QTest::newRow("preempted") << QByteArray("PreemptEligibleTime=2026-01-01T10:00:00 PreemptTime=2026-01-01T10:05:00")
                               << u"preempted"_s;
    QTest::newRow("only asked to end") << QByteArray("PreemptEligibleTime=2026-01-01T10:00:00 PreemptTime=None")
                                       << u"done"_s;
}

// With a grace time, the cluster sends TERM to each process of the step, and none to the lead. The shell ends at once;
// what it has started saves its state, and says nothing meanwhile.
void TstLeadSteps::whatMakesRoomSavesItsState()
{
    QFETCH(QByteArray, times);
    QFETCH(QString, why);
    QVERIFY(writeProgram(u"scontrol"_s,
        "case \"$*\" in 'show job '*) echo 'JobId=7 JobName=w'; echo '   " + times + "' ;; *) echo n1 ;; esac\n"));
    QVERIFY(write("bash -c 'trap \"sleep 1; echo saved; exit 0\" TERM\necho $$ >" + fileOf(u"saver"_s).toStdString()
            + "\nwhile :; do sleep 0.1; done'\n: not the last command\n",
        0));
    start();
    QByteArray saver;
    QVERIFY(QTest::qWaitFor(
        [&] {
            QFile file(path(u"saver"_s));
            saver = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            return saver.endsWith('\n') && contract::readStartedRecord(tryFolder(0));
        },
        60'000));
    const contract::StartedRecord started = *contract::readStartedRecord(tryFolder(0));
    for (const std::int64_t process :
        {std::int64_t(started.process.pid), started.keeperPid, std::int64_t(saver.trimmed().toLongLong())}) {
        QVERIFY(process > 1);
        QCOMPARE(::kill(pid_t(process), SIGTERM), 0);
    }
    QVERIFY(waitForEnd());
    QFile output(QString::fromStdString(tryFolder(0)) + u'/' + QLatin1StringView(contract::file::output));
    QVERIFY(output.open(QIODevice::ReadOnly));
    QCOMPARE(output.readAll(), QByteArray("saved\n"));
    QCOMPARE(status(0), 128 + SIGTERM);
    QVERIFY(exitOf()->asked >= exitOf()->began);
    QCOMPARE(QString::fromStdString(end()->why), why);
    QCOMPARE(hasFile(u"stopping"_s), why == "preempted"_L1);
    QCOMPARE(m_lead->exitCode(), 1);
}

// All steps hear TERM at the same time, as when a user of the cluster cancels the job.
void TstLeadSteps::theClusterIsAskedOnceAboutRoom()
{
    m_tasks = 3;
    m_mayRetry = false;
    QVERIFY(writeProgram(u"scontrol"_s,
        "case \"$*\" in 'show job '*) echo asked >>" + QFile::encodeName(path(u"asked"_s))
            + "; echo 'JobId=7 PreemptTime=None' ;; *) echo n1 ;; esac\n"));
    QVERIFY(write("exec sleep 600\n", 0));
    start();
    std::vector<contract::StartedRecord> all;
    for (int i = 0; i < m_tasks; ++i) {
        QVERIFY(QTest::qWaitFor([&] { return contract::readStartedRecord(tryFolder(0, i)).has_value(); }, 60'000));
        all.push_back(*contract::readStartedRecord(tryFolder(0, i)));
    }
    for (const contract::StartedRecord &started : all) {
        QCOMPARE(::kill(pid_t(started.keeperPid), SIGTERM), 0);
    }
    for (const contract::StartedRecord &started : all) {
        const auto hasHeard = [&started] {
            QFile file(u"/proc/%1/status"_s.arg(started.keeperPid));
            const QByteArray status = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            const QByteArray waiting = status.mid(status.indexOf("ShdPnd:") + 7).trimmed().left(16);
            return (waiting.toULongLong(nullptr, 16) & (1ULL << (SIGTERM - 1))) == 0;
        };
        QVERIFY(QTest::qWaitFor(hasHeard, 60'000));
    }
    for (const contract::StartedRecord &started : all) {
        QCOMPARE(::kill(pid_t(started.process.pid), SIGTERM), 0);
    }
    QVERIFY(waitForEnd());
    for (int i = 0; i < m_tasks; ++i) {
        const std::optional<contract::ExitRecord> exit = contract::readExitRecord(tryFolder(0, i));
        QVERIFY(exit && exit->asked > 0);
    }
    QFile asked(path(u"asked"_s));
    QVERIFY(asked.open(QIODevice::ReadOnly));
    QCOMPARE(asked.readAll(), QByteArray("asked\n"));
    QCOMPARE(QString::fromStdString(end()->why), u"done"_s);
}

// As one of a heterogeneous job, whose batch script has those of the first component.
void TstLeadSteps::aStepWithoutGpusHasNoneOfTheAllocation()
{
    const QByteArrayList names{"SLURM_JOB_GPUS", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES"};
    for (const QByteArray &name : names) {
        qputenv(name.constData(), "0,1");
    }
    const auto unset = qScopeGuard([&names] {
        for (const QByteArray &name : names) {
            qunsetenv(name.constData());
        }
    });
    QVERIFY(write("echo \"${SLURM_JOB_GPUS-unset} ${CUDA_VISIBLE_DEVICES-unset} ${GPU_DEVICE_ORDINAL-unset} "
                  "${ROCR_VISIBLE_DEVICES-unset}\"\n",
        0));
    start();
    QVERIFY(waitForEnd());
    QFile output(QString::fromStdString(tryFolder(0)) + u'/' + QLatin1StringView(contract::file::output));
    QVERIFY(output.open(QIODevice::ReadOnly));
    QCOMPARE(output.readAll(), QByteArray("unset  unset unset\n"));
    QVERIFY(contract::readStartedRecord(tryFolder(0))->gpus.empty());
}

// What the node takes before its task runs does not count: here, longer than the whole limit.
void TstLeadSteps::theLimitBeginsWithTheTask()
{
    m_limitMs = 2000;
    QVERIFY(writeProgram(u"srun"_s, "sleep 3\n" + m_run));
    QVERIFY(write("while :; do sleep 0.1; done\n", 0));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 1);
    QCOMPARE(end(u"stopping"_s)->why, std::string("limit"));
    QCOMPARE(end()->why, std::string("limit"));
    QVERIFY(exitOf() && exitOf()->began > 0);
    const std::int64_t ranMs = end(u"stopping"_s)->at - contract::readStartedRecord(tryFolder(0))->at;
    QVERIFY2(ranMs >= m_limitMs - 500, qPrintable(QString::number(ranMs)));
}

void TstLeadSteps::aTaskThatEndsInTimeHasNoLimit()
{
    m_limitMs = 3'600'000;
    QVERIFY(write("exit 0\n", 0));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(m_lead->exitCode(), 0);
    QCOMPARE(end()->why, std::string("done"));
    QVERIFY(!hasFile(u"stopping"_s));
}

// The steps are halted by signals that do not come to the lead: it is told.
void TstLeadSteps::aPauseIsNotCounted()
{
    m_limitMs = 1000;
    QVERIFY(writeProgram(u"srun"_s,
        "echo asked >>" + fileOf(u"asked"_s) + "\nuntil [ -e " + fileOf(u"go"_s) + " ]; do sleep 0.1; done\n" + m_run));
    QVERIFY(write("while :; do sleep 0.1; done\n", 0));
    start();
    QVERIFY(QTest::qWaitFor([this] { return questions() >= 1; }, 60'000)); // it heeds signals
    ::kill(pid_t(m_lead->processId()), SIGURG);
    QFile go(path(u"go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(QTest::qWaitFor([this] { return contract::readStartedRecord(tryFolder(0)).has_value(); }, 60'000));
    QVERIFY(!QTest::qWaitFor([this] { return hasFile(u"stopping"_s); }, int(3 * m_limitMs)));
    ::kill(pid_t(m_lead->processId()), SIGCONT);
    QVERIFY(waitForEnd());
    QCOMPARE(end(u"stopping"_s)->why, std::string("limit"));
}

// Its lead asks for nothing: the step measures by itself, with the GPUs that the cluster has given it, by the numbers
// that they have on the node. Other programs on them do not matter.
void TstLeadSteps::whatATaskUsesIsMeasuredOnItsNode()
{
    QVERIFY(writeProgram(u"nvidia-smi"_s,
        "case \"$*\" in *compute-apps*) : >" + fileOf(u"apps"_s)
            + ";; *-lms*) while echo '0, GPU-step, Fake, 8192, 4000, 73, 30, 10.0'; do sleep 0.3; done;;\n"
              "*) echo '0, GPU-step, Fake, 8192, 4000, 73, 30, 10.0';; esac\n"));
    QVERIFY(writeProgram(u"srun"_s, "export CUDA_VISIBLE_DEVICES=0 SLURM_STEP_GPUS=3\n" + m_run));
    QVERIFY(write("until [ -e '" + path(u"go"_s).toStdString() + "' ]; do :; done\n", 0));
    start();
    series::SeriesSet figures(tryFolder(0) + '/' + contract::file::figures);
    const auto newest = [&figures](const char *name) {
        figures.poll();
        const auto id = figures.find(name);
        return id && figures.series(*id).last() ? figures.series(*id).last()->value : -1;
    };
    QVERIFY(QTest::qWaitFor([&] { return newest("gpu/3/use") > 0 && newest("cpu") > 0; }, 60'000));
    QCOMPARE(newest("gpu/3/use"), 73.0);
    QCOMPARE(newest("gpu/3/memory"), 4000.0);
    QVERIFY(newest("memory") >= 0);
    QVERIFY(!figures.find("gpu/0/use"));
    QCOMPARE(contract::readStartedRecord(tryFolder(0))->gpus, std::vector<int>{3});
    QVERIFY(!QFile::exists(path(u"apps"_s)));
    QFile go(path(u"go"_s));
    QVERIFY(go.open(QIODevice::WriteOnly));
    QVERIFY(waitForEnd());
    QCOMPARE(status(0), 0);
}

void TstLeadSteps::aLoginShellHasTheTimeOfTheSetting()
{
    QVERIFY(writeProgram(u"slowshell"_s, "exec sleep 100\n"));
    const QByteArray before = qgetenv("SHELL");
    qputenv("SHELL", QFile::encodeName(path(u"bin/slowshell"_s)));
    const QScopeGuard restore([&before] { qputenv("SHELL", before); });
    m_loginMs = 2000;
    const QScopeGuard asBefore([this] { m_loginMs = 0; });
    QVERIFY(write("true", 0));
    start();
    QVERIFY(waitForEnd());
    QCOMPARE(status(0), 0);
    const std::optional<std::string> said = contract::readWhole(tryFolder(0) + "/runtime.log");
    QVERIFY2(said && said->find("took longer than 2 s (the setting environment.loginSeconds)") != std::string::npos,
        said.value_or(std::string()).c_str());
}

TRAINYARD_TEST(TstLeadSteps)
#include "tst_leadsteps.moc"
