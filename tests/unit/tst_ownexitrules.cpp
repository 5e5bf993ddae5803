// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/exitclassifier.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace trainyard::core;
using Kind = RawExit::Kind;
using Phase = RawExit::Phase;

// Tables of exits that users write, and their mistakes.
class TstOwnExitRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parse_data();
    void parse();
    void own();
    void ownMistakes_data();
    void ownMistakes();
};

void TstOwnExitRules::parse_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    const QString invalid = u"exitrules.invalid"_s;
    QTest::newRow("empty object") << QByteArray("{}") << QString();
    QTest::newRow("no JSON") << QByteArray("code: 1") << u"exitrules.json"_s;
    QTest::newRow("nothing") << QByteArray() << u"exitrules.json"_s;
    QTest::newRow("list") << QByteArray("[]") << invalid;
    QTest::newRow("entry without a code") << QByteArray(R"({"entries": [{"phrase": "x"}]})") << invalid;
    QTest::newRow("code of half") << QByteArray(R"({"entries": [{"code": 1.5}]})") << invalid;
    QTest::newRow("code twice") << QByteArray(R"({"entries": [{"code": 1}, {"code": 1}]})") << u"exitrules.twice"_s;
    QTest::newRow("bad pattern") << QByteArray(R"({"rules": [{"code": 1, "hint": "a", "pattern": "("}]})")
                                 << u"exitrules.pattern"_s;
    QTest::newRow("matches everything") << QByteArray(R"({"rules": [{"code": 1}]})") << invalid;
    QTest::newRow("pattern without a hint") << QByteArray(R"({"rules": [{"code": 1, "pattern": "x"}]})") << invalid;
    QTest::newRow("rules as a map") << QByteArray(R"({"rules": {"code": 1}})") << invalid;
    QTest::newRow("a rule as a number") << QByteArray(R"({"rules": [7]})") << invalid;
    QTest::newRow("an exit as a text") << QByteArray(R"({"rules": [{"code": 1, "exits": ["9"]}]})") << invalid;
    QTest::newRow("good") << QByteArray(R"({"rules": [{"code": 240, "exits": [9], "hint": "quota", "pattern": "^q"}]})")
                          << QString();
}

void TstOwnExitRules::parse()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const auto rules = ExitRules::parse(json);
    QCOMPARE(rules ? QString() : rules.error().code, error);
    if (!rules) {
        return;
    }
    RawExit exit;
    exit.value = 9;
    if (!rules->rules().isEmpty()) {
        QCOMPARE(classifyExit(*rules, exit, "quota exceeded\n").code, 240);
        QCOMPARE(classifyExit(*rules, exit, "the quota\n").code, 255);
        exit.value = 8;
        QCOMPARE(classifyExit(*rules, exit, "quota exceeded\n").code, 255);
    }
}

