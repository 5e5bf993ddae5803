// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/checksum.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/metricwriters.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>

#include <sys/stat.h>

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace metricwriters;

// TensorBoard's event files: both ways to write a scalar, files that grow and files that are broken.
class TstEventFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksums();
    void scalars();
    void tensors_data();
    void tensors();
    void pluginsWithoutScalars();
    void restartsVoid();
    void times();
    void followed();
    void cutAnywhere();
    void lostRecord();
    void lastRecordMayCome();
    void brokenLength();
    void flippedBits();
    void hostileLengths();
    void payloadsAreNotRead();
    void manyPayloads();
    void damagedPayloads();
    void manyTags();
    void longTag();
    void budget();
    void written();
    void replaced();
    void notRegular();
    void links();
};

namespace
{

QByteArray smallEventFile()
{
    QByteArray bytes = eventFileHead();
    for (int i = 0; i < 4; ++i) {
        bytes += scalarRecord("loss", i, float(1.0 / (i + 1)));
    }
    return bytes;
}

// Where its records end.
QList<qsizetype> recordEnds(const QByteArray &bytes)
{
    QList<qsizetype> ends;
    for (qsizetype at = 0; at < bytes.size();) {
        at += 16 + qsizetype(quint8(bytes.at(at)) | quint8(bytes.at(at + 1)) << 8);
        ends.append(at);
    }
    return ends;
}

} // namespace

void TstEventFile::checksums()
{
    QByteArray bytes;
    for (int i = 0; i < 100; ++i) {
        const std::string_view view(bytes.constData(), std::size_t(bytes.size()));
        QCOMPARE(metricfiles::crc32c(view), slowCrc(0x82F63B78, bytes));
        QCOMPARE(metricfiles::crc32(view), slowCrc(0xEDB88320, bytes));
        const std::size_t half = view.size() / 3;
        QCOMPARE(metricfiles::crc32c(view.substr(half), metricfiles::crc32c(view.substr(0, half))),
            metricfiles::crc32c(view));
        bytes += char(i * 37);
    }
}

void TstEventFile::scalars()
{
    File file(u"events.out.tfevents.1700000000.host"_s);
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    file.write(eventFileHead() + scalarRecord("loss", 1, 0.5F)
        + eventRecord(eventOf(1700000001, 2, scalarValue("loss", 0.25F) + scalarValue("val/acc", 1)))
        + scalarRecord("loss", 3, nan) + scalarRecord("loss", 4, inf) + scalarRecord("loss", -5, 0.1F));
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(codes(report), QStringList());
    QCOMPARE(report.state, metricfiles::State::UpToDate);
    QCOMPARE(report.position, report.size);
    QCOMPARE(taken.lines(),
        (QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.25"_s, u"val/acc | step 2 = 1"_s,
            u"loss | step 3 = nan"_s, u"loss | step 4 = inf"_s, u"loss | step -5 = 0.1"_s}));
    QVERIFY(taken.points.front().isSingle);
    QCOMPARE(taken.points.front().time, std::optional<std::int64_t>(1700000000500));
}

void TstEventFile::tensors_data()
{
    QTest::addColumn<QByteArray>("tensor");
    QTest::addColumn<QStringList>("points");
    const QStringList half{u"loss | step 7 = 0.5"_s}, three{u"loss | step 7 = 3"_s}, less{u"loss | step 7 = -3"_s};
    const quint64 minus = quint64(-3);
    QTest::newRow("float content") << field(1, quint64(1)) + field(2, QByteArray()) + field(4, little(0x3F000000, 4))
                                   << half;
    QTest::newRow("float_val") << field(1, quint64(1)) + field(5, 0.5F) << half;
    QTest::newRow("packed float_val") << field(1, quint64(1)) + field(5, little(0x3F000000, 4)) << half;
    QTest::newRow("double_val") << field(1, quint64(2)) + field(6, 0.5) << half;
    QTest::newRow("double content") << field(1, quint64(2)) + field(4, little(0x3FE0000000000000, 8)) << half;
    QTest::newRow("int_val") << field(1, quint64(3)) + field(7, quint64(3)) << three;
    QTest::newRow("negative int_val") << field(1, quint64(3)) + field(7, minus) << less;
    QTest::newRow("packed int64_val") << field(1, quint64(9)) + field(10, varint(minus)) << less;
    QTest::newRow("int64 content") << field(1, quint64(9)) + field(4, little(minus, 8)) << less;
    const auto dimension = [](quint64 size) { return field(2, field(1, size)); };
    QTest::newRow("one element") << field(1, quint64(1)) + field(2, dimension(1) + dimension(1)) + field(5, 0.5F)
                                 << half;
    QTest::newRow("two elements") << field(1, quint64(1)) + field(2, dimension(2)) + field(5, 0.5F) << QStringList();
    QTest::newRow("two values") << field(1, quint64(1)) + field(5, 0.5F) + field(5, 0.5F) << QStringList();
    QTest::newRow("a text") << field(1, quint64(7)) + field(8, QByteArray("words")) << QStringList();
    QTest::newRow("short content") << field(1, quint64(1)) + field(4, QByteArray("abc")) << QStringList();
    QTest::newRow("empty") << QByteArray() << QStringList();
}

