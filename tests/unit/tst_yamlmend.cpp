// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamlmend.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Texts that are no good YAML and become what was meant.
class TstYamlMend : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void takesEntriesOut_data();
    void takesEntriesOut();
    void alignsLines_data();
    void alignsLines();
    void offersADash_data();
    void offersADash();
    void offersBothEntries();
    void offersAnIndentation();
    void offersBlanksOfAMap();
};

void TstYamlMend::takesEntriesOut_data()
{
    QTest::addColumn<QByteArray>("text"); // ^ before the key
    QTest::addColumn<QByteArray>("mended"); // empty: nothing
    const auto row = [](const char *name, const char *text, const char *mended) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(mended);
    };
    row("the later one", "a: 1\nb: 2\n^a: 3 # c\nd: 4\n", "a: 1\nb: 2\nd: 4\n");
    row("the earlier one", "^a: 1\nb: 2\na: 3\n", "b: 2\na: 3\n");
    row("with all below it", "a: 1\n^a:\n  b: [1,\n    2]\n  c: 3\nd: 4\n", "a: 1\nd: 4\n");
    row("with its text", "a: 1\n^a: |\n  x\n\n  y\nd: 4\n", "a: 1\nd: 4\n");
    row("at the end, without a line break", "a: 1\nb: 2\n^a: 3", "a: 1\nb: 2\n");
    row("further in", "m:\n  a: 1\n  ^a: 2\n  b: 3\n", "m:\n  a: 1\n  b: 3\n");
    row("windows line ends", "a: 1\r\n^a: 2\r\nb: 3\r\n", "a: 1\r\nb: 3\r\n");
    row("in braces", "{a: 1, ^a: 2, b: 3}\n", "{a: 1, b: 3}\n");
    row("first in braces", "{^a: 1, a: 2}\n", "{a: 2}\n");
    row("behind a dash", "- ^a: 1\n  a: 2\n", "");
    row("of three", "a: 1\na: 2\n^a: 3\n", "a: 1\na: 2\n");
}

void TstYamlMend::takesEntriesOut()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, mended);
    const qsizetype place = text.indexOf('^');
    text.remove(place, 1);
    const auto edit = withoutEntry(YamlDocument::parse(text), {place, place + 1});
    QCOMPARE(edit ? applyEdits(text, {*edit}) : QByteArray(), mended);
}

void TstYamlMend::alignsLines_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("mended"); // empty: nothing
    const auto row = [](const char *name, const char *text, const char *mended) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(mended);
    };
    row("key one column too far to the left", "r:\n  t:\n    i: 1\n   p:\n      c: 1\n    s: 2\n",
        "r:\n  t:\n    i: 1\n    p:\n      c: 1\n    s: 2\n");
    row("key too far to the right", "r:\n  i: 1\n   p: 2\n  s: 3\n", "r:\n  i: 1\n  p: 2\n  s: 3\n");
    row("item too far to the left", "r:\n  c:\n    - a\n   - b\n    - c\n", "r:\n  c:\n    - a\n    - b\n    - c\n");
    row("two lines, the first", "r:\n  t:\n    i: 1\n   p: 1\n    s: 2\n   u: 3\n",
        "r:\n  t:\n    i: 1\n    p: 1\n    s: 2\n   u: 3\n");
    row("could be either", "r:\n  t:\n    i: 1\n   p: 2\n", "");
    row("a good text", "r:\n  t: 1\n", "");
}

void TstYamlMend::alignsLines()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, mended);
    const YamlDocument document = YamlDocument::parse(text);
    const QList<Diagnostic> &found = document.diagnostics();
    const auto edit = alignedLine(document, found.isEmpty() ? 5 : found.constFirst().at.begin);
    QCOMPARE(edit ? applyEdits(text, {*edit}) : QByteArray(), mended);
}

