// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/editops.h"

#include <QTest>

using namespace trainyard;

namespace
{

YamlPath pathOf(const QString &pointer) { return *YamlPath::fromPointer(pointer); }

edit::Op setText(const char *pointer, const char *text)
{
    return edit::SetText{pathOf(QString::fromUtf8(pointer)), QString::fromUtf8(text)};
}

edit::Op setValue(const char *pointer, const char *value)
{
    return edit::SetValue{pathOf(QString::fromUtf8(pointer)), value};
}

edit::Op insert(const char *pointer, const char *value)
{
    return edit::Insert{pathOf(QString::fromUtf8(pointer)), value};
}

edit::Op insertText(const char *pointer, const char *text)
{
    return edit::InsertText{pathOf(QString::fromUtf8(pointer)), QString::fromUtf8(text)};
}

edit::Op removeAt(const char *pointer) { return edit::Remove{pathOf(QString::fromUtf8(pointer))}; }

edit::Op moveTo(const char *pointer, qsizetype to) { return edit::Move{pathOf(QString::fromUtf8(pointer)), to}; }

edit::Op renameTo(const char *pointer, const char *key)
{
    return edit::RenameKey{pathOf(QString::fromUtf8(pointer)), QString::fromUtf8(key)};
}

} // namespace

// Each row: a text, one operation, and the whole text that must come of it, or the code of the refusal.
class TstYamlEdit : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void setTexts_data();
    void setTexts() { check(); }
    void blockScalars_data();
    void blockScalars() { check(); }
    void values_data();
    void values() { check(); }
    void inserts_data();
    void inserts() { check(); }
    void creates_data();
    void creates() { check(); }
    void removes_data();
    void removes() { check(); }
    void moves_data();
    void moves() { check(); }
    void renames_data();
    void renames() { check(); }
    void refusals_data();
    void refusals();
    void severalAreOne();
    void severalAreAllOrNone();
    void editsAreSmall();

private:
    static void columns()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<edit::Op>("op");
        QTest::addColumn<QByteArray>("expected");
    }
    static void row(const char *name, const QByteArray &yaml, const edit::Op &op, const QByteArray &expected)
    {
        QTest::newRow(name) << yaml << op << expected;
    }
    static void check()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(edit::Op, op);
        QFETCH(QByteArray, expected);
        const YamlDocument document = YamlDocument::parse(yaml);
        const Result<TextEdits> edits = planEdit(document, op);
        QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
        QCOMPARE(applyEdits(yaml, *edits), expected);
    }
};

