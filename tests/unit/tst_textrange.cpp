// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/base/lineindex.h"
#include "model/base/textrange.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace trainyard;

class TstTextRange : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void applies_data();
    void applies();
    void lines_data();
    void lines();
    void lineStartsAreClamped();
};

void TstTextRange::applies_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<TextEdits>("edits");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("none") << QByteArray("abc") << TextEdits{} << QByteArray("abc");
    QTest::newRow("insert") << QByteArray("abc") << TextEdits{{{1, 1}, "X"}} << QByteArray("aXbc");
    QTest::newRow("replace") << QByteArray("abc") << TextEdits{{{1, 2}, "XY"}} << QByteArray("aXYc");
    QTest::newRow("remove all") << QByteArray("abc") << TextEdits{{{0, 3}, ""}} << QByteArray("");
    QTest::newRow("append") << QByteArray("abc") << TextEdits{{{3, 3}, "d"}} << QByteArray("abcd");
    QTest::newRow("several") << QByteArray("abcdef") << TextEdits{{{0, 1}, "1"}, {{2, 3}, ""}, {{6, 6}, "!"}}
                             << QByteArray("1bdef!");
    QTest::newRow("touching") << QByteArray("abcd") << TextEdits{{{1, 2}, "X"}, {{2, 3}, "Y"}} << QByteArray("aXYd");
    QTest::newRow("two at one place") << QByteArray("ab") << TextEdits{{{1, 1}, "1"}, {{1, 1}, "2"}}
                                      << QByteArray("a12b");
    QTest::newRow("bytes") << QByteArray("\x00\xFFz", 3) << TextEdits{{{1, 2}, QByteArray("\x00", 1)}}
                           << QByteArray("\x00\x00z", 3);
}

void TstTextRange::applies()
{
    QFETCH(QByteArray, text);
    QFETCH(TextEdits, edits);
    QFETCH(QByteArray, expected);
    QCOMPARE(applyEdits(text, edits), expected);
}

void TstTextRange::lines_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("offset");
    QTest::addColumn<qsizetype>("line");
    QTest::addColumn<qsizetype>("column");
    const auto row = [](const char *name, const QByteArray &text, qsizetype offset, qsizetype line, qsizetype column) {
        QTest::newRow(name) << text << offset << line << column;
    };
    row("empty", "", 0, 1, 1);
    row("begin", "abc\nd", 0, 1, 1);
    row("at the break", "abc\nd", 3, 1, 4);
    row("next line", "abc\nd", 4, 2, 1);
    row("behind the end", "abc\nd", 99, 2, 2);
    row("before the begin", "abc", -1, 1, 1);
    row("after the last break", "abc\n", 4, 2, 1);
    row("CRLF", "ab\r\ncd", 4, 2, 1);
    row("between CR and LF", "ab\r\ncd", 3, 1, 4);
    row("lone CR", "ab\rcd", 3, 2, 1);
    row("CR at the end", "ab\r", 3, 2, 1);
    row("code points", "\xC3\xA4\xF0\x9F\x98\x80x", 6, 1, 3);
    row("inside a code point", "\xC3\xA4\xF0\x9F\x98\x80x", 4, 1, 2);
    row("BOM has no column",
        "\xEF\xBB\xBF"
        "ab",
        4, 1, 2);
    row("in the BOM",
        "\xEF\xBB\xBF"
        "ab",
        1, 1, 1);
}

void TstTextRange::lines()
{
    QFETCH(QByteArray, text);
    QFETCH(qsizetype, offset);
    QFETCH(qsizetype, line);
    QFETCH(qsizetype, column);
    const LineIndex index(text);
    QCOMPARE(index.at(offset).line, line);
    QCOMPARE(index.at(offset).column, column);
}

void TstTextRange::lineStartsAreClamped()
{
    const LineIndex index("a\r\nb\rc\nd");
    QCOMPARE(index.lineCount(), 4);
    QCOMPARE(index.lineStart(0), 0);
    QCOMPARE(index.lineStart(2), 3);
    QCOMPARE(index.lineStart(3), 5);
    QCOMPARE(index.lineStart(99), 7);
    QCOMPARE(LineIndex().lineCount(), 1);
}

TRAINYARD_TEST(TstTextRange)
#include "tst_textrange.moc"
