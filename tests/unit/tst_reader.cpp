// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/cancel.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/scalar.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allFields();
    void abandoned();
    void liberalValues();
    void ownExtras();
    void mergeKeys();
    void unusualValues();
    void aliases();
    void wrongTypesEverywhere_data();
    void wrongTypesEverywhere();
    void badInput_data();
    void badInput();
    void bombs();
    void brokenTextStillGivesAForm();
    void secondDocument();
    void largeJobIsQuick();
};

namespace
{

const char fullJob[] = R"(protocolVersion: "2"
name: full_job-1
type: job
version: 1.5
contributor: me
description: all fields
prerequisites:
  - name: img
    type: dockerimage
    uri: a/b:c
    auth: {username: u, password: <% $secrets.pw %>, registryuri: r.io}
  - name: mnist
    type: data
    uri: [u0, u1]
    extra: {k: 1}
  - name: code
    type: script
    uri: git
    plugin: com.microsoft.pai.runtimeplugin.cmd
    require: [mnist]
    failurePolicy: ignore
    callbacks:
      - event: taskStarts
        commands: [a, b]
      - event: taskSucceeds
        commands: [c]
  - {name: out, type: output, uri: o}
parameters:
  lr: 0.01
  epochs: 3
  flag: true
  list: [1, x]
secrets:
  pw: geheim
jobRetryCount: 2
taskRoles:
  ps:
    instances: 2
    completion: {minFailedInstances: 1, minSucceededInstances: -1}
    taskRetryCount: 1
    dockerImage: img
    data: mnist
    script: code
    output: out
    prerequisites: [code]
    extraContainerOptions: {shmMB: 256, infiniband: true}
    resourcePerInstance:
      gpu: 1
      cpu: 4
      memoryMB: 8192
      ports: {web: 2, http: 3}
    commands:
      - one
      - |
        two
        three
  worker:
    completion: {minFailedInstances: null, minSucceededInstances: 0}
    dockerImage: img
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 100}
    commands: [run]
deployments:
  - name: prod
    taskRoles:
      ps: {preCommands: [p], postCommands: [q]}
defaults: {virtualCluster: vc1, deployment: prod}
extras:
  gangAllocation: false
  com.microsoft.pai.runtimeplugin:
    - plugin: cmd
      parameters: {preCommands: [x]}
      failurePolicy: ignore
      taskroles: [ps]
  trainyard: {runIn: podman, work: /data}
  somethingElse: {a: 1}
)";

QByteArray roleJob(const QByteArray &roleLines)
{
    return "protocolVersion: 2\nname: t\ntype: job\nprerequisites: [{name: i, type: dockerimage, uri: a}]\n"
           "taskRoles:\n  w:\n    dockerImage: i\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
           "    commands: [a]\n"
        + roleLines;
}

} // namespace

