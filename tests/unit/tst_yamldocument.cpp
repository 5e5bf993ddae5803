// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamldocument.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

#include <thread>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

// Every node as one line: what it is, its bytes, its value.
void outline(const YamlDocument &document, const YamlNode *node, int depth, QStringList &lines)
{
    static const char *const kinds[] = {"scalar", "map", "list", "alias"};
    static const char *const styles[] = {"plain", "single", "double", "literal", "folded", "block", "flow"};
    const QByteArray text = document.bytes().mid(node->at.begin, node->at.length());
    QString line = QString(depth * 2, u' ') + QLatin1String(kinds[int(node->kind)]) + u' '
        + QLatin1String(styles[int(node->style)]) + QStringLiteral(" <") + QString::fromUtf8(text) + u'>';
    if (node->kind == YamlNode::Kind::Scalar && text != node->scalar) {
        line += QStringLiteral(" = <") + QString::fromUtf8(node->scalar) + u'>';
    }
    if (!node->tag.isEmpty()) {
        line += QStringLiteral(" tag ") + QString::fromUtf8(node->tag);
    }
    if (!node->anchor.isEmpty()) {
        line += QStringLiteral(" anchor ") + QString::fromUtf8(node->anchor);
    }
    if (!node->editable) {
        line += QStringLiteral(" locked");
    }
    lines.append(line.replace(u'\n', QStringLiteral("\\n")));
    for (const YamlNode::Entry &entry : node->entries) {
        if (entry.key) {
            outline(document, entry.key, depth + 1, lines);
        }
        outline(document, entry.value, depth + 1, lines);
    }
}

QStringList outline(const YamlDocument &document)
{
    QStringList lines;
    if (document.root()) {
        outline(document, document.root(), 0, lines);
    }
    return lines;
}

YamlPath path(const char *pointer) { return *YamlPath::fromPointer(QString::fromUtf8(pointer)); }

} // namespace

class TstYamlDocument : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void extents_data();
    void extents();
    void diagnostics_data();
    void diagnostics();
    void unclosedBracketsAreOneMistake();
    void saysWhatIsTooMany();
    void duplicateKeysNameBoth();
    void brokenDocumentsGiveWhatStandsBefore();
    void secondDocument();
    void finds_data();
    void finds();
    void pathsOfPlaces_data();
    void pathsOfPlaces();
    void everyNodeKnowsItsPath();
    void hostileInput_data();
    void hostileInput();
    void largeJobIsFast();
    void manyThreadsReadOneDocument();
};

