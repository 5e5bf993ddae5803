// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/testregistry.h"
#include "tests/unit/metricwriters.h"

#include <QFileInfo>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace metricwriters;

// W&B's local files: what their records say, and the log of chunks in blocks that they are in.
class TstWandbFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void records();
    void facts();
    void endsOfBlocks();
    void longRecords();
    void followed();
    void cutAnywhere();
    void flippedBits();
    void lostBlock();
    void strangeFiles_data();
    void strangeFiles();
};

namespace
{

QByteArray smallWandbFile(int records = 4)
{
    QByteArray file = wandbHead();
    for (int i = 0; i < records; ++i) {
        const QByteArray number = QByteArray::number(i);
        appendWandbRecord(file, historyRecord({{"_step", number}, {"loss", number + ".5"}}));
    }
    return file;
}

} // namespace

void TstWandbFile::records()
{
    QByteArray bytes = wandbHead();
    appendWandbRecord(bytes, field(21, QByteArray())); // the version
    appendWandbRecord(bytes,
        historyRecord({{"_step", "3"}, {"_runtime", "12.5"}, {"_timestamp", "1700000000.25"}, {"loss", "0.5"},
            {"val/acc", "1e-3"}, {"text", "\"0.5\""}, {"bad", "NaN"}, {"worse", "\"-Infinity\""},
            {"image", "{\"_type\":\"image-file\",\"size\":7}"}, {"_wandb", "{}"}, {"epoch", "2"}}));
    // A nested key, and the step outside of the items.
    const QByteArray nested
        = field(1, field(2, QByteArray("train")) + field(2, QByteArray("loss")) + field(16, QByteArray("7")));
    appendWandbRecord(bytes, field(2, nested + field(2, field(1, quint64(4)))));
    const QByteArray stats = field(2, field(1, quint64(1700000001)) + field(2, quint64(500000000)))
        + field(3, field(1, QByteArray("gpu.0.gpu")) + field(16, QByteArray("87.5")));
    appendWandbRecord(bytes, field(7, stats));
    File file(u"run-x7.wandb"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(codes(report), QStringList());
    QCOMPARE(report.state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(),
        (QStringList{u"loss | step 3 in 2 = 0.5"_s, u"val/acc | step 3 in 2 = 0.001"_s, u"bad | step 3 in 2 = nan"_s,
            u"worse | step 3 in 2 = -inf"_s, u"train.loss | step 4 = 7"_s,
            u"system/gpu.0.gpu | time 1700000001.5 = 87.5"_s}));
    QCOMPARE(taken.points.front().time, std::optional<std::int64_t>(1700000000250));
    QCOMPARE(taken.points.back().time, std::optional<std::int64_t>(1700000001500));
    QVERIFY(taken.kinds.front() == metricfiles::SeriesKind::Metric);
    QVERIFY(taken.kinds.back() == metricfiles::SeriesKind::Machine);
}

void TstWandbFile::facts()
{
    QByteArray bytes = wandbHead();
    const QByteArray config = wandbItem("lr", "0.1") + wandbItem("_wandb", "{}");
    appendWandbRecord(bytes,
        field(17,
            field(1, QByteArray("x7")) + field(3, QByteArray("mnist")) + field(4, config)
                + field(6, QByteArray("seeds")) + field(8, QByteArray("calm-sea-1")) + field(10, QByteArray("good"))));
    appendWandbRecord(bytes, field(5, wandbItem("lr", "0.01")));
    appendWandbRecord(bytes, field(18, field(1, quint64(3))));
    File file(u"run-x7.wandb"_s);
    file.write(bytes);
    Taken taken;
    readAll(*opened(file), taken);
    const std::map<std::string, std::string> expected{{"id", "x7"}, {"project", "mnist"}, {"config/lr", "0.01"},
        {"group", "seeds"}, {"name", "calm-sea-1"}, {"tag/good", "true"}, {"exit-code", "3"}};
    QVERIFY(taken.facts == expected);
}

// A first record that ends at each place near the end of the first block, those with no room for a head included.
void TstWandbFile::endsOfBlocks()
{
    for (int end = 32768 - 20; end <= 32768 + 20; ++end) {
        QByteArray bytes = wandbHead();
        const QByteArray head = historyRecord({{"_step", "0"}, {"loss", "1"}});
        const qsizetype padding = end - bytes.size() - 7 - head.size() - 5; // the padding's key and length
        appendWandbRecord(bytes, head + field(13, QByteArray(padding, 'x')));
        appendWandbRecord(bytes, historyRecord({{"_step", "1"}, {"loss", "2"}}));
        File file(u"a.wandb"_s);
        file.write(bytes);
        Taken taken;
        const metricfiles::Report report = readAll(*opened(file), taken);
        QCOMPARE(codes(report), QStringList());
        QCOMPARE(taken.lines(), (QStringList{u"loss | step 0 = 1"_s, u"loss | step 1 = 2"_s}));
    }
}

void TstWandbFile::longRecords()
{
    QByteArray bytes = wandbHead();
    appendWandbRecord(
        bytes, historyRecord({{"_step", "0"}, {"table", '"' + QByteArray(200000, 'x') + '"'}, {"loss", "1"}}));
    const qsizetype second = bytes.size();
    appendWandbRecord(bytes, historyRecord({{"_step", "1"}, {"t", '"' + QByteArray(17 << 20, 'x') + '"'}}));
    appendWandbRecord(bytes, historyRecord({{"_step", "2"}, {"loss", "3"}}));
    File file(u"a.wandb"_s);
    file.write(bytes);
    Taken taken;
    const metricfiles::Report report = readAll(*opened(file), taken, 1000);
    QCOMPARE(codes(report), QStringList{u"metricfile.long-record@%1"_s.arg(second)});
    QCOMPARE(taken.lines(), (QStringList{u"loss | step 0 = 1"_s, u"loss | step 2 = 3"_s}));
}

// W&B writes whole blocks: a record of several chunks comes in parts.
void TstWandbFile::followed()
{
    QByteArray bytes = smallWandbFile();
    const qsizetype begin = bytes.size();
    appendWandbRecord(
        bytes, historyRecord({{"_step", "9"}, {"table", '"' + QByteArray(70000, 'x') + '"'}, {"loss", "1"}}));
    File file(u"a.wandb"_s);
    file.write(bytes.left(begin));
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    for (const qsizetype part : {qsizetype(3), qsizetype(32768) - begin, qsizetype(20000), qsizetype(12768)}) {
        const qsizetype size = QFileInfo(QString::fromStdString(file.path())).size();
        file.append(bytes.mid(size, part));
        QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
        QCOMPARE(taken.points.size(), 4U);
    }
    file.append(bytes.mid(QFileInfo(QString::fromStdString(file.path())).size()));
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), 5U);
    QCOMPARE(taken.lines().last(), u"loss | step 9 = 1"_s);
    QCOMPARE(taken.starts, 0);
}

