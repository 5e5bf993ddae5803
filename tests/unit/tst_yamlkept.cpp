// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// What an edit need not touch stays as it is written: the other lines of a text, its indicators, escapes and layout,
// and comments in brackets.
class TstYamlKept : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void texts_data();
    void texts();
    void sameText_data();
    void sameText();
    void sameTextAfterAnother();
    void commentsInBrackets_data();
    void commentsInBrackets();
};

namespace
{

YamlPath keptPath(const QString &pointer) { return *YamlPath::fromPointer(pointer); }

} // namespace

void TstYamlKept::texts_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("from"); // in the value of /a
    QTest::addColumn<QString>("to");
    QTest::addColumn<QByteArray>("expected");
    const auto row
        = [](const char *name, const QByteArray &yaml, const char *from, const char *to, const QByteArray &expected) {
              QTest::newRow(name) << yaml << QString::fromUtf8(from) << QString::fromUtf8(to) << expected;
          };
    const QByteArray spaced("a: |\n    one\n  \n    two\n   \n    last\nb: 1\n");
    row("blanks in an empty line before", spaced, "last", "x", "a: |\n    one\n  \n    two\n   \n    x\nb: 1\n");
    row("blanks in an empty line behind", spaced, "one", "x", "a: |\n    x\n  \n    two\n   \n    last\nb: 1\n");
    row("a line more", spaced, "last", "last\nmore", "a: |\n    one\n  \n    two\n   \n    last\n    more\nb: 1\n");
    row("a line less", spaced, "one\n", "", "a: |\n  \n    two\n   \n    last\nb: 1\n");
    row("several lines", spaced, "o", "0\n", "a: |\n    0\n    ne\n  \n    tw0\n   \n\n    last\nb: 1\n");
    row("line breaks of another kind", "a: |\r\n  one\n  two\n  three\nb: 1\r\n", "three", "x\ny",
        "a: |\r\n  one\n  two\n  x\r\n  y\nb: 1\r\n");
    row("blanks below a text that keeps its end", "a: |+\n  one\n \n  \n\nb: 1\n", "one", "x",
        "a: |+\n  x\n \n  \n\nb: 1\n");
    row("an indicator without need", "a: |2\n  one\n  two\n", "two", "x", "a: |2\n  one\n  x\n");
    row("an indicator without need, more lines", "a: |2-\n  one\n  two\n", "two", "x\ny", "a: |2-\n  one\n  x\n  y\n");
    row("an indicator behind the chomping", "a: |+2 # c\n  one\n\nb: 1\n", "one", "x\ny",
        "a: |+2 # c\n  x\n  y\n\nb: 1\n");
    row("an indicator and another chomping", "a: |2\n  one\n  two\n", "two\n", "x", "a: |2-\n  one\n  x\n");
    row("folded with deeper lines", "a: >\n  one\n  two\n\n    deep\n  z\n", "z", "x",
        "a: >\n  one\n  two\n\n    deep\n  x\n");
    row("folded with blanks in an empty line", "a: >-\n  one\n  two\n \n  three\n", "three", "x",
        "a: >-\n  one\n  two\n \n  x\n");
    row("escapes", R"(a: "x\ty \u00e9 \/ z")", "z", "it \"is\"", R"(a: "x\ty \u00e9 \/ it \"is\"")");
    row("an escape in front", R"(a: "x\u00e9z")", "z", "zz", R"(a: "x\u00e9zz")");
    row("a break in double quotes", "a: \"x \\\n  y\" # c\n", "y", "z", "a: \"x \\\n  z\" # c\n");
    row("lines in double quotes", "a: \"x\n  y\n\n  z\"\n", "z", "0", "a: \"x\n  y\n\n  0\"\n");
    row("lines in single quotes", "a: 'x\n  y\n\n  it''s'\n", "x", "1's", "a: '1''s\n  y\n\n  it''s'\n");
    row("lines of a plain text", "a: x\n  y\n\n  z # c\n", "y", "2", "a: x\n  2\n\n  z # c\n");
    row("behind the end of a line", "a: one\n  two\n", "one t", "one 1 t", "a: one\n  1 two\n");
    row("lines in brackets", "b: 1\na: x\n  y\n", "y", "y, z", "b: 1\na: x\n  y, z\n");
    row("not what would be a comment", "a: x\n  y\n", "y", "y #1", "a: 'x y #1'\n");
    row("not what would be an entry", "a: x\n  y\n", "x", "x: 1", "a: 'x: 1 y'\n");
}

