// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/ruletexts.h"

#include <QTest>

using namespace trainyard;
using namespace trainyard::ruletexts;
using namespace Qt::StringLiterals;

// What the rules suggest: names that are meant, colons in values and commands, references that go along.
class TstRuleFixes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesWithColons_data();
    void valuesWithColons();
    void badCharactersAreNamed_data();
    void badCharactersAreNamed();
    void suggestionsAreStable();
    void unusedIsWhatIsMeant();
    void definedParameterAsksForItsValue();
    void renamesTakeReferencesAlong();
    void itemsThatAreNoTexts();
    void commandsWithColons_data();
    void commandsWithColons();
};

// A number is not put in quotes, and a field behind a value gets a line of its own.
void TstRuleFixes::valuesWithColons_data()
{
    QTest::addColumn<QByteArray>("line"); // of the resources
    QTest::addColumn<QStringList>("titles");
    QTest::addColumn<QByteArray>("first"); // what the first fix makes of it
    QTest::newRow("a number") << QByteArray("cpu: 2 x: 3") << QStringList() << QByteArray();
    QTest::newRow("a number and a field")
        << QByteArray("cpu: 2 gpu: 3") << QStringList{u"fix.split-line"_s} << QByteArray("cpu: 2\n      gpu: 3");
    QTest::newRow("a text") << QByteArray("x: a b: c") << QStringList{u"fix.quote-value"_s}
                            << QByteArray("x: 'a b: c'");
    QTest::newRow("a text and a field") << QByteArray("x: a  gpu: 3")
                                        << QStringList{u"fix.split-line"_s, u"fix.quote-value"_s}
                                        << QByteArray("x: a\n      gpu: 3");
}

void TstRuleFixes::valuesWithColons()
{
    QFETCH(QByteArray, line);
    const QByteArray job = resources("\n      " + line + "\n      memoryMB: 1");
    const ParseOutcome outcome = parseJob(job);
    QCOMPARE(outcome.diagnostics.size(), 1);
    QStringList found;
    for (const Fix &fix : outcome.diagnostics.constFirst().fixes) {
        found.append(fix.title);
    }
    QTEST(found, "titles");
    if (!found.isEmpty()) {
        QFETCH(QByteArray, first);
        QCOMPARE(
            applied(job, outcome.diagnostics.constFirst().fixes.constFirst()), QByteArray(job).replace(line, first));
    }
}

// Of a long name the sentence shows only the beginning.
void TstRuleFixes::badCharactersAreNamed_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("character"); // empty: the name has another fault
    const QString longest(60, u'a');
    QTest::newRow("behind what is shown") << longest + u"v1.5"_s << u"."_s;
    QTest::newRow("the first of several") << u"a b.c"_s << u" "_s;
    QTest::newRow("of two units") << u"a\U0001F600"_s << u"\U0001F600"_s;
    QTest::newRow("too long") << QString(256, u'a') << QString();
}

void TstRuleFixes::badCharactersAreNamed()
{
    QFETCH(const QString, name);
    const ParseOutcome outcome = parseJob("protocolVersion: 2\nname: '" + name.toUtf8() + "'\ntype: job\n");
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code.startsWith("name."_L1); });
    QVERIFY(found != outcome.diagnostics.cend());
    QTEST(found->args.value("character"_L1).toString(), "character");
}

void TstRuleFixes::suggestionsAreStable()
{
    QByteArray many;
    for (int i = 0; i < 30; ++i) {
        many += "  - {name: data" + QByteArray::number(i) + ", type: data, uri: []}\n";
    }
    const QByteArray job = prerequisite(many, "    data: datax\n");
    QString first;
    for (int i = 0; i < 5; ++i) {
        const ParseOutcome outcome = parseJob(job);
        for (const Diagnostic &each : outcome.diagnostics) {
            if (each.code == u"role.reference-undefined"_s) {
                QCOMPARE(each.fixes.size(), 1);
                const QString name = each.fixes.first().args.value(u"name"_s).toString();
                QVERIFY(first.isEmpty() || first == name);
                first = name;
            }
        }
    }
    QCOMPARE(first, u"data0"_s);
}

// One parameter that nothing refers to, and one reference to nothing: correcting comes before adding and removing.
void TstRuleFixes::unusedIsWhatIsMeant()
{
    const auto fixesOf = [](const QByteArray &job, const QString &code) {
        QStringList titles;
        const ParseOutcome outcome = parseJob(job);
        for (const Diagnostic &each : outcome.diagnostics) {
            for (const Fix &fix : each.code == code ? each.fixes : QList<Fix>()) {
                titles.append(fix.title);
            }
        }
        return titles.join(u' ');
    };
    const QString unused = u"parameter.unused"_s, unknown = u"template.unknown-parameter"_s;
    const QByteArray job = commands(
        "['<% $parameters.rate %> <% $parameters.b %>', '<% $parameters.rate %>']", "parameters: {lr: 1, b: 2}\n");
    QCOMPARE(fixesOf(job, unused), u"fix.refer-to fix.remove"_s);
    QVERIFY(fixesOf(job, unknown).startsWith(u"fix.did-you-mean fix.define-parameter"_s));
    const ParseOutcome outcome = parseJob(job);
    for (const Diagnostic &each : outcome.diagnostics) {
        if (each.code == unused) {
            const QByteArray fixed = applyEdits(job, each.fixes.constFirst().edits);
            QVERIFY2(fixed.count("$parameters.lr %>") == 2 && !fixed.contains("rate"), fixed.constData());
        }
    }
    // Of several, only what is alike.
    const QByteArray more = commands("['<% $parameters.rate %>']", "parameters: {lr: 1, rates: 2}\n");
    QCOMPARE(fixesOf(more, unused), u"fix.remove fix.refer-to fix.remove"_s);
    const QByteArray others = commands("['<% $parameters.rate %>']", "parameters: {lr: 1, b: 2}\n");
    QCOMPARE(fixesOf(others, unused), u"fix.remove fix.remove"_s);
    QCOMPARE(fixesOf(others, unknown), u"fix.define-parameter"_s);
}

