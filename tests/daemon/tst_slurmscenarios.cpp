// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/retry.h"
#include "tests/daemon/slurmfixture.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/needs.h"
#include "tests/helpers/scenarios.h"
#include "tests/helpers/testregistry.h"

#include <QDir>
#include <QFile>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Scenarios of tests/data/scenarios.txt as real jobs, on this computer and on a real Slurm: what becomes of a job does
// not depend on where it runs. Each task waits for a file that says how it ends.
class TstSlurmScenarios : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void cleanup() { m_lab.reset(); }
    void ends_data();
    void ends();

private:
    static QByteArray document(const scenarios::Scenario &scenario);
    static QByteArray commandFor(int code);
    bool play(const scenarios::Scenario &scenario, const QString &uuid);
    bool waitUntilSeen(const scenarios::Happening &happening, const QString &uuid);
    bool stopLast(const scenarios::Scenario &scenario, const QString &uuid);
    scenarios::Outcome outcomeOf(const QString &uuid);

    std::unique_ptr<SlurmCluster> m_slurm;
    std::unique_ptr<SlurmFixture> m_lab;
};

void TstSlurmScenarios::initTestCase()
{
    m_slurm = std::make_unique<SlurmCluster>();
    SKIP_UNLESS_THERE(*m_slurm);
    qputenv("SLURM_CONF", QFile::encodeName(m_slurm->folder() + u"/slurm.conf"_s));
}

void TstSlurmScenarios::cleanupTestCase()
{
    qunsetenv("SLURM_CONF");
    m_slurm.reset();
}

