// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/text/terminaltext.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstTerminalText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void text_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");
        QTest::newRow("plain") << u"a job, 训练\n\tof two lines"_s << u"a job, 训练\n\tof two lines"_s;
        QTest::newRow("colour") << u"\x1b[31mred"_s << u"^[[31mred"_s;
        QTest::newRow("title and bell") << u"\x1b]0;owned\x07x"_s << u"^[]0;owned^Gx"_s;
        QTest::newRow("carriage return") << u"bad\rgood"_s << u"bad^Mgood"_s;
        QTest::newRow("line ends of Windows") << u"a\r\nb"_s << u"a\nb"_s;
        QTest::newRow("backspace and delete") << u"a\b\x7f"_s << u"a^H^?"_s;
        QTest::newRow("nul") << QString(QChar(u'\0')) << u"^@"_s;
        QTest::newRow("sequence in one character") << QString(QChar(0x9b) + u"31m"_s) << u"\\x9b31m"_s;
        QTest::newRow("direction") << u"a\u202eb\u2066"_s << u"a\\u202eb\\u2066"_s;
    }

    void text()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(terminalText(text), shown);
    }

    // Our own colours pass, but not the same sequence from elsewhere, and nothing learns the mark from what is written.
    void ownColours()
    {
        const QString shown = terminalText(ownColour(u"1;31"_s) + u"a\x1b[1;31mb"_s + ownColour(u"0"_s));
        QCOMPARE(shown, u"\x1b[1;31ma^[[1;31mb\x1b[0m"_s);
    }

    void json()
    {
        const QJsonDocument document(QJsonArray{QString(u"a"_s + QChar(0x9b) + QChar(0x7f) + QChar(0x1b) + u" é"_s)});
        const QByteArray shown = terminalJson(document.toJson(QJsonDocument::Compact));
        QCOMPARE(shown, "[\"a\\u009b\\u007f\\u001b \xc3\xa9\"]");
        QCOMPARE(QJsonDocument::fromJson(shown), document);
    }

    void log_data()
    {
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const QByteArray &log, const QByteArray &shown) {
            QTest::newRow(name) << log << shown;
        };
        row("plain", "epoch 1\n\tloss 0.5 \xe8\xae\xad\n", "epoch 1\n\tloss 0.5 \xe8\xae\xad\n");
        row("colours", "\x1b[1;38:5:196mred\x1b[mx", "\x1b[1;38:5:196mred\x1b[mx");
        row("progress bar", "\r 10%\x1b[K\r 20%\b\b", "\r 10%\r 20%\b\b");
        row("cursor up", "a\x1b[A\x1b[2Jb", "ab");
        row("private modes", "\x1b[?1049h\x1b[>4;2mx", "x");
        row("title", "a\x1b]0;owned\ab\x1b]2;owned\x1b\\c", "abc");
        row("clipboard", "\x1b]52;c;cm0gLXJm\ax", "x");
        row("device string", "\x1bP$q\"p\x1b\\x", "x");
        row("reset",
            "\x1b"
            "cx",
            "x");
        row("character set", "\x1b(Bx", "x");
        row("string without an end", "\x1b]0;a\nb\n", "\nb\n");
        row("string cut by another sequence", "\x1b]0;a\x1b[31mb\x1b[0m", "\x1b[31mb\x1b[0m");
        row("sequence cut by a newline", "\x1b[3\nx", "\nx");
        row("colour cut at the end", "a\x1b[31", "a");
        row("bell", "a\ab", "a^Gb");
        row("one character",
            "a\xc2\x9b"
            "31mb",
            "a\\x9b31mb");
        row("one byte",
            "a\x9b"
            "31mb",
            "a\xef\xbf\xbd"
            "31mb");
        row("broken characters",
            "\xe8\xae"
            "a\xc3",
            "\xef\xbf\xbd"
            "a\xef\xbf\xbd");
        row("colour that is not ended", "\x1b[31mred", "\x1b[31mred\x1b[0m");
    }

    // However it is cut into pieces.
    void log()
    {
        QFETCH(QByteArray, log);
        QFETCH(QByteArray, shown);
        for (qsizetype size = 1; size <= log.size(); ++size) {
            LogFilter filter;
            QByteArray all;
            for (qsizetype at = 0; at < log.size(); at += size) {
                all += filter.filter(QByteArrayView(log).sliced(at, std::min(size, log.size() - at)));
            }
            QCOMPARE(all + filter.finish(), shown);
        }
    }

    // A program that begins such a string and never ends it does not hide what follows for long.
    void endlessString()
    {
        LogFilter filter;
        const QByteArray shown = filter.filter(QByteArray("\x1b]0;" + QByteArray(10000, 'x') + "the end\n"));
        QVERIFY(shown.endsWith("the end\n"));
        QVERIFY(shown.size() < 10000);
    }
};

TRAINYARD_TEST(TstTerminalText)
#include "tst_terminaltext.moc"