void TstYamlDocument::extents_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, std::initializer_list<const char *> lines) {
        QStringList expected;
        for (const char *line : lines) {
            expected.append(QString::fromUtf8(line));
        }
        QTest::newRow(name) << yaml << expected;
    };
    row("scalars of every style", "a: plain # c\nb: 'it''s'\nc: \"x\\ty\"\nd: |\n  l1\n   l2\n\ne: >-\n  f1\n  f2\n",
        {"map block <a: plain # c\\nb: 'it''s'\\nc: \"x\\ty\"\\nd: |\\n  l1\\n   l2\\n\\ne: >-\\n  f1\\n  f2>",
            "  scalar plain <a>", "  scalar plain <plain>", "  scalar plain <b>", "  scalar single <'it''s'> = <it's>",
            "  scalar plain <c>", "  scalar double <\"x\\ty\"> = <x\ty>", "  scalar plain <d>",
            "  scalar literal <|\\n  l1\\n   l2> = <l1\\n l2\\n>", "  scalar plain <e>",
            "  scalar folded <>-\\n  f1\\n  f2> = <f1 f2>"});
    row("missing and written nulls", "a:\nb: ~\nc: # x\nnull: 1\n",
        {"map block <a:\\nb: ~\\nc: # x\\nnull: 1>", "  scalar plain <a>", "  scalar plain <>", "  scalar plain <b>",
            "  scalar plain <~>", "  scalar plain <c>", "  scalar plain <>", "  scalar plain <null>",
            "  scalar plain <1>"});
    row("null on the next line", "a:\n  null\nb:\n",
        {"map block <a:\\n  null\\nb:>", "  scalar plain <a>", "  scalar plain <null>", "  scalar plain <b>",
            "  scalar plain <>"});
    row("list items missing", "-\n- null\n-\n",
        {"list block <-\\n- null\\n->", "  scalar plain <>", "  scalar plain <null>", "  scalar plain <>"});
    row("list under its key, same column", "a:\n- x\n- y: 1\n  z: 2\nb: 3",
        {"map block <a:\\n- x\\n- y: 1\\n  z: 2\\nb: 3>", "  scalar plain <a>", "  list block <- x\\n- y: 1\\n  z: 2>",
            "    scalar plain <x>", "    map block <y: 1\\n  z: 2>", "      scalar plain <y>", "      scalar plain <1>",
            "      scalar plain <z>", "      scalar plain <2>", "  scalar plain <b>", "  scalar plain <3>"});
    row("flow", "{a: 1, 'b': [x, \"y\", {z: }], c, d: null}",
        {"map flow <{a: 1, 'b': [x, \"y\", {z: }], c, d: null}>", "  scalar plain <a>", "  scalar plain <1>",
            "  scalar single <'b'> = <b>", "  list flow <[x, \"y\", {z: }]>", "    scalar plain <x>",
            "    scalar double <\"y\"> = <y>", "    map flow <{z: }>", "      scalar plain <z>",
            "      scalar plain <>", "  scalar plain <c>", "  scalar plain <>", "  scalar plain <d>",
            "  scalar plain <null>"});
    row("flow with comments and trailing comma", "a: [x, # one\n  y, # two\n  ] # three\n",
        {"map block <a: [x, # one\\n  y, # two\\n  ]>", "  scalar plain <a>",
            "  list flow <[x, # one\\n  y, # two\\n  ]>", "    scalar plain <x>", "    scalar plain <y>"});
    row("pairs in a flow list", "[a: b, : c, {d: e}: f]",
        {"list flow <[a: b, : c, {d: e}: f]>", "  map flow <a: b>", "    scalar plain <a>", "    scalar plain <b>",
            "  map flow <: c>", "    scalar plain <>", "    scalar plain <c>", "  map flow <{d: e}: f>",
            "    map flow <{d: e}> locked", "      scalar plain <d> locked", "      scalar plain <e> locked",
            "    scalar plain <f> locked"});
    row("anchors, aliases, tags", "a: &x\nb: !!str\nc: &y !!str k\nd: *y\ne: &m\n  &k f: *x\n",
        {"map block <a: &x\\nb: !!str\\nc: &y !!str k\\nd: *y\\ne: &m\\n  &k f: *x>", "  scalar plain <a>",
            "  scalar plain <&x> = <> anchor x", "  scalar plain <b>",
            "  scalar plain <!!str> = <> tag tag:yaml.org,2002:str", "  scalar plain <c>",
            "  scalar plain <&y !!str k> = <k> tag tag:yaml.org,2002:str anchor y", "  scalar plain <d>",
            "  alias plain <*y> anchor y", "  scalar plain <e>", "  map block <&m\\n  &k f: *x> anchor m",
            "    scalar plain <&k f> = <f> anchor k", "    alias plain <*x> anchor x"});
    row("explicit keys", "? a\n: b\n? c\n",
        {"map block <? a\\n: b\\n? c>", "  scalar plain <a>", "  scalar plain <b>", "  scalar plain <c>",
            "  scalar plain <>"});
    row("several lines of plain text", "a: one\n   two\n\n   three # c\nb: 1",
        {"map block <a: one\\n   two\\n\\n   three # c\\nb: 1>", "  scalar plain <a>",
            "  scalar plain <one\\n   two\\n\\n   three> = <one two\\nthree>", "  scalar plain <b>",
            "  scalar plain <1>"});
    row("block scalar headers", "a: |+ # c\n  x\n\n\nb: >2-\n    y\nc: |\n",
        {"map block <a: |+ # c\\n  x\\n\\n\\nb: >2-\\n    y\\nc: |>", "  scalar plain <a>",
            "  scalar literal <|+ # c\\n  x\\n\\n> = <x\\n\\n\\n>", "  scalar plain <b>",
            "  scalar folded <>2-\\n    y> = <  y>", "  scalar plain <c>", "  scalar literal <|> = <>"});
    row("folded text with empty lines at its end", "a: >+\n  x\n\n\n\nb: 1\n",
        {"map block <a: >+\\n  x\\n\\n\\n\\nb: 1>", "  scalar plain <a>",
            "  scalar folded <>+\\n  x\\n\\n\\n> = <x\\n\\n\\n\\n>", "  scalar plain <b>", "  scalar plain <1>"});
    row("folded item with an empty line at its end", "- >+\n x\n\n- y\n",
        {"list block <- >+\\n x\\n\\n- y>", "  scalar folded <>+\\n x\\n> = <x\\n\\n>", "  scalar plain <y>"});
    row("question marks", "a: [!x &b http://h/f?x=1, *b, d?x?y]\ne?: {f?g: h?, ? h : i}",
        {"map block <a: [!x &b http://h/f?x=1, *b, d?x?y]\\ne?: {f?g: h?, ? h : i}>", "  scalar plain <a>",
            "  list flow <[!x &b http://h/f?x=1, *b, d?x?y]>",
            "    scalar plain <!x &b http://h/f?x=1> = <http://h/f?x=1> tag !x anchor b",
            "    alias plain <*b> anchor b", "    scalar plain <d?x?y>", "  scalar plain <e?>",
            "  map flow <{f?g: h?, ? h : i}>", "    scalar plain <f?g>", "    scalar plain <h?>",
            "    scalar plain <h>", "    scalar plain <i>"});
    row("the character that stands for question marks", "a: \"\\x02 b?\"\n",
        {"map block <a: \"\\x02 b?\">", "  scalar plain <a>", "  scalar double <\"\\x02 b?\"> = <\x02 b?>"});
    row("no line break at the end", "a: |\n  x",
        {"map block <a: |\\n  x>", "  scalar plain <a>", "  scalar literal <|\\n  x> = <x\\n>"});
    row("blanks at the very end", "a: |+\n  x\n\n ",
        {"map block <a: |+\\n  x\\n\\n >", "  scalar plain <a>", "  scalar literal <|+\\n  x\\n\\n > = <x\\n\\n\\n>"});
    row("CRLF", "a: |\r\n  x\r\n  y\r\nb: \"1\r\n  2\"\r\n",
        {"map block <a: |\r\\n  x\r\\n  y\r\\nb: \"1\r\\n  2\">", "  scalar plain <a>",
            "  scalar literal <|\r\\n  x\r\\n  y> = <x\\ny\\n>", "  scalar plain <b>",
            "  scalar double <\"1\r\\n  2\"> = <1 2>"});
    row("BOM and document marks", "\xEF\xBB\xBF%YAML 1.2\n---\na: 1\n...\n",
        {"map block <a: 1>", "  scalar plain <a>", "  scalar plain <1>"});
    row("keys like values", "a: {\"b\":1}\n\"c d\": 2\ne.f: 3\n",
        {"map block <a: {\"b\":1}\\n\"c d\": 2\\ne.f: 3>", "  scalar plain <a>", "  map flow <{\"b\":1}>",
            "    scalar double <\"b\"> = <b>", "    scalar plain <1>", "  scalar double <\"c d\"> = <c d>",
            "  scalar plain <2>", "  scalar plain <e.f>", "  scalar plain <3>"});
    row("tabs in lines of a text stay, those between entries do not matter",
        "a: |\n  x\n  \t\nb: 1\n\t\nc: \"y\n\t\n z\"\n",
        {"map block <a: |\\n  x\\n  \t\\nb: 1\\n\t\\nc: \"y\\n\t\\n z\">", "  scalar plain <a>",
            "  scalar literal <|\\n  x\\n  \t> = <x\\n\t\\n>", "  scalar plain <b>", "  scalar plain <1>",
            "  scalar plain <c>", "  scalar double <\"y\\n\t\\n z\"> = <y\\nz>"});
    row("tab that ends a text", "a: |+\n  x\n\t\nb: 1\n",
        {"map block <a: |+\\n  x\\n\t\\nb: 1>", "  scalar plain <a>", "  scalar literal <|+\\n  x> = <x\\n>",
            "  scalar plain <b>", "  scalar plain <1>"});
    row("escapes of one letter", "a: \"\\N\\_\xC3\x85\"",
        {"map block <a: \"\\N\\_\xC3\x85\">", "  scalar plain <a>",
            "  scalar double <\"\\N\\_\xC3\x85\"> = <\xC2\x85\xC2\xA0\xC3\x85>"});
    row("escapes and folding in double quotes", "a: \"x\\\n   y\\u00e4 \\x41  \n\n  z\\ \n \\tw\"",
        {"map block <a: \"x\\\\n   y\\u00e4 \\x41  \\n\\n  z\\ \\n \\tw\">", "  scalar plain <a>",
            "  scalar double <\"x\\\\n   y\\u00e4 \\x41  \\n\\n  z\\ \\n \\tw\"> = <xy\xC3\xA4 A\\nz  \tw>"});
}