void TstYamlEdit::setTexts_data()
{
    columns();
    const QByteArray doc("a: old # c\nb: 1\n");
    row("plain stays plain", doc, setText("/a", "new"), "a: new # c\nb: 1\n");
    row("words", doc, setText("/a", "two words"), "a: two words # c\nb: 1\n");
    for (const char *text : {"yes", "No", "on", "off", "y", "~", "null", "True", "0777", "0o7", "1_000", "1:30", "1e3",
             ".inf", "2020-01-01", "<<", "=", "12", "1.5", "-", "- x", "? x", ": x", "a: b", "a #b", "#x", "&x", "*x",
             "!x", "|", ">", "%x", "@x", "`x", "[x", "{x", ",x", "]x", "}x", " x", "x ", "x:", "---", "...", "--- x",
             "\"x", "\xC2\xA0x", ""}) {
        QTest::newRow(qPrintable(QStringLiteral("needs single quotes: ") + QString::fromUtf8(text)))
            << doc << setText("/a", text) << QByteArray("a: '" + QByteArray(text) + "' # c\nb: 1\n");
    }
    row("a byte order mark inside is a character", doc,
        edit::SetText{{QStringLiteral("a")}, QString(QChar(0xFEFF)) + u'x'}, "a: \"\\ufeffx\" # c\nb: 1\n");
    row("apostrophe", doc, setText("/a", "it's: x"), "a: 'it''s: x' # c\nb: 1\n");
    row("apostrophe alone stays plain", doc, setText("/a", "it's"), "a: it's # c\nb: 1\n");
    for (const char *text : {"-x", "--flag", "?x", ":x", "a:b", "a#b", "http://x/y?z=1#w", "x, y", "a[0]", "$HOME/{x}",
             "<% $parameters.x %>", "\xC3\xA4\xF0\x9F\x98\x80"}) {
        QTest::newRow(qPrintable(QStringLiteral("plain: ") + QString::fromUtf8(text)))
            << doc << setText("/a", text) << QByteArray("a: " + QByteArray(text) + " # c\nb: 1\n");
    }
    row("control characters in double quotes", doc, setText("/a", "x\x1B[0m"), "a: \"x\\x1b[0m\" # c\nb: 1\n");
    row("line separators in double quotes", doc, setText("/a", "x\xE2\x80\xA8y"), "a: \"x\\u2028y\" # c\nb: 1\n");
    row("CR in double quotes", doc, setText("/a", "x\ry"), "a: \"x\\ry\" # c\nb: 1\n");
    row("only line breaks in double quotes", doc, setText("/a", "\n\n"), "a: \"\\n\\n\" # c\nb: 1\n");
    row("several lines become a literal block", doc, setText("/a", "x\ny"), "a: |- # c\n  x\n  y\nb: 1\n");
    row("with the last line break", doc, setText("/a", "x\ny\n"), "a: | # c\n  x\n  y\nb: 1\n");
    row("with more line breaks", doc, setText("/a", "x\n\n\n"), "a: |+ # c\n  x\n\n\nb: 1\n");
    row("leading blanks need an indicator", doc, setText("/a", "  x\ny"), "a: |2- # c\n    x\n  y\nb: 1\n");
    row("leading empty line", doc, setText("/a", "\nx\ny"), "a: |- # c\n\n  x\n  y\nb: 1\n");
    row("folded text with an empty line at its end", "a: >+\n  x\n\nb: 1\n", setText("/a", "y\n\n"),
        "a: >+\n  y\n\nb: 1\n");
    row("tabs in lines", doc, setText("/a", "x\n\ty"), "a: |- # c\n  x\n  \ty\nb: 1\n");
    row("a comment sign in a line", doc, setText("/a", "# x\ny"), "a: |- # c\n  # x\n  y\nb: 1\n");

    row("single quotes stay", "a: 'old'\n", setText("/a", "new"), "a: 'new'\n");
    row("single quotes give way", "a: 'old'\n", setText("/a", "x\x07"), "a: \"x\\x07\"\n");
    row("double quotes stay", "a: \"old\"\n", setText("/a", "it's \"x\"\\"), "a: \"it's \\\"x\\\"\\\\\"\n");
    row("double quotes with line breaks stay", "a: \"o\\nld\"\n", setText("/a", "x\ny"), "a: \"x\\ny\"\n");
    row("double quotes become a block", "a: \"old\"\n", setText("/a", "x\ny"), "a: |-\n  x\n  y\n");
    row("a number becomes a text", "a: 5\n", setText("/a", "5"), "a: '5'\n");
    row("several plain lines become one", "a: one\n  two # c\nb: 1\n", setText("/a", "three"), "a: three # c\nb: 1\n");

    row("missing value", "a:\nb: 1\n", setText("/a", "x"), "a: x\nb: 1\n");
    row("missing value with a comment", "a: # c\nb: 1\n", setText("/a", "x"), "a: x # c\nb: 1\n");
    row("missing value at the end", "a:", setText("/a", "x"), "a: x");
    row("missing item", "- # c\n- b\n", setText("/0", "x"), "- x # c\n- b\n");
    row("missing value, several lines", "a: # c\nb: 1\n", setText("/a", "x\ny"), "a: |- # c\n  x\n  y\nb: 1\n");
    row("missing value in brackets", "{a, b: }\n", setText("/a", "x"), "{a: x, b: }\n");
    row("missing value after a colon in brackets", "{a, b: }\n", setText("/b", "x"), "{a, b: x }\n");
    row("missing value of an explicit key", "? a\n? b\n", setText("/a", "x"), "? a\n: x\n? b\n");
    row("null word", "a: ~ # c\n", setText("/a", "x"), "a: x # c\n");
    row("value on its own line", "a:\n  old # c\nb: 1\n", setText("/a", "new"), "a:\n  new # c\nb: 1\n");

    row("in brackets", "a: [x, y]\n", setText("/a/0", "p, q"), "a: ['p, q', y]\n");
    row("in brackets, closing sign", "a: [x, y]\n", setText("/a/1", "p]"), "a: [x, 'p]']\n");
    row("in brackets, question mark", "a: [x]\n", setText("/a/0", "x?y=1"), "a: ['x?y=1']\n");
    row("in brackets, several lines", "a: {b: x}\n", setText("/a/b", "p\nq"), "a: {b: \"p\\nq\"}\n");
    row("no comment behind a bracket", "a: {b: x}#y\n", setText("/a/b", "z"), "a: {b: z}#y\n");

    row("anchor stays", "a: &x old\nb: 1\n", setText("/a", "new"), "a: &x new\nb: 1\n");
    row("tag goes", "a: !!int 5 # c\n", setText("/a", "x"), "a: x # c\n");
    row("tag of a text stays", "a: !!str 5\n", setText("/a", "6"), "a: !!str '6'\n");
    row("anchor and tag", "a: &x !!int 5\n", setText("/a", "v"), "a: &x v\n");
    row("tag and anchor", "a: !!int &x 5\n", setText("/a", "v"), "a: &x v\n");
    row("anchor alone", "a: &x\nb: 1\n", setText("/a", "v"), "a: &x v\nb: 1\n");
    row("an alias is replaced here", "a: &x 1\nb: *x\n", setText("/b", "v"), "a: &x 1\nb: v\n");
    row("a list becomes a text", "a: # c\n  - x\n  - y\nb: 1\n", setText("/a", "z"), "a: z # c\nb: 1\n");
    row("a flow list becomes a text", "a: [x, y] # c\n", setText("/a", "z"), "a: z # c\n");
    row("a map behind a dash becomes a text", "- a: 1\n  b: 2\n- x\n", setText("/0", "z"), "- z\n- x\n");

    row("CRLF is kept", "a: x\r\nb: 1\r\n", setText("/a", "v"), "a: v\r\nb: 1\r\n");
    row("CRLF in a new block", "a: x\r\nb: 1\r\n", setText("/a", "p\nq"), "a: |-\r\n  p\r\n  q\r\nb: 1\r\n");
    row("mixed line ends: that of the line", "a: x\nb: y\r\nc: z\n", setText("/b", "p\nq"),
        "a: x\nb: |-\r\n  p\r\n  q\r\nc: z\n");
    row("BOM",
        "\xEF\xBB\xBF"
        "a: x\nb: 1\n",
        setText("/a", "v"),
        "\xEF\xBB\xBF"
        "a: v\nb: 1\n");
    row("no line break at the end", "a: x", setText("/a", "v"), "a: v");
    row("no line break at the end, block", "a: x", setText("/a", "p\nq\n"), "a: |\n  p\n  q");
    row("quoted key", "\"a b\": x\n", setText("/a b", "v"), "\"a b\": v\n");
    row("key with dots", "a.b: x\na: {b: z}\n", setText("/a.b", "v"), "a.b: v\na: {b: z}\n");
    row("explicit key", "? a\n: x # c\n", setText("/a", "v"), "? a\n: v # c\n");
    row("first document only", "a: x\n---\na: z\n", setText("/a", "v"), "a: v\n---\na: z\n");
    row("directive", "%YAML 1.2\n---\na: x # c\n", setText("/a", "v"), "%YAML 1.2\n---\na: v # c\n");
    row("document marks", "---\na: x\n...\n", setText("/a", "v"), "---\na: v\n...\n");
    row("beside a duplicate", "a: x\nb: 1\nb: 2\n", setText("/a", "v"), "a: v\nb: 1\nb: 2\n");
}

