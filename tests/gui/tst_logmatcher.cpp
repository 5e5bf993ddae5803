// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "widgets/log/logmatcher.h"
#include "widgets/log/patternliteral.h"

#include <QRandomGenerator>
#include <QTest>

using namespace trainyard;
using namespace Qt::StringLiterals;

class TstLogMatcher : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void finds_data();
    void finds();
    void bytesAndTextAgree();
    void literalsOfPatterns_data();
    void literalsOfPatterns();
    void patternsAndTextAgree();
};

void TstLogMatcher::finds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isPattern");
    QTest::addColumn<bool>("matchCase");
    QTest::addColumn<QByteArray>("block");
    QTest::addColumn<QList<qint64>>("lines");
    using Lines = QList<qint64>;
    QTest::newRow("case counts") << u"Loss"_s << false << true << QByteArray("loss\nLoss\n") << Lines{8};
    QTest::newRow("any case") << u"lOSS"_s << false << false << QByteArray("loss\nLoss\nlos\n") << Lines{7, 8};
    QTest::newRow("twice in a line") << u"a"_s << false << true << QByteArray("aba\nb\na\n") << Lines{7, 9};
    QTest::newRow("no line feed at the end") << u"end"_s << false << true << QByteArray("x\nthe end") << Lines{8};
    QTest::newRow("behind a colour") << u"ab"_s << false << true << QByteArray("a\033[31mb\nab\n") << Lines{7, 8};
    QTest::newRow("signs of expressions") << u"a.b"_s << false << true << QByteArray("axb\na.b\n") << Lines{8};
    QTest::newRow("expression") << u"^a.b$"_s << true << true << QByteArray("axb\nzaxb\n") << Lines{7};
    QTest::newRow("beyond ASCII") << u"größe"_s << false << false << QByteArray("GRÖSSE\nGRÖßE\n") << Lines{8};
    QTest::newRow("kelvin") << u"k"_s << false << false << QByteArray("300 \xe2\x84\xaa\n") << Lines{7};
    QTest::newRow("long s") << u"s"_s << false << false << QByteArray("\xc5\xbf\n") << Lines{7};
    QTest::newRow("punctuation is not folded") << u"["_s << false << false << QByteArray("{\n[\n") << Lines{8};
    QTest::newRow("not UTF-8") << u"ok"_s << false << true << QByteArray("\xff\xfe ok\n") << Lines{7};
    // Broken sequences keep their line feeds: all hits below would be on other lines.
    QTest::newRow("behind a lone escape") << u"hit"_s << false << true << QByteArray("a\033\nhit\n") << Lines{8};
    QTest::newRow("behind half a title") << u"hit"_s << false << true << QByteArray("\033]0;a\033\nhit\n") << Lines{8};
    QTest::newRow("behind half a set") << u"hit"_s << false << true << QByteArray("\033(\n\033)\nhit\n") << Lines{9};
    QTest::newRow("behind a colour in a title")
        << u"^a hit$"_s << true << true << QByteArray("\033]0;t\033[31ma hit\n") << Lines{7};
    QTest::newRow("behind a line that takes too long")
        << u"(a+)+$|ok"_s << true << true << QByteArray("ok\n" + QByteArray(50, 'a') + "!\nok\n") << Lines{7, 9};
    QTest::newRow("nothing") << u"zz"_s << false << false << QByteArray("a\n\n") << Lines{};
}

void TstLogMatcher::finds()
{
    QFETCH(const QString, text);
    QFETCH(const bool, isPattern);
    QFETCH(const bool, matchCase);
    QFETCH(const QByteArray, block);
    QFETCH(const QList<qint64>, lines);
    const LogMatcher::Found found = LogMatcher({text, isPattern, matchCase}).find(block, 7);
    QCOMPARE(found.lines, lines);
}