void TstYamlDocument::extents()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QStringList, expected);
    const QStringList actual = outline(YamlDocument::parse(yaml));
    for (qsizetype i = 0; i < qMin(actual.size(), expected.size()); ++i) {
        QCOMPARE(actual.at(i), expected.at(i));
    }
    QCOMPARE(actual.size(), expected.size());
}

// Rows: text, then "code begin-end" of each diagnostic, "!" in front when an OpenPAI server refuses too, "~" a warning.
void TstYamlDocument::diagnostics_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](const char *name, const QByteArray &yaml, std::initializer_list<const char *> codes) {
        QStringList expected;
        for (const char *code : codes) {
            expected.append(QString::fromLatin1(code));
        }
        QTest::newRow(name) << yaml << expected;
    };
    row("good", "a: 1\n", {});
    row("empty", "", {"!yaml.empty 0-0"});
    row("only comments", "# x\n", {"!yaml.empty 0-0"});
    row("only a mark", "---\n", {"!yaml.empty 0-0"});
    row("not UTF-8", "a: \xFF\xFEz\n", {"!yaml.not-utf8 3-5"});
    row("overlong", "a: \xC0\xAF", {"!yaml.not-utf8 3-5"});
    row("surrogate", "a: \xED\xA0\x80", {"!yaml.not-utf8 3-6"});
    row("cut at the end", "a: \xE2\x82", {"!yaml.not-utf8 3-5"});
    row("UTF-16 LE", QByteArray("\xFF\xFE\x61\x00", 4), {"!yaml.bom-utf16 0-2"});
    row("UTF-16 BE", QByteArray("\xFE\xFF\x00\x61", 4), {"!yaml.bom-utf16 0-2"});
    row("UTF-32", QByteArray("\xFF\xFE\x00\x00", 4), {"!yaml.bom-utf16 0-4"});
    row("NUL", QByteArray("a: \0b", 5), {"!yaml.nul 3-4"});
    row("control characters", "a: \x1B[0m\nb: \x7F\n",
        {"!yaml.control-character 3-4", "!yaml.control-character 11-12"});
    row("C1 control", "a: \xC2\x80", {"!yaml.control-character 3-5"});
    row("control character in a comment", "a: 1 # \x02\n", {"~yaml.control-character 7-8"});
    row("merge key twice", "a: &x {b: 1}\nc:\n  <<: *x\n  <<: {d: 1}\n", {});
    row("lone CR", "a: x\rb\r\n", {"~yaml.carriage-return 4-5"});
    row("lone CR before a key", "a: 1\rb: 2\r\n", {"~yaml.carriage-return 4-5", "!yaml.syntax 6-7"});
    row("key of two lines without colon", "? a\nnc1\n  V\n", {"!yaml.syntax 4-7"});
    row("NEL is none", "a: \"x\xC2\x85\"", {});
    row("end of transmission", "a: 1\x04", {"!yaml.control-character 4-5"});
    row("duplicate", "a: 1\nb: 2\na: 3\n", {"!yaml.duplicate-key 10-11"});
    row("duplicate once resolved", "1: x\n0x1: y\n\"1\": z\n",
        {"!yaml.duplicate-key 5-8", "!yaml.duplicate-key 12-15"});
    row("duplicate in flow", "{a: 1, a: 2}", {"!yaml.duplicate-key 7-8"});
    row("same text, other type, is a duplicate for JavaScript", "~: 1\n'null': 2", {"!yaml.duplicate-key 5-11"});
    row("unclosed single quote", "a: 'x\nb: 1\n", {"!yaml.unclosed-quote 3-4"});
    row("unclosed double quote", "a: \"x\nb: 1", {"!yaml.unclosed-quote 3-4"});
    row("unclosed quote in flow", "a: {b: \"x\n", {"!yaml.unclosed-quote 7-8"});
    row("unknown tag", "a: !foo 1\n", {"!yaml.unknown-tag 3-9"});
    row("known tags", "a: !!str 1\nb: ! 2\nc: !!set {x}\nd: !!binary aGk=\n", {});
    row("tag that does not fit", "a: !!int x\nb: !!map [1]\nc: !!seq {}\n",
        {"!yaml.wrong-tag 3-10", "!yaml.wrong-tag 14-23", "!yaml.wrong-tag 27-35"});
    row("second document, flat", "a: 1\n---\nb: 2\n", {"~!yaml.second-document 5-8"});
    row("second document, empty", "a: 1\n---\n", {"~!yaml.second-document 5-8"});
    row("second document, other", "a: 1\n---\nb: {c: 1}\n", {"!yaml.second-document 5-8"});
    row("end mark is no document", "a: 1\n...\n# c\n", {});
    row("text after the end", ",", {"!yaml.syntax 0-1"});
    row("tab indentation", "a:\n\tb: 1\n", {"yaml.tab-indent 3-4"});
    row("tab behind blanks", "a:\n  b: 1\n  \tc: 2\n", {"yaml.tab-indent 12-13"});
    row("tab before a value", "a:\t1\n", {});
    row("tabs in lines without content", "\t\na:\n\t# x\n  b: 1\n \t\n  c: 2\n\t# y\n\t", {});
    row("tab indentation below a line without content", "a:\n\t\n\tb: 1\n", {"yaml.tab-indent 5-6"});
    row("tab that ends a text", "a: |+\n  x\n\t\n\t# y\nb: 1\n", {});
    row("tab among the lines of a text", "a: |\n  x\n\t\n  y\n", {"!yaml.tab-indent 9-10"});
    row("tab among the lines of a text in a list", "- >-\n  x\n \t\n  y\n- z\n", {"!yaml.tab-indent 10-11"});
    row("tab among the lines of a plain value", "a: echo x |\n\t\n  y\n", {});
    row("another mistake below a tab", "a:\n\t\n  b: 1\n c: 2\n", {"!yaml.syntax 13-14"});
    row("question mark in brackets", "a: [http://h/f?x=1, b]\nc: {d: e?, what? no: 1}\nf: {? g : \"h?\"}\n",
        {"~yaml.question-mark 4-18", "~yaml.question-mark 30-32", "~yaml.question-mark 34-42"});
    row("question mark without brackets", "a: b?c\nd?: \"e?\"\n? f?\n: - g ? h\n", {});
    row("value as deep as its key", "a: 1\nb:\n\"c\"\nd: 2\n", {"~!yaml.shallow-value 8-11"});
    row("value as deep as its key in a list", "a:\n- b: 1\n  c: # x\n\n  |\n   d\n", {"~!yaml.shallow-value 22-28"});
    row("list in brackets as deep as its key", "a:\n[x]\nb: 1\n", {"~!yaml.shallow-value 3-6"});
    row("alias as deep as its key", "a: &x 1\nb:\n*x\nc: 2\n", {"~!yaml.shallow-value 11-13"});
    row("value behind a tab only", "a:\n\t\"c\"\n", {"~!yaml.shallow-value 4-7"});
    row("value deeper than its key", "a:\n \"c\"\n", {});
    row("explicit key behind a byte order mark", "\xEF\xBB\xBF? a\n: b?c\n", {});
    row("value beside an explicit key", "? a\n: \"c\"\n", {});
    row("items as deep as their key", "a:\n- &x b\nc: &y\n- d\n", {});
    row("anchor of nothing", "a: &x\nb: *x\nc: !!str\nd: 1\n", {});
    row("lines in brackets", "a: [b,\nc]\nd: {e:\nf}\n", {});
    row("directive without a mark", "%YAML 1.2\n# x\na: 1\n", {"~!yaml.directive-end 0-9"});
    row("directive with a mark", "# x\n%YAML 1.2\n\n  # y\n--- # z\na: 1\n", {});
    row("unknown alias", "a: *x\n", {"!yaml.unknown-alias 3-5"});
    row("alias to itself", "a: &x [1, *x]\n", {"yaml.recursive-alias 10-12"});
    row("merge key", "a: &x {b: 1}\nc:\n  <<: *x\nd:\n  <<: [*x]\n", {});
    row("merge of no map", "a: &x 1\nc:\n  <<: *x\n", {"!yaml.merge-key 13-15"});
    row("list as a key that holds itself", "&a [? [*a] : 1]\n", {"~yaml.complex-key 6-10", "yaml.recursive-alias 7-9"});
    row("quoted merge key is a key", "'<<': 1\n", {});
    row("list of lists as a key", "a:\n  ? [[b]]\n  : 1\n", {"~!yaml.complex-key 7-12"});
    row("list as a key", "a:\n  ? [b, {c: d}]\n  : 1\n", {"~yaml.complex-key 7-18"});
    row("map as a key", "a: {{x}}\n", {"~yaml.complex-key 4-7"});
    row("colon in a plain value", "a: b: c\n", {"!yaml.syntax 4-5"});
    row("colon in a command", "- run: echo {a: 1}\n", {"!yaml.syntax 14-15"});
    row("bracket not closed", "a: [1, 2\nb: 3\n", {"!yaml.syntax 3-4"});
    row("wrong indentation", "a:\n  b: 1\n c: 2\n", {"!yaml.syntax 11-12"});
    row("key without colon", "a: 1\nb\n", {"!yaml.syntax 5-6"});
    row("key without colon above its map", "a: 1\nb\n  c: 2\n", {"!yaml.syntax 5-6"});
    row("key without colon between others", "a: 1\nb 2\nc: 3\n", {"!yaml.syntax 5-8"});
    row("first line without colon", "a b\nd: 1\n", {"!yaml.syntax 0-3"});
    row("item without colon", "a:\n  - name b\n    c: d\n", {"!yaml.syntax 7-13"});
    row("key without colon above its list", "a:\n  b: 1\n  c\n    - d: e\n", {"!yaml.syntax 12-13"});
    row("key without colon above its plain list", "a:\n  b: 1\n  c\n    - d\n    - e\nf: 1\n", {"!yaml.syntax 12-13"});
    row("key without colon above a list as deep", "a:\n  b: 1\n  c\n  - d\n  - e\n", {"!yaml.syntax 12-13"});
    row("key without colon above a comment and a list", "a:\n  b: 1\n  c\n  # x\n  - d\n", {"!yaml.syntax 12-13"});
    row("item without dash", "a:\n    - x\n    echo b\n    - y\n", {"!yaml.syntax 15-21"});
    row("last item without dash", "a:\n    - x\n    echo b\nc: 1\n", {"!yaml.syntax 15-21"});
    row("item without dash, as deep as the key", "a:\n- x\necho b\n- y\n", {"!yaml.syntax 7-13"});
    row("two items without dash", "a:\n- x\necho b\necho c\n- y\n", {"!yaml.syntax 14-20"});
    row("key without colon between two lists", "a:\n- x\nb\n- y\n", {"!yaml.syntax 7-8"});
    row("item in a map", "a:\n  b: 1\n  - d\n", {"!yaml.syntax 12-13"});
    row("second colon below a list", "a:\n  - b\n  - c\nd: e: f\n", {"!yaml.syntax 19-20"});
    row("text of an item, then less indented", "a:\n  - |\n    b\n    c\n d: e\n", {"!yaml.syntax 22-23"});
    row("key without colon behind a block", "a: |\n  x\nb\n  c: 2\n", {"!yaml.syntax 9-10"});
    row("colon in the second line of a value", "a: b\n  c: d\n", {"!yaml.syntax 8-9"});
    row("bad escape", "a: \"\\q\"\n", {"!yaml.syntax 6-7"});
    QByteArray deep;
    for (int i = 0; i < 70; ++i) {
        deep += "- ";
    }
    row("too deep", deep + "x", {"yaml.too-deep 128-129"});
    row("too deep in flow", QByteArray(70, '[') + QByteArray(70, ']'), {"yaml.too-deep 64-65"});
    row("deep enough", QByteArray(64, '[') + QByteArray(64, ']'), {});
}