void TstYamlEdit::blockScalars_data()
{
    columns();
    row("literal: one line changes", "a: |\n  one\n  two\nb: 1\n", setText("/a", "one\n2\n"),
        "a: |\n  one\n  2\nb: 1\n");
    row("literal: chomping changes", "a: |\n  one\n  two\n", setText("/a", "one\ntwo"), "a: |-\n  one\n  two\n");
    row("literal: header comment", "a: |- # c\n  one\n", setText("/a", "x\ny"), "a: |- # c\n  x\n  y\n");
    row("literal: own indentation", "a: |\n      one\n", setText("/a", "x\ny\n"), "a: |\n      x\n      y\n");
    row("literal: without line break at its end", "a: | # c\n  one\nb: 1\n", setText("/a", "x"), "a: x # c\nb: 1\n");
    row("literal: one line with line break", "a: |\n  one\n", setText("/a", "x\n"), "a: |\n  x\n");
    row("literal strip: one line", "a: |-\n  one\n  two\n", setText("/a", "x"), "a: |-\n  x\n");
    row("literal keep", "a: |+\n  one\n\n\nb: 1\n", setText("/a", "x\n\n"), "a: |+\n  x\n\nb: 1\n");
    row("literal keep to text", "a: |+\n  one\n\n\nb: 1\n", setText("/a", "x"), "a: x\nb: 1\n");
    row("literal: indicator when needed", "a: |\n    one\n", setText("/a", " x\ny\n"), "a: |4\n     x\n    y\n");
    row("literal: indicator goes", "a: |2\n    one\n", setText("/a", "x\ny\n"), "a: |\n  x\n  y\n");
    row("literal: blank lines after it stay", "a: |\n  one\n\nb: 1\n", setText("/a", "x\ny\n"),
        "a: |\n  x\n  y\n\nb: 1\n");
    row("literal in a list", "- |\n  one\n- b\n", setText("/0", "x\ny\n"), "- |\n  x\n  y\n- b\n");
    row("literal in a map in a list", "- a: x\n  b: y\n", setText("/0/b", "p\nq"), "- a: x\n  b: |-\n    p\n    q\n");
    row("literal: CRLF", "a: |\r\n  one\r\n  two\r\n", setText("/a", "one\n2\n"), "a: |\r\n  one\r\n  2\r\n");
    row("literal: no line break at the end", "a: |\n  one", setText("/a", "x\ny\n"), "a: |\n  x\n  y");
    row("literal to empty", "a: |\n  one\nb: 1\n", setText("/a", ""), "a: ''\nb: 1\n");
    row("folded: header and comment without lines", "a: > # c\nb: 1\n", setText("/a", "x\n"), "a: > # c\n  x\nb: 1\n");
    row("folded: a word changes", "a: >-\n  one two\n  three four\nb: 1\n", setText("/a", "one two 3 four"),
        "a: >-\n  one two\n  3 four\nb: 1\n");
    row("folded: a word at the begin changes", "a: >-\n  one two\n  three four\n", setText("/a", "1 two three four"),
        "a: >-\n  1 two\n  three four\n");
    row("folded: a paragraph is added", "a: >\n  one\n  two\n", setText("/a", "one two\nthree\n"),
        "a: >\n  one\n  two\n\n  three\n");
    row("folded: a paragraph goes", "a: >\n  one\n  two\n\n  three\n", setText("/a", "one two\n"),
        "a: >\n  one\n  two\n");
    row("folded: more-indented lines become literal", "a: >\n  one\n  two\n", setText("/a", "x\n  y\n"),
        "a: |\n  x\n    y\n");
    row("folded: without line break at its end", "a: > # c\n  one\n", setText("/a", "x"), "a: x # c\n");
    row("folded in a list", "c:\n  - >-\n    a\n    b\n  - x\n", setText("/c/0", "a c"),
        "c:\n  - >-\n    a\n    c\n  - x\n");
}

