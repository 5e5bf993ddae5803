// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/catalogue.h"
#include "model/protocol/jobdocument.h"
#include "model/template/render.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QMap>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

// marketplace:// names from a folder of one's own, and what prerequisites may say of themselves.
class TstCatalogue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void items_data();
    void items();
    void writesItemsIntoTheJob();
    void leavesOthersAlone();
    void namesAreFree();
    void errors();
    void circleEnds();
    void findings();
    void itselfInItsOwnTexts();
    void secondDocumentBecomesSecrets();
};

namespace
{

const char annotatedJob[] = R"(# keep me
protocolVersion: 2
name: t
type: job
prerequisites:
  - {name: img, type: dockerimage, uri: a/b}
  - {name: mnist, type: data, uri: []} # taken
taskRoles:
  w:
    dockerImage: img
    prerequisites:
      - marketplace://script/prepare # first
      - 'marketplace://data/mnist'
    data: marketplace://data/mnist
    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}
    commands: ['ls <% $data.uri[0] %>']
)";

CatalogueLookup catalogue()
{
    static const QMap<QString, QByteArray> items{
        {u"data/mnist"_s,
            "name: whatever\ntype: data\nuri: [/data/mnist]\nplugin: com.microsoft.pai.runtimeplugin.cmd\n"
            "require: ['marketplace://script/prepare']\ncallbacks:\n  - event: taskStarts\n    commands:\n"
            "      - |\n        echo \"fetch\"\n        echo it\n"},
        {u"script/prepare"_s,
            "protocolVersion: 2\ntype: job\nprerequisites:\n  - name: prepare\n    type: script\n"
            "    plugin: com.microsoft.pai.runtimeplugin.cmd\n    callbacks:\n      - {event: taskStarts, commands: "
            "[echo prepare]}\n"},
        {u"script/bad"_s, "name: [\n"},
        {u"script/none"_s, "just: text\n"},
        {u"script/a"_s, "{name: a, type: script, require: ['marketplace://script/b']}"},
        {u"script/b"_s, "{name: b, type: script, require: ['marketplace://script/a']}"},
    };
    return [](const QString &item) {
        const auto found = items.constFind(item);
        return found == items.constEnd() ? std::nullopt : std::optional<QByteArray>(found.value());
    };
}

QByteArray jobWith(const QByteArray &name)
{
    return QByteArray(annotatedJob).replace("marketplace://script/prepare", name);
}

QStringList codesIn(const ParseOutcome &outcome)
{
    QStringList list;
    for (const Diagnostic &each : outcome.diagnostics) {
        list.append(each.code);
    }
    return list;
}

} // namespace

void TstCatalogue::items_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("item");
    QTest::newRow("item") << u"marketplace://data/mnist"_s << u"data/mnist"_s;
    QTest::newRow("other scheme") << u"https://data/mnist"_s << QString();
    QTest::newRow("plain name") << u"mnist"_s << QString();
    QTest::newRow("upwards") << u"marketplace://data/../../secret"_s << QString();
    QTest::newRow("absolute") << u"marketplace:///etc/passwd"_s << QString();
    QTest::newRow("hidden") << u"marketplace://.ssh/id"_s << QString();
    QTest::newRow("empty") << u"marketplace://"_s << QString();
}

void TstCatalogue::items()
{
    QFETCH(QString, name);
    QTEST(catalogueItem(name), "item");
}

void TstCatalogue::writesItemsIntoTheJob()
{
    const Result<QByteArray> whole = withCatalogue(annotatedJob, catalogue());
    QVERIFY2(whole, whole ? "" : qPrintable(whole.error().code));
    QVERIFY(!whole->contains("marketplace://"));
    QVERIFY(whole->contains("# keep me") && whole->contains("# first") && whole->contains("# taken"));
    const ParseOutcome outcome = parseJob(*whole, CheckMode::Strict);
    QVERIFY2(outcome.canRun(), qPrintable(codesIn(outcome).join(u' ')));
    const TaskRole &role = outcome.spec->taskRoles.first();
    QCOMPARE(role.prerequisites, (QStringList{u"prepare"_s, u"mnist_2"_s}));
    QCOMPARE(role.data, u"mnist_2"_s);
    const Result<ComposedRole> composed = composeRole(*outcome.spec, role);
    QVERIFY(composed);
    QCOMPARE(composed->userScript, u"ls /data/mnist"_s);
    QCOMPARE(composed->prerequisiteOrder, (QStringList{u"prepare"_s, u"mnist_2"_s}));
    QCOMPARE(composed->before.last().script, u"set -o errexit\necho \"fetch\"\necho it\n"_s);
    QCOMPARE(outcome.spec->prerequisites.last().require, QStringList{u"prepare"_s});
}

void TstCatalogue::leavesOthersAlone()
{
    const QByteArray plain = QByteArray(annotatedJob).replace("marketplace://", "");
    QCOMPARE(withCatalogue(plain, catalogue()).value(), plain);
    const ParseOutcome read = parseJob(plain);
    QCOMPARE(withCatalogue(read, catalogue())->document.root(), read.document.root()); // nothing was parsed again
    const QByteArray mentioned = plain + "# marketplace:// only in a comment\n";
    QCOMPARE(withCatalogue(mentioned, catalogue()).value(), mentioned);
    const QByteArray broken = "a: [marketplace://x\n";
    QCOMPARE(withCatalogue(broken, catalogue()).value(), broken);
}

