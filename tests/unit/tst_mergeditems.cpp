// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/mergeditems.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

#include <algorithm>

using namespace trainyard;

// Items of a list that are indented too far, so that YAML reads them as more of the text above.
class TstMergedItems : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void finds_data();
    void finds();
    void saysNothing_data();
    void saysNothing();
    void isNoVerdictOfTheServer();
};

void TstMergedItems::finds_data()
{
    QTest::addColumn<QByteArray>("text"); // ^ before the place
    QTest::addColumn<QByteArray>("mended"); // empty: there is no fix
    const auto row = [](const char *name, const char *text, const char *mended) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(mended);
    };
    row("second command", "commands:\n  - pip install x\n    ^- python3 train.py\n",
        "commands:\n  - pip install x\n  - python3 train.py\n");
    row("indented by one", "commands:\n- a\n ^- b\n- c\n", "commands:\n- a\n- b\n- c\n");
    row("all of them at once", "commands:\n  - a\n    ^- b\n    - c\n  - d\n",
        "commands:\n  - a\n  - b\n  - c\n  - d\n");
    row("lines that go on", "commands:\n  - a\n    --more\n    ^- b\n      --more\n",
        "commands:\n  - a\n    --more\n  - b\n      --more\n");
    row("behind an empty line", "commands:\n  - a\n\n    ^- b\n", "commands:\n  - a\n\n  - b\n");
    row("windows line ends", "commands:\r\n  - a\r\n    ^- b\r\n", "commands:\r\n  - a\r\n  - b\r\n");
    row("in a list of a list", "a:\n  - - b\n      ^- c\n", "a:\n  - - b\n    - c\n");
    row("each deeper than the last", "commands:\n  - a\n    ^- b\n      - c\n", "");
    row("would be no YAML", "commands:\n  - a\n    ^- \"b\" c\n", "");
    row("below a key", "commands: a\n  ^- b\n", "");
}

void TstMergedItems::finds()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, mended);
    const qsizetype place = text.indexOf('^');
    text.remove(place, 1);
    const QList<Diagnostic> found = checkMergedItems(YamlDocument::parse(text));
    QCOMPARE(found.size(), 1);
    const Diagnostic &diagnostic = found.constFirst();
    QCOMPARE(diagnostic.code, QStringLiteral("yaml.merged-item"));
    QCOMPARE(diagnostic.severity, Severity::Warning);
    QCOMPARE(diagnostic.at.begin, place);
    QCOMPARE(diagnostic.fixes.size(), mended.isEmpty() ? 0 : 1);
    if (!mended.isEmpty()) {
        QCOMPARE(applyEdits(text, diagnostic.fixes.constFirst().edits), mended);
        QVERIFY(checkMergedItems(YamlDocument::parse(mended)).isEmpty());
    }
}

void TstMergedItems::saysNothing_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, const char *text) { QTest::newRow(name) << QByteArray(text); };
    row("items in line", "commands:\n  - a\n  - b\n");
    row("a list in a list", "a:\n  -\n    - b\n    - c\n");
    row("double quotes", "commands:\n  - \"a\n    - b\"\n");
    row("single quotes", "commands:\n  - 'a\n    - b'\n");
    row("literal", "commands:\n  - |\n    a\n    - b\n");
    row("folded", "commands:\n  - >-\n    a\n    - b\n");
    row("options", "commands:\n  - a\n    -b\n    --c\n");
    row("description", "description: This job\n  - trains\n  - tests\n");
    row("brackets", "commands: [a\n  , b]\n");
    row("comment", "commands:\n  - a\n    # - b\n");
    row("empty", "");
}

void TstMergedItems::saysNothing()
{
    QFETCH(QByteArray, text);
    QVERIFY(checkMergedItems(YamlDocument::parse(text)).isEmpty());
}

void TstMergedItems::isNoVerdictOfTheServer()
{
    const QByteArray text = "protocolVersion: 2\nname: j\ntype: job\ntaskRoles:\n  w:\n    commands:\n      - a\n"
                            "        - b\n";
    const auto said = [&text](CheckMode mode) {
        const QList<Diagnostic> found = parseJob(text, mode).diagnostics;
        return std::any_of(found.cbegin(), found.cend(),
            [](const Diagnostic &each) { return each.code == QLatin1String("yaml.merged-item"); });
    };
    QVERIFY(said(CheckMode::Friendly));
    QVERIFY(!said(CheckMode::Strict));
}

TRAINYARD_TEST(TstMergedItems)
#include "tst_mergeditems.moc"
