// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/template/render.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What is taken although a server refuses it or does something else with it, row by row: what is said, what is read.
class TstLiberal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void memoryInAnotherUnit_data();
    void memoryInAnotherUnit();
};

namespace
{

struct Parts {
    QByteArray head;
    QByteArray role;
    QByteArray prerequisites;
    QByteArray tail;
    QByteArray resources = "{cpu: 1, memoryMB: 64, gpu: 0}";
    QByteArray name = "w";
};

QByteArray job(const Parts &parts)
{
    return "protocolVersion: 2\nname: t\ntype: job\n" + parts.head
        + "prerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n" + parts.prerequisites + "taskRoles:\n  "
        + parts.name + ":\n    dockerImage: img\n    resourcePerInstance: " + parts.resources + "\n    commands: [a]\n"
        + parts.role + parts.tail;
}

using Check = bool (*)(const JobSpec &);

struct Row {
    const char *name;
    Parts parts;
    const char *code; // nothing: silently
    bool strict; // a server refuses it
    Check holds;
};

const TaskRole &role(const JobSpec &job) { return job.taskRoles.first(); }
const Prerequisite &last(const JobSpec &job) { return job.prerequisites.last(); }

Parts head(const QByteArray &text)
{
    Parts parts;
    parts.head = text;
    return parts;
}
Parts inRole(const QByteArray &text)
{
    Parts parts;
    parts.role = text;
    return parts;
}
Parts prerequisite(const QByteArray &text, const QByteArray &roleText = {})
{
    Parts parts;
    parts.prerequisites = text;
    parts.role = roleText;
    return parts;
}
Parts resources(const QByteArray &text)
{
    Parts parts;
    parts.resources = text;
    return parts;
}
Parts tail(const QByteArray &text)
{
    Parts parts;
    parts.tail = text;
    return parts;
}

const QList<Row> &rows()
{
    static const QByteArray cmd = "    plugin: com.microsoft.pai.runtimeplugin.cmd\n";
    static const auto event = [](const QByteArray &name) {
        return prerequisite(
            "  - name: s\n    type: script\n" + cmd + "    callbacks: [{event: " + name + ", commands: [x]}]\n",
            "    prerequisites: [s]\n");
    };
    static const Check runsBefore = [](const JobSpec &j) { return composeRole(j, role(j))->before.size() == 1; };
    static const Check runsAfter = [](const JobSpec &j) { return composeRole(j, role(j))->after.size() == 1; };
    static const QList<Row> table{
        {"number as text", inRole("    instances: '2'\n"), "field.integer-as-text", true,
            [](const JobSpec &j) { return role(j).instances == 2; }},
        {"whole float", inRole("    instances: 2.0\n"), nullptr, false,
            [](const JobSpec &j) { return role(j).instances == 2; }},
        {"fraction", resources("{cpu: 0.5, memoryMB: 64, gpu: 0}"), "field.not-whole", true,
            [](const JobSpec &j) { return role(j).resources.cpu == 1; }},
        {"minSucceededTaskCount", inRole("    completion: {minSucceededTaskCount: 1}\n"), "field.renamed", true,
            [](const JobSpec &j) { return role(j).completion.minSucceededInstances == 1; }},
        {"minFailedTaskCount", inRole("    completion: {minFailedTaskCount: 1}\n"), "field.renamed", true,
            [](const JobSpec &j) { return role(j).completion.minFailedInstances == 1; }},
        {"instance", inRole("    instance: 3\n"), "field.renamed", true,
            [](const JobSpec &j) { return role(j).instances == 3; }},
        {"data uri as text", prerequisite("  - {name: d, type: data, uri: u}\n"), "prerequisite.uri.not-list", true,
            [](const JobSpec &j) { return last(j).uri == QStringList{u"u"_s}; }},
        {"script uri as list", prerequisite("  - {name: d, type: script, uri: [u]}\n"), "prerequisite.uri.not-text",
            true, [](const JobSpec &j) { return last(j).uri == QStringList{u"u"_s}; }},
        {"output uri as list", prerequisite("  - {name: d, type: output, uri: [u]}\n"), "prerequisite.uri.not-text",
            true, [](const JobSpec &j) { return last(j).uri == QStringList{u"u"_s}; }},
        {"image with more keys", prerequisite("  - {name: i, type: dockerimage, uri: u, plugin: p}\n"),
            "prerequisite.image.extra-key", true,
            [](const JobSpec &j) { return last(j).all.find(u"plugin"_s) != nullptr; }},
        {"parameters: null", head("parameters:\n"), "field.null", true,
            [](const JobSpec &j) { return j.parameters.asMap()->isEmpty(); }},
        {"secrets: null", head("secrets: ~\n"), "field.null", true,
            [](const JobSpec &j) { return j.secrets.asMap()->isEmpty() && !j.secretsMasked; }},
        {"extras: null", head("extras: null\n"), "field.null", true,
            [](const JobSpec &j) { return j.plugins.isEmpty(); }},
        {"defaults: null", head("defaults:\n"), "field.null", true,
            [](const JobSpec &j) { return j.virtualCluster.isEmpty(); }},
        {"deployments: null", head("deployments:\n"), "field.null", true,
            [](const JobSpec &j) { return j.deployments.isEmpty(); }},
        {"completion: null", inRole("    completion: null\n"), "field.null", true,
            [](const JobSpec &j) { return !role(j).completion.minFailedInstances; }},
        {"ports: null", resources("{cpu: 1, memoryMB: 64, gpu: 0, ports: null}"), "field.null", false,
            [](const JobSpec &j) { return role(j).resources.ports.isEmpty(); }},
        {"deployments: []", head("deployments: []\n"), "field.empty", true,
            [](const JobSpec &j) { return j.deployments.isEmpty(); }},
        {"ports: {}", resources("{cpu: 1, memoryMB: 64, gpu: 0, ports: {}}"), "field.empty", true,
            [](const JobSpec &j) { return role(j).resources.ports.isEmpty(); }},
        {"secrets taken out", head("secrets: '******'\n"), "secrets.masked", true,
            [](const JobSpec &j) { return j.secretsMasked; }},
        {"a secret taken out", head("secrets: {a: '******'}\n"), "secrets.value-masked", false,
            [](const JobSpec &j) { return j.askedSecrets == QStringList{u"a"_s}; }},
        {"secrets as a second document", tail("---\ntoken: x\n"), "yaml.second-document", true,
            [](const JobSpec &j) { return j.taskRoles.size() == 1; }},
        {"default:", head("default: {virtualCluster: v}\n"), "field.renamed", true,
            [](const JobSpec &j) { return j.virtualCluster == u"v"_s; }},
        {"containerStart", event("containerStart"), "prerequisite.event.alias", false, runsBefore},
        {"containerStarts", event("containerStarts"), "prerequisite.event.alias", false, runsBefore},
        {"preTaskStarts", event("preTaskStarts"), "prerequisite.event.alias", false, runsBefore},
        {"postTaskSucceeds", event("postTaskSucceeds"), "prerequisite.event.alias", false, runsAfter},
        {"containerExit", event("containerExit"), "prerequisite.event.alias", false, runsAfter},
        {"callbacks without a plugin",
            prerequisite("  - {name: s, type: script, callbacks: [{event: taskStarts, commands: [x]}]}\n",
                "    prerequisites: [s]\n"),
            "prerequisite.no-plugin", false, runsBefore},
        {"require",
            prerequisite(
                "  - {name: a, type: script}\n  - {name: b, type: script, require: [a]}\n", "    prerequisites: [b]\n"),
            "prerequisite.require-here-only", false,
            [](const JobSpec &j) {
                return *expandPrerequisites(j, role(j)) == QStringList({u"a"_s, u"b"_s});
            }},
        {"this",
            prerequisite("  - name: s\n    type: script\n    x: y\n" + cmd
                    + "    callbacks: [{event: taskStarts, commands: ['<% this.x %>']}]\n",
                "    prerequisites: [s]\n"),
            "template.this-here-only", false,
            [](const JobSpec &j) { return composeRole(j, role(j))->before.first().script.endsWith(u"\ny\n"_s); }},
        {"jobRetryCount: -1", head("jobRetryCount: -1\n"), "job.retry-negative", true,
            [](const JobSpec &j) { return j.jobRetryCount == -1; }},
        {"jobRetryCount: -2", head("jobRetryCount: -2\n"), "job.retry-negative", true,
            [](const JobSpec &j) { return j.jobRetryCount == -2; }},
        {"taskRoles of a plugin",
            head("extras: {com.microsoft.pai.runtimeplugin: [{plugin: ssh, parameters: {jobssh: true}, taskRoles: "
                 "[w]}]}\n"),
            "field.renamed", false,
            [](const JobSpec &j) { return j.plugins.first().taskRoles == QStringList{u"w"_s}; }},
        {"unknown key of the job", head("mine: 1\n"), "field.unknown", true,
            [](const JobSpec &j) { return j.name == u"t"_s; }},
        {"unknown key of a role", inRole("    mine: 1\n"), "field.unknown", true,
            [](const JobSpec &j) { return role(j).name == u"w"_s; }},
        {"unknown key of the resources", resources("{cpu: 1, memoryMB: 64, gpu: 0, mine: 1}"), "field.unknown", true,
            [](const JobSpec &j) { return role(j).resources.memoryMiB == 64; }},
        {"a name for squeezed letters",
            [] {
                Parts parts;
                parts.name = "Ps_Server";
                return parts;
            }(),
            "role.name.not-portable", false, [](const JobSpec &j) { return role(j).name == u"Ps_Server"_s; }},
    };
    return table;
}

struct Refusal {
    const char *name;
    QByteArray text;
    const char *code;
    int line;
};

const QList<Refusal> &refusals()
{
    static const auto named = [](const QByteArray &name) {
        Parts parts;
        parts.name = name;
        return job(parts);
    };
    static const QList<Refusal> table{
        {"a dash in a role's name", named("ps-server"), "role.name.invalid", 7},
        {"a dot in a role's name", named("ps.server"), "role.name.invalid", 7},
        {"a tilde in a role's name", named("ps~server"), "role.name.invalid", 7},
        {"tab", QByteArray("a:\n\tb: 1\n"), "yaml.tab-indent", 2},
        {"duplicate key", job(head("description: x\ndescription: y\n")), "yaml.duplicate-key", 5},
        {"unclosed template", job({}).replace("[a]", "['<% $parameters.x']"), "template.unclosed-tag", 10},
        {"marketplace", job(inRole("    prerequisites: ['marketplace://data/x']\n")), "prerequisite.marketplace", 11},
    };
    return table;
}

} // namespace