// A user's own table, before the bundled one.
void TstOwnExitRules::own()
{
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(R"json({
        "about": "of our lab",
        "entries": [
            {"code": 240, "phrase": "QuotaExceeded", "behavior": "PERMANENT", "reason": "The quota is used up."},
            {"code": 241, "phrase": "LicenceBusy", "behavior": "TRANSIENT_NORMAL", "reason": "No licence is free."},
            {"code": 137, "behavior": "UNKNOWN", "reason": "Killed."}],
        "rules": [
            {"code": 241, "exits": [42]},
            {"code": 240, "hint": "ImportError: quota"}],
        "findings": [
            {"name": "quota", "reason": "{1} has no room left.", "lines": [{"hint": "quota", "pattern": "quota of (\\w+)"}]
},
            {"name": "port-in-use", "reason": "Ask Ada.", "lines": [{"hint": "Address already in use"}]}]
})json");
    QVERIFY2(rules, rules ? "" : qPrintable(rules.error().code));
    QCOMPARE(rules->entries().size(), ExitRules::bundled().entries().size() + 2);
    QCOMPARE(rules->entryFor(240).reaction, u"NEVER_RETRY"_s);
    QCOMPARE(rules->entryFor(241).reaction, u"ALWAYS_RETRY"_s);
    // What was not named stays.
    QCOMPARE(rules->entryFor(137).phrase, u"ContainerSigKillReceived"_s);
    QCOMPARE(rules->entryFor(137).reaction, u"RETRY_TO_MAX"_s);
    QCOMPARE(rules->entryFor(137).reason, u"Killed."_s);
    RawExit exit;
    exit.value = 42;
    QCOMPARE(classifyExit(*rules, exit, "").code, 241);
    // A rule without a finding says what its entry says.
    QVERIFY(classifyExit(*rules, exit, "").saysOwnWords);
    QCOMPARE(classifyExit(*rules, exit, "").reason, u"exit.found"_s);
    QCOMPARE(classifyExit(*rules, exit, "").reasonArgs.value("reason"_L1).toString(), u"No licence is free."_s);
    QVERIFY(!classifyExit(*rules, exit, "the quota of ada\n").saysOwnWords); // the finding says more
    exit.value = 1;
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota of ada\n").code, 240);
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota of ada\n").rule, u"QuotaExceeded"_s);
    QCOMPARE(classifyExit(*rules, exit, "ImportError: x\n").code, 232); // the bundled ones come after
    QCOMPARE(classifyExit(*rules, exit, "the quota of ada\n").reasonArgs.value("reason"_L1).toString(),
        u"ada has no room left."_s);
    QCOMPARE(
        classifyExit(*rules, exit, "Address already in use\n").reasonArgs.value("reason"_L1).toString(), u"Ask Ada."_s);
    exit.value = 0;
    QCOMPARE(classifyExit(*rules, exit, "ImportError: quota\n").code, 0); // no table makes a success fail

    const Result<ExitRules> alone
        = ExitRules::bundled().withOwn(R"({"onlyOwnRules": true, "rules": [{"code": 220, "exits": [42]}]})");
    QVERIFY(alone);
    exit.value = 42;
    QCOMPARE(classifyExit(*alone, exit, "").code, 220);
    QVERIFY(!classifyExit(*alone, exit, "").saysOwnWords); // the words of 220 are the bundled ones
    exit.value = 1;
    QCOMPARE(classifyExit(*alone, exit, "ImportError: x\n").code, 255);
    QCOMPARE(alone->entryFor(232).phrase, u"ContainerImportError"_s); // codes keep their meaning

    // What the engine decides by.
    QCOMPARE(exitClassOf(ExitRules::bundled(), 241), ExitClass::Unknown);
    QCOMPARE(exitClassOf(ExitRules::bundled(), 137), ExitClass::Transient);
    QCOMPARE(exitClassOf(*rules, 241), ExitClass::Transient);
    QCOMPARE(exitClassOf(*rules, 240), ExitClass::Permanent);
    QCOMPARE(exitClassOf(*rules, 137), ExitClass::Unknown);
    QVERIFY(decideRetry(*rules, true, 0, 0, 241).retry);
    QVERIFY(!decideRetry(ExitRules::bundled(), true, 0, 0, 241).retry);
}

void TstOwnExitRules::ownMistakes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("error");
    QTest::newRow("wrong name") << QByteArray(R"({"rule": []})") << u"exitrules.unknown"_s;
    QTest::newRow("list") << QByteArray("[]") << u"exitrules.invalid"_s;
    QTest::newRow("failure as success") << QByteArray(R"({"rules": [{"code": 0, "exits": [3]}]})")
                                        << u"exitrules.reserved"_s;
    QTest::newRow("a stop") << QByteArray(R"({"entries": [{"code": -210, "behavior": "UNKNOWN"}]})")
                            << u"exitrules.reserved"_s;
    QTest::newRow("no entry") << QByteArray(R"({"rules": [{"code": 244, "exits": [3]}]})") << u"exitrules.no-entry"_s;
    QTest::newRow("no words") << QByteArray(R"({"entries": [{"code": 244, "phrase": "X", "behavior": "UNKNOWN"}]})")
                              << u"exitrules.invalid"_s;
    QTest::newRow("behaviour") << QByteArray(R"({"entries": [{"code": 137, "behavior": "RETRY"}]})")
                               << u"exitrules.invalid"_s;
    QTest::newRow("behaviour of success")
        << QByteArray(R"({"entries": [{"code": 137, "behavior": "SUCCEEDED"}]})") << u"exitrules.invalid"_s;
    QTest::newRow("number for words") << QByteArray(R"({"entries": [{"code": 137, "reason": 7}]})")
                                      << u"exitrules.invalid"_s;
    QTest::newRow("twice") << QByteArray(R"({"entries": [{"code": 137}, {"code": 137}]})") << u"exitrules.twice"_s;
    QTest::newRow("pattern") << QByteArray(
        R"({"findings": [{"name": "x", "reason": "y", "lines": [{"hint": "a", "pattern": "["}]}]})")
                             << u"exitrules.pattern"_s;
    QTest::newRow("only") << QByteArray(R"({"onlyOwnRules": "yes"})") << u"exitrules.invalid"_s;
}

void TstOwnExitRules::ownMistakes()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, error);
    const Result<ExitRules> rules = ExitRules::bundled().withOwn(json);
    QCOMPARE(rules ? QString() : rules.error().code, error);
}

TRAINYARD_TEST(TstOwnExitRules)
#include "tst_ownexitrules.moc"