void TstYamlDocument::diagnostics()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QStringList, expected);
    const YamlDocument document = YamlDocument::parse(yaml);
    QStringList actual;
    bool wellFormed = true;
    for (const Diagnostic &each : document.diagnostics()) {
        actual.append((each.severity == Severity::Warning ? QStringLiteral("~") : QString())
            + (each.strict ? QStringLiteral("!") : QString()) + each.code
            + QStringLiteral(" %1-%2").arg(each.at.begin).arg(each.at.end));
        wellFormed = wellFormed && each.severity != Severity::Error;
        QVERIFY(each.at.begin >= 0 && each.at.begin <= each.at.end && each.at.end <= yaml.size());
    }
    QCOMPARE(actual, expected);
    QCOMPARE(document.isWellFormed(), wellFormed);
}

// A bracket that is never closed is all that is wrong.
void TstYamlDocument::unclosedBracketsAreOneMistake()
{
    const QList<std::tuple<QByteArray, QString, qsizetype>> rows{{QByteArray(32, '['), u"flow-list-end"_s, 31},
        {"{ this is: [not yaml", u"flow-list-end"_s, 11}, {"a: [[b, c]", u"flow-list-end"_s, 3},
        {"a: {b: {c: d", u"flow-map-end"_s, 7}, {"name: [a, b\ntype: job\nx: 1\n", u"flow-list-end"_s, 6},
        {"a: 1\nb: &x !!map {c: d\ne: f\n", u"flow-map-end"_s, 17}, {",", u"character"_s, 0},
        {"\n , x", u"character"_s, 2}};
    for (const auto &[text, reason, at] : rows) {
        const QList<Diagnostic> all = YamlDocument::parse(text).diagnostics();
        QVERIFY2(all.size() == 1, text.constData());
        QCOMPARE(all.first().code, u"yaml.syntax"_s);
        QCOMPARE(all.first().args.value(u"reason"_s).toString(), reason);
        QCOMPARE(all.first().at.begin, at);
    }
    // One that is meant.
    const QList<Diagnostic> meant = YamlDocument::parse("[a]: b\n").diagnostics();
    QVERIFY(meant.size() == 1 && meant.first().code == u"yaml.complex-key"_s);
}

