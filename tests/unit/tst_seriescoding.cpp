// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/crc32c.h"
#include "engine/series/doublecolumn.h"
#include "engine/series/intcolumn.h"
#include "tests/helpers/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace trainyard;

// The columns of the file of series: each bit comes back, each kind of data is as small as was promised, and no bytes
// whatever make the reader do harm.
class TstSeriesCoding : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksumOfTheStandard();
    void wholeNumbers_data();
    void wholeNumbers();
    void doubles_data();
    void doubles();
    void placesAreInOrder();
    void anyBytesAreFine();
};

namespace
{

constexpr std::int64_t leastInt = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t mostInt = std::numeric_limits<std::int64_t>::max();

template <class T> std::vector<T> made(std::size_t count, const std::function<T(std::size_t)> &make)
{
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(make(i));
    }
    return values;
}

float asFloat(double value) { return static_cast<float>(value); }

double asPrinted(double value, int digits) { return QByteArray::number(value, 'f', digits).toDouble(); }

} // namespace

Q_DECLARE_METATYPE(std::vector<std::int64_t>)
Q_DECLARE_METATYPE(std::vector<double>)

void TstSeriesCoding::checksumOfTheStandard()
{
    QCOMPARE(series::crc32c("123456789"), 0xe3069283U); // RFC 3720
    QCOMPARE(series::crc32c(std::string(32, '\0')), 0x8a9136aaU);
    QCOMPARE(series::crc32c({}), 0U);
}

void TstSeriesCoding::wholeNumbers_data()
{
    QTest::addColumn<std::vector<std::int64_t>>("values");
    QTest::addColumn<double>("bytesEach"); // at most
    QRandomGenerator random(1);
    using Ints = std::vector<std::int64_t>;
    const auto ints = [](std::size_t count, const std::function<std::int64_t(std::size_t)> &make) {
        return made<std::int64_t>(count, make);
    };
    QTest::newRow("none") << Ints{} << 0.0;
    QTest::newRow("one") << Ints{5} << 2.0;
    QTest::newRow("one, as large as there is") << Ints{mostInt} << 11.0;
    QTest::newRow("ends of the range") << Ints{leastInt, mostInt, 0, -1, leastInt, mostInt, mostInt} << 10.0;
    QTest::newRow("steps") << ints(4096, [](std::size_t i) { return std::int64_t(i) * 10; }) << 0.05;
    QTest::newRow("times with a jitter") << ints(4096, [&](std::size_t i) {
        return 1700000000000 + std::int64_t(i) * 1000 + random.bounded(-4, 5);
    }) << 0.7;
    QTest::newRow("percent") << ints(4096, [&](std::size_t) { return std::int64_t(random.bounded(101)); }) << 0.95;
    QTest::newRow("all 64 bits") << ints(1000, [&](std::size_t) { return std::int64_t(random.generate64()); }) << 8.2;
    for (int width = 1; width < 64; ++width) {
        const std::int64_t mask = (std::int64_t(1) << width) - 1;
        QTest::addRow("%d bits", width) << ints(129, [&](std::size_t) {
            return std::int64_t(random.generate64()) & mask;
        }) << 0.6 + width / 8.0;
    }
    for (const std::size_t count : {2, 3, 63, 64, 65, 66, 128, 130}) {
        QTest::addRow("%zu of them", count)
            << ints(count, [&](std::size_t) { return std::int64_t(random.bounded(1000)); }) << 3.0;
    }
}

void TstSeriesCoding::wholeNumbers()
{
    QFETCH(const std::vector<std::int64_t>, values);
    QFETCH(const double, bytesEach);
    std::string bytes = "before";
    series::encodeInts(values, bytes);
    const double size = double(bytes.size() - 6);
    bytes += "after";
    series::Bytes in(std::string_view(bytes).substr(6));
    std::vector<std::int64_t> back;
    QVERIFY(series::decodeInts(in, values.size(), back));
    QCOMPARE(back, values);
    QCOMPARE(in.left(), std::size_t(5));
    QVERIFY2(size <= bytesEach * double(values.size()), qPrintable(QString::number(size / double(values.size()))));
    // Cut anywhere, it is no column.
    for (std::size_t cut = 6; cut + 5 < bytes.size() && bytes.size() < 500; ++cut) {
        series::Bytes less(std::string_view(bytes).substr(6, cut - 6));
        QVERIFY(!series::decodeInts(less, values.size(), back));
    }
}