void TstLiberal::accepts_data()
{
    QTest::addColumn<int>("row");
    for (qsizetype i = 0; i < rows().size(); ++i) {
        QTest::newRow(rows().at(i).name) << int(i);
    }
}

void TstLiberal::accepts()
{
    QFETCH(int, row);
    const Row &expected = rows().at(row);
    const QByteArray text = job(expected.parts);
    const ParseOutcome outcome = parseJob(text);
    QStringList codes;
    const Diagnostic *found = nullptr;
    for (const Diagnostic &each : outcome.diagnostics) {
        codes.append(each.code);
        if (expected.code && each.code == QLatin1String(expected.code)) {
            found = &each;
        }
    }
    QVERIFY2(outcome.canRun(), qPrintable(codes.join(u' ')));
    QCOMPARE(parseJob(text, CheckMode::Strict).canRun(), !expected.strict);
    if (expected.code) {
        QVERIFY2(found, qPrintable(codes.join(u' ')));
        QVERIFY(found->severity != Severity::Error);
        QCOMPARE(found->strict, expected.strict);
    } else {
        QVERIFY2(codes.isEmpty(), qPrintable(codes.join(u' ')));
    }
    QVERIFY(expected.holds(*outcome.spec));
}

void TstLiberal::refuses_data()
{
    QTest::addColumn<int>("row");
    for (qsizetype i = 0; i < refusals().size(); ++i) {
        QTest::newRow(refusals().at(i).name) << int(i);
    }
    qInfo("liberal reader: %d ways accepted, %d refused with their line", int(rows().size()), int(refusals().size()));
}