void TstYamlKept::texts()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QByteArray, expected);
    const YamlPath path = keptPath(QStringLiteral("/a"));
    const YamlDocument document = YamlDocument::parse(yaml);
    const QString wanted = QString::fromUtf8(document.find(path)->scalar).replace(from, to);
    const Result<TextEdits> edits = planEdit(document, edit::SetText{path, wanted});
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    const QByteArray changed = applyEdits(yaml, *edits);
    QCOMPARE(changed, expected);
    QCOMPARE(QString::fromUtf8(YamlDocument::parse(changed).find(path)->scalar), wanted);
}

void TstYamlKept::sameText_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::newRow("escapes") << QByteArray(R"(a: "x\u00e9\x41")");
    QTest::newRow("lines in quotes") << QByteArray("a: \"x\n  y\"\n");
    QTest::newRow("lines of a plain text") << QByteArray("a: x\n  y\n");
    QTest::newRow("blanks in an empty line") << QByteArray("a: |\n    x\n  \n    y\n");
    QTest::newRow("tag of a text") << QByteArray("a: !!str \"\\x41\"\n");
}

void TstYamlKept::sameText()
{
    QFETCH(QByteArray, yaml);
    const YamlPath path = keptPath(QStringLiteral("/a"));
    const YamlDocument document = YamlDocument::parse(yaml);
    const Result<TextEdits> edits
        = planEdit(document, edit::SetText{path, QString::fromUtf8(document.find(path)->scalar)});
    QVERIFY(edits);
    QCOMPARE(*edits, TextEdits());
}

// What is there before all of the operations is not there any more when it is its turn.
void TstYamlKept::sameTextAfterAnother()
{
    const QByteArray yaml = "a: one\nb: two\n";
    const YamlPath a = keptPath(QStringLiteral("/a")), b = keptPath(QStringLiteral("/b"));
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(yaml),
        {edit::SetText{a, QStringLiteral("x")}, edit::SetText{b, QStringLiteral("three")},
            edit::SetText{a, QStringLiteral("one")}});
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), QByteArray("a: one\nb: three\n"));
}

void TstYamlKept::commentsInBrackets_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("removed");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, const char *removed, const QByteArray &expected) {
        QTest::newRow(name) << yaml << QString::fromUtf8(removed) << expected;
    };
    row("of the one before", "a: [x, # one\n    y]\n", "/a/1", "a: [x, # one\n    ]\n");
    row("of the one before, with a comma behind", "a: [x, # one\n    y,]\n", "/a/1", "a: [x, # one\n    ]\n");
    row("of the one before, in braces", "a: {b: 1, # one\n    c: 2}\n", "/a/c", "a: {b: 1, # one\n    }\n");
    row("above the next one", "a: {b: 1, # one\n    # two\n    c: 2}\n", "/a/b", "a: {\n    # two\n    c: 2}\n");
    row("above the next one, in the middle", "a: [x, y,\n  # three\n  z]\n", "/a/1", "a: [x,\n  # three\n  z]\n");
    row("its own goes", "a: [x, y, # two\n  z]\n", "/a/1", "a: [x, z]\n");
}

void TstYamlKept::commentsInBrackets()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, removed);
    QFETCH(QByteArray, expected);
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), edit::Remove{keptPath(removed)});
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), expected);
}

TRAINYARD_TEST(TstYamlKept)
#include "tst_yamlkept.moc"
