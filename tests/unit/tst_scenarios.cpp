// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/scenarios.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <tuple>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Plays whole jobs: the table of tests/data/scenarios.txt, and a recorded file where there is one.
class TstScenarios : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void table_data();
    void table();
    void recorded();
    void unplayable_data();
    void unplayable();
    void runner();
};

static QByteArray read(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void TstScenarios::table_data()
{
    QTest::addColumn<scenarios::Scenario>("scenario");
    const auto list
        = scenarios::fromTable(read(qEnvironmentVariable("TRAINYARD_SOURCE") + u"/tests/data/scenarios.txt"_s));
    QVERIFY2(list.has_value(), list ? "" : qPrintable(list.error().args.value("what"_L1).toString()));
    qInfo("%d scenarios, each as OpenPAI and with guard rails", int(list->size()));
    QVERIFY(list->size() >= 75);
    for (const scenarios::Scenario &scenario : *list) {
        QTest::newRow(qPrintable(scenario.id)) << scenario;
    }
}

void TstScenarios::table()
{
    QFETCH(scenarios::Scenario, scenario);
    const auto plain = scenarios::play(scenario, scenarios::openPaiRetryLimits());
    QCOMPARE(scenarios::difference(scenario.expected, plain), QString());
    // Pauses and caps change when, not what, as long as a job is far from the cap.
    const auto guarded = scenarios::play(scenario, core::RetryLimits{});
    QCOMPARE(scenarios::difference(scenario.expected, guarded), QString());
}

void TstScenarios::recorded()
{
    const QByteArray json = shareddata::read(shareddata::folder() + u"/vectors/scenarios.json"_s);
    if (json.isEmpty()) {
        QSKIP("There is no vectors/scenarios.json: set TRAINYARD_SHARED to the folder of the reference data.");
    }
    const auto list = scenarios::fromJson(json);
    QVERIFY(list.has_value());
    for (const scenarios::Scenario &scenario : *list) {
        const auto outcome = scenarios::play(scenario, scenarios::openPaiRetryLimits());
        const QString difference = scenarios::difference(scenario.expected, outcome);
        QVERIFY2(difference.isEmpty(), qPrintable(scenario.id + u": "_s + difference));
    }
    qInfo("%d recorded scenarios", int(list->size()));
}

static QByteArray oneScenario(const QByteArray &job, const QByteArray &events)
{
    return R"([{"id": "x", "job": )" + job + R"(, "events": )" + events + "}]";
}

void TstScenarios::unplayable_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("says");
    const auto row
        = [](const char *name, const QByteArray &json, const QString &says) { QTest::newRow(name) << json << says; };
    const QByteArray role = R"({"name": "w", "instances": 2, "minFailed": 1, "minSucceeded": -1, "taskRetry": 0})";
    const QByteArray job = R"({"roles": [)" + role + R"(], "jobRetry": 0})";
    row("no JSON", "[{", u"."_s);
    row("a map", "{}", u"This is not a list of scenarios."_s);
    row("a number", "[1]", u"Scenario 1 (): id must be a text that is not empty."_s);
    row("no job", R"([{"id": "x"}])", u"Scenario 1 (x): job/roles must be a list."_s);
    row("no roles", oneScenario(R"({"roles": []})", "[]"), u"Scenario 1 (x): job/roles has no role."_s);
    row("role without a name", oneScenario(R"({"roles": [{}]})", "[]"),
        u"Scenario 1 (x): job/roles/0/name must be a text that is not empty."_s);
    row("two of a name", oneScenario(R"({"roles": [)" + role + ',' + role + "]}", "[]"),
        u"Scenario 1 (x): there are two roles 'w'."_s);
    for (const char *instances : {"-1", "0", "2000000000", "1e300", "1.5", "\"3\"", "null"}) {
        row(instances,
            oneScenario(QByteArray(R"({"roles": [{"name": "w", "instances": )") + instances
                    + R"(, "minFailed": 1, "minSucceeded": 1}]})",
                "[]"),
            u"Scenario 1 (x): job/roles/0/instances must be a whole number from 1 to 100000."_s);
    }
    row("no limit", oneScenario(R"({"roles": [{"name": "w", "instances": 1}]})", "[]"),
        u"job/roles/0/minFailed must be a whole number"_s);
    row("gang", oneScenario(R"({"gang": "no", "roles": [)" + role + "]}", "[]"), u"job/gang must be true or false"_s);
    row("no events", R"([{"id": "x", "job": )" + job + "}]", u"events must be a list"_s);
    row("strange role", oneScenario(job, R"([{"role": "v", "index": 0, "exit": 1}])"),
        u"Scenario 1 (x): events/0: there is no task v/0."_s);
    row("strange task", oneScenario(job, R"([{"action": "stop"}, {"role": "w", "index": 2, "exit": 1}])"),
        u"Scenario 1 (x): events/1: there is no task w/2."_s);
    row("no exit", oneScenario(job, R"([{"role": "w", "index": 0}])"), u"events/0/exit must be a whole number"_s);
    row("strange action", oneScenario(job, R"([{"action": "pause"}])"), u"events/0/action must be \"stop\""_s);
    row("the second", "[" + oneScenario(job, "[]").sliced(1).chopped(1) + ", {}]", u"Scenario 2 (): id"_s);
}

