// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/editops.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;

namespace
{

YamlPath at(const char *pointer) { return *YamlPath::fromPointer(QString::fromUtf8(pointer)); }

} // namespace

// Edits of parts of a text, copies of entries, and several edits that are guarded at once.
class TstYamlParts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void parts_data();
    void parts();
    void copies_data();
    void copies();
    void refusals_data();
    void refusals();
    void manyAreGuardedOnce();
    void aBatchFallsBack();
    void pathsBehindARenamedKey();
};

// Every "old" in the value at /a becomes "new", in any style; all else stays as it is written.
void TstYamlParts::parts_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, const QByteArray &expected) {
        QTest::newRow(name) << yaml << expected;
    };
    row("plain", "a: x old y # old\n", "a: x new y # old\n");
    row("plain over lines", "a: x\n  old   # c\nb: 1\n", "a: x\n  new   # c\nb: 1\n");
    row("plain over lines keeps its lines", "a: one old\n   two\n\n  old three\n",
        "a: one new\n   two\n\n  new three\n");
    row("single quotes", "a: 'it''s old' # c\n", "a: 'it''s new' # c\n");
    row("single quotes over lines", "a: 'x\n   old\n\n  y'\n", "a: 'x\n   new\n\n  y'\n");
    row("double quotes with escapes", "a: \"\\u00e4 \\x41 old\\n\\told\"\n", "a: \"\\u00e4 \\x41 new\\n\\tnew\"\n");
    row("double quotes over lines", "a: \"x \\\n   old\n   y\"\n", "a: \"x \\\n   new\n   y\"\n");
    row("literal", "a: |\n    one\n      old # no comment\n\n    old\nb: 1\n",
        "a: |\n    one\n      new # no comment\n\n    new\nb: 1\n");
    row("literal with indicator and keep", "a: |2+ # c\n    old\n   x\n\nb: 1\n",
        "a: |2+ # c\n    new\n   x\n\nb: 1\n");
    row("folded keeps its lines", "a: >-\n  one old\n  two\n\n    old more\n  x\n",
        "a: >-\n  one new\n  two\n\n    new more\n  x\n");
    row("flow", "a: {b: [x, 'old']}\n", "a: {b: [x, 'new']}\n");
    row("CRLF", "a: |\r\n  old\r\n  old\r\n", "a: |\r\n  new\r\n  new\r\n");
    row("umlauts before it", "a: \xC3\xA4\xF0\x9F\x98\x80 old\n", "a: \xC3\xA4\xF0\x9F\x98\x80 new\n");
    row("anchor and tag stay", "a: &x !!str old\n", "a: &x !!str new\n");
    row("written as an escape", "a: \"\\x6fld\"\n", "a: \"new\"\n");
    row("broken over lines", "a: \"ol\\\n  d x\"\n", "a: \"new x\"\n");
    row("nothing to do", "a: x # old\n", "a: x # old\n");
}

void TstYamlParts::parts()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, expected);
    const YamlDocument document = YamlDocument::parse(yaml);
    const YamlPath place = document.find(at("/a"))->isMap() ? at("/a/b/1") : at("/a");
    const QString value = QString::fromUtf8(document.find(place)->scalar);
    edit::ReplaceText op{place, {}};
    for (qsizetype at = value.indexOf(QLatin1String("old")); at >= 0;
         at = value.indexOf(QLatin1String("old"), at + 1)) {
        op.parts.append({at, at + 3, QStringLiteral("new")});
    }
    const Result<TextEdits> edits = planEdit(document, op);
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), expected);
}