// The fast way over the bytes finds what the expression finds, in texts of few letters, so that many things meet.
void TstLogMatcher::bytesAndTextAgree()
{
    auto *random = QRandomGenerator::global();
    const quint32 seed = random->generate();
    QRandomGenerator numbers(seed);
    const QList<QByteArray> pieces{
        "a", "A", "s", "K", "\n", " ", "[", "{", "ab", "\xc5\xbf", "\xe2\x84\xaa", "\xc3\xa4", "\xff", "\r"};
    for (int round = 0; round < 3000; ++round) {
        const auto some = [&numbers, &pieces](int most, qsizetype kinds) {
            QByteArray text;
            for (int i = numbers.bounded(1, most); i > 0; --i) {
                text += pieces.at(numbers.bounded(kinds));
            }
            return text;
        };
        const QByteArray block = some(60, pieces.size());
        QByteArray needle = some(4, 9);
        needle.replace('\n', ' ');
        const LogQuery query{QString::fromLatin1(needle), false, numbers.bounded(2) == 1};
        const LogMatcher::Found fast = LogMatcher(query).find(block, 0);
        const LogMatcher::Found slow = LogMatcher(query.expression()).find(block, 0);
        QVERIFY2(fast.lines == slow.lines && fast.lineFeeds == slow.lineFeeds,
            QByteArray(
                QByteArray::number(seed) + ": " + needle.toPercentEncoding() + " in " + block.toPercentEncoding()));
    }
}

void TstLogMatcher::literalsOfPatterns_data()
{
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QByteArray>("literal");
    const auto row = [](const char *pattern, const char *literal) {
        QTest::newRow(pattern) << QString::fromLatin1(pattern) << QByteArray(literal);
    };
    row("checkpoint (written|read)", "checkpoint ");
    row("loss: \\d+\\.\\d+", "loss: ");
    row("^epoch \\d+: loss", "epoch ");
    row("colou?r", "colo");
    row("abc*def", "def");
    row("ab+cd", "ab");
    row("ab{2,3}cde", "cde");
    row("a.*bcd.*?ef", "bcd");
    row("\\[rank0\\]:", "[rank0]:");
    row("[abc]def[]x]gh", "def");
    row("(?:abc)?defg", "defg");
    row("(?<name>abc)de", "de");
    row("error|failed", "");
    row("x", "");
    row("two\\swords", ""); // may reach into the next line
    row("a[^b]cde", "");
    row("(?i)abc", "");
    row("(?<=abc)def", "");
    row("abc\\1", "");
}

void TstLogMatcher::literalsOfPatterns()
{
    QFETCH(const QString, pattern);
    QTEST(literalOfPattern(pattern), "literal");
}

void TstLogMatcher::patternsAndTextAgree()
{
    QRandomGenerator numbers(11);
    const QList<QByteArray> pieces{"a", "b", "ab", "B", "s", "\n", " ", "[", "\xc5\xbf", "\r", "aab"};
    const QStringList patterns{u"ab+a"_s, u"^ab"_s, u"ab$"_s, u"(a|b)ab"_s, u"ab?a?b"_s, u"a.b ab"_s, u"\\[ab"_s,
        u"ab[ab]s"_s, u"s+ab"_s, u"(?:ab)+ s"_s, u"ab{1,2}a"_s, u"ab\\b"_s};
    for (int round = 0; round < 5000; ++round) {
        QByteArray block;
        for (int i = numbers.bounded(1, 60); i > 0; --i) {
            block += pieces.at(numbers.bounded(pieces.size()));
        }
        const LogQuery query{patterns.at(numbers.bounded(patterns.size())), true, numbers.bounded(2) == 1};
        const LogMatcher::Found fast = LogMatcher(query).find(block, 0);
        const LogMatcher::Found slow = LogMatcher(query.expression()).find(block, 0);
        QVERIFY2(fast.lines == slow.lines && fast.lineFeeds == slow.lineFeeds,
            QByteArray(query.text.toUtf8() + " in " + block.toPercentEncoding()));
    }
}

TRAINYARD_GUI_TEST(TstLogMatcher)
#include "tst_logmatcher.moc"
