// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/oddcharacters.h"
#include "model/yaml/yamledit.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

// What looks like a blank, a colon or a quote and is none.
class TstOddCharacters : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void finds_data();
    void finds();
    void saysNothing_data();
    void saysNothing();
    void isNoVerdictOfTheServer();
    void staysSmall();
};

void TstOddCharacters::finds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QByteArray>("mended"); // empty: there is no fix
    const auto row = [](const char *name, const char *text, const char *code, const char *mended) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(code) << QByteArray(mended);
    };
    row("no-break space in a command",
        "commands:\n  - python\xC2\xA0train.py # a\xC2\xA0"
        "b\n",
        "yaml.odd-blank",
        "commands:\n  - python train.py # a\xC2\xA0"
        "b\n");
    row("ideographic space in a literal", "commands:\n  - |\n    ls\xE3\x80\x80-l\n    pwd\n", "yaml.odd-blank",
        "commands:\n  - |\n    ls -l\n    pwd\n");
    row("in single quotes", "commands: ['ls\xC2\xA0-l']\n", "yaml.odd-blank", "commands: ['ls -l']\n");
    row("behind a value", "name: job\xC2\xA0\n", "yaml.odd-blank", "name: job \n");
    row("in a key", "job\xC2\xA0name: a\n", "yaml.odd-blank", "job name: a\n");
    row("zero width in a name", "dockerImage: im\xE2\x80\x8Bg\n", "yaml.odd-invisible", "dockerImage: img\n");
    row("several at once",
        "uri: a\xC2\xA0"
        "b\xE2\x80\x8B"
        "c\n",
        "yaml.odd-blank", "uri: a bc\n");
    row("full-width colon in an item", "a:\n  - name\xEF\xBC\x9Aimg\n", "yaml.odd-colon", "a:\n  - name: img\n");
    row("full-width colon, no YAML",
        "w:\n  instances\xEF\xBC\x9A"
        "2\n  gpu: 1\n",
        "yaml.odd-colon", "w:\n  instances: 2\n  gpu: 1\n");
    row("indented by it",
        "w:\n\xE3\x80\x80\xE3\x80\x80"
        "a: 1\n  b: [\n",
        "yaml.odd-blank", "w:\n  a: 1\n  b: [\n");
    row("typographic quotes around a value", "name: \xE2\x80\x9Cjob\xE2\x80\x9D\n", "yaml.odd-quote",
        "name: \"job\"\n");
    row("typographic quotes in a command", "commands:\n  - echo \xE2\x80\x9Chi you\xE2\x80\x9D\n", "yaml.odd-quote",
        "commands:\n  - echo \"hi you\"\n");
    row("in double quotes", "commands: [\"echo \xE2\x80\x9Chi\xE2\x80\x9D\"]\n", "yaml.odd-quote",
        "commands: [\"echo \\\"hi\\\"\"]\n");
    row("around a parameter", "parameters:\n  a: 1\xC2\xA0\n", "yaml.odd-blank", "parameters:\n  a: 1 \n");
}

void TstOddCharacters::finds()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, code);
    QFETCH(QByteArray, mended);
    const YamlDocument document = YamlDocument::parse(text);
    const QList<Diagnostic> found = checkOddCharacters(document);
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().code, code);
    QVERIFY(!found.first().strict);
    QCOMPARE(found.first().severity, Severity::Warning);
    QVERIFY(!QByteArray(text.mid(found.first().at.begin, found.first().at.length())).isEmpty());
    QCOMPARE(found.first().fixes.size(), mended.isEmpty() ? 0 : 1);
    if (!mended.isEmpty()) {
        const auto edits = planFix(document, found.first().fixes.first());
        QVERIFY(edits);
        const QByteArray after = applyEdits(text, *edits);
        QCOMPARE(after, mended);
        QVERIFY(checkOddCharacters(YamlDocument::parse(after)).isEmpty());
    }
}

void TstOddCharacters::saysNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QByteArray(text); };
    row("comment",
        "a: b # c\xC2\xA0"
        "d\n");
    row("comment of a broken text",
        "a: [ # c\xE3\x80\x80"
        "d\n");
    row("description",
        "description: \xE8\xAE\xAD\xE7\xBB\x83\xE3\x80\x80\xE6\xA8\xA1\xE5\x9E\x8B\xEF\xBC\x9A"
        "a\n");
    row("prose in a parameter", "parameters:\n  prompt: \xE4\xBD\xA0\xE3\x80\x80\xE5\xA5\xBD\n");
    row("letters of any script", "name: \xE8\xAE\xAD\xE7\xBB\x83\ncommands: [\"echo \xC3\xA4\xC3\xB6\"]\n");
    row("an apostrophe", "commands:\n  - echo it\xE2\x80\x99s done\n");
    row("a picture made of several", "commands:\n  - echo \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB\n");
    row("a colon in a sentence",
        "commands:\n  - echo a\xEF\xBC\x9A"
        "b\n");
    row("mark at the beginning", "\xEF\xBB\xBFname: a\n");
    row("not UTF-8", "name: \xC2\xA0\xFF\n");
    row("nothing odd", "name: a\n");
    row("empty", "");
}

void TstOddCharacters::saysNothing()
{
    QFETCH(QByteArray, text);
    const QList<Diagnostic> found = checkOddCharacters(YamlDocument::parse(text));
    QVERIFY2(found.isEmpty(), found.isEmpty() ? "" : qPrintable(found.first().code));
}

void TstOddCharacters::isNoVerdictOfTheServer()
{
    const QByteArray text = "protocolVersion: 2\nname: n\ntype: job\ntaskRoles:\n  w:\n    commands: [ls\xC2\xA0-l]\n"
                            "    dockerImage: i\n    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 1}\n"
                            "prerequisites: [{name: i, type: dockerimage, uri: x}]\n";
    const auto says = [](const ParseOutcome &outcome) {
        return std::any_of(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
            [](const Diagnostic &each) { return each.code.startsWith(u"yaml.odd"); });
    };
    const ParseOutcome friendly = parseJob(text);
    QVERIFY(says(friendly));
    QVERIFY(friendly.canRun());
    const ParseOutcome strict = parseJob(text, CheckMode::Strict);
    QVERIFY(strict.canRun());
    QVERIFY(!says(strict));
}

void TstOddCharacters::staysSmall()
{
    QByteArray text = "commands:\n";
    for (int i = 0; i < 20'000; ++i) {
        text += "  - a\xC2\xA0"
                "b\n";
    }
    const QList<Diagnostic> found = checkOddCharacters(YamlDocument::parse(text));
    QCOMPARE(found.size(), 50);
}

TRAINYARD_TEST(TstOddCharacters)
#include "tst_oddcharacters.moc"