void TstReader::allFields()
{
    const ParseOutcome outcome = parseJob(fullJob);
    for (const Diagnostic &each : outcome.diagnostics) {
        QVERIFY2(each.severity != Severity::Error && !each.strict, qPrintable(each.code));
    }
    QVERIFY(outcome.canRun());
    const JobSpec &spec = *outcome.spec;
    QCOMPARE(spec.name, u"full_job-1"_s);
    QCOMPARE(spec.version, u"1.5"_s);
    QCOMPARE(spec.contributor, u"me"_s);
    QCOMPARE(spec.description, u"all fields"_s);
    QCOMPARE(spec.prerequisites.size(), 4);
    QCOMPARE(spec.prerequisites.at(0).auth->password, u"<% $secrets.pw %>"_s);
    QCOMPARE(spec.prerequisites.at(0).auth->registryUri, u"r.io"_s);
    QCOMPARE(spec.prerequisites.at(1).uri, (QStringList{u"u0"_s, u"u1"_s}));
    QCOMPARE(*spec.prerequisites.at(1).all.find(u"extra"_s)->find(u"k"_s)->asInt(), 1);
    const Prerequisite &code = spec.prerequisites.at(2);
    QCOMPARE(code.plugin, u"com.microsoft.pai.runtimeplugin.cmd"_s);
    QCOMPARE(code.require, QStringList{u"mnist"_s});
    QCOMPARE(code.failurePolicy, FailurePolicy::Ignore);
    QCOMPARE(code.callbacks.size(), 2);
    QCOMPARE(code.callbacks.at(0).commands, (QStringList{u"a"_s, u"b"_s}));
    QCOMPARE(*spec.parameters.find(u"lr"_s)->asDouble(), 0.01);
    QCOMPARE(*spec.parameters.find(u"flag"_s)->asBool(), true);
    QCOMPARE(*spec.secrets.find(u"pw"_s)->asString(), u"geheim"_s);
    QCOMPARE(spec.jobRetryCount, 2);
    QCOMPARE(spec.taskRoles.size(), 2);
    const TaskRole &ps = *spec.role(u"ps"_s);
    QCOMPARE(ps.instances, 2);
    QCOMPARE(ps.completion.minSucceededInstances, std::optional<qint64>(-1));
    QCOMPARE(ps.taskRetryCount, 1);
    QCOMPARE(ps.shmMiB, std::optional<qint64>(256));
    QVERIFY(ps.infiniband);
    QCOMPARE(ps.resources.memoryMiB, 8192);
    QCOMPARE(ps.resources.ports, (QList<Port>{{u"web"_s, 2}, {u"http"_s, 3}}));
    QCOMPARE(ps.effectivePorts(), (QList<Port>{{u"web"_s, 2}, {u"http"_s, 3}, {u"ssh"_s, 1}}));
    QCOMPARE(ps.commands, (QStringList{u"one"_s, u"two\nthree\n"_s}));
    const TaskRole &worker = *spec.role(u"worker"_s);
    QCOMPARE(worker.instances, 1);
    QCOMPARE(worker.effectiveMinFailed(), 1);
    QCOMPARE(worker.effectiveMinSucceeded(), -1);
    QVERIFY(!worker.completion.minSucceededInstances);
    QCOMPARE(spec.virtualCluster, u"vc1"_s);
    QCOMPARE(spec.activeDeployment(u"ps"_s)->postCommands, QStringList{u"q"_s});
    QVERIFY(!spec.activeDeployment(u"worker"_s));
    QVERIFY(!spec.gangAllocation);
    QCOMPARE(spec.plugins.size(), 1);
    QCOMPARE(*spec.plugins.first().taskRoles, QStringList{u"ps"_s});
    QCOMPARE(spec.plugins.first().failurePolicy, FailurePolicy::Ignore);
    QCOMPARE(spec.trainyard.runIn, u"podman"_s);
    QCOMPARE(spec.trainyard.work, u"/data"_s);
}

// Whoever gave it up gets nothing of it, and soon.
void TstReader::abandoned()
{
    QByteArray many = fullJob;
    for (int i = 0; i < 1000; ++i) {
        many += "# one more line\nkey" + QByteArray::number(i) + ": [a, b, c]\n";
    }
    const std::atomic_bool nobodyWaits = true;
    {
        const CancelScope scope(&nobodyWaits);
        const ParseOutcome outcome = parseJob(many);
        QVERIFY(!outcome.document.isComplete());
        QVERIFY(!outcome.spec);
    }
    QVERIFY(parseJob(many).document.isComplete()); // the next one is not
}