void TstYamlEdit::values_data()
{
    columns();
    row("number", "a: 1 # c\n", setValue("/a", "2"), "a: 2 # c\n");
    row("quoted to number", "a: '1'\n", setValue("/a", "1"), "a: 1\n");
    row("list", "a: 1\n", setValue("/a", "[x, y]"), "a: [x, y]\n");
    row("null", "a: 1\n", setValue("/a", "null"), "a: null\n");
    row("blanks around", "a: 1\n", setValue("/a", "  true "), "a: true\n");
    row("map over a block map", "a: # c\n  b: 1\n  c: 2\nd: 3\n", setValue("/a", "{b: 2}"), "a: {b: 2} # c\nd: 3\n");
    row("with a tag", "a: 1\n", setValue("/a", "!!str 5"), "a: !!str 5\n");
    row("over a block scalar", "a: |\n  x\n  y\nb: 1\n", setValue("/a", "5"), "a: 5\nb: 1\n");
    row("tag goes", "a: !!str 5\n", setValue("/a", "6"), "a: 6\n");
    row("anchor stays", "a: &x 5\n", setValue("/a", "6"), "a: &x 6\n");
    row("in brackets", "a: {gpu: 0, cpu: 1}\n", setValue("/a/gpu", "4"), "a: {gpu: 4, cpu: 1}\n");
}

void TstYamlEdit::inserts_data()
{
    columns();
    const QByteArray list("c:\n  - a # one\n  # two\n  - b\n  # rest\nd: 1\n");
    row("item at the end", list, insert("/c/-", "x"), "c:\n  - a # one\n  # two\n  - b\n  - x\n  # rest\nd: 1\n");
    row("item at the size", list, insert("/c/2", "x"), "c:\n  - a # one\n  # two\n  - b\n  - x\n  # rest\nd: 1\n");
    row("item above another and its comment", list, insert("/c/1", "x"),
        "c:\n  - a # one\n  - x\n  # two\n  - b\n  # rest\nd: 1\n");
    row("item at the begin", list, insert("/c/0", "x"), "c:\n  - x\n  - a # one\n  # two\n  - b\n  # rest\nd: 1\n");
    row("dash under the key's column", "c:\n- a\nd: 1\n", insert("/c/-", "x"), "c:\n- a\n- x\nd: 1\n");
    row("wide dash", "c:\n  -   a\n", insert("/c/-", "x"), "c:\n  -   a\n  -   x\n");
    row("text of several lines", "c:\n  - a\n", insertText("/c/-", "x\ny"), "c:\n  - a\n  - |-\n    x\n    y\n");
    row("no line break at the end", "c:\n  - a", insert("/c/-", "x"), "c:\n  - a\n  - x");
    row("after a block scalar", "c:\n  - |\n    a\n\nd: 1\n", insert("/c/-", "x"), "c:\n  - |\n    a\n  - x\n\nd: 1\n");
    row("list in a list", "- - a\n  - b\n", insert("/0/0", "x"), "- - x\n  - a\n  - b\n");
    row("list in a list, end", "- - a\n  - b\n- c\n", insert("/0/-", "x"), "- - a\n  - b\n  - x\n- c\n");
    row("CRLF", "c:\r\n  - a\r\n", insert("/c/-", "x"), "c:\r\n  - a\r\n  - x\r\n");
    row("flow list, end", "c: [a, b]\n", insert("/c/-", "x"), "c: [a, b, x]\n");
    row("flow list, begin", "c: [a, b]\n", insert("/c/0", "x"), "c: [x, a, b]\n");
    row("flow list, trailing comma", "c: [a, b,]\n", insert("/c/-", "x"), "c: [a, b, x,]\n");
    row("flow list in lines", "c: [\n  a, # one\n  b # two\n]\n", insert("/c/-", "x"),
        "c: [\n  a, # one\n  b, # two\n  x\n]\n");
    row("flow list in lines, trailing comma", "c: [\n  a,\n  b,\n]\n", insert("/c/-", "x"),
        "c: [\n  a,\n  b,\n  x,\n]\n");
    row("flow list in lines, above", "c: [\n  a,\n  b\n]\n", insert("/c/1", "x"), "c: [\n  a,\n  x,\n  b\n]\n");
    row("empty flow list becomes a block", "c: [] # c\nd: 1\n", insertText("/c/-", "x"), "c: # c\n  - x\nd: 1\n");
    row("empty flow list in brackets", "a: {c: []}\n", insert("/a/c/-", "x"), "a: {c: [x]}\n");
    row("missing list", "c:\nd: 1\n", insertText("/c/-", "x"), "c:\n  - x\nd: 1\n");
    row("missing list with a comment", "c: # c\nd: 1\n", insertText("/c/0", "x"), "c: # c\n  - x\nd: 1\n");

    const QByteArray map("a:\n  b: 1 # one\n  # two\n  c:\n    - x\n    # deeper\n# top\nd: 1\n");
    row("entry", map, insert("/a/k", "5"),
        "a:\n  b: 1 # one\n  # two\n  c:\n    - x\n    # deeper\n  k: 5\n# top\nd: 1\n");
    row("entry of the root", "a: 1", insert("/k", "5"), "a: 1\nk: 5");
    row("entry of the root before an end mark", "a: 1\n...\n", insert("/k", "5"), "a: 1\nk: 5\n...\n");
    row("entry with a key that needs quotes", "a: 1\n", insertText("/b: c", "x"), "a: 1\n'b: c': x\n");
    row("key like a number", "a: 1\n", insertText("/5", "x"), "a: 1\n'5': x\n");
    row("entry of a map behind a dash", "- a: 1\n- x\n", insert("/0/b", "2"), "- a: 1\n  b: 2\n- x\n");
    row("entry in brackets", "a: {b: 1}\n", insert("/a/c", "2"), "a: {b: 1, c: 2}\n");
    row("entry in brackets with blanks", "a: { b: 1 }\n", insert("/a/c", "2"), "a: { b: 1, c: 2 }\n");
    row("entry in an empty map", "a: {}\nb: 1\n", insert("/a/c", "2"), "a:\n  c: 2\nb: 1\n");
    row("entry in an empty JSON document", "{}\n", setValue("/a", "1"), "{\"a\": 1}\n");
    row("deep in an empty JSON document", "{ }", setText("/a/b", "x"), "{\"a\": {\"b\": \"x\"}}");
    row("entry in an empty JSON document of lines", "{\n  \n}\n", insert("/a", "[1]"), "{\n  \"a\": [1]\n}\n");
    row("entry in an empty flow document", "# c\n{} # d\n", setText("/a", "x"), "# c\n{\"a\": \"x\"} # d\n");
    row("entry in an empty flow document of lines", "{ # c\n}\n", setText("/a", "x"), "{ # c\n  \"a\": \"x\"\n}\n");
    row("entry in an empty flow document with properties", "--- !!map {}\n", setText("/a", "x"), "--- !!map {a: x}\n");
    row("item in an empty flow list", "[]\n", insert("/-", "1"), "[1]\n");
    row("item in an empty flow list, by number", "[]\n", setValue("/0/a", "1"), "[{a: 1}]\n");
    row("entry after a comment line", "a: 1\n# end\n", insert("/b", "2"), "a: 1\nb: 2\n# end\n");
    row("entry behind a folded scalar", "a: >\n  x\n  y\n", insert("/b", "2"), "a: >\n  x\n  y\nb: 2\n");
    row("commented-out item stays behind", "c:\n  - a\n  #- b\n", insert("/c/-", "x"), "c:\n  - a\n  - x\n  #- b\n");
}