// The value of a parameter that a fix has added is for the user to write: until then it is reported where it is used.
// An empty text is a value.
void TstRuleFixes::definedParameterAsksForItsValue()
{
    const auto codesOf = [](const QByteArray &job) {
        QStringList codes;
        const ParseOutcome outcome = parseJob(job);
        for (const Diagnostic &each : outcome.diagnostics) {
            codes.append(each.code);
        }
        return codes;
    };
    const QByteArray job = commands("['<% $parameters.rate %>']");
    const ParseOutcome outcome = parseJob(job);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"template.unknown-parameter"_s; });
    QVERIFY(found != outcome.diagnostics.cend());
    QCOMPARE(found->fixes.size(), 1);
    const QByteArray fixed = applied(job, found->fixes.constFirst());
    QVERIFY2(fixed.contains("parameters:\n  rate: null\n"), fixed.constData());
    QCOMPARE(codesOf(fixed).filter(u"template."_s), QStringList{u"template.no-value"_s});
    for (const QByteArray &value : {QByteArray("\"\""), QByteArray("''"), QByteArray("0"), QByteArray("false")}) {
        QCOMPARE(codesOf(QByteArray(fixed).replace("null", value)).filter(u"template."_s), QStringList());
    }
}

void TstRuleFixes::renamesTakeReferencesAlong()
{
    const QByteArray job = text({}).replace("  w:\n", "  Worker:\n").replace("[a]", "['ping $PAI_HOST_IP_Worker_0']")
        + "deployments: [{name: d, taskRoles: {Worker: {preCommands: [b]}}}]\ndefaults: {deployment: d}\n";
    const ParseOutcome outcome = parseJob(job);
    const auto found = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"role.name.not-portable"_s; });
    QVERIFY(found != outcome.diagnostics.cend());
    QCOMPARE(found->fixes.size(), 1);
    const QByteArray after = applied(job, found->fixes.first());
    QVERIFY2(!after.contains("Worker"), after.constData());
    QVERIFY(after.contains("$PAI_HOST_IP_worker_0"));
    QVERIFY(parseJob(after).canRun());
}

// What is wrong with an item is said, and not that it is blank as well.
void TstRuleFixes::itemsThatAreNoTexts()
{
    QStringList codes;
    for (const Diagnostic &each : parseJob(commands("\n      - echo loss: 3")).diagnostics) {
        codes.append(each.code);
    }
    QCOMPARE(codes, QStringList{u"field.item-not-text"_s});
}

void TstRuleFixes::commandsWithColons_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("command"); // empty: nothing is offered
    QTest::newRow("one") << QByteArray("echo loss: 3") << u"echo loss: 3"_s;
    QTest::newRow("quotes inside") << QByteArray("echo 'a: b' \"c\"") << u"echo 'a: b' \"c\""_s;
    QTest::newRow("at the end") << QByteArray("echo loss:") << u"echo loss:"_s;
    QTest::newRow("with a comment") << QByteArray("echo loss: 3  # says it") << u"echo loss: 3"_s;
    QTest::newRow("two") << QByteArray("echo a: 1, b: 2") << u"echo a: 1, b: 2"_s;
    QTest::newRow("three") << QByteArray("echo a: 1, b: 2, c: 'x'") << u"echo a: 1, b: 2, c: 'x'"_s;
    QTest::newRow("over two lines") << QByteArray("echo a: 1\n        b") << QString();
    QTest::newRow("two entries") << QByteArray("a: 1\n        b: 2") << QString();
}

void TstRuleFixes::commandsWithColons()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, command);
    const QByteArray job = commands("\n      - " + line + "\n      - 'true'");
    const Fix *fix = nullptr;
    const ParseOutcome outcome = parseJob(job);
    for (const Diagnostic &each : outcome.diagnostics) {
        for (const Fix &one : each.fixes) {
            fix = one.title == u"fix.quote-command"_s ? &one : fix;
        }
    }
    QCOMPARE(fix != nullptr, !command.isEmpty());
    if (fix) {
        const ParseOutcome after = parseJob(applied(job, *fix));
        QVERIFY2(after.canRun(), applied(job, *fix).constData());
        QCOMPARE(after.spec->taskRoles.constFirst().commands, (QStringList{command, u"true"_s}));
    }
}

TRAINYARD_TEST(TstRuleFixes)
#include "tst_rulefixes.moc"