// Those whose codes a process can end with, whose limits a document can have, and that come to an end.
void TstSlurmScenarios::ends_data()
{
    QTest::addColumn<scenarios::Scenario>("scenario");
    QTest::addColumn<QString>("target");
    QFile file(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/scenarios.txt"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Result<QList<scenarios::Scenario>> all = scenarios::fromTable(file.readAll());
    QVERIFY(all.has_value());
    const QStringList quick{
        u"A03"_s, u"A05"_s, u"B02"_s, u"B03"_s, u"B07"_s, u"C05"_s, u"C13"_s, u"D02"_s, u"D07"_s, u"E01"_s};
    const QStringList others{u"A01"_s, u"A02"_s, u"A04"_s, u"B01"_s, u"B05"_s, u"B08"_s, u"B09"_s, u"B11"_s, u"B12"_s,
        u"B13"_s, u"B14"_s, u"C01"_s, u"C02"_s, u"C03"_s, u"C06"_s, u"C08"_s, u"C09"_s, u"C10"_s, u"D03"_s, u"D04"_s,
        u"D06"_s, u"D08"_s, u"D09"_s, u"E02"_s, u"E05"_s};
    int played = 0;
    for (const scenarios::Scenario &scenario : *all) {
        if (quick.contains(scenario.id) || (isFullForm() && others.contains(scenario.id))) {
            QTest::addRow("%s on the cluster", qPrintable(scenario.id)) << scenario << u"slurm:lab"_s;
            QTest::addRow("%s here", qPrintable(scenario.id)) << scenario << u"pool"_s;
            ++played;
        }
    }
    QCOMPARE(played, quick.size() + (isFullForm() ? others.size() : 0));
}

QByteArray TstSlurmScenarios::document(const scenarios::Scenario &scenario)
{
    QByteArray roles;
    for (const core::RolePolicy &role : scenario.policy.roles) {
        const QByteArray rules = "    completion: {minFailedInstances: " + QByteArray::number(role.minFailed)
            + ", minSucceededInstances: " + QByteArray::number(role.minSucceeded)
            + "}\n    taskRetryCount: " + QByteArray::number(role.taskRetry) + '\n';
        roles += EngineFixture::role(role.name.toUtf8(), role.instances,
            {"f=go/$TRAINYARD_JOB_ATTEMPT-$PAI_CURRENT_TASK_ROLE_NAME-$PAI_TASK_INDEX-$TRAINYARD_TASK_TRY\n"
             "while [ ! -e $f ]; do sleep 0.1; done\n"
             ". ./$f"},
            rules);
    }
    return EngineFixture::document(scenario.id.toLower().toUtf8(), roles,
        "jobRetryCount: " + QByteArray::number(scenario.policy.jobRetry)
            + "\nextras: {gangAllocation: " + (scenario.policy.gang ? "true" : "false") + "}\n");
}

// By which the task ends with this completion code (docs/execution.md).
QByteArray TstSlurmScenarios::commandFor(int code)
{
    return code == 0 ? "exit 0\n" : code == 220 ? "no-such-program-of-this-test\n" : "exit 7\n";
}

// It has ended, or its end decided nothing any more.
bool TstSlurmScenarios::waitUntilSeen(const scenarios::Happening &happening, const QString &uuid)
{
    return QTest::qWaitFor(
        [&] {
            const JobSummary job = m_lab->engine.job(uuid);
            if (isFinal(job.state) || job.retries > happening.attempt) {
                return true;
            }
            const TaskInfo task = m_lab->engine.task(uuid, happening.role, happening.index);
            return task.attempt == happening.attempt
                && (task.tries > happening.tryIndex || (task.tries == happening.tryIndex && task.exitCode.has_value()));
        },
        60'000);
}

// When its newest attempt is there, as it is when the scenario stops it.
bool TstSlurmScenarios::stopLast(const scenarios::Scenario &scenario, const QString &uuid)
{
    return m_lab->engine.waitFor(
               uuid,
               [&scenario](const JobSummary &job) {
                   return job.retries == scenario.expected.attempts - 1 && job.state == State::Running;
               },
               60'000)
        && m_lab->engine.engine().stop(uuid, false).has_value();
}

bool TstSlurmScenarios::play(const scenarios::Scenario &scenario, const QString &uuid)
{
    for (const scenarios::Happening &happening : scenario.events) {
        if (happening.isStop) {
            return stopLast(scenario, uuid);
        }
        const QString name
            = u"%1-%2-%3-%4"_s.arg(happening.attempt).arg(happening.role).arg(happening.index).arg(happening.tryIndex);
        QFile file(m_lab->engine.path(u"work/go/"_s + name + u".new"_s));
        if (!file.open(QIODevice::WriteOnly)) {
            return false;
        }
        file.write(commandFor(happening.code));
        file.close();
        if (!file.rename(m_lab->engine.path(u"work/go/"_s + name)) || !waitUntilSeen(happening, uuid)) {
            qWarning("%s does not end", qPrintable(name));
            return false;
        }
    }
    return true;
}

scenarios::Outcome TstSlurmScenarios::outcomeOf(const QString &uuid)
{
    scenarios::Outcome outcome;
    const Result<JobDetail> detail = m_lab->engine.engine().job(uuid);
    if (!detail) {
        return outcome;
    }
    const JobSummary &job = detail->summary;
    outcome.state = stateWord(job.state);
    outcome.exitCode = job.exitCode;
    outcome.attempts = int(detail->attempts.size());
    outcome.retries = job.retries;
    outcome.charged = job.userRetries;
    if (!detail->attempts.isEmpty() && !detail->attempts.constLast().triggerRule.isEmpty()) {
        const AttemptInfo &last = detail->attempts.constLast();
        outcome.trigger = u"%1/%2 %3"_s.arg(last.triggerRole).arg(last.triggerIndex).arg(last.triggerRule);
    }
    for (int attempt = 0; attempt < outcome.attempts; ++attempt) {
        const QList<TaskInfo> tasks = m_lab->engine.engine().tasks(uuid, attempt).value_or(QList<TaskInfo>());
        for (const TaskInfo &task : tasks) {
            if (task.exitCode == core::codeAttemptEnded) {
                outcome.killed.append(u"%1/%2#%3@%4"_s.arg(task.role).arg(task.index).arg(task.tries).arg(attempt));
            }
        }
    }
    outcome.killed.sort();
    return outcome;
}

void TstSlurmScenarios::ends()
{
    QFETCH(scenarios::Scenario, scenario);
    QFETCH(QString, target);
    m_lab = std::make_unique<SlurmFixture>(*m_slurm);
    QVERIFY(m_lab->open());
    QVERIFY(QDir().mkpath(m_lab->engine.path(u"work/go"_s)));
    const QString uuid = m_lab->submit(document(scenario), target);
    QVERIFY(!uuid.isEmpty());
    QVERIFY(play(scenario, uuid));
    QVERIFY(m_lab->engine.waitForEnd(uuid, 60'000));
    const QString difference = scenarios::difference(scenario.expected, outcomeOf(uuid));
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

TRAINYARD_TEST(TstSlurmScenarios)
#include "tst_slurmscenarios.moc"