void TstYamlMend::offersADash_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QStringList>("fixes");
    QTest::addColumn<QByteArray>("mended"); // by the first one
    const QString dash = u"fix.add-dash"_s, colon = u"fix.add-colon"_s, noDash = u"no-dash"_s;
    QTest::newRow("between items") << QByteArray("c:\n  - a\n  echo b\n  - d\n") << noDash << QStringList{dash}
                                   << QByteArray("c:\n  - a\n  - echo b\n  - d\n");
    QTest::newRow("behind the last item") << QByteArray("c:\n  - a\n\n  # more\n  b\n") << noDash << QStringList{dash}
                                          << QByteArray("c:\n  - a\n\n  # more\n  - b\n");
    QTest::newRow("behind an item of several lines")
        << QByteArray("c:\n  - k: 1\n    l: 2\n  echo b\n  - d\n") << noDash << QStringList{dash}
        << QByteArray("c:\n  - k: 1\n    l: 2\n  - echo b\n  - d\n");
    QTest::newRow("as deep as the key") << QByteArray("c:\n- a\necho b\n- d\n") << noDash << QStringList{dash}
                                        << QByteArray("c:\n- a\n- echo b\n- d\n");
    QTest::newRow("a key or an item") << QByteArray("c:\n- a\nb\n- d\n") << u"no-colon"_s << QStringList{colon, dash}
                                      << QByteArray("c:\n- a\nb:\n- d\n");
    const auto blank = [](const char *name, const char *text, const char *mended) {
        QTest::newRow(name) << QByteArray(text) << u"no-blank"_s << QStringList{u"fix.add-blank"_s}
                            << QByteArray(mended);
    };
    blank("no blank, first key", "w:\n  i:1\n  c: 2\n", "w:\n  i: 1\n  c: 2\n");
    blank("no blank, between keys", "w:\n  a: 0\n  cpu:12 # all\n  c: 2\n", "w:\n  a: 0\n  cpu: 12 # all\n  c: 2\n");
    blank("no blank, last key", "w:\n  a: 0\n  cpu:12\n", "w:\n  a: 0\n  cpu: 12\n");
    blank("no blank, a path", "w:\n  a: 0\n  dir:/data\n", "w:\n  a: 0\n  dir: /data\n");
    const auto colonOnly = [](const char *name, const char *text) {
        QTest::newRow(name) << QByteArray(text) << u"no-colon"_s << QStringList() << QByteArray();
    };
    colonOnly("an address", "w:\n  a: 0\n  http://host\n");
    colonOnly("a time", "w:\n  a: 0\n  12:30\n");
    colonOnly("a command", "w:\n  a: 0\n  echo a:1\n");
    QTest::newRow("a key in a list") << QByteArray("c:\n  - a\n  echo: b\n  - d\n") << u"list-end"_s << QStringList()
                                     << QByteArray();
}

void TstYamlMend::offersADash()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, reason);
    QFETCH(QStringList, fixes);
    QFETCH(QByteArray, mended);
    const YamlDocument document = YamlDocument::parse(text);
    const QList<Diagnostic> &found = document.diagnostics();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.constFirst().args.value("reason"_L1).toString(), reason);
    QStringList titles;
    for (const Fix &fix : found.constFirst().fixes) {
        titles.append(fix.title);
    }
    QCOMPARE(titles, fixes);
    if (!titles.isEmpty()) {
        QCOMPARE(applyEdits(text, found.constFirst().fixes.constFirst().edits), mended);
        QVERIFY(YamlDocument::parse(mended).isWellFormed());
    }
}

void TstYamlMend::offersBothEntries()
{
    const QByteArray text = "protocolVersion: 2\nname: a\ntype: job\nname: b\n";
    const QList<Diagnostic> found = parseJob(text).diagnostics;
    const auto twice = std::find_if(
        found.cbegin(), found.cend(), [](const Diagnostic &each) { return each.code == u"yaml.duplicate-key"; });
    QVERIFY(twice != found.cend());
    QCOMPARE(twice->fixes.size(), 2);
    QCOMPARE(twice->fixes.at(0).title, u"fix.remove-later"_s);
    QCOMPARE(applyEdits(text, twice->fixes.at(0).edits), "protocolVersion: 2\nname: a\ntype: job\n");
    QCOMPARE(twice->fixes.at(1).title, u"fix.remove-earlier"_s);
    QCOMPARE(applyEdits(text, twice->fixes.at(1).edits), "protocolVersion: 2\ntype: job\nname: b\n");
}

// All entries of a map lack them: it is read as one text.
void TstYamlMend::offersBlanksOfAMap()
{
    const auto fixesOf = [](const QByteArray &text) {
        for (const Diagnostic &each : parseJob(text).diagnostics) {
            if (each.code == u"field.not-map") {
                return each.fixes;
            }
        }
        return QList<Fix>();
    };
    const QByteArray head = "protocolVersion: 2\nname: a\ntype: job\ntaskRoles:\n  w:\n    instances: 1\n"
                            "    commands: [a]\n    resourcePerInstance:";
    const QList<Fix> fixes = fixesOf(head + "\n      cpu:1\n      memoryMB:100\n");
    QCOMPARE(fixes.size(), 1);
    QCOMPARE(fixes.constFirst().title, u"fix.add-blank"_s);
    QCOMPARE(applyEdits(head + "\n      cpu:1\n      memoryMB:100\n", fixes.constFirst().edits),
        head + "\n      cpu: 1\n      memoryMB: 100\n");
    QVERIFY(fixesOf(head + " cpu:1\n").isEmpty()); // it is no map on this line either
    QVERIFY(fixesOf(head + "\n      cpu:1\n      much memory\n").isEmpty());
    QVERIFY(fixesOf(head + "\n      'cpu:1'\n").isEmpty());
}

void TstYamlMend::offersAnIndentation()
{
    const QByteArray text
        = "taskRoles:\n  w:\n    instances: 1\n   resourcePerInstance:\n      cpu: 1\n    commands: [a]\n";
    const QList<Diagnostic> found = parseJob(text).diagnostics;
    QVERIFY(!found.isEmpty());
    QCOMPARE(found.constFirst().code, u"yaml.syntax"_s);
    QCOMPARE(found.constFirst().fixes.size(), 1);
    const Fix &fix = found.constFirst().fixes.constFirst();
    QCOMPARE(fix.title, u"fix.align-line"_s);
    QVERIFY(YamlDocument::parse(applyEdits(text, fix.edits)).isWellFormed());
}

TRAINYARD_TEST(TstYamlMend)
#include "tst_yamlmend.moc"
