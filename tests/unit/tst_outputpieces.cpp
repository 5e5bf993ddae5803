// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/numbers.h"
#include "engine/metrics/opendict.h"
#include "tests/helpers/shareddata.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/outputtests.h"

#include <QRandomGenerator>
#include <QTest>

#include <bit>
#include <ctime>

using namespace trainyard;
using namespace Qt::StringLiterals;

// Neither the cuts of an output nor what stands in it do its reader any harm.
class TstOutputPieces : public OutputTests
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreTheNearestOnes();
    void cutsDoNotMatter_data();
    void cutsDoNotMatter();
    void anyBytesAreFine();
    void longLinesAreBounded_data();
    void longLinesAreBounded();
    void longLinesStayQuick_data();
    void longLinesStayQuick();
    void manySeriesAreBounded();
    void openDictionariesAreReadSeldom();
    void openDictionariesAreReadWhenClosed_data();
    void openDictionariesAreReadWhenClosed();
};

void TstOutputPieces::cutsDoNotMatter_data()
{
    addOutputColumns();
    addLines();
    addTables();
    addSearches();
    addSimulations();
    addTrainers();
    addPrograms();
    addReports();
    addLists();
    addLoops();
    addExperiments();
    addLooseTables();
    addCommas();
}

void TstOutputPieces::cutsDoNotMatter()
{
    QFETCH(QByteArray, output);
    const Read whole = read(view(output));
    QRandomGenerator random(7);
    for (int i = 0; i < 20; ++i) {
        const Read pieces = readInPieces(view(output), random);
        QCOMPARE(shown(pieces.points), shown(whole.points));
        QCOMPARE(pieces.progress, whole.progress);
    }
}

// Pieces of real lines, cut and mixed with any bytes: nothing crashes, the cuts do not matter.
void TstOutputPieces::anyBytesAreFine()
{
    const QList<QByteArray> parts{"loss: 0.5", "epoch 1/3 ", "[10/20] ", "{'loss': 0.5, ", "}", "\n", "\r",
        "\b\b\b\b\b\b", "\x1b[1m", "\x1b[", "\x1b]0;", " 50%|### | 5/10 [00:01<00:01, 1it/s, loss=0.3]", "| a | 1 |\n",
        "+---+---+\n", "epoch  loss  acc\n", "1  0.5  0.25\n", "nan", "1e999", "-", "(", "[", "0.5711.594", "\xff\xfe",
        "\xe2\x94", "\xe2\x94\x82", "\xc3", "\xc3\xa9poque 3: ", "Result for x:\n", "  loss: 0.5\n", " - ETA: 5s - ",
        "1/2 [=>.]", "2021-01-01 10:00:00,123 INFO ", "step=", "1:", "%|", "it ["};
    QRandomGenerator random(QRandomGenerator::global()->generate());
    const quint32 seed = random.generate();
    random.seed(seed);
    for (int i = 0; i < 3000; ++i) {
        QByteArray text;
        const int count = random.bounded(1, 30);
        for (int j = 0; j < count; ++j) {
            QByteArray part = random.bounded(8) == 0 ? QByteArray(random.bounded(1, 6), char(random.bounded(256)))
                                                     : parts.at(random.bounded(parts.size()));
            if (random.bounded(4) == 0) {
                part.truncate(random.bounded(int(part.size()) + 1));
            }
            text += part;
        }
        const Read whole = read(view(text));
        const Read pieces = readInPieces(view(text), random);
        if (shown(whole.points) != shown(pieces.points)
            || shown(whole.progress.fraction) != shown(pieces.progress.fraction)) {
            QFAIL(qPrintable(u"seed %1: %2"_s.arg(seed).arg(QString::fromLatin1(text.toPercentEncoding()))));
        }
    }
}

void TstOutputPieces::longLinesAreBounded_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("text") << QByteArray("word ");
    QTest::newRow("values") << QByteArray("loss: 0.5, ");
    QTest::newRow("open dictionaries") << QByteArray("{'loss': ");
    QTest::newRow("brackets") << QByteArray("[1/2");
    QTest::newRow("parentheses") << QByteArray("a (1");
    QTest::newRow("bars") << QByteArray("1%|");
    QTest::newRow("columns") << QByteArray("| 1 ");
    QTest::newRow("words of metrics") << QByteArray("loss ");
    QTest::newRow("no text") << QByteArray("\xff\xfe\x80");
}

// Ten million bytes without a line feed cost no more than other text, and the line behind them is read.
void TstOutputPieces::longLinesAreBounded()
{
    QFETCH(QByteArray, part);
    const Read result = read(view(part.repeated(10'000'000 / part.size()) + "\nstep 7 accuracy: 0.5\n"));
    QVERIFY(!result.points.empty());
    QCOMPARE(shown(result.points.back()), u"accuracy | step 7 = 0.5"_s);
    QVERIFY(result.points.size() < 500);
}

