// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "widgets/text/sentences.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QLocale>
#include <QRegularExpression>
#include <QTest>

#include <functional>

using namespace trainyard;
using namespace Qt::StringLiterals;

// The arguments of sentences.
class TstPlaceholders : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void placeholders();
    void parserReasons();
    void noPlaceholderIsLeft();
    void noPlaceholderIsLeftByOddInput();
};

void TstPlaceholders::initTestCase() { QLocale::setDefault(QLocale::c()); }

void TstPlaceholders::placeholders()
{
    Diagnostic diagnostic;
    diagnostic.code = u"role.image.undefined"_s;
    diagnostic.args = {{u"name"_s, u"{role} %1"_s}, {u"role"_s, u"worker"_s}};
    QCOMPARE(diagnosticText(diagnostic),
        u"The image '{role} %1' of the task role 'worker' is not defined in the prerequisites."_s);
    QCOMPARE(sentence(u"extras.run-in"_s, {{u"value"_s, 5}, {u"known"_s, QJsonArray{u"a"_s, u"b"_s}}}),
        u"Unknown runtime '5'. The runtimes are: a, b."_s);
    QCOMPARE(
        sentence(u"refuse.gpu"_s, {{u"role"_s, u"w"_s}, {u"wanted"_s, 1}, {u"most"_s, 0}, {u"host"_s, u"local"_s}}),
        u"A task of w asks for 1 GPU; the most that one host has is 0 (local). Ask for fewer."_s);
    const QJsonObject worse{{u"metric"_s, u"loss"_s}, {u"step"_s, 100}, {u"median"_s, 1.0 / 3}, {u"others"_s, 7}};
    QCOMPARE(reasonText(u"stop.worse"_s, worse),
        u"Stopped by the rule of its group: loss was not a number up to step 100, while the median of 7 other jobs is "
        "0.33333."_s);
    QJsonObject finite = worse;
    finite.insert(u"best"_s, 0.9);
    QCOMPARE(reasonText(u"stop.worse"_s, finite),
        u"Stopped by the rule of its group: loss 0.9 up to step 100 is worse than the median 0.33333 of 7 other jobs."_s);
    QVERIFY(sentence(u"refuse.gpu"_s, {{u"wanted"_s, 2}}).contains(u" 2 GPUs; "_s));
    QCOMPARE(reasonText(u"code.asks"_s,
                 {{u"folder"_s, u"/work"_s}, {u"bytes"_s, 3 << 20}, {u"files"_s, 1}, {u"limitBytes"_s, 1 << 20},
                     {u"limitFiles"_s, 50}, {u"biggest"_s, u"big.bin\n3145728"_s}, {u"host"_s, u"lab1"_s}}),
        u"The work folder /work has 3 MiB in 1 file, and up to 1 MiB in 50 files are copied without asking. "
        u"The "
        "largest are big.bin (3 MiB). The job waits for you to say whether the folder is copied to lab1."_s);
    // Counts have the separators of the user's language, numbers of jobs have none.
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    const auto backToC = qScopeGuard([] { QLocale::setDefault(QLocale::c()); });
    QCOMPARE(filledText(u"{files|file|files} of #{job}"_s, {{u"files"_s, 1234567}, {u"job"_s, 12345}}),
        u"1,234,567 files of #12345"_s);
    QCOMPARE(filledText(u"{files|file|files}"_s, {{u"files"_s, 1}}), u"1 file"_s);
    QLocale::setDefault(QLocale::c());
    QCOMPARE(reasonText(u"wait.queue"_s, {{u"ahead"_s, 1}, {u"job"_s, 7}}), u"Waits for its turn behind #7."_s);
    QCOMPARE(reasonText(u"wait.queue"_s, {{u"ahead"_s, 2}, {u"job"_s, 7}}),
        u"Waits for its turn behind 2 jobs, first #7."_s);
    QJsonObject retry{{u"number"_s, 2}, {u"limit"_s, 10}, {u"code"_s, 137}, {u"role"_s, u"w"_s}, {u"index"_s, 0},
        {u"due"_s, QDateTime::currentMSecsSinceEpoch() - 5}};
    QCOMPARE(reasonText(u"wait.retry"_s, retry),
        u"Waits to try again (2 of 10), in 0:01, because w/0 ended with exit code 137 (Killed)."_s);
    retry.insert(u"limit"_s, 0);
    retry.insert(u"free"_s, true);
    QVERIFY2(reasonText(u"wait.retry"_s, retry).endsWith(u"even if it has no retries. Stop the job to give up."_s),
        qPrintable(reasonText(u"wait.retry"_s, retry)));
    retry.remove(u"free"_s);
    QJsonObject memory{{u"limitMiB"_s, 100}, {u"usedMiB"_s, 98}, {u"by"_s, u"limit"_s}};
    QVERIFY(reasonText(u"exit.oom"_s, memory).contains(u"its limit is 100 MiB, and it used up to 98 MiB."_s));
    memory.insert(u"by"_s, u"host"_s);
    QVERIFY(reasonText(u"exit.oom"_s, memory).startsWith(u"The host ran out of memory"_s));
    QVERIFY(reasonText(u"exit.oom"_s).startsWith(u"The task ran out of memory. Ask"_s));
    retry.remove(u"role"_s);
    retry.insert(u"code"_s, 255);
    retry.insert(u"why"_s, QJsonObject{{u"code"_s, u"exit.user"_s}, {u"args"_s, QJsonObject{{u"status"_s, 3}}}});
    QVERIFY2(reasonText(u"wait.retry"_s, retry)
                 .startsWith(u"Waits to try again (retry 2), in 0:01, because the attempt ended with exit code 3."_s),
        qPrintable(reasonText(u"wait.retry"_s, retry)));
    // The status of the program, also where its output gave it another code.
    QJsonObject refused = retry;
    refused.remove(u"why"_s);
    refused.insert(u"code"_s, 228);
    refused.insert(u"status"_s, 2);
    QVERIFY2(reasonText(u"wait.retry"_s, refused).endsWith(u"ended with exit code 2 (Wrong argument)."_s),
        qPrintable(reasonText(u"wait.retry"_s, refused)));
    // What keeps it from starting comes before how often it was tried.
    const QJsonObject service{{u"code"_s, u"launch.container-service"_s},
        {u"args"_s, QJsonObject{{u"detail"_s, u"Is the docker daemon running?"_s}}}};
    retry.insert(u"why"_s, service);
    retry.insert(u"limit"_s, 5);
    QCOMPARE(reasonText(u"wait.retry"_s, retry),
        u"The container service of the host does not answer. Start it there. It says: Is the docker daemon running? It "
        u"is "
        "tried again (2 of 5) in 0:01."_s);
    // Where the cause is told below, not twice.
    JobSummary waiting;
    waiting.reason = u"wait.retry"_s;
    waiting.reasonArgs = retry;
    QCOMPARE(reasonTextAboveCause(waiting), u"It is tried again (2 of 5) in 0:01."_s);
    QJsonObject ofHost = service.value("args"_L1).toObject();
    ofHost.insert(u"host"_s, u"lab1"_s);
    QVERIFY(reasonText(u"launch.container-service"_s, ofHost).startsWith(u"The container service of lab1 does not"_s));
    ofHost.insert(u"host"_s, u"local"_s);
    QVERIFY(reasonText(u"launch.container-service"_s, ofHost).startsWith(u"The container service of this computer"_s));
    waiting.reasonArgs.insert(
        u"why"_s, QJsonObject{{u"code"_s, u"exit.user"_s}, {u"args"_s, QJsonObject{{u"status"_s, 3}}}});
    const QString above = reasonTextAboveCause(waiting);
    QVERIFY2(above.endsWith(u"because the attempt ended with exit code 3."_s), qPrintable(above));
    QCOMPARE(fixTitle({u"fix.rename"_s, {{u"name"_s, u"x"_s}}, {}}), u"Rename to 'x'"_s);
    QCOMPARE(errorText({u"require.cycle"_s, {{u"cycle"_s, u"a → b → a"_s}}}),
        u"These prerequisites require each other: a → b → a."_s);
    QCOMPARE(sentence(u"yaml.syntax.flow-map-end"_s), u"The map that starts with '{' has no closing '}'."_s);
}

