// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmlaunch.h"
#include "engine/contract/leadplan.h"
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;

// What tasks of a Slurm cluster are started with that comes from elsewhere: data, the key of the plugin ssh, modules.
class TstSlurmSupply : public QObject
{
    Q_OBJECT

    Settings m_settings;
    JobSupply m_supply;

    static JobSpec spec(const QByteArray &data)
    {
        const QByteArray role
            = ", dockerImage: image, commands: [a], resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}}\n";
        const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: j\ntype: job\nprerequisites:\n"
                                              "  - {protocolVersion: 2, name: image, type: dockerimage, uri: ubuntu}\n"
                                              "taskRoles:\n  boss: {instances: 1"
            + role + "  worker: {instances: 2" + role
            + "extras:\n  com.microsoft.pai.runtimeplugin:\n    - {plugin: ssh, parameters: {jobssh: true}}\n"
              "  trainyard:\n    data: "
            + data + "\n");
        return outcome.spec.value_or(JobSpec());
    }
    SlurmLaunches launches() const
    {
        const SlurmTarget lab{u"lab"_s, {}, {}, {}, {}, {u"cuda/12"_s, u"python/3.11"_s}};
        SlurmLaunches made(lab, RunFolders(u"/runs"_s), m_settings);
        made.setSupply(
            &m_supply, {{u"slurm:lab"_s, {u"lab"_s}, false, u"/home/ada"_s}, u"local"_s, u"/copies"_s}, u"ada"_s);
        return made;
    }
    static bool holds(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

private Q_SLOTS:
    void initTestCase()
    {
        m_supply.dataWants
            = [](const JobSpec &job, const StoredDocument &, const QString &role, const launch::DataHost &at) {
                  return launch::dataFor(job, role, at, u"/proj"_s, u"/home/me"_s);
              };
        m_supply.data = [](const QUuid &) {
            return launch::Variables{{u"TRAINYARD_DATA_SET"_s, u"/copies/data/folders/x"_s}};
        };
        m_supply.key = [](const QUuid &) { return JobKey{"A PRIVATE KEY", "ssh-ed25519 PUBLIC", {}}; };
    }

    // The key is nowhere but in the script, which no disk keeps; the addresses come when the nodes are known.
    void startsTasks()
    {
        ActiveJob job;
        job.spec = spec("{set: {from: /d}}");
        QCOMPARE(job.spec->taskRoles.size(), 2);
        job.state = core::newJob(QUuid::createUuid(), {}, core::policyOf(*job.spec), 0);
        job.state.roleStart = {0, 1, 3};
        job.state.tasks.resize(3);
        std::vector<core::TaskRef> all;
        for (int i = 0; i < 3; ++i) {
            core::Allocation place;
            place.host = u"slurm:lab"_s;
            place.ports = {{u"ssh"_s, {20001 + i}}};
            all.push_back(i == 0 ? core::TaskRef{0, 0} : core::TaskRef{1, i - 1});
            job.state.task(all.back()).state = core::Launching{place};
        }
        const Result<std::vector<contract::Launch>> made = launches().make(job, all);
        QVERIFY(made);
        QCOMPARE(made->size(), std::size_t(3));
        for (const contract::Launch &each : *made) {
            QVERIFY(each.sealed && holds(each.script, "A PRIVATE KEY"));
            QVERIFY(!holds(each.maskedScript, "A PRIVATE KEY"));
            for (const contract::Variable &variable : each.env) {
                QVERIFY(!holds(variable.value, "A PRIVATE KEY"));
            }
            QVERIFY(std::any_of(each.env.begin(), each.env.end(), [](const contract::Variable &variable) {
                return variable.name == "TRAINYARD_DATA_SET" && variable.value == "/copies/data/folders/x";
            }));
        }
        std::string script = made->front().script;
        contract::replaceAddresses(script,
            {{contract::addressWord("boss", 0), "10.0.0.1"}, {contract::addressWord("worker", 0), "10.0.0.2"},
                {contract::addressWord("worker", 1), "10.0.0.3"}});
        QVERIFY(holds(script, "boss-0 - 10.0.0.1 20001 ada\n"));
        QVERIFY(holds(script, "worker-1 - 10.0.0.3 20003 ada"));
    }

    void isPlanned_data()
    {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("value");
        QTest::newRow("a copy") << QByteArray("{set: {from: /d}}") << u"/copies/data/folders/…"_s;
        QTest::newRow("there") << QByteArray("{set: {from: /d, paths: {lab: /sets/x}}}") << u"/sets/x"_s;
    }
    void isPlanned()
    {
        QFETCH(const QByteArray, data);
        QFETCH(const QString, value);
        Prepared prepared;
        prepared.spec = spec(data);
        prepared.document.runIn = u"pyxis"_s;
        const core::JobState state = core::newJob(QUuid::createUuid(), {}, core::policyOf(prepared.spec), 0);
        const Result<PlanReply> plan = launches().plan(prepared, state);
        QVERIFY(plan && plan->tasks.size() == 3);
        for (const PlannedTask &task : plan->tasks) {
            QVERIFY2(
                task.containerCommand.contains(value + u':' + value + u":ro"_s), qPrintable(task.containerCommand));
        }
        QVERIFY(
            plan->tasks.constFirst().environment.contains(std::pair<QString, QString>(u"TRAINYARD_DATA_SET"_s, value)));
        // The node's folder would be over that of the image.
        prepared.document.work = u"/usr/"_s;
        const Result<PlanReply> refused = launches().plan(prepared, state);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"launch.container-work"_s);
    }

    // Those of the nodes are nothing for an image.
    void loadsModules_data()
    {
        QTest::addColumn<QString>("runIn");
        QTest::addColumn<bool>("loads");
        QTest::newRow("a shell of the node") << QString() << true;
        QTest::newRow("apptainer") << u"apptainer"_s << false;
        QTest::newRow("pyxis") << u"pyxis"_s << false;
    }
    void loadsModules()
    {
        QFETCH(const QString, runIn);
        QFETCH(const bool, loads);
        Prepared prepared;
        prepared.spec = spec("{set: {from: /d}}");
        prepared.document.runIn = runIn;
        const core::JobState state = core::newJob(QUuid::createUuid(), {}, core::policyOf(prepared.spec), 0);
        const Result<PlanReply> plan = launches().plan(prepared, state);
        QVERIFY(plan && !plan->tasks.isEmpty());
        const QString script = plan->tasks.constFirst().script;
        QCOMPARE(script.contains(u"module load"_s), loads);
        QCOMPARE(script.contains(u"cuda/12"_s) && script.contains(u"python/3.11"_s), loads);
        QCOMPARE(script.contains(u"slurmModules.lab"_s), loads); // what a failure names
    }
};

TRAINYARD_TEST(TstSlurmSupply)
#include "tst_slurmsupply.moc"