void TstWandbFile::cutAnywhere()
{
    const QByteArray bytes = smallWandbFile();
    QList<qsizetype> ends;
    for (int i = 0; i <= 4; ++i) {
        ends.append(smallWandbFile(i).size());
    }
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
        File file(u"a.wandb"_s);
        file.write(bytes.left(cut));
        const auto reader = opened(file);
        Taken taken;
        const metricfiles::Report report = readAll(*reader, taken);
        const auto whole = std::count_if(ends.begin(), ends.end(), [cut](qsizetype end) { return end <= cut; });
        QCOMPARE(qsizetype(taken.points.size()), std::max<qsizetype>(whole - 1, 0));
        QCOMPARE(report.state == metricfiles::State::UpToDate, cut == 0 || ends.contains(cut));
        file.append(bytes.mid(cut));
        QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
        QCOMPARE(taken.points.size(), 4U);
    }
}

void TstWandbFile::flippedBits()
{
    const QByteArray bytes = smallWandbFile();
    const QStringList all{
        u"loss | step 0 = 0.5"_s, u"loss | step 1 = 1.5"_s, u"loss | step 2 = 2.5"_s, u"loss | step 3 = 3.5"_s};
    for (qsizetype bit = 0; bit < bytes.size() * 8; ++bit) {
        QByteArray flipped = bytes;
        flipped[bit / 8] = char(flipped.at(bit / 8) ^ (1 << bit % 8));
        File file(u"a.wandb"_s);
        file.write(flipped);
        Taken taken;
        const metricfiles::Report report = readAll(*opened(file), taken);
        QVERIFY(!report.notes.empty());
        const QStringList lines = taken.lines();
        QVERIFY(lines.size() < 4);
        for (const QString &line : lines) {
            QVERIFY2(all.contains(line), qPrintable(line));
        }
    }
}

// What is damaged in one block does not take the next blocks away.
void TstWandbFile::lostBlock()
{
    QByteArray bytes = smallWandbFile(3000);
    QVERIFY(bytes.size() > 3 * 32768);
    bytes[100] = char(bytes.at(100) ^ 1);
    File file(u"a.wandb"_s);
    file.write(bytes);
    Taken taken;
    const metricfiles::Report report = readAll(*opened(file), taken);
    QCOMPARE(report.notes.size(), 1U);
    QVERIFY(report.notes.front().code == metricfiles::note::badChecksum);
    QCOMPARE(report.state, metricfiles::State::UpToDate);
    QVERIFY(taken.points.size() > 1800);
    QCOMPARE(taken.lines().last(), u"loss | step 2999 = 2999.5"_s);
}

void TstWandbFile::strangeFiles_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    QTest::newRow("something else") << QByteArray("hello, this is text") << u"metricfile.bad-header@0"_s;
    QTest::newRow("a later version") << QByteArray(":W&B\xE1\xBE\x07", 7) << u"metricfile.bad-header@0"_s;
    QTest::newRow("zeros behind the head") << wandbHead() + QByteArray(100, '\0') << u"metricfile.bad-checksum@7"_s;
    QByteArray group = wandbHead();
    appendWandbRecord(group, QByteArray("\x0b\x0c"));
    QTest::newRow("no message") << group << u"metricfile.bad-record@7"_s;
    QByteArray inside = wandbHead();
    appendWandbRecord(inside, field(2, QByteArray("\x0a\x7f\x00", 3)));
    QTest::newRow("a length inside") << inside << u"metricfile.bad-record@7"_s;
    QTest::newRow("a length of a chunk") << wandbHead() + QByteArray("\1\2\3\4\xff\xff\1")
                                         << u"metricfile.bad-checksum@7"_s;
}

void TstWandbFile::strangeFiles()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, code);
    File file(u"a.wandb"_s);
    file.write(bytes);
    Taken taken;
    QCOMPARE(codes(readAll(*opened(file), taken)), QStringList{code});
    QVERIFY(taken.points.empty());
}

TRAINYARD_TEST(TstWandbFile)
#include "tst_wandbfile.moc"