void TstPlaceholders::parserReasons()
{
    const ParseOutcome outcome = parseJob("a: b: c\n");
    QVERIFY(!outcome.diagnostics.isEmpty());
    QVERIFY(!diagnosticText(outcome.diagnostics.first()).contains(u"not YAML"_s));
}

// Real findings fill every placeholder of their sentence.
void TstPlaceholders::noPlaceholderIsLeft()
{
    static const QRegularExpression placeholder(u"\\{[a-z]+\\}"_s);
    const QByteArray job
        = "protocolVersion: 3\nname: a b\ntype: x\nwhatever: 1\njobRetryCount: -1\n"
          "prerequisites:\n  - {name: i, type: dockerimage, uri: A B, plugin: x, auth: {password: 1}}\n"
          "  - {name: d, type: data, uri: u}\n  - {name: s, type: script, uri: [u], require: [zz, s],\n"
          "     callbacks: [{event: containerExit, commands: [export A=1]}, {event: x}]}\n"
          "  - {name: d, type: storage}\n"
          "parameters: {a: 012, b: yes, c: 1.0, e: <% $parameters.a %>}\nsecrets: {p: '******'}\n"
          "taskRoles:\n  A-b:\n    instances: 0\n    instance: '2'\n    dockerImage: q\n    data: i\n"
          "    prerequisites: [q, q, marketplace://data/x]\n    taskRetryCount: 2\n"
          "    completion: {minFailedInstances: 9, minSucceededInstances: -3}\n"
          "    extraContainerOptions: {shmMB: 99999, infiniband: x, additionalProperties: 1}\n"
          "    resourcePerInstance: {cpu: 0.5, memoryMB: 1, ports: {ssh: 22, 'a-b': 0}}\n"
          "    commands: ['<% $parameters.zz %> <% $data.x %> <%! x %> <% $q.x %>', 'a \\', 5]\n"
          "deployments: [{name: x, taskRoles: {y: {}}}]\nextras: {gangAllocation: 1}\n";
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.diagnostics.size() > 30);
    for (const Diagnostic &each : outcome.diagnostics) {
        const QString text = diagnosticText(each);
        QVERIFY2(!placeholder.match(text).hasMatch(), qPrintable(each.code + u": "_s + text));
        QVERIFY2(text.endsWith(u'.') || text.endsWith(u'?'), qPrintable(text));
        for (const Fix &fix : each.fixes) {
            QVERIFY2(!placeholder.match(fixTitle(fix)).hasMatch(), qPrintable(fixTitle(fix)));
        }
    }
}