// A job without prerequisites of its own gets a list.
void TstCatalogue::namesAreFree()
{
    const QByteArray job = "protocolVersion: 2\nname: t\ntype: job\ntaskRoles:\n  w:\n    prerequisites: "
                           "[marketplace://script/prepare]\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
                           "    commands: [a]\n";
    const Result<QByteArray> whole = withCatalogue(job, catalogue());
    QVERIFY2(whole, whole ? "" : qPrintable(whole.error().code));
    const ParseOutcome outcome = parseJob(*whole);
    QVERIFY(outcome.spec);
    QCOMPARE(outcome.spec->prerequisites.size(), 1);
    QCOMPARE(outcome.spec->prerequisites.first().name, u"prepare"_s);
    QCOMPARE(outcome.spec->taskRoles.first().prerequisites, QStringList{u"prepare"_s});
}

void TstCatalogue::errors()
{
    QCOMPARE(withCatalogue(jobWith("marketplace://script/x"), catalogue()).error().code, u"catalogue.unknown"_s);
    QCOMPARE(withCatalogue(jobWith("marketplace://script/../x"), catalogue()).error().code, u"catalogue.unknown"_s);
    QCOMPARE(withCatalogue(jobWith("marketplace://script/bad"), catalogue()).error().code, u"catalogue.unreadable"_s);
    QCOMPARE(withCatalogue(jobWith("marketplace://script/none"), catalogue()).error().code, u"catalogue.unreadable"_s);
    QCOMPARE(withCatalogue(annotatedJob, {}).error().code, u"catalogue.unknown"_s);
}

void TstCatalogue::circleEnds()
{
    const Result<QByteArray> whole = withCatalogue(jobWith("marketplace://script/a"), catalogue());
    QVERIFY2(whole, whole ? "" : qPrintable(whole.error().code));
    const ParseOutcome outcome = parseJob(*whole);
    QVERIFY(codesIn(outcome).contains(u"prerequisite.require-cycle"_s));
    QVERIFY(!outcome.canRun());
}

void TstCatalogue::findings()
{
    const ParseOutcome without = parseJob(annotatedJob);
    QCOMPARE(codesIn(without).count(u"prerequisite.marketplace"_s), 3);
    QVERIFY(!without.canRun());
    const ParseOutcome with = parseJob(annotatedJob, CheckMode::Friendly, catalogue());
    QCOMPARE(codesIn(with).count(u"prerequisite.catalogue"_s), 3);
    QVERIFY(with.canRun());
    QVERIFY(!parseJob(annotatedJob, CheckMode::Strict, catalogue()).canRun());
    QVERIFY(JobDocument(YamlDocument::parse(annotatedJob), 1, catalogue()).outcome().canRun());
    QVERIFY(!JobDocument(YamlDocument::parse(annotatedJob), 1).outcome().canRun());
}

void TstCatalogue::itselfInItsOwnTexts()
{
    const QByteArray job
        = "protocolVersion: 2\nname: t\ntype: job\nprerequisites:\n  - {name: img, type: dockerimage, uri: a/b}\n"
          "  - {name: base, type: script, server: files}\n"
          "  - name: d\n    type: data\n    require: [base]\n    folder: mnist\n"
          "    uri: ['nfs://<% this.server %>/<% this.folder %>']\n"
          "    plugin: com.microsoft.pai.runtimeplugin.cmd\n"
          "    callbacks: [{event: taskStarts, commands: ['get <% this.uri[0] %> <% this.version %>']}]\n    version: "
          "3\n"
          "taskRoles:\n  w:\n    dockerImage: img\n    data: d\n    prerequisites: [d]\n"
          "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: ['ls <% $data.uri[0] %>']\n";
    const ParseOutcome outcome = parseJob(job);
    QVERIFY2(outcome.canRun(), qPrintable(codesIn(outcome).join(u' ')));
    const Result<ComposedRole> composed = composeRole(*outcome.spec, outcome.spec->taskRoles.first());
    QVERIFY(composed);
    QCOMPARE(composed->userScript, u"ls nfs://files/mnist"_s);
    QCOMPARE(composed->before.size(), 1);
    QVERIFY2(composed->before.first().script.endsWith(u"get nfs://files/mnist 3\n"_s),
        qPrintable(composed->before.first().script));
    // A server leaves both as they are.
    ComposeOptions options;
    options.asServer = true;
    const Result<ComposedRole> server = composeRole(*outcome.spec, outcome.spec->taskRoles.first(), options);
    QVERIFY(server);
    QCOMPARE(server->userScript, u"ls nfs://<% this.server %>/<% this.folder %>"_s);
}

void TstCatalogue::secondDocumentBecomesSecrets()
{
    const QByteArray job = QByteArray(annotatedJob).replace("marketplace://", "x_").replace("x_data/mnist", "mnist")
        + "---\n# the secrets\ntoken: abc\n\nkey: 'd e' # last\n";
    const ParseOutcome outcome = parseJob(job);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"yaml.second-document"_s; });
    QVERIFY(found != outcome.diagnostics.cend());
    QCOMPARE(found->fixes.size(), 1);
    const Result<TextEdits> edits = planFix(outcome.document, found->fixes.first());
    QVERIFY(edits);
    const QByteArray after = applyEdits(job, *edits);
    QVERIFY(after.contains("# keep me") && after.contains("# the secrets") && after.contains("# last"));
    const ParseOutcome fixed = parseJob(after);
    QVERIFY(!codesIn(fixed).contains(u"yaml.second-document"_s));
    QCOMPARE(fixed.spec->secrets, Value(Value::Map{{u"token"_s, Value(u"abc"_s)}, {u"key"_s, Value(u"d e"_s)}}));
    // A job that has secrets keeps them.
    const ParseOutcome both = parseJob("secrets: {a: b}\n---\nc: d\n");
    for (const Diagnostic &each : both.diagnostics) {
        QVERIFY(each.code != u"yaml.second-document"_s || each.fixes.isEmpty());
    }
}

TRAINYARD_TEST(TstCatalogue)
#include "tst_catalogue.moc"
