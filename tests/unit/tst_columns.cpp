// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/columns.h"

#include <QTest>

#include <clocale>
#include <cwchar>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Text as a terminal measures it.
class TstColumns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asTheLibraryCounts();
    void cuts_data();
    void cuts();
    void rowsStandUnderEachOther();
    void rowsFit();
    void nothingReachesTheTerminal();
    void breaksBetweenWords();
    void whatIsCopiedStaysWhole();
};

// The C library has a table of its own. It may be of another version of Unicode, so only what does not change is asked.
void TstColumns::asTheLibraryCounts()
{
    const QByteArray before = std::setlocale(LC_CTYPE, nullptr);
    if (!std::setlocale(LC_CTYPE, "C.UTF-8")) {
        QSKIP("The locale C.UTF-8 is not installed: install the package libc-bin.");
    }
    QStringList wrong;
    for (const auto &[first, last] : {std::pair<char32_t, char32_t>{0x20, 0x7e}, {0xa1, 0xac}, {0xae, 0x36f},
             {0x400, 0x482}, {0x2e80, 0x2e99}, {0x3041, 0x3096}, {0x30a1, 0x30fa}, {0x3400, 0x4db5}, {0x4e00, 0x9fa5},
             {0xac00, 0xd7a3}, {0xff01, 0xff60}, {0x20000, 0x2a6d6}}) {
        for (char32_t c = first; c <= last; ++c) {
            const int theirs = ::wcwidth(static_cast<wchar_t>(c));
            if (theirs >= 0 && theirs != columnsOf(QString::fromUcs4(&c, 1))) {
                wrong.append(QString::number(c, 16));
            }
        }
    }
    std::setlocale(LC_CTYPE, before.constData());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(u' ')));
}

void TstColumns::cuts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QString>("cut");
    QTest::addColumn<QString>("name");
    const auto row = [](const char *what, const QString &text, int columns, const QString &cut, const QString &name) {
        QTest::newRow(what) << text << columns << cut << name;
    };
    row("has room", u"worker"_s, 6, u"worker"_s, u"worker"_s);
    row("has none", u"worker"_s, 5, u"work…"_s, u"wo…er"_s);
    row("wide", u"训练任务"_s, 8, u"训练任务"_s, u"训练任务"_s);
    row("wide, cut between two", u"训练任务"_s, 7, u"训练任…"_s, u"训…务"_s);
    row("wide, a half is left over", u"训练任务"_s, 6, u"训练…"_s, u"训…务"_s);
    row("beyond 16 bits", u"😀😀😀"_s, 5, u"😀😀…"_s, u"😀…😀"_s);
    row("combining", u"e\u0301e\u0301e\u0301"_s, 3, u"e\u0301e\u0301e\u0301"_s, u"e\u0301e\u0301e\u0301"_s);
    row("one column", u"worker"_s, 1, u"…"_s, u"…"_s);
    row("no column", u"worker"_s, 0, QString(), QString());
    row("colour", u"\x1b[1mworker\x1b[0m"_s, 6, u"\x1b[1mworker\x1b[0m"_s, u"\x1b[1mworker\x1b[0m"_s);
}

void TstColumns::cuts()
{
    QFETCH(const QString, text);
    QFETCH(const int, columns);
    QTEST(cutToColumns(text, columns), "cut");
    QTEST(elideName(text, columns), "name");
    QVERIFY(columnsOf(cutToColumns(text, columns)) <= columns);
    QCOMPARE(cutToColumns(u"\x1b[1mworker\x1b[0m"_s, 3), u"\x1b[1mwo…\x1b[0m"_s);
}

void TstColumns::rowsStandUnderEachOther()
{
    QCOMPARE(alignedRows({{u"NAME"_s, u"STATE"_s}, {u"训练"_s, u"RUNNING"_s}, {u"a_job"_s, QString()}}),
        (QStringList{u"NAME   STATE"_s, u"训练   RUNNING"_s, u"a_job"_s}));
}