void TstReader::liberalValues()
{
    const JobSpec spec = *parseJob("protocolVersion: '2.0'\nname: t\ntype: job\n"
                                   "prerequisites:\n"
                                   "  - {name: i, type: dockerimage, uri: a}\n"
                                   "  - {name: d, type: data, uri: one}\n"
                                   "  - {name: s, type: script, uri: [two]}\n"
                                   "  - {name: c, type: script, callbacks: [{event: containerStart, commands: [x]}]}\n"
                                   "parameters:\n"
                                   "jobRetryCount: '3'\n"
                                   "default: {virtualCluster: v}\n"
                                   "secrets: {a: '******', b: c}\n"
                                   "taskRoles:\n"
                                   "  w:\n"
                                   "    instance: '4'\n"
                                   "    completion: {minSucceededTaskCount: 2, minFailedInstances: -7}\n"
                                   "    dockerImage: i\n"
                                   "    resourcePerInstance: {cpu: 1.5, memoryMB: 64.0, gpu: '1', ports: null}\n"
                                   "    commands: echo\n")
                              .spec;
    QCOMPARE(spec.jobRetryCount, 3);
    QCOMPARE(spec.virtualCluster, u"v"_s);
    QCOMPARE(spec.prerequisites.at(1).uri, QStringList{u"one"_s});
    QCOMPARE(spec.prerequisites.at(1).all.find(u"uri"_s)->asList()->first(), Value(u"one"_s));
    QCOMPARE(spec.prerequisites.at(2).uri, QStringList{u"two"_s});
    QCOMPARE(spec.prerequisites.at(3).callbacks.first().event, u"taskStarts"_s);
    QVERIFY(spec.parameters.asMap() && spec.parameters.asMap()->isEmpty());
    QCOMPARE(spec.askedSecrets, QStringList{u"a"_s});
    const TaskRole &w = spec.taskRoles.first();
    QCOMPARE(w.instances, 4);
    QCOMPARE(w.completion.minSucceededInstances, std::optional<qint64>(2));
    QCOMPARE(w.completion.minFailedInstances, std::optional<qint64>(-1));
    QCOMPARE(w.resources.cpu, 2);
    QCOMPARE(w.resources.memoryMiB, 64);
    QCOMPARE(w.resources.gpu, 1);
    QCOMPARE(w.commands, QStringList{u"echo"_s});
}