void TstYamlEdit::creates_data()
{
    columns();
    row("map and entry", "a: 1\n", setText("/b/c", "x"), "a: 1\nb:\n  c: x\n");
    row("three levels", "a: 1\n", setValue("/b/c/d", "{e: 1}"), "a: 1\nb:\n  c:\n    d: {e: 1}\n");
    row("list", "a: 1\n", insertText("/b/-", "x"), "a: 1\nb:\n  - x\n");
    row("list at the key's column when others are", "z:\n- y\n", insertText("/b/-", "x"), "z:\n- y\nb:\n- x\n");
    row("list of maps", "a: 1\n", setText("/b/-/name", "x"), "a: 1\nb:\n  - name: x\n");
    row("wider indentation when others have it", "a:\n    b: 1\n", setValue("/c/d", "2"),
        "a:\n    b: 1\nc:\n    d: 2\n");
    row("in a missing value", "a:\n  b:\nc: 1\n", setValue("/a/b/d", "2"), "a:\n  b:\n    d: 2\nc: 1\n");
    row("in a null", "a: ~ # c\nb: 1\n", setValue("/a/d", "2"), "a: # c\n  d: 2\nb: 1\n");
    row("in brackets", "a: {b: 1}\n", setValue("/a/c/d", "2"), "a: {b: 1, c: {d: 2}}\n");
    row("item with a map", "c:\n  - x\n", setText("/c/-/name", "v"), "c:\n  - x\n  - name: v\n");
    row("several lines far inside", "a: 1\n", setText("/b/-/c", "x\ny\n"), "a: 1\nb:\n  - c: |\n      x\n      y\n");
    row("empty document", "", setText("/a", "x"), "a: x\n");
    row("only comments", "# c\n", setValue("/a/b", "1"), "# c\na:\n  b: 1\n");
    row("only comments, no line break", "# c", setValue("/a", "1"), "# c\na: 1\n");
    row("only a document mark", "---\n", setValue("/a", "1"), "---\na: 1\n");
    row("only a BOM", "\xEF\xBB\xBF", setValue("/a", "1"),
        "\xEF\xBB\xBF"
        "a: 1\n");
    row("inherited value is overridden here", "a: &x {b: 1}\nc:\n  <<: *x\n", setValue("/c/b", "2"),
        "a: &x {b: 1}\nc:\n  <<: *x\n  b: 2\n");
}

