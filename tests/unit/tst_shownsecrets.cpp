// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/shownsecrets.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QTest>

using namespace trainyard;

// What of a text is drawn over, hidden or masked where it is shown.
class TstShownSecrets : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hides_data();
    void hides();
    void hidesInManyLines();
    void comparesWithoutShowing_data();
    void comparesWithoutShowing();
};

void TstShownSecrets::hides_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char *name, const QByteArray &text, const QByteArray &shown) {
        QTest::newRow(name) << text << shown;
    };
    row("value", "secrets:\n  a: hunter2 # mine\nname: x\n", "secrets:\n  a: ******* # mine\nname: x\n");
    row("value that a command repeats", "secrets: {a: hunter2}\ncommands: [login hunter2, x]\n",
        "secrets: {a: *******}\ncommands: [login *******, x]\n");
    row("quoted value that a command repeats", "secrets: {a: 'hunter2'}\ncommands: [login hunter2]\n",
        "secrets: {a: *********}\ncommands: [login *******]\n");
    row("short value stays a word of commands", "secrets: {a: run}\ncommands: [run it]\n",
        "secrets: {a: ***}\ncommands: [run it]\n");
    row("masked already", "secrets: {a: \"******\"}\ncommands: ['echo ******']\n",
        "secrets: {a: \"******\"}\ncommands: ['echo ******']\n");
    row("no secret", "name: hunter2\n", "name: hunter2\n");
    // The rest cannot be read to its end.
    row("unclosed bracket", "secrets:\n  a: hunter2\n  'b' : 'x y'\nname: [\n",
        "secrets:\n  a: *******\n  'b' : ** **\nname: [\n");
    row("the error is in the secrets", "secrets:\n  a: \"hunter2\n  b: hunter3\nname: x\n",
        "secrets:\n  a: ********\n  b: *******\nname: x\n");
    row("the error is before them", "name: x: y\nsecrets:\n  a: hunter2\ntype: job\n",
        "name: x: y\nsecrets:\n  a: *******\ntype: job\n");
    row("several lines", "secrets:\n  a: |\n    hunter2\n    url: x\n  b: hunter3\nname: [\n",
        "secrets:\n  a: *\n    *******\n    **** *\n  b: *******\nname: [\n");
    row("in brackets", "secrets: {a: hunter2,\n  b: hunter3}\nname: [\n",
        "secrets: *** ********\n  b: ********\nname: [\n");
    row("a list of them", "secrets:\n- hunter2\n- hunter3\nname: [\n", "secrets:\n* *******\n* *******\nname: [\n");
    row("quoted key", "\"secrets\":\n  a: hunter2\nname: [\n", "\"secrets\":\n  a: *******\nname: [\n");
    row("a comment beside the key", "secrets: # of the team\n  a: hunter2\nname: [\n",
        "secrets: # of the team\n  a: *******\nname: [\n");
    row("line ends of Windows", "secrets:\r\n  a: hunter2\r\nname: [\r\n", "secrets:\r\n  a: *******\r\nname: [\r\n");
    row("a byte order mark", "\xef\xbb\xbfsecrets:\n  a: hunter2\nname: [\n",
        "\xef\xbb\xbfsecrets:\n  a: *******\nname: [\n");
    row("the password of a login", "auth: {username: u, \"password\": hunter2}\nname: [\n",
        "auth: {username: u, \"password\": ********\nname: [\n");
    row("a password by reference", "auth:\n  password: <% $secrets.a %>\nname: [\n",
        "auth:\n  password: <% $secrets.a %>\nname: [\n");
    row("keys elsewhere", "extras:\n  secrets: x\n  passwords: y\nname: [\n",
        "extras:\n  secrets: x\n  passwords: y\nname: [\n");
    row("nothing behind the colon", "secrets:\n  a:\n  b: ''\nname: [\n", "secrets:\n  a:\n  b: **\nname: [\n");
    row("at the end", "name: [\nsecrets:\n  a: hunter2", "name: [\nsecrets:\n  a: *******");
    row("not UTF-8", "secrets:\n  a: hunter2\xff\n", "secrets:\n  a: ********\n");
}

void TstShownSecrets::hides()
{
    QFETCH(QByteArray, text);
    const YamlDocument document = YamlDocument::parse(text);
    QTEST(withHiddenSecrets(document), "shown");
    const QList<ByteRange> ranges = secretRangesIn(document);
    qsizetype end = 0;
    for (const ByteRange &range : ranges) {
        QVERIFY(range.begin >= end && range.begin < range.end && range.end <= text.size());
        end = range.end;
    }
}

// A text beyond the limit of the parser is read line by line.
void TstShownSecrets::hidesInManyLines()
{
    const QByteArray lines = QByteArray("      echo a line of a big file of commands\n").repeated(120'000);
    const QByteArray text = "auth: {password: hunter2}\n" + lines + "end: {password: hunter3}\n";
    QElapsedTimer timer;
    timer.start();
    const YamlDocument document = YamlDocument::parse(text);
    QVERIFY(!document.isComplete());
    const QList<ByteRange> ranges = secretRangesIn(document);
    const qint64 took = timer.elapsed();
    QCOMPARE(ranges.size(), 2);
    QCOMPARE(text.mid(ranges.at(1).begin, ranges.at(1).length()), QByteArray("hunter3}"));
    QVERIFY2(took < 15'000, qPrintable(QString::number(took)));
}

void TstShownSecrets::comparesWithoutShowing_data()
{
    QTest::addColumn<QByteArray>("older");
    QTest::addColumn<QByteArray>("newer");
    QTest::addColumn<QByteArray>("shownOlder");
    QTest::addColumn<QByteArray>("shownNewer");
    const QByteArray text = "secrets:\n  a: hunter2 # mine\n  b: |\n    hunter3\nname: x\n";
    const QByteArray masked = "secrets:\n  a: \"******\" # mine\n  b: \"******\"\nname: x\n";
    const auto changed = [](QByteArray of, const char *from, const char *to) { return of.replace(from, to); };
    QTest::newRow("the same") << text << text << masked << masked;
    QTest::newRow("another value") << text << changed(text, "hunter2", "hunter4") << masked
                                   << changed(masked, "a: \"******\"", "a: \"****** (new)\"");
    QTest::newRow("quotes are no other value of the mask")
        << text << changed(text, "name: x", "name: y") << masked << changed(masked, "name: x", "name: y");
    QTest::newRow("one more") << text << changed(text, "name:", "  c: hunter5\nname:") << masked
                              << changed(masked, "name:", "  c: \"******\"\nname:");
    QTest::newRow("a text that cannot be read") << text << QByteArray("secrets:\n  a: hunter4\nname: [\n") << masked
                                                << QByteArray("secrets:\n  a: *******\nname: [\n");
}

void TstShownSecrets::comparesWithoutShowing()
{
    QFETCH(QByteArray, older);
    QFETCH(QByteArray, newer);
    const ShownTexts shown = shownForComparison(older, newer, "(new)");
    QTEST(shown.older, "shownOlder");
    QTEST(shown.newer, "shownNewer");
}

TRAINYARD_TEST(TstShownSecrets)
#include "tst_shownsecrets.moc"