void TstReader::ownExtras()
{
    const auto own = [](const QByteArray &text) {
        const ParseOutcome outcome = parseJob(roleJob("extras: {trainyard: {" + text + "}}\n"));
        return outcome.spec ? outcome.spec->trainyard : TrainyardExtras();
    };
    QCOMPARE(own("priority: -3").priority, -3);
    QCOMPARE(own("priority: 99999999999").priority, 1000000);
    QCOMPARE(own("priority: high").priority, 0);
    QCOMPARE(own("limits: {timeSeconds: 90}").timeLimitSeconds, std::optional<qint64>(90));
    QVERIFY(!own("limits: {timeSeconds: soon}").timeLimitSeconds);
    QVERIFY(!own("limits: 90").timeLimitSeconds);
    const QList<JobAfter> one{{u"41"_s, false}};
    QCOMPARE(own("after: 41").after, one);
    QCOMPARE(own("after: '41'").after, one);
    QCOMPARE(own("after: {job: 41}").after, one);
    QCOMPARE(
        own("after: [41, {job: prep, when: ended}, 41]").after, (QList<JobAfter>{{u"41"_s, false}, {u"prep"_s, true}}));
    QVERIFY(own("after: []").after.isEmpty());
    QVERIFY(own("after: {when: ended}").after.isEmpty());
    QCOMPARE(own("stop: {signal: SIGUSR1, only: main, graceSeconds: 7}").stop, (StopRule{10, true, 7}));
    QCOMPARE(own("stop: {signal: int}").stop, (StopRule{2, false, {}}));
    QCOMPARE(own("stop: {signal: 15}").stop.signal, 15);
    QCOMPARE(own("stop: {signal: KILL}").stop.signal, 0);
    QCOMPARE(own("stop: USR1").stop, StopRule());
    using Hosts = QMap<QString, HostRule>;
    QCOMPARE(own("hosts: {w: {names: [lab1, local], labels: [a100], arrange: same-host}}").hosts,
        (Hosts{{u"w"_s, {{u"lab1"_s, u"local"_s}, {u"a100"_s}, Arrangement::SameHost}}}));
    QCOMPARE(own("hosts: {'*': {arrange: spread}}").hosts, (Hosts{{u"*"_s, {{}, {}, Arrangement::Spread}}}));
    QCOMPARE(own("hosts: {w: {arrange: different-hosts}}").hosts.value(u"w"_s).arrange, Arrangement::DifferentHosts);
    QCOMPARE(own("hosts: {w: {labels: a100}}").hosts.value(u"w"_s).labels, QStringList{u"a100"_s}); // as it is meant
    QCOMPARE(own("hosts: {w: {labels: ['a100, nvlink']}}").hosts.value(u"w"_s).labels,
        (QStringList{u"a100"_s, u"nvlink"_s}));
    const TrainyardExtras both = own("hosts: {w: {labels: [big], arrange: pack}, '*': {names: [lab1], labels: [old]}}");
    QCOMPARE(both.hostRule(u"w"_s), (HostRule{{u"lab1"_s}, {u"big"_s}, Arrangement::Pack}));
    QCOMPARE(both.hostRule(u"another"_s), (HostRule{{u"lab1"_s}, {u"old"_s}, Arrangement::Any}));
    QVERIFY(own("hosts: [lab1]").hosts.isEmpty());
    QCOMPARE(own("results: '*.csv'").results, (ResultsRule{{u"*.csv"_s}, {}, false, 500, 2000}));
    QCOMPARE(own("results: [a.csv, out/**, a.csv]").results.files, (QStringList{u"a.csv"_s, u"out/**"_s}));
    QCOMPARE(own("results: {files: [a], to: ../r, when: during, maxFileMB: 7, maxMB: 9}").results,
        (ResultsRule{{u"a"_s}, u"../r"_s, true, 7, 9}));
    QCOMPARE(own("results: {files: a, when: end}").results, (ResultsRule{{u"a"_s}, {}, false, 500, 2000}));
    QVERIFY(own("results: []").results.files.isEmpty());
    QVERIFY(own("results: [/etc/passwd]").results.files.isEmpty());
    QCOMPARE(own("results: [a..b, ..c/d, e~]").results.files, (QStringList{u"a..b"_s, u"..c/d"_s, u"e~"_s}));
    // What is wrong is said, once.
    for (const char *wrong : {"hosts: {}", "hosts: [lab1]", "hosts: {nobody: {names: [lab1]}}", "hosts: {w: {}}",
             "hosts: {w: lab1}", "hosts: {w: {names: []}}", "hosts: {w: {labels: [[1]]}}", "hosts: {w: {names: lab1}}",
             "hosts: {w: {arrange: same}}", "hosts: {w: {arrange: [pack]}}", "hosts: {w: {label: [a]}}",
             "hosts: {w: {labels: ['a b']}}", "results: [/abs]", "results: [a/../b]", "results: ['~/x']",
             "results: ['']", "results: [[a]]", "results: {to: x}", "results: {files: a, when: later}",
             "results: {files: a, maxMB: 0}", "results: {files: a, maxFileMB: lots}", "results: {files: a, to: [b]}",
             "after: {when: ended}", "after: [[1]]", "stop: [1]", "limits: {timeSeconds: [1]}",
             "stop: {graceSeconds: -1}", "priority: {}", "gpuMemoryMB: 0", "gpuMemoryMB: lots", "gpuMemoryMB: [1]",
             "gpuMemoryMB: {nobody: 5}", "variables: [A]", "variables: {A: [1]}", "variables: {1A: x}",
             "variables: {PAI_X: 1, B: true}"}) {
        const ParseOutcome outcome = parseJob(roleJob("extras: {trainyard: {" + QByteArray(wrong) + "}}\n"));
        const auto errors = std::count_if(outcome.diagnostics.begin(), outcome.diagnostics.end(),
            [](const Diagnostic &d) { return d.path.toPointer().startsWith(u"/extras/trainyard"_s); });
        QVERIFY2(errors == 1, wrong);
    }
}