// The parser only says what it waited for: the line of a character too many belongs where it is.
void TstYamlDocument::saysWhatIsTooMany()
{
    const QList<std::tuple<QByteArray, QString, qsizetype>> rows{{"a: {b: c}}\n", u"extra-bracket"_s, 9},
        {"a: {b: {c: d}}}\n", u"extra-bracket"_s, 14}, {"a: [1, 2]]\n", u"extra-bracket"_s, 9},
        {"{a: b}}\n", u"extra-bracket"_s, 6}, {"x: [a]\n]\n", u"extra-bracket"_s, 7},
        {"b: 'it''s [' # [\na: {b: c}}\n", u"extra-bracket"_s, 26}, {"a: [b}\n", u"bracket"_s, 5},
        {"a: {b: [c}}\n", u"bracket"_s, 9}, {"a: {b: c} x\nd: 1\n", u"after-value"_s, 10},
        {"a: {b: c}x\n", u"after-value"_s, 9}, {"a: {b: {c: d}} .\n", u"after-value"_s, 15},
        {"a: {b: c},\nd: 2\n", u"after-value"_s, 9}, {"a: \"x\" y\n", u"after-value"_s, 7},
        {"a: 'b'c\n", u"after-value"_s, 6}, {"- {a: b} x\n", u"after-value"_s, 9},
        {"{a: {b: c}, d: {e: f} x}\n", u"no-comma"_s, 22}, {"a: [\"b\" \"c\"]\n", u"no-comma"_s, 8}};
    for (const auto &[text, reason, at] : rows) {
        const QList<Diagnostic> all = YamlDocument::parse(text).diagnostics();
        QVERIFY2(all.size() == 1, text.constData());
        QCOMPARE(all.first().code, u"yaml.syntax"_s);
        const QString found = all.first().args.value(u"reason"_s).toString();
        const QString said = u"%1 %2 %3"_s.arg(QString::fromUtf8(text)).arg(found).arg(all.first().at.begin);
        QCOMPARE(said, u"%1 %2 %3"_s.arg(QString::fromUtf8(text)).arg(reason).arg(at));
        QVERIFY(all.first().strict);
    }
}