void TstColumns::rowsFit()
{
    const QList<QStringList> rows{{u"ID"_s, u"NAME"_s, u"STATE"_s, u"WHY"_s},
        {u"1"_s, QString(60, u'n') + u"42"_s, u"WAITING"_s, u"It waits for a GPU that nobody else uses."_s}};
    for (int width = 30; width <= 140; ++width) {
        const QStringList lines = alignedRows(rows, width, {1});
        for (const QString &line : lines) {
            QVERIFY2(columnsOf(line) <= width, qPrintable(line));
        }
        QVERIFY2(lines.last().contains(u"42  WAITING  It"_s), qPrintable(lines.last()));
    }
    QCOMPARE(alignedRows(rows, 140, {1}), alignedRows(rows)); // there is room
    // Where nothing is cut, the columns stand under each other all the same: programs and people read them by place. A
    // name that is longer than most windows are wide does not make every line as long.
    for (const int size : {70, 250}) {
        const QString longName(size, u'n');
        const QString padding(std::min(size, 80) - 1, u' ');
        QCOMPARE(alignedRows({{u"1"_s, longName, u"FAILED"_s}, {u"2"_s, u"job"_s, u"FAILED"_s}}, 0, {1}),
            (QStringList{QString(u"1  "_s + longName + u"  FAILED"_s), QString(u"2  job"_s + padding + u"FAILED"_s)}));
    }
}

void TstColumns::nothingReachesTheTerminal()
{
    QCOMPARE(alignedRows({{u"a\x1b[2Jb\tc\nd"_s}}), (QStringList{u"a [2Jb c d"_s}));
}

void TstColumns::breaksBetweenWords()
{
    const QString text = u"  - The GPU memory is used up: 2 GiB more did not fit into the 24 GiB of the GPU."_s;
    for (int width = 26; width <= 90; ++width) {
        const QStringList lines = wrappedAtWords(text, width, indentOf(text)).split(u'\n');
        QCOMPARE(lines.size() > 1, width < columnsOf(text));
        QStringList words;
        for (const QString &line : lines) {
            QVERIFY2(columnsOf(line) <= width && !line.endsWith(u' '), qPrintable(line));
            QVERIFY2(&line == &lines.first() || (line.startsWith("    "_L1) && line.at(4) != u' '), qPrintable(line));
            words += line.split(u' ', Qt::SkipEmptyParts);
        }
        QCOMPARE(words, text.split(u' ', Qt::SkipEmptyParts));
    }
    QCOMPARE(indentOf(u"  Line 3: x"), 2);
    QCOMPARE(indentOf(u"x - y"), 0);
    // Blanks that make columns stay, colours take no room, and a terminal of no use is left to itself.
    QCOMPARE(
        wrappedAtWords(u"  Why   one two three four five"_s, 29, 8), u"  Why   one two three four\n        five"_s);
    QCOMPARE(wrappedAtWords(u"\x1b[1mone two three four fives\x1b[0m"_s, 24, 0),
        u"\x1b[1mone two three four fives\x1b[0m"_s);
    QCOMPARE(wrappedAtWords(text, 15, 4), text);
}

void TstColumns::whatIsCopiedStaysWhole()
{
    QCOMPARE(wrappedAtWords(u"It goes on. 'trainyardctl wait 41' waits for it."_s, 30, 0),
        u"It goes on.\n'trainyardctl wait 41' waits\nfor it."_s);
    QCOMPARE(wrappedAtWords(u"It fits here: trainyardctl edit -i a b c d e f g"_s, 24, 0),
        u"It fits here: trainyardctl edit -i a b c d e f g"_s);
    QCOMPARE(wrappedAtWords(u"Its file is /a/very/long/path/of/a/file here now"_s, 24, 2),
        u"Its file is /a/very/long/path/of/a/file\n  here now"_s);
    QCOMPARE(wrappedAtWords(u"'s is no quote that begins here at all"_s, 24, 0),
        u"'s is no quote that\nbegins here at all"_s);
}

TRAINYARD_TEST(TstColumns)
#include "tst_columns.moc"