void TstSeriesCoding::doubles_data()
{
    QTest::addColumn<std::vector<double>>("values");
    QTest::addColumn<double>("bytesEach"); // at most
    QRandomGenerator random(2);
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    using Doubles = std::vector<double>;
    const auto doubles
        = [](std::size_t count, const std::function<double(std::size_t)> &make) { return made<double>(count, make); };
    const auto noise = [&random] { return random.generateDouble() - 0.5; };
    QTest::newRow("none") << Doubles{} << 0.0;
    QTest::newRow("one") << Doubles{0.25} << 6.0;
    QTest::newRow("one that is no float") << Doubles{1.0 / 3} << 12.0;
    QTest::newRow("zeros") << Doubles{0.0, -0.0, 0.0, -0.0} << 4.0;
    QTest::newRow("not finite") << Doubles{nan, inf, -inf, -nan, 1, nan} << 4.0;
    QTest::newRow("only NaN") << Doubles(500, nan) << 2.1;
    QTest::newRow("a NaN with a text in it") << Doubles{std::bit_cast<double>(0x7ff8000000abcdefULL), 1} << 8.0;
    QTest::newRow("ends of the range") << Doubles{std::numeric_limits<double>::max(),
        std::numeric_limits<double>::lowest(), std::numeric_limits<double>::denorm_min(),
        -std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min(),
        std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()}
                                       << 12.0;
    QTest::newRow("always the same") << Doubles(4096, 0.1) << 0.05;
    QTest::newRow("always the same third") << Doubles(4096, 1.0 / 3) << 0.05;
    QTest::newRow("learning rate as printed")
        << doubles(4096, [](std::size_t i) { return asPrinted(5e-5 * (1 - double(i) / 4096), 9); }) << 0.4;
    QTest::newRow("loss as printed") << doubles(4096, [&](std::size_t i) {
        return asPrinted(0.5 + 2 * std::exp(-double(i) / 1000) + 0.1 * noise(), 4);
    }) << 1.5;
    QTest::newRow("loss of floats") << doubles(4096, [&](std::size_t i) {
        return double(asFloat(0.5 + 2 * std::exp(-double(i) / 1000) + 0.1 * noise()));
    }) << 2.9;
    QTest::newRow("smooth loss of floats")
        << doubles(4096, [](std::size_t i) { return double(asFloat(0.5 + 2 * std::exp(-double(i) / 1000))); }) << 0.5;
    QTest::newRow("loss of doubles") << doubles(4096, [&](std::size_t) { return 0.5 + 0.1 * noise(); }) << 7.0;
    QTest::newRow("epochs") << doubles(4096, [](std::size_t i) { return double(i + 1) / 100; }) << 0.06;
    QTest::newRow("a float with some NaN")
        << doubles(4096, [&](std::size_t i) { return i % 100 == 0 ? nan : double(asFloat(noise())); }) << 4.0;
    QTest::newRow("decimals with some that are none")
        << doubles(4096, [&](std::size_t i) { return i % 100 == 0 ? noise() : asPrinted(noise(), 3); }) << 1.6;
    QTest::newRow("any bits") << doubles(4096, [&](std::size_t) {
        return std::bit_cast<double>(quint64(random.generate64()));
    }) << 8.3;
    QTest::newRow("any floats") << doubles(4096, [&](std::size_t) {
        return double(std::bit_cast<float>(random.generate() & 0xff7fffffU));
    }) << 4.2;
}

void TstSeriesCoding::doubles()
{
    QFETCH(const std::vector<double>, values);
    QFETCH(const double, bytesEach);
    std::string bytes;
    series::encodeDoubles(values, bytes);
    series::Bytes in(bytes);
    std::vector<double> back;
    QVERIFY(series::decodeDoubles(in, values.size(), back));
    QVERIFY(in.atEnd());
    QCOMPARE(back.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        QCOMPARE(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(values[i]));
    }
    QVERIFY2(double(bytes.size()) <= bytesEach * double(values.size()),
        qPrintable(QString::number(double(bytes.size()) / double(values.size()))));
    for (std::size_t cut = 0; cut < bytes.size() && bytes.size() < 500; ++cut) {
        series::Bytes less(std::string_view(bytes).substr(0, cut));
        QVERIFY(!series::decodeDoubles(less, values.size(), back));
    }
}

void TstSeriesCoding::placesAreInOrder()
{
    const double rising[] = {-std::numeric_limits<double>::max(), -1, -1e-300, -0.0, 0.0, 1e-300, 1, 1.5};
    for (std::size_t i = 0; i < std::size(rising); ++i) {
        QCOMPARE(std::bit_cast<std::uint64_t>(series::doubleAt(series::placeOf(rising[i]))),
            std::bit_cast<std::uint64_t>(rising[i]));
        if (i > 0) {
            QVERIFY(series::placeOf(rising[i - 1]) < series::placeOf(rising[i]));
        }
    }
}

void TstSeriesCoding::anyBytesAreFine()
{
    QRandomGenerator random(3);
    int understood = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string bytes;
        const int size = random.bounded(40);
        for (int i = 0; i < size; ++i) {
            bytes += char(random.bounded(3) == 0 ? random.bounded(256) : random.bounded(8));
        }
        const std::size_t count = std::size_t(random.bounded(70));
        std::vector<double> values;
        series::Bytes in(bytes);
        if (series::decodeDoubles(in, count, values)) {
            QCOMPARE(values.size(), count);
            ++understood;
        }
    }
    QVERIFY(understood > 100);
}

TRAINYARD_TEST(TstSeriesCoding)
#include "tst_seriescoding.moc"