void TstYamlDocument::duplicateKeysNameBoth()
{
    const YamlDocument document = YamlDocument::parse("x: 1\nm:\n  key: a\n  other: b\n  \"key\": c\n");
    QCOMPARE(document.diagnostics().size(), 1);
    const Diagnostic &diagnostic = document.diagnostics().first();
    QCOMPARE(diagnostic.code, QStringLiteral("yaml.duplicate-key"));
    QCOMPARE(document.bytes().mid(diagnostic.at.begin, diagnostic.at.length()), QByteArray("\"key\""));
    QCOMPARE(diagnostic.args.value(QStringLiteral("key")).toString(), QStringLiteral("key"));
    QCOMPARE(diagnostic.args.value(QStringLiteral("otherBegin")).toInteger(), 10);
    QCOMPARE(diagnostic.args.value(QStringLiteral("otherEnd")).toInteger(), 13);
    QCOMPARE(diagnostic.path, path("/m/key"));
    const YamlNode *first = document.find(path("/m/key"));
    QVERIFY(first);
    QCOMPARE(first->scalar, QByteArray("a"));
    QVERIFY(!first->editable);
    QVERIFY(document.find(path("/m/other"))->editable);
}

void TstYamlDocument::brokenDocumentsGiveWhatStandsBefore()
{
    const YamlDocument document
        = YamlDocument::parse("name: x\ntaskRoles:\n  a:\n    instances: 2\n  b: c: d\nlast: 1\n");
    QVERIFY(!document.isComplete());
    QVERIFY(!document.isWellFormed());
    QVERIFY(document.root());
    QCOMPARE(document.find(path("/name"))->scalar, QByteArray("x"));
    QCOMPARE(document.find(path("/taskRoles/a/instances"))->scalar, QByteArray("2"));
    QVERIFY(!document.find(path("/last")));
    QVERIFY(YamlDocument::parse("a: 1\n").isComplete());
    const YamlDocument tab = YamlDocument::parse("a:\n\tb: 1\n");
    QCOMPARE(tab.diagnostics().first().fixes.size(), 1);
    const Fix &fix = tab.diagnostics().first().fixes.first();
    QVERIFY(YamlDocument::parse(applyEdits(tab.bytes(), fix.edits)).isWellFormed());
    // Among spaces a tab is as wide as what stands around it says, and without a fix where that says nothing.
    const auto untabbed = [](const QByteArray &text) {
        const QList<Fix> fixes = YamlDocument::parse(text).diagnostics().value(0).fixes;
        return fixes.isEmpty() ? QByteArray() : applyEdits(text, fixes.constFirst().edits);
    };
    QCOMPARE(untabbed("a:\n\tw:\n    n: 1\n    c:\n      - x\n"), "a:\n  w:\n    n: 1\n    c:\n      - x\n");
    QCOMPARE(untabbed("a:\n  w:\n    n: 1\n\tc:\n\t  - x\n"), "a:\n  w:\n    n: 1\n    c:\n      - x\n");
    QCOMPARE(untabbed("a:\n\tw:\n\t\tn: 1\nb:\n  c: 1\n"), "a:\n    w:\n        n: 1\nb:\n  c: 1\n");
    QCOMPARE(untabbed("a:\n\tw:\n  n: 1\n"), QByteArray());
    QCOMPARE(untabbed("r:\n\tw:\n    c:\n      - |\n\t\tif x: y\n"), QByteArray());
    // One that slipped in among them makes no part of the text above of its line.
    QCOMPARE(untabbed("r:\n  v:\n    c:\n      - >\n        x\n\t  w:\n    c:\n      - y\n"),
        "r:\n  v:\n    c:\n      - >\n        x\n  w:\n    c:\n      - y\n");
    QCOMPARE(untabbed("r:\n  v: |\n    x\n\tw: 1\n"), "r:\n  v: |\n    x\n    w: 1\n");
    const QByteArray twoColons = "description: a: b\nlast: 1\n";
    const QList<Fix> quotes = YamlDocument::parse(twoColons).diagnostics().constFirst().fixes;
    QCOMPARE(quotes.size(), 1);
    const YamlDocument quoted = YamlDocument::parse(applyEdits(twoColons, quotes.constFirst().edits));
    QVERIFY(quoted.isWellFormed());
    QCOMPARE(quoted.find(path("/description"))->scalar, QByteArray("a: b"));
}