void TstEventFile::tensors()
{
    QFETCH(const QByteArray, tensor);
    File file(u"x.tfevents.v2"_s);
    file.write(eventFileHead() + eventRecord(eventOf(1, 7, tensorValue("loss", tensor, "scalars"))));
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(codes(readAll(*reader, taken)), QStringList());
    QTEST(taken.lines(), "points");
}

void TstEventFile::pluginsWithoutScalars()
{
    const QByteArray zero = field(1, quint64(1)) + field(5, 0.0F);
    File file(u"x.tfevents.v2"_s);
    file.write(eventRecord(eventOf(1, 0, tensorValue("_hparams_/session_start_info", zero, "hparams")))
        + eventRecord(eventOf(1, 1, tensorValue("_hparams_/session_start_info", zero)))
        + eventRecord(eventOf(1, 1, tensorValue("loss", zero))));
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    QCOMPARE(taken.lines(), QStringList{u"loss | step 1 = 0"_s});
}

void TstEventFile::restartsVoid()
{
    File file(u"x.tfevents"_s);
    QByteArray bytes = eventFileHead();
    for (int i = 0; i < 5; ++i) {
        bytes += scalarRecord("loss", i, float(i));
    }
    bytes += eventRecord(field(2, quint64(9)) + field(7, field(1, quint64(2)))); // the program ended: nothing is void
    bytes += eventRecord(field(2, quint64(3)) + field(7, field(1, quint64(1))));
    bytes += scalarRecord("loss", 3, 30);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    QCOMPARE(taken.lines(),
        (QStringList{u"loss | step 0 = 0"_s, u"loss | step 1 = 1"_s, u"loss | step 2 = 2"_s, u"loss | step 3 = 30"_s}));
}

void TstEventFile::times()
{
    File file(u"x.tfevents"_s);
    file.write(scalarRecord("a", 1, 1, std::nan("")) + scalarRecord("a", 2, 1, 1e300) + scalarRecord("a", 3, 1, -1)
        + scalarRecord("a", 4, 1, 1700000000.25));
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    QCOMPARE(taken.points.size(), 4U);
    QVERIFY(!taken.points[0].time && !taken.points[1].time && !taken.points[2].time);
    QCOMPARE(taken.points[3].time, std::optional<std::int64_t>(1700000000250));
}

// A record that comes in two halves is one record, and nothing is given twice.
void TstEventFile::followed()
{
    File file(u"x.tfevents"_s);
    file.write(smallEventFile());
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), 4U);
    const QByteArray record = scalarRecord("loss", 4, 0.125F);
    const auto size = std::uint64_t(smallEventFile().size());
    file.append(record.left(20));
    const metricfiles::Report half = readAll(*reader, taken);
    QCOMPARE(half.state, metricfiles::State::Waiting);
    QCOMPARE(codes(half), QStringList{u"metricfile.cut@%1"_s.arg(size)});
    QCOMPARE(half.position, size);
    QCOMPARE(codes(readAll(*reader, taken)), QStringList()); // it was said
    QCOMPARE(taken.points.size(), 4U);
    file.append(record.mid(20));
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), 5U);
    QCOMPARE(taken.lines().last(), u"loss | step 4 = 0.125"_s);
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), 5U);
    QCOMPARE(taken.starts, 0);
}

