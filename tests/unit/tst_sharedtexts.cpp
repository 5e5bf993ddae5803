// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/listedvalue.h"
#include "model/base/ascii.h"
#include "model/base/csv.h"
#include "model/base/numberlist.h"
#include "model/base/shellquote.h"
#include "tests/helpers/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;

// Pieces of text that the window and the command line write in the same way.
class TstSharedTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cells_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("csv");
        QTest::addColumn<QString>("tabs");
        const auto row = [](const char *name, const QString &text, const QString &csv, const QString &tabs) {
            QTest::newRow(name) << text << csv << tabs;
        };
        row("nothing", {}, {}, {});
        row("plain", u"a b;c"_s, u"a b;c"_s, u"a b;c"_s);
        row("comma", u"1,5"_s, u"\"1,5\""_s, u"1,5"_s);
        row("quotes", u"a \"b\""_s, u"\"a \"\"b\"\"\""_s, u"a \"b\""_s);
        row("line feed", u"a\nb"_s, u"\"a\nb\""_s, u"a b"_s);
        row("carriage return", u"a\rb"_s, u"\"a\rb\""_s, u"a b"_s);
        row("tab", u"a\tb"_s, u"a\tb"_s, u"a b"_s);
    }
    void cells()
    {
        QFETCH(const QString, text);
        QTEST(csvCell(text), "csv");
        QTEST(tabCell(text), "tabs");
    }

    void numbers()
    {
        QCOMPARE(joinedNumbers({}, u","_s), QString());
        QCOMPARE(joinedNumbers({7}, u","_s), u"7"_s);
        QCOMPARE(joinedNumbers({0, 1, 12}, u", "_s), u"0, 1, 12"_s);
    }

    void words()
    {
        QCOMPARE(shellWord(u"train.py"_s), u"train.py"_s);
        QCOMPARE(shellWord({}), u"''"_s);
        QCOMPARE(shellWord(u"naïve 'file'"_s), u"'naïve '\\''file'\\'''"_s);
    }

    void columns_data()
    {
        QTest::addColumn<QString>("column");
        QTest::addColumn<bool>("isValue");
        const auto row = [](const QString &column, bool isValue) {
            QTest::newRow(qPrintable(u"<"_s + column + u'>')) << column << isValue;
        };
        row(u"param:lr"_s, true);
        row(u"result:val/loss"_s, true);
        row(u"min:loss"_s, true);
        row(u"max:acc"_s, true);
        row(u"param:"_s, false);
        row(u"param"_s, false);
        row(u"mean:loss"_s, false);
        row(u"name"_s, false);
        row({}, false);
    }
    void columns()
    {
        QFETCH(const QString, column);
        QTEST(isListedValue(column), "isValue");
    }

    void characters()
    {
        for (const char32_t c : {U'a', U'z', U'A', U'Z', U'0', U'9', U'_'}) {
            QVERIFY(ascii::isWord(c));
        }
        for (const char32_t c : {U'-', U'.', U' ', U'@', U'[', U'`', U'{', U'/', U':', U'é', U'\0'}) {
            QVERIFY(!ascii::isWord(c));
        }
        QVERIFY(!ascii::isWord('\xc3')); // a byte of a longer character
        QVERIFY(ascii::isAlphanumeric('7') && !ascii::isAlphanumeric('_'));
        QVERIFY(ascii::isLetter('q') && !ascii::isLetter('7'));
    }
};

TRAINYARD_TEST(TstSharedTexts)
#include "tst_sharedtexts.moc"