void TstYamlParts::copies_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, const char *pointer, const QByteArray &expected) {
        QTest::newRow(name) << yaml << QString::fromUtf8(pointer) << expected;
    };
    row("entry", "a: 1 # one\nb: 2\n", "/a", "a: 1 # one\nx: 1 # one\nb: 2\n");
    row("entry with its comments", "r:\n  # first\n  # of two\n  a: # here\n    - 1\n    # rest\n  b: 2\n", "/r/a",
        "r:\n  # first\n  # of two\n  a: # here\n    - 1\n    # rest\n"
        "  # first\n  # of two\n  x: # here\n    - 1\n    # rest\n  b: 2\n");
    row("commented-out entries stay", "r:\n  # a: 2\n  a: 1\n", "/r/a", "r:\n  # a: 2\n  a: 1\n  x: 1\n");
    row("blank lines between entries", "r:\n  a:\n    c: 1\n\n  b:\n    c: 2\n", "/r/a",
        "r:\n  a:\n    c: 1\n\n  x:\n    c: 1\n\n  b:\n    c: 2\n");
    row("blank line before the last", "r:\n  a: 1\n\n  b: 2\n", "/r/b", "r:\n  a: 1\n\n  b: 2\n\n  x: 2\n");
    row("blank line in a kept scalar", "a: 0\n\nb: |+\n  t\n\n", "/b", "a: 0\n\nb: |+\n  t\n\nx: |+\n  t\n\n");
    row("quoted key", "\"a\": 1\n", "/a", "\"a\": 1\n\"x\": 1\n");
    row("no line break at the end", "a: 1", "/a", "a: 1\nx: 1");
    row("block scalar", "a: |\n  t\n  u\nb: 1\n", "/a", "a: |\n  t\n  u\nx: |\n  t\n  u\nb: 1\n");
    row("behind a dash", "- a: 1 # c\n  b: 2\n", "/0/a", "- a: 1 # c\n  x: 1 # c\n  b: 2\n");
    row("item", "- a: 1 # c\n  b: 2\n- z\n", "/0", "- a: 1 # c\n  b: 2\n- a: 1 # c\n  b: 2\n- z\n");
    row("item with a comment above", "l:\n  # one\n  - y\n  - z\n", "/l/0",
        "l:\n  # one\n  - y\n  # one\n  - y\n  - z\n");
    row("list in a list", "- - y\n  - z\n", "/0/0", "- - y\n  - y\n  - z\n");
    row("flow entry", "m: {a: [1, 2], b: 2}\n", "/m/a", "m: {a: [1, 2], x: [1, 2], b: 2}\n");
    row("last flow entry", "m: {a: 1}\n", "/m/a", "m: {a: 1, x: 1}\n");
    row("flow item in lines", "[\n  y, # one\n  z\n]\n", "/0", "[\n  y, # one\n  y,\n  z\n]\n");
    row("CRLF", "a: 1\r\nb: 2\r\n", "/a", "a: 1\r\nx: 1\r\nb: 2\r\n");
    row("explicit key", "? a\n: 1\n? b\n: 2\n", "/a", "? a\n: 1\n? x\n: 1\n? b\n: 2\n");
    row("anchors stay with the original", "a: {b: &n 1, c: *n}\nd: *n\n", "/a",
        "a: {b: &n 1, c: *n}\nx: {b: 1, c: *n}\nd: *n\n");
    row("anchor of the whole", "a: &m\n  b: 1\nc: *m\n", "/a", "a: &m\n  b: 1\nx:\n  b: 1\nc: *m\n");
    row("anchor and tag", "a: &n !!str 1\n", "/a", "a: &n !!str 1\nx: !!str 1\n");
    row("an alias", "a: &n 1\nb: *n\n", "/b", "a: &n 1\nb: *n\nx: *n\n");
    row("missing value", "a:\nb: 1\n", "/a", "a:\nx:\nb: 1\n");
}

void TstYamlParts::copies()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, pointer);
    QFETCH(QByteArray, expected);
    const YamlDocument document = YamlDocument::parse(yaml);
    const Result<TextEdits> edits
        = planEdit(document, edit::Duplicate{*YamlPath::fromPointer(pointer), QStringLiteral("x")});
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), expected);
}

