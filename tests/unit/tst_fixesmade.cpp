// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace trainyard;

// A fix that is offered can be made: where the text cannot be edited safely, the finding has none.
class TstFixesMade : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void allCanBeMade_data();
    void allCanBeMade();
    void singleTextIsItsItem_data();
    void singleTextIsItsItem();
    void fieldsMoveFurtherIn_data();
    void fieldsMoveFurtherIn();
};

namespace
{

QByteArray jobWithFields(const QByteArray &fields, const QByteArray &rest = {})
{
    return "protocolVersion: 2\nname: job\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: x}\n"
           "  - {name: data, type: data, uri: [y]}\ntaskRoles:\n  worker:\n    instances: 1\n    dockerImage: img\n"
        + fields + "    resourcePerInstance: {cpu: 1, memoryMB: 16, gpu: 0}\n    commands: [echo]\n" + rest;
}

} // namespace

void TstFixesMade::allCanBeMade_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::addColumn<QString>("code"); // of a finding of it
    const auto row = [](const char *name, const QByteArray &job, const char *code) {
        QTest::newRow(name) << job << QString::fromUtf8(code);
    };
    const QByteArray secondRole("  other: {instances: 1, dockerImage: img, commands: [echo]}\n");
    row("below a text", jobWithFields("    completion: minSucceededInstances 1\n", secondRole), "role.limit.implicit");
    row("at a duplicate", jobWithFields("    data:\n    data: data\n"), "field.null");
    row("below a duplicate", jobWithFields("    completion: {minFailedInstances: 1}\n    completion: {}\n", secondRole),
        "role.limit.implicit");
    row("below a text of the root",
        jobWithFields({}, "parameters: none\n").replace("[echo]", "['<% $parameters.a %>']"),
        "template.unknown-parameter");
    row("can be made", jobWithFields("    taskRetryCount: 0\n", secondRole), "role.limit.implicit");
}

void TstFixesMade::allCanBeMade()
{
    QFETCH(QByteArray, job);
    QFETCH(QString, code);
    const ParseOutcome outcome = parseJob(job);
    QStringList codes;
    for (const Diagnostic &diagnostic : outcome.diagnostics) {
        codes.append(diagnostic.code);
        for (const Fix &fix : diagnostic.fixes) {
            const Result<TextEdits> edits = planFix(outcome.document, fix);
            QVERIFY2(edits, qPrintable(diagnostic.code + u' ' + fix.title));
        }
    }
    QVERIFY2(codes.contains(code), qPrintable(codes.join(u' ')));
}

void TstFixesMade::singleTextIsItsItem_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::newRow("prerequisites") << jobWithFields("    prerequisites: dta\n")
                                   << QStringLiteral("role.prerequisite-undefined") << QByteArray("prerequisites: dta")
                                   << QByteArray("prerequisites: data");
    QTest::newRow("roles of a plugin") << jobWithFields({},
        "extras:\n  com.microsoft.pai.runtimeplugin:\n    - plugin: ssh\n      taskroles: wrker\n"
        "      parameters: {jobssh: true}\n")
                                       << QStringLiteral("plugin.role-unknown") << QByteArray("taskroles: wrker")
                                       << QByteArray("taskroles: worker");
}

void TstFixesMade::singleTextIsItsItem()
{
    QFETCH(QByteArray, job);
    QFETCH(QString, code);
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    const ParseOutcome outcome = parseJob(job);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [&code](const Diagnostic &each) { return each.code == code; });
    QVERIFY(found != outcome.diagnostics.cend());
    QVERIFY(!found->fixes.isEmpty());
    const Result<TextEdits> edits = planFix(outcome.document, found->fixes.constFirst());
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(job, *edits), QByteArray(job).replace(from, to));
}

// A resource that stands in the role itself is moved to where it belongs, unless that is there already.
void TstFixesMade::fieldsMoveFurtherIn_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("resources");
    QTest::addColumn<QByteArray>("after"); // empty: it cannot be moved
    QTest::newRow("a text") << QByteArray("    gpu: two\n") << QByteArray("{cpu: 1, memoryMB: 16}")
                            << QByteArray("{cpu: 1, memoryMB: 16, gpu: two}");
    QTest::newRow("a number") << QByteArray("    gpu: 2\n") << QByteArray("{cpu: 1, memoryMB: 16}")
                              << QByteArray("{cpu: 1, memoryMB: 16, gpu: 2}");
    QTest::newRow("is there") << QByteArray("    gpu: 2\n") << QByteArray("{cpu: 1, memoryMB: 16, gpu: 0}")
                              << QByteArray();
    QTest::newRow("a map") << QByteArray("    gpu: {a: 1}\n") << QByteArray("{cpu: 1, memoryMB: 16}") << QByteArray();
}

void TstFixesMade::fieldsMoveFurtherIn()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, resources);
    QFETCH(const QByteArray, after);
    const QByteArray job = jobWithFields(before).replace("{cpu: 1, memoryMB: 16, gpu: 0}", resources);
    const ParseOutcome outcome = parseJob(job);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == QLatin1StringView("field.unknown"); });
    QVERIFY(found != outcome.diagnostics.cend());
    const auto fix = std::find_if(found->fixes.cbegin(), found->fixes.cend(),
        [](const Fix &each) { return each.title == QLatin1StringView("fix.move-into"); });
    QCOMPARE(fix != found->fixes.cend(), !after.isEmpty());
    if (after.isEmpty()) {
        return;
    }
    QCOMPARE(fix->args.value(QLatin1StringView("name")).toString(), QStringLiteral("resourcePerInstance"));
    const Result<TextEdits> edits = planFix(outcome.document, *fix);
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(job, *edits), QByteArray(job).replace(before, "").replace(resources, after));
}

TRAINYARD_TEST(TstFixesMade)
#include "tst_fixesmade.moc"
