// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/seriestests.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace seriestests;

namespace
{

bool isBeginningOf(const AllSeen &less, const AllSeen &all)
{
    return std::all_of(less.begin(), less.end(), [&all](const auto &each) {
        const auto whole = all.find(each.first);
        return whole != all.end() && each.second.size() <= whole->second.size()
            && std::equal(each.second.begin(), each.second.end(), whole->second.begin());
    });
}

} // namespace

// A file of series that was cut or damaged: what is whole comes back, and nothing that was never written.
class TstSeriesDamage : public QObject, private SeriesFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cutAtEveryByte();
    void everyBitFlipped();
    void damageInTheMiddle();
    void whatTakesThePlaceOfDamageIsSeen();
    void whatTheDiskDoesNotGiveComesLater_data();
    void whatTheDiskDoesNotGiveComesLater();
};

void TstSeriesDamage::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstSeriesDamage::cutAtEveryByte()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 5, 60, 4);
    }
    const QByteArray whole = bytesOf(path());
    std::size_t before = 0;
    const qsizetype step = isFullForm() ? 13 : 101;
    for (qsizetype size = 0; size <= whole.size(); ++size) {
        putBytes(path("cut"), whole.first(size));
        const AllSeen seen = contents(path("cut"));
        QVERIFY(isBeginningOf(seen, all));
        QVERIFY(pointsOf(seen) >= before); // a longer file never has less
        before = pointsOf(seen);
        if (size % step == 0 || size < 30) {
            const auto writer = writerOf(path("cut"));
            QVERIFY(writer);
            const auto id = writer->define({"after"});
            writer->append(*id, {1, 2, 3});
            QCOMPARE(writer->flush().fault, series::Fault::None);
            const AllSeen after = contents(path("cut"));
            QCOMPARE(pointsOf(after), before + 1);
            QCOMPARE(after.at("after").size(), std::size_t(1));
        }
    }
    QVERIFY(contents(path()) == all);
    QCOMPARE(before, pointsOf(all));
}

void TstSeriesDamage::everyBitFlipped()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 6, 12, 3);
    }
    const QByteArray whole = bytesOf(path());
    const qsizetype step = isFullForm() ? 1 : 11; // in turn each bit of a byte
    for (qsizetype bit = 0; bit < whole.size() * 8; bit += step) {
        QByteArray damaged = whole;
        damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << (bit % 8)));
        putBytes(path("damaged"), damaged);
        const AllSeen seen = contents(path("damaged"));
        // What is there is true: each point was written, in this order.
        for (const auto &[name, points] : seen) {
            if (name.empty()) {
                continue; // its name was in the block that is lost
            }
            const std::vector<Seen> &written = all.at(name);
            auto at = written.begin();
            for (const Seen &point : points) {
                at = std::find(at, written.end(), point);
                QVERIFY2(at != written.end(), qPrintable(QString::number(bit)));
                ++at;
            }
        }
        if (bit >= 24 * 8) { // only the block with the bit
            QVERIFY2(pointsOf(seen) + 12 >= pointsOf(all), qPrintable(QString::number(bit)));
        }
    }
}

void TstSeriesDamage::damageInTheMiddle()
{
    AllSeen all;
    {
        const auto writer = writerOf(path());
        all = writeSome(*writer, 7, 5000, 100);
    }
    QByteArray bytes = bytesOf(path());
    const qsizetype middle = bytes.size() / 2;
    // More than a block can be long, so that nothing says where the next one begins.
    const QByteArray damaged = bytes.first(middle) + QByteArray(5 << 20, '\xd7') + bytes.sliced(middle);
    putBytes(path(), damaged);
    series::SeriesSet set(path());
    set.poll();
    const AllSeen seen = contents(set);
    QVERIFY(pointsOf(seen) + 400 >= pointsOf(all) && pointsOf(seen) < pointsOf(all));
    QVERIFY(set.reader().damaged() >= std::uint64_t(5 << 20));
    QCOMPARE(set.reader().cursor().offset, std::uint64_t(damaged.size()));
}

// A writer takes an incomplete block back and writes as many bytes as there were.
void TstSeriesDamage::whatTakesThePlaceOfDamageIsSeen()
{
    const auto appendOne = [this](double x) {
        const auto writer = writerOf(path());
        writer->append(*writer->define({"loss"}), {x, startTime, 0.5});
        writer->flush();
        return qsizetype(writer->cursor().offset);
    };
    const qsizetype before = appendOne(1), after = appendOne(2);
    for (const qsizetype damaged : {after - before, qsizetype(9 << 20)}) {
        putBytes(path(), bytesOf(path()).first(before) + QByteArray(damaged, 'x'));
        series::SeriesSet set(path());
        set.poll();
        QCOMPARE(set.series(0).size(), std::size_t(1));
        QCOMPARE(appendOne(2), after);
        set.poll();
        QCOMPARE(set.series(0).size(), std::size_t(2));
    }
}

void TstSeriesDamage::whatTheDiskDoesNotGiveComesLater_data()
{
    QTest::addColumn<bool>("isRewritten");
    QTest::newRow("a file server was away") << false;
    QTest::newRow("another computer has rewritten the file, and the one of before is no more") << true;
}

// Between the look at what there is and the reading of its large runs.
void TstSeriesDamage::whatTheDiskDoesNotGiveComesLater()
{
    QFETCH(bool, isRewritten);
    auto writer = writerOf(path());
    const AllSeen all = writeSome(*writer, 21, 20000, 20000);
    series::SeriesSet set(path());
    set.poll();
    const QByteArray whole = bytesOf(path());
    QFile before(QString::fromStdString(path()));
    QVERIFY(before.open(QIODevice::ReadWrite));
    if (isRewritten) {
        QCOMPARE(series::rewrite(writer).fault, series::Fault::None);
    }
    QVERIFY(before.resize(whole.size() / 3));
    const AllSeen part = contents(set);
    QVERIFY(pointsOf(part) < pointsOf(all));
    QVERIFY(set.reader().hasMissed());
    if (!isRewritten) {
        QVERIFY(before.seek(0) && before.write(whole) == whole.size() && before.flush());
    }
    const series::Reader::Change change = set.poll();
    QCOMPARE(change.isReset, isRewritten);
    QVERIFY(!change.grown.empty());
    QVERIFY(contents(set) == all);
    QVERIFY(!set.reader().hasMissed());
}

TRAINYARD_TEST(TstSeriesDamage)
#include "tst_seriesdamage.moc"