void TstScenarios::unplayable()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, says);
    const auto list = scenarios::fromJson(json);
    QVERIFY(!list);
    const QString what = list.error().args.value("what"_L1).toString();
    QVERIFY2(what.contains(says) && what.endsWith(u'.'), qPrintable(what));
}

// The program itself: what it prints, and its status.
void TstScenarios::runner()
{
    const QString program = qEnvironmentVariable("TRAINYARD_BIN") + u"/scenario_runner"_s;
    QVERIFY2(QFile::exists(program), qPrintable(program));
    QTemporaryDir folder;
    const auto run = [&](const QByteArray &json) {
        QFile file(folder.filePath(u"some scenarios.json"_s));
        file.open(QIODevice::WriteOnly);
        file.write(json);
        file.close();
        QProcess process;
        process.start(program, {file.fileName()});
        process.waitForFinished(20000);
        return std::tuple(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError());
    };
    const QByteArray job
        = R"({"roles": [{"name": "w", "instances": 2, "minFailed": 1, "minSucceeded": -1, "taskRetry": 0}], )"
          R"("jobRetry": 1, "gang": true})";
    const QByteArray events = R"([{"attempt": 0, "role": "w", "index": 1, "try": 0, "exit": 255},
        {"attempt": 1, "role": "w", "index": 0, "try": 0, "exit": 220}])";
    const QByteArray line = R"({"id":"ä \"b\"","state":"FAILED","exitCode":220,"attempts":2,)"
                            R"("killed":["w/0#0@0","w/1#0@1"],"retries":{"total":1,"accountable":1}})";
    const auto scenario = [&](const QByteArray &expect) -> QByteArray {
        return R"({"id": "ä \"b\"", "job": )" + job + R"(, "events": )" + events + expect + '}';
    };
    const QByteArray good = R"(, "expect": {"state": "FAILED", "exitCode": 220, "attempts": 2,
        "killed": ["w/1#0@1", "w/0#0@0"], "retries": {"total": 1, "accountable": 1}})";
    const QByteArray wrong = R"(, "expect": {"state": "FAILED", "exitCode": 255, "attempts": 2, "killed": []})";

    auto [status, out, err] = run('[' + scenario({}) + ',' + scenario(good) + ']');
    QVERIFY2(status == 0, err.constData());
    QCOMPARE(out, QByteArray(line + '\n' + line + '\n'));
    const QJsonObject object = QJsonDocument::fromJson(out.split('\n').constFirst()).object();
    QCOMPARE(
        object.keys(), (QStringList{u"attempts"_s, u"exitCode"_s, u"id"_s, u"killed"_s, u"retries"_s, u"state"_s}));

    std::tie(status, out, err) = run('[' + scenario(wrong) + ']');
    QCOMPARE(status, 1);
    QCOMPARE(out, QByteArray(line + '\n'));
    QVERIFY2(err.contains("exit code: wanted 255, got 220"), err.constData());

    // One that is not over has no code.
    std::tie(status, out, err) = run(R"([{"id": "run", "job": )" + job + R"(, "events": []}])");
    QCOMPARE(status, 0);
    QCOMPARE(out,
        QByteArray(R"({"id":"run","state":"RUNNING","exitCode":null,"attempts":1,"killed":[],)"
                   R"("retries":{"total":0,"accountable":0}})"
                   "\n"));

    std::tie(status, out, err) = run(R"([{"id": "y", "job": {"roles": [{"name": "w", "instances": -1}]}}])");
    QCOMPARE(status, 2);
    QCOMPARE(out, QByteArray());
    QVERIFY2(err.contains("Scenario 1 (y): job/roles/0/instances"), err.constData());
    QProcess process;
    process.start(program, {u"/nowhere/at all.json"_s});
    QVERIFY(process.waitForFinished(20000));
    QCOMPARE(process.exitCode(), 2);
    QVERIFY(process.readAllStandardError().contains("/nowhere/at all.json: No such file or directory."));
}

TRAINYARD_TEST(TstScenarios)
#include "tst_scenarios.moc"