void TstYamlEdit::removes_data()
{
    columns();
    const QByteArray list("c:\n  # one\n  - a # a\n  # two\n  - b\n  - c: 1\n    d: 2\n  # rest\ne: 1\n");
    row("item with its comments", list, removeAt("/c/0"), "c:\n  # two\n  - b\n  - c: 1\n    d: 2\n  # rest\ne: 1\n");
    row("item in the middle", list, removeAt("/c/1"), "c:\n  # one\n  - a # a\n  - c: 1\n    d: 2\n  # rest\ne: 1\n");
    row("item of several lines", list, removeAt("/c/2"), "c:\n  # one\n  - a # a\n  # two\n  - b\n  # rest\ne: 1\n");
    row("a blank line cuts comments off", "# far\n\n# near\na: 1\nb: 2\n", removeAt("/b"), "# far\n\n# near\na: 1\n");
    row("detached comment stays", "x: 1\n# far\n\n# near\na: 1\nb: 2\n", removeAt("/a"), "x: 1\n# far\n\nb: 2\n");
    row("comments above the first key stay", "# file\na: 1\nb: 2\n", removeAt("/a"), "# file\nb: 2\n");
    row("commented-out item stays", "c:\n  - a\n  # - x\n  - b\n", removeAt("/c/1"), "c:\n  - a\n  # - x\n");
    row("entry", "a: 1\nb: 2 # c\nc: 3\n", removeAt("/b"), "a: 1\nc: 3\n");
    row("last entry", "a: 1\nb: 2\n", removeAt("/b"), "a: 1\n");
    row("last entry without line break", "a: 1\nb: 2", removeAt("/b"), "a: 1");
    row("entry with a block", "a: 1\nb: |\n  x\n  y\n\nc: 3\n", removeAt("/b"), "a: 1\n\nc: 3\n");
    row("blank lines do not pile up", "a: 1\n\nb: 2\n\nc: 3\n", removeAt("/b"), "a: 1\n\nc: 3\n");
    row("deeper comments go with their entry", "a:\n  b: 1\n  c:\n    - x\n    # deeper\nd: 1\n", removeAt("/a/c"),
        "a:\n  b: 1\nd: 1\n");
    row("first entry behind a dash", "- a: 1\n  b: 2\n- c\n", removeAt("/0/a"), "- b: 2\n- c\n");
    row("first entry behind a dash, comment of the next", "- a: 1\n  # two\n  b: 2\n", removeAt("/0/a"),
        "- # two\n  b: 2\n");
    row("first item of a list in a list", "- - a\n  - b\n", removeAt("/0/0"), "- - b\n");
    row("last item takes the list", "a: 1\nc:\n  - x\nd: 2\n", removeAt("/c/0"), "a: 1\nd: 2\n");
    row("last entry takes its parents", "a: 1\nb:\n  c:\n    d:\n      - x\ne: 2\n", removeAt("/b/c/d/0"),
        "a: 1\ne: 2\n");
    row("last entry of an item takes the item", "c:\n  - a: 1\n  - x\n", removeAt("/c/0/a"), "c:\n  - x\n");
    row("the very last leaves an empty document", "# c\na:\n  b: 1\n", removeAt("/a/b"), "# c\n");
    row("flow: first", "a: [x, y, z]\n", removeAt("/a/0"), "a: [y, z]\n");
    row("flow: middle", "a: [x, y, z]\n", removeAt("/a/1"), "a: [x, z]\n");
    row("flow: last", "a: [x, y, z]\n", removeAt("/a/2"), "a: [x, y]\n");
    row("flow: last with trailing comma", "a: [x, y,]\n", removeAt("/a/1"), "a: [x,]\n");
    row("flow: map", "a: {b: 1, c: 2, d: 3}\n", removeAt("/a/c"), "a: {b: 1, d: 3}\n");
    row("flow: map, last, blanks", "a: { b: 1, c: 2 }\n", removeAt("/a/c"), "a: { b: 1 }\n");
    row("flow: only one takes the list", "a: [x]\nb: 1\n", removeAt("/a/0"), "b: 1\n");
    row("flow: in a flow map", "a: {b: [x], c: 1}\n", removeAt("/a/b/0"), "a: {c: 1}\n");
    row("flow: the root's only entry", "# c\n{a: 1}\n", removeAt("/a"), "# c\n\n");
    row("flow: pair", "a: [b: 1, c]\n", removeAt("/a/0/b"), "a: [c]\n");
    row("flow: in lines", "a: [\n  x, # one\n  y, # two\n]\n", removeAt("/a/0"), "a: [\n  y, # two\n]\n");
    row("flow: in lines, last", "a: [\n  x, # one\n  y # two\n]\n", removeAt("/a/1"), "a: [\n  x, # one\n]\n");
    row("flow: over lines", "a: [x, y,\n  z]\n", removeAt("/a/1"), "a: [x, z]\n");
    row("CRLF", "a: 1\r\nb: 2\r\nc: 3\r\n", removeAt("/b"), "a: 1\r\nc: 3\r\n");
    row("BOM",
        "\xEF\xBB\xBF"
        "a: 1\nb: 2\n",
        removeAt("/a"),
        "\xEF\xBB\xBF"
        "b: 2\n");
    row("explicit key", "? a\n: 1\n? b\n: 2\n", removeAt("/a"), "? b\n: 2\n");
    row("before a second document", "a: 1\nb: 2\n---\nc: 3\n", removeAt("/b"), "a: 1\n---\nc: 3\n");
    row("an alias", "a: &x 1\nb: *x\n", removeAt("/b"), "a: &x 1\n");
    row("an anchor without alias", "a: &x 1\nb: 2\n", removeAt("/a"), "b: 2\n");
    row("anchor and alias together", "a:\n  b: &x 1\n  c: *x\nd: 2\n", removeAt("/a"), "d: 2\n");
}