void TstReader::mergeKeys()
{
    const YamlDocument document = YamlDocument::parse("base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\n"
                                                      "a: {<<: *b, y: 5}\n"
                                                      "c: {y: 6, <<: [*b, *o]}\n"
                                                      "d: {<<: *o, <<: *b}\n"
                                                      "e: {'<<': 7}\n");
    const Value value = toValue(document.root());
    const auto get = [&](const QString &map, const QString &key) { return *value.find(map)->find(key)->asInt(); };
    QCOMPARE(get(u"a"_s, u"x"_s), 1);
    QCOMPARE(get(u"a"_s, u"y"_s), 5);
    QCOMPARE(get(u"c"_s, u"y"_s), 6);
    QCOMPARE(get(u"c"_s, u"z"_s), 4);
    QCOMPARE(get(u"d"_s, u"y"_s), 3);
    QCOMPARE(get(u"e"_s, u"<<"_s), 7);

    const QByteArray merged
        = "protocolVersion: 2\nname: t\ntype: job\n"
          "extras: {common: &c {dockerImage: i, resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}}}\n"
          "prerequisites: [{name: i, type: dockerimage, uri: a}]\n"
          "taskRoles:\n  w:\n    <<: *c\n    commands: [a]\n";
    const ParseOutcome outcome = parseJob(merged);
    QVERIFY(outcome.canRun());
    QVERIFY(parseJob(merged, CheckMode::Strict).canRun());
    QCOMPARE(outcome.spec->taskRoles.first().dockerImage, u"i"_s);
}

// As a server's parser has them once a template or a key needs their text.
void TstReader::unusualValues()
{
    const YamlDocument document = YamlDocument::parse("a: !!binary |\n  YW\n  Jj\n[x, 012, ~, {y: z}]: 1\nb: !\n");
    const Value value = toValue(document.root());
    QCOMPARE(value.find(u"a"_s)->toText(), u"abc"_s);
    QVERIFY(value.find(u"x,10,,[object Object]"_s));
    QVERIFY(value.find(u"b"_s)->isNull());
    // A few bytes may stand for a long text, again and again.
    const QByteArray aliases = "a: &a " + QByteArray(2000, 'x') + "\n? [*a, b, *a]\n: 1\n";
    QVERIFY(toValue(YamlDocument::parse(aliases).root()).find(u",b,"_s));
}

void TstReader::aliases()
{
    const ParseOutcome outcome
        = parseJob(roleJob("    prerequisites: &p [i]\n  v:\n    dockerImage: i\n    prerequisites: *p\n"
                           "    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: [b]\n"));
    QVERIFY(outcome.canRun());
    QCOMPARE(outcome.spec->role(u"v"_s)->prerequisites, QStringList{u"i"_s});
}

void TstReader::wrongTypesEverywhere_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("text") << QByteArray("text");
    QTest::newRow("null") << QByteArray("null");
    QTest::newRow("list") << QByteArray("[a, {b: c}, [d], null, 1]");
    QTest::newRow("map") << QByteArray("{a: {b: c}, d: [e], 1: 2}");
    QTest::newRow("alias") << QByteArray("*unknown");
}