void TstLiberal::refuses()
{
    QFETCH(int, row);
    const Refusal &expected = refusals().at(row);
    const ParseOutcome outcome = parseJob(expected.text);
    QVERIFY(!outcome.canRun());
    QStringList codes;
    bool found = false;
    for (const Diagnostic &each : outcome.diagnostics) {
        const int line = int(expected.text.left(each.at.begin).count('\n')) + 1;
        codes.append(each.code + u':' + QString::number(line));
        found = found
            || (each.code == QLatin1String(expected.code) && each.severity == Severity::Error && line == expected.line);
    }
    QVERIFY2(found, qPrintable(codes.join(u' ')));
}

void TstLiberal::memoryInAnotherUnit_data()
{
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("mended");
    const auto row = [](const char *written, const char *mended) {
        QTest::newRow(written) << QByteArray(written) << QByteArray(mended);
    };
    row("memoryGB: 512", "memoryMB: 524288");
    row("memoryGiB: 1.5", "memoryMB: 1536");
    row("memory_gb: 8", "memoryMB: 8192");
    row("memoryGB: 8Gi", "memoryMB: 8192"); // the unit of the value counts
    row("memory: 8Gi", "memoryMB: 8192");
    row("memory: 512M", "memoryMB: 512");
    row("memory: 4096", "memoryMB: 4096"); // no unit is known
    row("memoryMiB: 4096", "memoryMB: 4096");
    row("memoryGB: much", "memoryMB: much");
}

// The fix of a misspelled name keeps the amount and not the number.
void TstLiberal::memoryInAnotherUnit()
{
    QFETCH(const QByteArray, written);
    QFETCH(const QByteArray, mended);
    Parts parts;
    parts.resources = "{cpu: 1, " + written + ", gpu: 0}";
    const QByteArray text = job(parts);
    const ParseOutcome outcome = parseJob(text);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"field.unknown-similar"_s; });
    QVERIFY(found != outcome.diagnostics.cend());
    const Fix &fix = found->fixes.constFirst();
    const bool isSame = written.mid(written.indexOf(':')) == mended.mid(mended.indexOf(':'));
    QCOMPARE(fix.args.value(u"name"_s).toString(), isSame ? u"memoryMB"_s : QString::fromUtf8(mended));
    const auto edits = planFix(outcome.document, fix);
    QVERIFY(edits);
    QCOMPARE(applyEdits(text, *edits), QByteArray(text).replace(written, mended));
}

TRAINYARD_TEST(TstLiberal)
#include "tst_liberal.moc"