void TstYamlEdit::moves_data()
{
    columns();
    const QByteArray list("c:\n  # one\n  - a # a\n  - |\n    x\n    y\n\n  # three\n  - c\nd: 1\n");
    row("down", list, moveTo("/c/0", 1), "c:\n  - |\n    x\n    y\n  # one\n  - a # a\n\n  # three\n  - c\nd: 1\n");
    row("up", list, moveTo("/c/2", 0), "c:\n  # three\n  - c\n  # one\n  - a # a\n\n  - |\n    x\n    y\nd: 1\n");
    row("entry", "a: 1 # a\nb:\n  c: 1\n", moveTo("/b", 0), "b:\n  c: 1\na: 1 # a\n");
    row("to its own place", "a: 1\nb: 2\n", moveTo("/a", 0), "a: 1\nb: 2\n");
    row("behind a dash", "- a: 1\n  # b\n  b: 2\n", moveTo("/0/b", 0), "- # b\n  b: 2\n  a: 1\n");
    row("at the end without line break", "- a\n- b", moveTo("/1", 0), "- b\n- a");
    row("flow", "a: [x, y, {z: 1}]\n", moveTo("/a/2", 0), "a: [{z: 1}, x, y]\n");
    row("past a block scalar that keeps its blank lines", "- a\n\n- |+\n  k\n\n- b\n", moveTo("/0", 2),
        "\n- |+\n  k\n\n- b\n- a\n");
    row("a block scalar that keeps its blank lines", "a: |+\n  k\n\nb: 1\n\n\nc: 2\n", moveTo("/a", 1),
        "b: 1\n\n\na: |+\n  k\n\nc: 2\n");
    row("from between such a scalar and blank lines", "a: |+\n  k\n\nb: 1\n\n\nc: 2\n", moveTo("/b", 0),
        "b: 1\n\n\na: |+\n  k\n\nc: 2\n");
    row("commented-out item does not move", "c:\n  - a\n  #- x\n  - b\n", moveTo("/c/1", 0),
        "c:\n  - b\n  #- x\n  - a\n");
}

void TstYamlEdit::renames_data()
{
    columns();
    row("plain", "a: 1 # c\nb: 2\n", renameTo("/a", "x"), "x: 1 # c\nb: 2\n");
    row("needs quotes", "a: 1\n", renameTo("/a", "x: y"), "'x: y': 1\n");
    row("quotes stay", "\"a\": 1\n", renameTo("/a", "x"), "\"x\": 1\n");
    row("in brackets", "m: {a: 1, b: 2}\n", renameTo("/m/a", "x,y"), "m: {'x,y': 1, b: 2}\n");
    row("key without a value in brackets", "{a, b}\n", renameTo("/a", "x"), "{x, b}\n");
    row("of a map", "a:\n  b: 1\n", renameTo("/a", "x"), "x:\n  b: 1\n");
    row("explicit", "? a\n: 1\n", renameTo("/a", "x"), "? x\n: 1\n");
    row("to the same", "a: 1\n", renameTo("/a", "a"), "a: 1\n");
    row("line break", "a: 1\n", renameTo("/a", "x\ny"), "\"x\\ny\": 1\n");
    row("anchor", "&k a: 1\n", renameTo("/a", "x"), "&k x: 1\n");
}

void TstYamlEdit::refusals_data()
{
    columns();
    row("syntax error", "a: b: c\n", setText("/a", "x"), "edit.broken-document");
    row("unclosed quote", "b: 1\na: 'x\n", setText("/b", "x"), "edit.broken-document");
    row("not read", "a: \xFF\n", setText("/a", "x"), "edit.broken-document");
    row("root set", "a: 1\n", setText("", "x"), "edit.root");
    row("root removed", "a: 1\n", removeAt(""), "edit.root");
    row("remove nothing", "a: 1\n", removeAt("/b"), "edit.no-such-path");
    row("inside a scalar", "a: 1\n", setText("/a/b", "x"), "edit.no-such-path");
    row("key of a list", "a: [x]\n", setText("/a/b", "x"), "edit.no-such-path");
    row("far behind the end", "a:\n  - x\n", insert("/a/5", "y"), "edit.bad-index");
    row("move too far", "- a\n- b\n", moveTo("/0", 2), "edit.bad-index");
    row("key is there", "a: 1\nb: 2\n", insert("/a", "3"), "edit.exists");
    row("rename to a key that is there", "a: 1\nb: 2\n", renameTo("/a", "b"), "edit.exists");
    row("rename an item", "- a\n", renameTo("/0", "b"), "edit.no-such-path");
    row("duplicate", "a: 1\na: 2\n", setText("/a", "x"), "edit.not-editable");
    row("remove a duplicate", "a: 1\na: 2\n", removeAt("/a"), "edit.not-editable");
    row("block value", "a: 1\n", setValue("/a", "b: 1"), "edit.bad-value");
    row("broken value", "a: 1\n", setValue("/a", "[x"), "edit.bad-value");
    row("two values", "a: 1\n", setValue("/a", "x\n---\ny"), "edit.bad-value");
    row("value with a comment", "a: 1\n", setValue("/a", "x # c"), "edit.bad-value");
    row("empty value", "a: 1\n", setValue("/a", ""), "edit.bad-value");
    row("value of two lines", "a: 1\n", setValue("/a", "[x,\ny]"), "edit.bad-value");
    row("alias as a value", "a: &x 1\nb: 2\n", setValue("/b", "*x"), "edit.bad-value");
    row("plain value that brackets cut", "a: [x]\n", setValue("/a/0", "p, q"), "edit.would-change-more");
    row("through an alias", "a: &x {b: 1}\nc: *x\n", setText("/c/b", "v"), "edit.through-alias");
    row("anchor in use", "a: &x 1\nb: *x\n", setText("/a", "v"), "edit.anchor-in-use");
    row("inside of an anchor in use", "a: &x {b: 1}\nc: *x\n", setText("/a/b", "v"), "edit.anchor-in-use");
    row("insert into an anchor in use", "a: &x {b: 1}\nc: *x\n", insert("/a/c", "2"), "edit.anchor-in-use");
    row("remove an anchor in use", "a: &x 1\nb: *x\n", removeAt("/a"), "edit.anchor-in-use");
    row("remove what holds an anchor in use", "a:\n  b: &x 1\n  c: 2\nd: *x\n", removeAt("/a"), "edit.anchor-in-use");
    row("comments inside", "a:\n  - x # c\n  - y\nb: 1\n", setText("/a", "z"), "edit.would-lose-comment");
    row("complex key", "{a: 1}: 2\nb: 3\n", setText("/b/c", "x"), "edit.no-such-path");
    row("pair in a flow list", "[a: 1]\n", insert("/0/b", "2"), "edit.not-editable");
}