// Puts the value at every place of a full job in turn: always an answer, with positions inside of the text.
void TstReader::wrongTypesEverywhere()
{
    QFETCH(QByteArray, value);
    const QByteArray bytes = fullJob;
    const YamlDocument document = YamlDocument::parse(bytes);
    QList<const YamlNode *> pending{document.root()};
    int places = 0;
    while (!pending.isEmpty()) {
        const YamlNode *node = pending.takeLast();
        for (const YamlNode::Entry &entry : node->entries) {
            pending.append(entry.value);
        }
        QByteArray changed = bytes;
        const bool newline = changed.mid(node->at.begin, node->at.length()).endsWith('\n');
        changed.replace(node->at.begin, node->at.length(), QByteArray(value + (newline ? "\n" : "")));
        const ParseOutcome friendly = parseJob(changed);
        for (const Diagnostic &each : friendly.diagnostics) {
            QVERIFY(each.at.begin >= 0 && each.at.begin <= each.at.end && each.at.end <= changed.size());
        }
        ++places;
    }
    QVERIFY(places > 100);
}

void TstReader::badInput_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    QTest::newRow("empty") << QByteArray() << u"yaml.empty"_s;
    QTest::newRow("blank") << QByteArray("  \n\n") << u"yaml.empty"_s;
    QTest::newRow("comments") << QByteArray("# nothing\n") << u"yaml.empty"_s;
    QTest::newRow("null") << QByteArray("null\n") << u"yaml.empty"_s;
    QTest::newRow("text") << QByteArray("hello\n") << u"job.not-map"_s;
    QTest::newRow("number") << QByteArray("5") << u"job.not-map"_s;
    QTest::newRow("latin1") << QByteArray("name: caf\xe9\n") << u"yaml.not-utf8"_s;
    QTest::newRow("utf16") << QByteArray("\xff\xfen\0a\0", 6) << u"yaml.bom-utf16"_s;
    QTest::newRow("nul") << QByteArray("a: b\0c\n", 7) << u"yaml.nul"_s;
    QTest::newRow("json job") << QByteArray(
        "{\"jobName\": \"a\", \"image\": \"b\", \"taskRoles\": [{\"name\": \"c\"}]}")
                              << u"job.old-json"_s;
    QTest::newRow("other json") << QByteArray("{\"a\": [1, 2]}") << u"field.unknown"_s;
    QTest::newRow("json list") << QByteArray("[1, 2]") << u"job.not-map"_s;
    QTest::newRow("unclosed") << QByteArray("name: \"a\ntype: job\n") << u"yaml.unclosed-quote"_s;
    QTest::newRow("tab") << QByteArray("taskRoles:\n\tw: 1\n") << u"yaml.tab-indent"_s;
    QTest::newRow("duplicate") << QByteArray("name: a\nname: b\n") << u"yaml.duplicate-key"_s;
    QTest::newRow("brackets") << QByteArray(2'000'000, '[') << u"yaml.too-large"_s;
    QTest::newRow("nesting") << QByteArray(100'000, '[') << u"yaml.too-large"_s;
    QTest::newRow("50 MB") << QByteArray(50'000'000, 'a') << u"yaml.too-large"_s;
    QTest::newRow("comma") << QByteArray(",") << u"yaml.syntax"_s;
    QTest::newRow("binary") << QByteArray::fromHex("7f454c460201010000000000") << u"yaml.nul"_s;
}

void TstReader::badInput()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    QElapsedTimer timer;
    timer.start();
    const ParseOutcome outcome = parseJob(bytes);
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    QStringList codes;
    for (const Diagnostic &each : outcome.diagnostics) {
        codes.append(each.code);
    }
    QVERIFY2(codes.contains(code) || (code == u"yaml.too-large"_s && codes.contains(u"yaml.too-deep"_s)),
        qPrintable(codes.join(u' ')));
    QVERIFY(!outcome.canRun());
    QVERIFY(!parseJob(bytes, CheckMode::Strict).canRun());
    QVERIFY(!outcome.diagnostics.isEmpty());
    for (const Diagnostic &each : outcome.diagnostics) {
        QVERIFY(each.at.begin >= 0 && each.at.end <= bytes.size());
    }
}