void TstYamlDocument::secondDocument()
{
    const YamlDocument document = YamlDocument::parse("name: a\n---\ntoken: x\nkey: y\n");
    QVERIFY(document.isWellFormed());
    QVERIFY(document.isComplete());
    QVERIFY(document.secondRoot());
    QCOMPARE(document.secondRoot()->find("key")->scalar, QByteArray("y"));
    QVERIFY(!document.find(path("/key")));
    QCOMPARE(document.diagnostics().first().args.value(QStringLiteral("kind")).toString(), QStringLiteral("flat-map"));
}

void TstYamlDocument::finds_data()
{
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QByteArray>("expected"); // bytes of the node, "-" when there is none
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char *pointer, const char *expected, const char *key) {
        QTest::newRow(*pointer ? pointer : "root")
            << QString::fromUtf8(pointer) << QByteArray(expected) << QByteArray(key);
    };
    row("/a", "1", "a");
    row("/b/0", "x", "-");
    row("/b/1/c", "y", "'c'");
    row("/b/2", "-", "-");
    row("/b/-", "-", "-");
    row("/b/01", "-", "-");
    row("/b/x", "-", "-");
    row("/a.b", "2", "a.b");
    row("/a/b", "-", "-");
    row("/s~1t", "3", "s/t");
    row("/alias/1/c", "y", "'c'");
    row("/~0", "4", "~");
    row("/nothing", "-", "-");
    row("/e", "", "e");
}

void TstYamlDocument::finds()
{
    QFETCH(QString, pointer);
    QFETCH(QByteArray, expected);
    QFETCH(QByteArray, key);
    const YamlDocument document
        = YamlDocument::parse("a: 1\nb: &l\n  - x\n  - 'c': y\na.b: 2\ns/t: 3\nalias: *l\n~: 4\ne:\n");
    QVERIFY(document.isWellFormed());
    const YamlPath where = *YamlPath::fromPointer(pointer);
    const YamlNode *node = document.find(where);
    QCOMPARE(node ? document.bytes().mid(node->at.begin, node->at.length()) : QByteArray("-"), expected);
    const auto range = document.keyRange(where);
    QCOMPARE(range ? document.bytes().mid(range->begin, range->length()) : QByteArray("-"), key);
}

void TstYamlDocument::pathsOfPlaces_data()
{
    QTest::addColumn<QByteArray>("yaml"); // the place is the |
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *yaml, const char *pointer) {
        QTest::newRow(yaml) << QByteArray(yaml) << QString::fromLatin1(pointer);
    };
    row("a: x|yz\nb: 1\n", "/a");
    row("a: xyz|\nb: 1\n", "/a");
    row("a|b: xyz\nb: 1\n", "/ab");
    row("ab:| xyz\nb: 1\n", "/ab");
    row("ab: xyz\n|b: 1\n", "/b");
    row("a: 1 # c|\nb: 1\n", "");
    row("a:\n  b: 1\n  c: |2\n", "/a/c");
    row("a:\n  - x\n  - y|\n", "/a/1");
    row("a:\n  - x\n  |- y\n", "/a");
    row("a: [x, y|]\n", "/a/1");
    row("a: [x, y]|\n", "/a");
    row("a: |\n", "/a");
    row("<<: {a: 1}\n<<: {b: |2}\n", "/<<");
    row("# |x\na: 1\n", "");
    row("a: 1\n|", "");
}

void TstYamlDocument::pathsOfPlaces()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, expected);
    const qsizetype place = yaml.indexOf('|');
    yaml.remove(place, 1);
    QCOMPARE(YamlDocument::parse(yaml).pathAt(place).toPointer(), expected);
}

void TstYamlDocument::everyNodeKnowsItsPath()
{
    QByteArray yaml("list:\n");
    for (int i = 0; i < 200; ++i) {
        yaml += "  - k" + QByteArray::number(i) + ": {a: [1, {b: 2}], c: x}\n";
    }
    for (int i = 0; i < 200; ++i) {
        yaml += "key" + QByteArray::number(i) + ": v\n";
    }
    const YamlDocument document = YamlDocument::parse(yaml);
    QVERIFY(document.isWellFormed());
    int count = 0;
    const std::function<void(const YamlNode *)> visit = [&](const YamlNode *node) {
        ++count;
        const YamlPath where = document.pathOf(node);
        QCOMPARE(document.find(where), node);
        if (node->at.length() > 0 && node->kind == YamlNode::Kind::Scalar) {
            QCOMPARE(document.pathAt(node->at.begin), where);
        }
        for (const YamlNode::Entry &entry : node->entries) {
            QCOMPARE(entry.value->parent, node);
            visit(entry.value);
            if (entry.key) {
                QCOMPARE(document.pathOf(entry.key), document.pathOf(entry.value));
                QCOMPARE(document.keyRange(document.pathOf(entry.value)), std::optional(entry.key->at));
            }
        }
    };
    visit(document.root());
    qInfo("%d nodes", count);
}