void TstEventFile::cutAnywhere()
{
    const QByteArray bytes = smallEventFile();
    const QList<qsizetype> ends = recordEnds(bytes);
    for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
        File file(u"x.tfevents"_s);
        file.write(bytes.left(cut));
        const auto reader = opened(file);
        Taken taken;
        const metricfiles::Report report = readAll(*reader, taken);
        const auto whole = std::count_if(ends.begin(), ends.end(), [cut](qsizetype end) { return end <= cut; });
        QCOMPARE(qsizetype(taken.points.size()), std::max<qsizetype>(whole - 1, 0));
        QCOMPARE(report.state == metricfiles::State::UpToDate, cut == 0 || ends.contains(cut));
        // The rest comes.
        file.append(bytes.mid(cut));
        QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
        QCOMPARE(taken.points.size(), 4U);
    }
}

void TstEventFile::lostRecord()
{
    QByteArray bytes = smallEventFile();
    const QList<qsizetype> ends = recordEnds(bytes);
    bytes[ends.at(1) - 6] = char(bytes.at(ends.at(1) - 6) ^ 1); // in the first scalar
    File file(u"x.tfevents"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(codes(report), QStringList{u"metricfile.bad-checksum@%1"_s.arg(ends.at(0))});
    QCOMPARE(report.state, metricfiles::State::UpToDate);
    QCOMPARE(taken.lines(),
        (QStringList{u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.333333"_s, u"loss | step 3 = 0.25"_s}));
}

// The size of a file can grow before its bytes are there, on network file systems.
void TstEventFile::lastRecordMayCome()
{
    QByteArray bytes = smallEventFile();
    const QByteArray right = bytes;
    const QList<qsizetype> ends = recordEnds(bytes);
    bytes.replace(ends.at(3) + 12, bytes.size() - ends.at(3) - 12, QByteArray(bytes.size() - ends.at(3) - 12, '\0'));
    File file(u"x.tfevents"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Damaged);
    QCOMPARE(taken.points.size(), 3U);
    file.write(right);
    QVERIFY(::truncate(file.path().c_str(), right.size()) == 0);
    QCOMPARE(readAll(*reader, taken).state, metricfiles::State::UpToDate);
    QCOMPARE(taken.points.size(), 4U);
    QCOMPARE(taken.starts, 0);
}

void TstEventFile::brokenLength()
{
    QByteArray bytes = smallEventFile();
    const QList<qsizetype> ends = recordEnds(bytes);
    bytes[ends.at(2) + 8] = char(bytes.at(ends.at(2) + 8) ^ 4);
    File file(u"x.tfevents"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(report.state, metricfiles::State::Damaged);
    QCOMPARE(codes(report), QStringList{u"metricfile.bad-length@%1"_s.arg(ends.at(2))});
    QCOMPARE(report.position, std::uint64_t(ends.at(2)));
    QCOMPARE(taken.points.size(), 2U);
}

// Whatever bit is wrong: at most the records from there on are lost, and none has a wrong value.
void TstEventFile::flippedBits()
{
    const QByteArray bytes = smallEventFile();
    const QStringList all{
        u"loss | step 0 = 1"_s, u"loss | step 1 = 0.5"_s, u"loss | step 2 = 0.333333"_s, u"loss | step 3 = 0.25"_s};
    for (qsizetype bit = 0; bit < bytes.size() * 8; ++bit) {
        QByteArray flipped = bytes;
        flipped[bit / 8] = char(flipped.at(bit / 8) ^ (1 << bit % 8));
        File file(u"x.tfevents"_s);
        file.write(flipped);
        const auto reader = opened(file);
        Taken taken;
        const metricfiles::Report report = readAll(*reader, taken);
        QVERIFY(!report.notes.empty());
        QVERIFY(taken.points.size() < 5);
        const QStringList lines = taken.lines();
        for (const QString &line : lines) {
            QVERIFY2(all.contains(line), qPrintable(line));
        }
    }
}

void TstEventFile::hostileLengths()
{
    for (const quint64 length : {~quint64(0), ~quint64(0) - 15, quint64(1) << 63, quint64(1) << 40, quint64(17)}) {
        const QByteArray bytes = little(length, 8);
        const quint32 crc = slowCrc(0x82F63B78, bytes);
        File file(u"x.tfevents"_s);
        file.write(eventFileHead() + bytes + little((crc >> 15 | crc << 17) + 0xA282EAD8U, 4) + "0123456789abcdef");
        const auto reader = opened(file);
        Taken taken;
        QCOMPARE(readAll(*reader, taken).state, metricfiles::State::Waiting);
        QVERIFY(reader->bytesRead() < 1000);
    }
    // Inside of a record whose checksum is right.
    for (const QByteArray &inside : {QByteArray("\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), QByteArray("\x2a\x7f"),
             QByteArray("\x2a\x03\x0a\x7f\x0a"), QByteArray(20, '\xff'), QByteArray("\x09\x01"), QByteArray("\x03")}) {
        File file(u"x.tfevents"_s);
        file.write(eventFileHead() + eventRecord(inside) + scalarRecord("loss", 1, 1));
        const auto reader = opened(file);
        Taken taken;
        const metricfiles::Report report = readAll(*reader, taken);
        QCOMPARE(codes(report), QStringList{u"metricfile.bad-record@%1"_s.arg(eventFileHead().size())});
        QCOMPARE(taken.lines(), QStringList{u"loss | step 1 = 1"_s});
    }
}

// Images stand in the same file, and in the same record, as scalars do.
void TstEventFile::payloadsAreNotRead()
{
    File file(u"x.tfevents"_s);
    file.write(eventFileHead());
    const QByteArray pixels(1 << 20, '\x55');
    const QByteArray image = field(1, field(1, QByteArray("image")) + field(4, field(4, pixels)));
    const QByteArray text = tensorValue("words", field(1, quint64(7)) + field(8, pixels), "text");
    const QByteArray one = eventRecord(eventOf(1, 1, image + scalarValue("loss", 1) + text));
    qint64 size = 0;
    for (int i = 0; i < 10; ++i) {
        file.append(one + scalarRecord("acc", i, 0.5F));
        size += one.size();
    }
    const auto reader = opened(file);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(report.state, metricfiles::State::UpToDate);
    QCOMPARE(codes(report), QStringList());
    QCOMPARE(taken.points.size(), 20U);
    QCOMPARE(taken.lines().last(), u"acc | step 9 = 0.5"_s);
    QVERIFY2(reader->bytesRead() * 50 < std::uint64_t(size), qPrintable(QString::number(reader->bytesRead())));
}

// One record may be as large as the disk: what is read to pass over it is bounded, too.
void TstEventFile::manyPayloads()
{
    QByteArray images;
    for (int i = 0; i < 10000; ++i) {
        images += field(1, field(1, QByteArray("image")) + field(4, QByteArray(5000, 'x')));
    }
    File file(u"x.tfevents"_s);
    file.write(eventFileHead() + eventRecord(eventOf(1, 1, images)) + scalarRecord("loss", 1, 1));
    const auto reader = opened(file);
    Taken taken;
    QCOMPARE(codes(readAll(*reader, taken)), QStringList{u"metricfile.bad-record@%1"_s.arg(eventFileHead().size())});
    QCOMPARE(taken.lines(), QStringList{u"loss | step 1 = 1"_s});
    QVERIFY2(reader->bytesRead() < 20 << 20, qPrintable(QString::number(reader->bytesRead())));
}

// Of a record that has scalars beside a payload of less than a mebibyte, the checksum counts.
void TstEventFile::damagedPayloads()
{
    const QByteArray image = field(1, field(1, QByteArray("image")) + field(4, field(4, QByteArray(100000, 'x'))));
    QByteArray both = eventRecord(eventOf(1, 1, image + scalarValue("loss", 2)));
    File file(u"x.tfevents"_s);
    file.write(eventFileHead() + both + scalarRecord("acc", 1, 1));
    Taken fine;
    QCOMPARE(codes(readAll(*opened(file), fine)), QStringList());
    QCOMPARE(fine.points.size(), 2U);
    both[5000] = 'y';
    file.write(eventFileHead() + both + scalarRecord("acc", 1, 1));
    Taken taken;
    QCOMPARE(
        codes(readAll(*opened(file), taken)), QStringList{u"metricfile.bad-checksum@%1"_s.arg(eventFileHead().size())});
    QCOMPARE(taken.lines(), QStringList{u"acc | step 1 = 1"_s});
}

void TstEventFile::manyTags()
{
    QByteArray bytes = eventFileHead();
    for (int step = 0; step < 2; ++step) {
        for (int tag = 0; tag < 12000; ++tag) {
            bytes += scalarRecord("layers/" + QByteArray::number(tag) + "/norm", step, float(tag));
        }
    }
    File file(u"x.tfevents"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(codes(readAll(*reader, taken)), QStringList());
    QCOMPARE(taken.names.size(), 12000U);
    QCOMPARE(taken.points.size(), 24000U);
    QVERIFY2(clock.elapsed() < 5000, "the names are looked up, not searched");
}

void TstEventFile::longTag()
{
    File file(u"x.tfevents"_s);
    file.write(scalarRecord(QByteArray(2000, 'a'), 1, 1) + scalarRecord("b", 1, 1));
    Taken taken;
    QCOMPARE(codes(readAll(*opened(file), taken)), QStringList{u"metricfile.long-name@0"_s});
    QCOMPARE(taken.lines(), QStringList{u"b | step 1 = 1"_s});
}

void TstEventFile::budget()
{
    QByteArray bytes = eventFileHead();
    for (int i = 0; i < 20000; ++i) {
        bytes += scalarRecord("loss", i, 1);
    }
    File file(u"x.tfevents"_s);
    file.write(bytes);
    const auto reader = opened(file);
    Taken taken;
    int calls = 0;
    std::uint64_t before = 0;
    metricfiles::Report report;
    do {
        report = reader->read(taken, 100000);
        QVERIFY(report.position > before || report.state != metricfiles::State::More);
        QVERIFY(report.position - before < 100000 + 2 * (256 << 10));
        before = report.position;
        ++calls;
    } while (report.state == metricfiles::State::More);
    QVERIFY(calls > 2);
    QCOMPARE(taken.points.size(), 20000U);
}

// A program that writes the file anew: what it gave before is void.
void TstEventFile::written()
{
    File file(u"x.tfevents"_s);
    file.write(smallEventFile());
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    file.write(eventFileHead() + scalarRecord("other", 1, 1));
    QCOMPARE(codes(readAll(*reader, taken)), QStringList{u"metricfile.written-anew@0"_s});
    QCOMPARE(taken.starts, 1);
    QCOMPARE(taken.lines(), QStringList{u"other | step 1 = 1"_s});
    // Longer than before.
    QByteArray more = eventFileHead();
    for (int i = 0; i < 50; ++i) {
        more += scalarRecord("third", i, 1);
    }
    file.write(more);
    readAll(*reader, taken);
    QCOMPARE(taken.starts, 2);
    QCOMPARE(taken.points.size(), 50U);
    QCOMPARE(taken.names.size(), 1U);
}

void TstEventFile::replaced()
{
    File file(u"x.tfevents"_s);
    file.write(smallEventFile());
    const auto reader = opened(file);
    Taken taken;
    readAll(*reader, taken);
    File other(u"y.tfevents"_s);
    other.write(smallEventFile() + scalarRecord("loss", 9, 9));
    QCOMPARE(std::rename(other.path().c_str(), file.path().c_str()), 0);
    readAll(*reader, taken);
    QCOMPARE(taken.starts, 1);
    QCOMPARE(taken.points.size(), 5U);
}

void TstEventFile::notRegular()
{
    QTemporaryDir folder;
    metricfiles::Note problem;
    const std::string fifo = folder.filePath(u"x.tfevents"_s).toStdString();
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    QVERIFY(!metricfiles::FileReader::open(fifo, {}, problem));
    QVERIFY(problem.code == metricfiles::note::notRegular);
    QVERIFY(!metricfiles::FileReader::open("/dev/zero", {metricfiles::Format::EventFile}, problem));
    QVERIFY(problem.code == metricfiles::note::notRegular);
    QVERIFY(!metricfiles::FileReader::open(folder.path().toStdString(), {}, problem));
    QVERIFY(problem.code == metricfiles::note::notRegular);
    QVERIFY(!metricfiles::FileReader::open("/no/such/x.tfevents", {}, problem));
    QVERIFY(problem.code == metricfiles::note::unreadable);
    QVERIFY(!problem.text.empty());
}

void TstEventFile::links()
{
    File file(u"x.tfevents"_s);
    file.write(smallEventFile());
    QTemporaryDir folder;
    const QString link = folder.filePath(u"y.tfevents"_s);
    QVERIFY(QFile::link(QString::fromStdString(file.path()), link));
    metricfiles::Note problem;
    const auto reader = metricfiles::FileReader::open(link.toStdString(), {}, problem);
    QVERIFY(reader);
    Taken taken;
    const metricfiles::Report report = readAll(*reader, taken);
    QCOMPARE(codes(report), QStringList{u"metricfile.link@0"_s});
    QCOMPARE(report.notes.front().text, file.path());
    QCOMPARE(taken.points.size(), 4U);
    metricfiles::FileReader::How how;
    how.followsLink = false;
    QVERIFY(!metricfiles::FileReader::open(link.toStdString(), how, problem));
    QVERIFY(problem.code == metricfiles::note::notRegular);
}

TRAINYARD_TEST(TstEventFile)
#include "tst_eventfile.moc"