// Small texts that stand for huge values.
void TstReader::bombs()
{
    QByteArray aliases
        = "protocolVersion: 2\nname: t\ntype: job\nparameters:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        aliases += "  a" + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " [";
        for (int j = 0; j < 10; ++j) {
            aliases += (j ? ", *a" : "*a") + QByteArray::number(i - 1);
        }
        aliases += "]\n";
    }
    const QByteArray recursive = roleJob("extras: &e {a: *e}\n");
    // Each alias is small enough; there are many of them.
    QByteArray wide = roleJob("    prerequisites: &p [");
    for (int i = 0; i < 20000; ++i) {
        wide += "i,";
    }
    wide += "i]\n";
    for (int i = 0; i < 1000; ++i) {
        wide += "  w" + QByteArray::number(i) + ": {dockerImage: i, prerequisites: *p, commands: [a]}\n";
    }
    QByteArray texts = roleJob("parameters: {big: &b '" + QByteArray(300'000, 'x') + "', list: [");
    for (int i = 0; i < 20000; ++i) {
        texts += "*b,";
    }
    texts += "*b]}\n";
    QByteArray references = roleJob("parameters: {big: '" + QByteArray(500'000, 'x') + "'}\n");
    references.replace(
        "commands: [a]", QByteArray("commands: ['" + QByteArray("<% $parameters.big %>").repeated(10'000) + "']"));
    const auto codes = [](const QByteArray &bytes) {
        QElapsedTimer timer;
        timer.start();
        QStringList list;
        for (const Diagnostic &each : parseJob(bytes).diagnostics) {
            list.append(each.code);
        }
        // Seconds, not minutes, also on a busy machine and with sanitizers.
        return timer.elapsed() < 15'000 ? list : QStringList{u"too slow"_s};
    };
    QVERIFY(codes(aliases).contains(u"yaml.too-many-aliases"_s));
    QVERIFY(codes(recursive).contains(u"yaml.recursive-alias"_s));
    QVERIFY(codes(wide).contains(u"yaml.too-many-aliases"_s));
    QVERIFY(codes(texts).contains(u"job.too-complex"_s));
    QVERIFY(!codes(references).contains(u"too slow"_s));
}

void TstReader::brokenTextStillGivesAForm()
{
    const ParseOutcome outcome = parseJob(roleJob("    instances: 3\n  v: [\n"));
    QVERIFY(!outcome.canRun());
    for (const Diagnostic &each : outcome.diagnostics) {
        QVERIFY2(each.code.startsWith(u"yaml."_s), qPrintable(each.code));
    }
}

void TstReader::secondDocument()
{
    const ParseOutcome outcome = parseJob(roleJob("---\npassword: x\n"));
    QVERIFY(outcome.canRun());
    QVERIFY(!parseJob(roleJob("---\npassword: x\n"), CheckMode::Strict).canRun());
}

void TstReader::largeJobIsQuick()
{
    QByteArray bytes
        = "protocolVersion: 2\nname: t\ntype: job\nprerequisites: [{name: i, type: dockerimage, uri: a}]\ntaskRoles:\n";
    int lines = 5;
    for (int i = 0; lines < 10'000; ++i) {
        bytes += "  role" + QByteArray::number(i)
            + ":\n    instances: 2\n    dockerImage: i\n    completion:\n      minSucceededInstances: -1\n"
              "    resourcePerInstance:\n      cpu: 1\n      memoryMB: 100\n      gpu: 0\n    commands:\n"
              "      - echo one two three four five six\n      - python train.py --lr <% $parameters.lr %>\n";
        lines += 12;
    }
    bytes += "parameters: {lr: 0.1}\n";
    QElapsedTimer timer;
    timer.start();
    const ParseOutcome outcome = parseJob(bytes);
    qInfo("%d KiB, %d roles: %lld ms", int(bytes.size() / 1024), int(outcome.spec->taskRoles.size()),
        static_cast<long long>(timer.elapsed()));
    QVERIFY(outcome.canRun());
    QVERIFY(timer.elapsed() < 5000);
}

TRAINYARD_TEST(TstReader)
#include "tst_reader.moc"