// Each field of a job that has them all, with values of every kind in its place: whatever is said of it is whole.
void TstPlaceholders::noPlaceholderIsLeftByOddInput()
{
    static const QRegularExpression placeholder(u"\\{[a-z][A-Za-z]*(\\|[^}]*)?\\}"_s);
    const QByteArray job
        = "protocolVersion: 2\nname: a\ntype: job\nversion: 1\ncontributor: x\ndescription: d\njobRetryCount: 1\n"
          "prerequisites:\n  - {protocolVersion: 2, name: i, type: dockerimage, version: '1', contributor: c, "
          "description: d, uri: a/b, auth: {username: u, password: <% $secrets.p %>, registryuri: r}}\n"
          "  - {name: d, type: data, uri: [u]}\n  - {name: o, type: output, uri: u}\n"
          "  - {name: s, type: script, uri: u, plugin: com.microsoft.pai.runtimeplugin.cmd, require: [d], "
          "failurePolicy: fail, callbacks: [{event: taskStarts, commands: [true]}]}\n"
          "parameters: {a: 1}\nsecrets: {p: x}\n"
          "taskRoles:\n  w:\n    protocolVersion: 2\n    instances: 1\n    dockerImage: i\n    data: d\n"
          "    output: o\n    script: s\n    prerequisites: [s]\n    taskRetryCount: 0\n"
          "    completion: {minFailedInstances: 1, minSucceededInstances: -1}\n"
          "    extraContainerOptions: {shmMB: 64, infiniband: false}\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0, ports: {http: 1}}\n"
          "    commands: ['echo <% $parameters.a %>']\n"
          "deployments: [{name: x, taskRoles: {w: {preCommands: [a], postCommands: [b]}}}]\n"
          "defaults: {virtualCluster: v, deployment: x}\n"
          "extras: {gangAllocation: false, submitFrom: s, tensorBoard: {host: h, port: 1, logDirectories: {a: b}},\n"
          "  hivedScheduler: {jobPriorityClass: prod, taskRoles: {w: {skuNum: 1, skuType: t}}},\n"
          "  jobStatusChangeNotification: {running: true},\n"
          "  com.microsoft.pai.runtimeplugin: [{plugin: ssh, parameters: {jobssh: true, sshbarrierTimeout: 60, "
          "userssh: {type: custom, value: k}}, failurePolicy: fail, taskroles: [w]}, {plugin: teamwise_storage, "
          "parameters: {storageConfigNames: [c], mountPoints: [{name: n, mountPath: /m}]}}, {plugin: git, "
          "parameters: {repo: r, clone_dir: c, options: [o]}}, {plugin: cmd, callbacks: [{event: taskStarts, "
          "commands: [a]}]}, {plugin: tensorboard, parameters: {logdir: {a: b}, port: 6006}}],\n"
          "  trainyard: {runIn: host, work: /tmp, environment: clean, priority: 1, strict: false, "
          "stop: {signal: TERM, only: main}, maxRunMinutes: 5, gpuMemoryMB: 1}}\n";
    const QList<QByteArray> values{"[2]", "{a: [b]}", "{}", "~", "''", "x y", "-1", "1.5", "true", "[1, x, ~, {a: b}]",
        "{a: ~, b: {c: d}}", "99999999999999999999", "'<% $x.y %>'"};
    const auto look = [&](const QByteArray &text) {
        const CheckMode modes[] = {CheckMode::Friendly, CheckMode::Strict};
        for (const CheckMode mode : modes) {
            const ParseOutcome outcome = parseJob(text, mode);
            for (const Diagnostic &each : outcome.diagnostics) {
                QString said = diagnosticText(each);
                for (const Fix &fix : each.fixes) {
                    said += u'\n' + fixTitle(fix);
                }
                const QRegularExpressionMatch match = placeholder.match(said);
                // What stands in the job may look like one.
                QVERIFY2(!match.hasMatch() || text.contains(match.captured().toUtf8()),
                    qPrintable(each.code + u": "_s + said));
            }
        }
    };
    const YamlDocument document = YamlDocument::parse(job);
    QVERIFY(document.isWellFormed());
    QList<const YamlNode *> nodes;
    const std::function<void(const YamlNode *)> walk = [&](const YamlNode *node) {
        for (const YamlNode::Entry &entry : node->entries) {
            nodes.append(entry.value);
            walk(entry.value);
        }
    };
    walk(document.root());
    QVERIFY(nodes.size() > 100);
    // In turn, so that each value comes to many places also in the short form.
    const qsizetype step = isFullForm() ? 1 : 13;
    qsizetype first = 0;
    for (const YamlNode *node : std::as_const(nodes)) {
        for (qsizetype i = first++ % step; i < values.size(); i += step) {
            look(applyEdits(job, {{node->at, values.at(i)}}));
        }
        if (const Result<TextEdits> gone = planEdit(document, edit::Remove{document.pathOf(node)})) {
            look(applyEdits(job, *gone));
        }
    }
}

TRAINYARD_TEST(TstPlaceholders)
#include "tst_placeholders.moc"