void TstOutputPieces::manySeriesAreBounded()
{
    QByteArray text;
    for (int i = 0; i < 30'000; ++i) {
        text += "step 1 x" + QByteArray::number(i) + "_loss: 0.5\n";
    }
    text += "step 2 x1_loss: 0.25\n";
    const Read result = read(view(text));
    QCOMPARE(result.points.size(), 20'001U);
    QCOMPARE(shown(result.points.back()), u"x1_loss | step 2 = 0.25"_s);
}

// A file of JSON that a program prints has thousands of lines that close something: reading all of it at each of them
// would take minutes.
void TstOutputPieces::openDictionariesAreReadSeldom()
{
    metrics::OpenDict dict;
    dict.begin("{'metrics': {", 0, 1, false);
    int read = 0;
    for (int i = 0; i < 5000; ++i) {
        dict.add("'inner': {'x': 1");
        dict.add("},");
        read += dict.mayBeWhole() ? 1 : 0;
    }
    QVERIFY2(read < 20, qPrintable(QString::number(read)));
    // Brackets in another order than those of a dictionary are no way around it.
    dict.begin("{'metrics': 1", 0, 1, false);
    read = 0;
    for (int i = 0; i < 5000; ++i) {
        dict.add("}");
        read += dict.mayBeWhole() ? 1 : 0;
    }
    QVERIFY2(read < 30, qPrintable(QString::number(read)));
}

void TstOutputPieces::openDictionariesAreReadWhenClosed_data()
{
    QTest::addColumn<QByteArrayList>("lines"); // the first one opens it, the last one closes it
    QTest::newRow("one level") << QByteArrayList{"{'loss': 0.5,", " 'acc': 0.25,", " 'epoch': 3}"};
    QTest::newRow("two levels") << QByteArrayList{"step 3: {'loss': {", "'a': 0.5},", "'b': 0.25", "}"};
    QTest::newRow("brackets in texts") << QByteArrayList{
        R"({"a": "}", "b": 'x"}',)", R"( "c": "\"}",)", R"( "loss": 0.5})"};
}

void TstOutputPieces::openDictionariesAreReadWhenClosed()
{
    QFETCH(QByteArrayList, lines);
    metrics::OpenDict dict;
    const QByteArray first = lines.takeFirst();
    dict.begin(view(first), std::size_t(first.indexOf('{')), 1, false);
    const QByteArray last = lines.takeLast();
    for (const QByteArray &line : std::as_const(lines)) {
        dict.add(view(line));
    }
    dict.add(view(last));
    QVERIFY(dict.mayBeWhole());
}

// The time of the processor, so that other programs do not count.
void TstOutputPieces::longLinesStayQuick_data()
{
    constexpr qsizetype length = 16000;
    QTest::addColumn<QByteArray>("line");
    const auto repeated = [](const QByteArray &text) { return text.repeated(length / text.size()); };
    QTest::newRow("numbers behind a part of the data") << QByteArray("train " + repeated("1 "));
    QTest::newRow("parts of the data with numbers") << repeated("test 1 ");
    QTest::newRow("numbers behind a metric and its step") << QByteArray("loss after 1 steps " + repeated("12 "));
    QTest::newRow("steps with remnants") << repeated("epoch 1 `");
    QTest::newRow("numbers before words") << repeated(" - 1 left ");
    QTest::newRow("a word without an end") << QByteArray("epoch 1 " + repeated("a=\xE2\x96\x88"));
}

void TstOutputPieces::longLinesStayQuick()
{
    QFETCH(QByteArray, line);
    constexpr int lines = 4;
    const std::clock_t before = std::clock();
    line += '\n';
    read(view(line.repeated(lines)));
    const double seconds = double(std::clock() - before) / CLOCKS_PER_SEC;
    qInfo("%d lines in %.3f s", lines, seconds);
    QVERIFY2(seconds < 1, "an order of magnitude for sanitizers");
}

// Of any length, with a point anywhere: to the last bit.
void TstOutputPieces::numbersAreTheNearestOnes()
{
    QRandomGenerator random(3);
    const auto digits = [&random](int count) {
        QByteArray text;
        for (int i = 0; i < count; ++i) {
            text += char('0' + random.bounded(10));
        }
        return text;
    };
    for (int i = 0; i < 100000; ++i) {
        const QByteArray text = (random.bounded(4) == 0 ? QByteArray("-") : QByteArray())
            + digits(random.bounded(1, 18))
            + (random.bounded(2) == 0 ? '.' + digits(random.bounded(1, 18)) : QByteArray());
        const std::optional<metrics::Number> number = metrics::wholeNumber(view(text));
        QVERIFY2(number, text.constData());
        QVERIFY2(std::bit_cast<quint64>(number->value) == std::bit_cast<quint64>(text.toDouble()), text.constData());
    }
}

TRAINYARD_TEST(TstOutputPieces)
#include "tst_outputpieces.moc"
