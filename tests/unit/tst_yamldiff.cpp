// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/yaml/yamldiff.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

class TstYamlDiff : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void becomes_data();
    void becomes();
    void readsEntries_data();
    void readsEntries();
};

void TstYamlDiff::becomes_data()
{
    QTest::addColumn<QByteArray>("yaml");
    QTest::addColumn<QByteArray>("wanted"); // for /a
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *yaml, const char *wanted, const char *expected) {
        QTest::newRow(name) << QByteArray(yaml) << QByteArray(wanted) << QByteArray(expected);
    };
    row("the same", "a:\n  x: 1 # c\n  y: [1, 2]\nb: 1\n", "y: [1, 2]\nx: 1\n", "a:\n  x: 1 # c\n  y: [1, 2]\nb: 1\n");
    row("one entry", "a:\n  x: 1 # c\n  y: 2\nb: 1\n", "x: 1\ny: 3", "a:\n  x: 1 # c\n  y: 3\nb: 1\n");
    row("another spelling", "a: 0.001 # c\n", "1e-3", "a: 1e-3 # c\n");
    row("a text of digits", "a: 1\n", "'1'", "a: '1'\n");
    row("entries come and go", "a:\n  x: 1 # c\n  y: 2\nb: 1\n", "z: {k: 1}\nx: 1",
        "a:\n  x: 1 # c\n  z:\n    k: 1\nb: 1\n");
    row("all others", "a:\n  x: 1\nb: 1\n", "z: 2", "a:\n  z: 2\nb: 1\n");
    row("a list grows", "a:\n  - 1 # one\n  - 3\nb: 1\n", "[1, 2, 3]", "a:\n  - 1 # one\n  - 2\n  - 3\nb: 1\n");
    row("a list shrinks", "a:\n  - 1\n  - 2 # c\n  - 3\n", "[1, 3]", "a:\n  - 1\n  - 3\n");
    row("maps in a list", "a:\n  - 1\nb: 1\n", "- 1\n- {x: 1, k: t}\n", "a:\n  - 1\n  - x: 1\n    k: t\nb: 1\n");
    row("a scalar becomes a map", "a: 1 # c\nb: 1\n", "x: 1\nk: [p, q]",
        "a: # c\n  x: 1\n  k:\n    - p\n    - q\nb: 1\n");
    row("a map becomes a scalar", "a:\n  x: 1\nb: 1\n", "7", "a: 7\nb: 1\n");
    row("a list becomes a map", "a: [1]\nb: 1\n", "x: 1", "a:\n  x: 1\nb: 1\n");
    row("nothing yet", "b: 1\n", "x: {k: 1}", "b: 1\na:\n  x:\n    k: 1\n");
    row("empty ones", "a: 1\n", "x: {}\nk: []\nz:", "a:\n  x: {}\n  k: []\n  z: null\n");
    row("inside brackets", "a: {x: 1}\n", "x: 1\nk: {z: 2}", "a: {x: 1, k: {z: 2}}\n");
    row("several lines", "a: 1\n", "|\n  x\n  y\n", "a: |\n  x\n  y\n");
}

void TstYamlDiff::becomes()
{
    QFETCH(QByteArray, yaml);
    QFETCH(QByteArray, wanted);
    QFETCH(QByteArray, expected);
    const YamlDocument document = YamlDocument::parse(yaml);
    const YamlDocument value = YamlDocument::parse(wanted);
    QVERIFY(value.isWellFormed());
    const YamlPath path{QStringLiteral("a")};
    const Result<TextEdits> edits = planEdits(document, opsToBecome(document.find(path), value.root(), path));
    QVERIFY2(edits, edits ? "" : qPrintable(edits.error().code));
    QCOMPARE(applyEdits(yaml, *edits), expected);
}

void TstYamlDiff::readsEntries_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("keys"); // key=value, with |
    const auto row = [](const char *name, const char *text, const char *keys) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(keys);
    };
    row("lines", "lr=0.1\nmodel = resnet 20\n\n# no\nexport D=\"a b\"\n--batch-size=32",
        "lr=0.1|model=resnet 20|D=a b|batch-size=32");
    row("what is no YAML", "a=x: y\nb=[1\nc=", "a=x: y|b=[1|c=");
    row("JSON", "{\"lr\": 1e-3, \"on\": true}", "lr=1e-3|on=true");
    row("YAML", "lr: 0.1\nmodel: x # c\n", "lr=0.1|model=x");
    row("a sentence", "some words", "");
    row("a list", "[1, 2]", "");
    row("a broken one", "{\"a\": ", "");
    row("nothing", "", "");
    row("hostile", "\",\n,{[=&*", "");
}

void TstYamlDiff::readsEntries()
{
    QFETCH(QString, text);
    QFETCH(QString, keys);
    const YamlDocument document = parseEntries(text);
    QStringList found;
    if (document.root()) {
        for (const YamlNode::Entry &entry : document.root()->entries) {
            found.append(QString::fromUtf8(entry.key->scalar + '=' + entry.value->scalar));
        }
    }
    QCOMPARE(found.join(u'|'), keys);
}

TRAINYARD_TEST(TstYamlDiff)
#include "tst_yamldiff.moc"