void TstYamlEdit::refusals()
{
    QFETCH(QByteArray, yaml);
    QFETCH(edit::Op, op);
    QFETCH(QByteArray, expected);
    const Result<TextEdits> edits = planEdit(YamlDocument::parse(yaml), op);
    QVERIFY2(!edits, edits ? applyEdits(yaml, *edits).constData() : "");
    QCOMPARE(edits.error().code.toLatin1(), expected);
    QVERIFY(edits.error().args.contains(QStringLiteral("path")));
}

void TstYamlEdit::severalAreOne()
{
    const QByteArray yaml("a: 1 # a\nb:\n  - x\n  - y\nc: 3\n");
    const Result<TextEdits> edits = planEdits(YamlDocument::parse(yaml),
        {setText("/a", "one"), insertText("/b/-", "z"), removeAt("/b/0"), renameTo("/c", "d"), setValue("/d", "[1]"),
            insert("/d/-", "2"), setText("/e/f", "new"), setText("/e/f", "newer")});
    QVERIFY(edits);
    QCOMPARE(applyEdits(yaml, *edits), QByteArray("a: one # a\nb:\n  - y\n  - z\nd: [1, 2]\ne:\n  f: newer\n"));
    const Result<PlannedChange> change
        = planChange(YamlDocument::parse(yaml), {setText("/a", "one"), removeAt("/b/0")});
    QVERIFY(change);
    QCOMPARE(change->document.bytes(), applyEdits(yaml, change->edits));
    QCOMPARE(change->document.root()->find("a")->scalar, QByteArray("one"));
    QVERIFY(planEdits(YamlDocument::parse(yaml), {})->isEmpty());
    const Result<TextEdits> undone = planEdits(YamlDocument::parse(yaml), {setValue("/a", "2"), setValue("/a", "1")});
    QVERIFY(undone);
    QCOMPARE(*undone, TextEdits());
    const Result<TextEdits> others
        = planEdits(YamlDocument::parse("{\"a\": 1}\n"), {removeAt("/a"), setValue("/b", "1"), setText("/c", "x")});
    QVERIFY(others);
    QCOMPARE(applyEdits("{\"a\": 1}\n", *others), QByteArray("{\"b\": 1, \"c\": \"x\"}\n"));
    const Result<TextEdits> made = planEdits(YamlDocument::parse(""), {setText("/a", "x"), setText("/b/c", "v")});
    QVERIFY(made);
    QCOMPARE(applyEdits("", *made), QByteArray("a: x\nb:\n  c: v\n"));
}

void TstYamlEdit::severalAreAllOrNone()
{
    const Result<TextEdits> edits
        = planEdits(YamlDocument::parse("a: 1\n"), {setText("/a", "x"), removeAt("/nothing"), setText("/b", "y")});
    QVERIFY(!edits);
    QCOMPARE(edits.error().code, QStringLiteral("edit.no-such-path"));
}

void TstYamlEdit::editsAreSmall()
{
    const QByteArray yaml("a: |\n  one\n  two\n  three\nb: abc # c\n");
    const YamlDocument document = YamlDocument::parse(yaml);
    QCOMPARE(*planEdit(document, setText("/a", "one\n2\nthree\n")), (TextEdits{{{13, 16}, "2"}}));
    QCOMPARE(*planEdit(document, setText("/b", "abc")), TextEdits());
    QCOMPARE(*planEdit(document, setText("/b", "abd")), (TextEdits{{{30, 31}, "d"}}));
    // Never half a code point.
    const QByteArray umlaut("a: \xC3\xA4\n");
    QCOMPARE(*planEdit(YamlDocument::parse(umlaut), setText("/a", "\xC3\xB6")), (TextEdits{{{3, 5}, "\xC3\xB6"}}));
}

TRAINYARD_TEST(TstYamlEdit)
#include "tst_yamledit.moc"