void TstYamlParts::refusals_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<edit::Op>("op");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, const edit::Op &op, const QByteArray &expected) {
        QTest::newRow(name) << yaml << op << expected;
    };
    const QString x = QStringLiteral("x");
    row("copy of the root", "a: 1\n", edit::Duplicate{at(""), x}, "edit.root");
    row("copy of nothing", "a: 1\n", edit::Duplicate{at("/b"), x}, "edit.no-such-path");
    row("copy to a key that is there", "a: 1\nx: 2\n", edit::Duplicate{at("/a"), x}, "edit.exists");
    row("copy of a duplicate", "a: 1\na: 2\n", edit::Duplicate{at("/a"), x}, "edit.not-editable");
    row("copy inside of an anchor in use", "a: &m {b: 1}\nc: *m\n", edit::Duplicate{at("/a/b"), x},
        "edit.anchor-in-use");
    row("copy with a name given twice", "a: [&n 1, *n, &n 2]\n", edit::Duplicate{at("/a"), x}, "edit.anchor-in-use");
    row("copy of a pair", "[a: 1]\n", edit::Duplicate{at("/0/a"), x}, "edit.not-editable");
    row("part of a map", "a: {b: 1}\n", edit::ReplaceText{at("/a"), {}}, "edit.no-such-path");
    row("part behind the end", "a: b\n", edit::ReplaceText{at("/a"), {{0, 2, x}}}, "edit.bad-index");
    row("parts that overlap", "a: bcd\n", edit::ReplaceText{at("/a"), {{0, 2, x}, {1, 3, x}}}, "edit.bad-index");
    row("part of a shared text", "a: &n b\nc: *n\n", edit::ReplaceText{at("/a"), {{0, 1, x}}}, "edit.anchor-in-use");
}

void TstYamlParts::refusals()
{
    QFETCH(QByteArray, yaml);
    QFETCH(edit::Op, op);
    QFETCH(QByteArray, expected);
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), op);
    QVERIFY2(!edits, edits ? applyEdits(yaml, *edits).constData() : "");
    QCOMPARE(edits.error().code.toLatin1(), expected);
    const Result<TextEdits> shared = planEdit(
        YamlDocument::parse("a: &n b\nc: *n\n"), edit::ReplaceText{at("/a"), {{0, 1, QStringLiteral("x")}}, true});
    QVERIFY(shared);
}

void TstYamlParts::manyAreGuardedOnce()
{
    QByteArray yaml("m:\n");
    QByteArray expected("mm:\n");
    QList<edit::Op> ops;
    for (int i = 0; i < 300; ++i) {
        const QByteArray key = 'k' + QByteArray::number(i);
        yaml += "  " + key + ": old # c\n";
        expected += "  " + key + "x: 'yes' # c\n";
        const YamlPath place = at("/m").child(QString::fromLatin1(key));
        ops.append(edit::SetText{place, QStringLiteral("yes")});
        ops.append(edit::RenameKey{place, QString::fromLatin1(key + 'x')});
    }
    ops.append(edit::RenameKey{at("/m"), QStringLiteral("mm")});
    QElapsedTimer timer;
    timer.start();
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(yaml), ops);
    QVERIFY(edits);
    QCOMPARE(applyEdits(yaml, *edits), expected);
    // One by one it would be six hundred documents to parse.
    qInfo("601 edits in %lld ms", static_cast<long long>(timer.elapsed()));
    QVERIFY(timer.elapsed() < 5000);
}

void TstYamlParts::aBatchFallsBack()
{
    // "true" cannot stay plain: the batch is refused, each for itself finds its way.
    const QByteArray yaml("a: old\nb: old\n");
    const QString text = QStringLiteral("true");
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(yaml),
        {edit::ReplaceText{at("/a"), {{0, 3, text}}}, edit::ReplaceText{at("/b"), {{0, 3, QStringLiteral("x")}}}});
    QVERIFY(edits);
    QCOMPARE(applyEdits(yaml, *edits), QByteArray("a: 'true'\nb: x\n"));
    const Result<TextEdits> refused
        = planEdits(YamlDocument::parse(yaml), {edit::SetText{at("/a"), text}, edit::SetValue{at("/b"), "[x"}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("edit.bad-value"));
}

void TstYamlParts::pathsBehindARenamedKey()
{
    const QByteArray yaml("a: {b: 1}\nc: 2\n");
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(yaml),
        {edit::RenameKey{at("/a"), QStringLiteral("x")}, edit::SetValue{at("/x/b"), "3"},
            edit::RenameKey{at("/c"), QStringLiteral("a")}, edit::SetValue{at("/a"), "4"},
            edit::SetValue{at("/a"), "5"}});
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), QByteArray("x: {b: 3}\na: 5\n"));
}

TRAINYARD_TEST(TstYamlParts)
#include "tst_yamlparts.moc"