void TstYamlDocument::hostileInput_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QString>("code"); // expected among the diagnostics; empty: none needed
    const auto row = [](const char *name, const QByteArray &yaml, const char *code) {
        QTest::newRow(name) << yaml << QString::fromLatin1(code);
    };
    row("one comma", ",", "yaml.syntax");
    row("8 MB of brackets", QByteArray(8 << 20, '['), "yaml.too-large");
    row("1 MB of brackets", QByteArray(1 << 20, '['), "yaml.too-large");
    row("99,000 brackets", QByteArray(99000, '['), "yaml.too-deep");
    row("99,000 open maps", QByteArray(99000, '{'), "yaml.too-deep");
    row("long flow list", '[' + QByteArray("1,").repeated(99000) + ']', "");
    row("flow list of quoted words", '[' + QByteArray("\"abc\",").repeated(99000) + ']', "");
    row("flow map of one key", '{' + QByteArray("a,").repeated(99000) + '}', "yaml.duplicate-key");
    row("dashes in a line", QByteArray("- ").repeated(500000), "yaml.too-deep");
    row("dashes below each other", QByteArray("-\n").repeated(500000), "yaml.too-large");
    row("question marks", QByteArray("? ").repeated(500000), "yaml.too-deep");
    row("colons", QByteArray(": ").repeated(500000), "yaml.too-deep");
    row("one long word", QByteArray(1000000, 'a'), "");
    row("empty lines", "a: b" + QByteArray(1000000, '\n'), "");
    row("empty lines in quotes", "a: \"" + QByteArray(1000000, '\n') + '"', "");
    row("comments", QByteArray("#\n").repeated(500000), "yaml.empty");
    row("anchors", QByteArray("- &a x\n").repeated(100000), "");
    row("alias to itself", "&a [*a]", "yaml.recursive-alias");
    QByteArray keys;
    for (int i = 0; i < 50000; ++i) {
        keys += "key" + QByteArray::number(i) + ": v\n";
    }
    row("50,000 keys", keys, "");
    QByteArray bomb("a0: &a0 [x, x]\n");
    for (int i = 1; i < 30; ++i) {
        const QByteArray item = "*a" + QByteArray::number(i - 1);
        bomb += 'a' + QByteArray::number(i) + ": &a" + QByteArray::number(i) + " [" + item
            + QByteArray(", " + item).repeated(8) + "]\n";
    }
    row("alias bomb", bomb, "yaml.too-many-aliases");
}

void TstYamlDocument::hostileInput()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QString, code);
    QElapsedTimer timer;
    timer.start();
    const YamlDocument document = YamlDocument::parse(yaml);
    // Two seconds in a release build; sanitizers and debug builds are some ten times slower.
    QVERIFY2(timer.elapsed() < 15000, qPrintable(QString::number(timer.elapsed())));
    QStringList codes;
    for (const Diagnostic &each : document.diagnostics()) {
        codes.append(each.code);
    }
    QVERIFY(codes.size() < 1000);
    if (!code.isEmpty()) {
        QVERIFY2(codes.contains(code), qPrintable(codes.mid(0, 5).join(u' ')));
    }
    // Following aliases comes to an end.
    int budget = 2000000;
    const std::function<void(const YamlNode *)> follow = [&](const YamlNode *node) {
        if (--budget < 0) {
            return;
        }
        for (const YamlNode::Entry &entry : node->resolved()->entries) {
            follow(entry.value);
        }
    };
    if (document.root()) {
        follow(document.root());
    }
    QVERIFY(budget >= 0);
}

void TstYamlDocument::largeJobIsFast()
{
    QByteArray yaml("protocolVersion: 2\nname: large\ntype: job\ntaskRoles:\n");
    int lines = 4;
    for (int i = 0; lines < 10000; ++i, lines += 13) {
        yaml += "  role" + QByteArray::number(i)
            + ":\n    instances: 1 # as many as there are hosts\n    dockerImage: image\n"
              "    resourcePerInstance: {cpu: 1, memoryMB: 1024, gpu: 0}\n    commands:\n"
              "      - echo hello world with some more text to fill the line, as real ones are\n      - |\n"
              "        for i in 1 2 3; do\n          echo $i >> $OUTPUT_DIR/file\n        done\n      - >-\n"
              "        folded text of two lines\n        that goes on here\n";
    }
    QElapsedTimer timer;
    timer.start();
    const YamlDocument document = YamlDocument::parse(yaml);
    qInfo("%d lines, %lld bytes: %lld ms", lines, static_cast<long long>(yaml.size()),
        static_cast<long long>(timer.elapsed()));
    QVERIFY(document.isWellFormed());
    QVERIFY(timer.elapsed() < 15000); // the budget of a release build is 100 ms
}

void TstYamlDocument::manyThreadsReadOneDocument()
{
    const YamlDocument document = YamlDocument::parse("a: [1, 2, {b: c}]\nd: 'x'\n");
    std::vector<std::thread> threads;
    std::atomic<int> found = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([document, &found] {
            for (int j = 0; j < 500; ++j) {
                // The copy is what is tested. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
                const YamlDocument copy = document;
                found += copy.find(path("/a/2/b")) != nullptr && copy.pathAt(5).size() == 2 ? 1 : 0;
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    QCOMPARE(found.load(), 2000);
}

TRAINYARD_TEST(TstYamlDocument)
#include "tst_yamldocument.moc"
