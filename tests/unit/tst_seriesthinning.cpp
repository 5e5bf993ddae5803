// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/rewriting.h"
#include "engine/series/seriesset.h"
#include "tests/helpers/fullform.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/seriestests.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;
using namespace trainyard;
using namespace seriestests;

// Thinning of series: less room on the disk, and the same curves.
class TstSeriesThinning : public QObject, private SeriesFolder
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void thinningOfBuckets();
    void thinnedTwiceIsThinnedOnce();
    void thinningOfAFile();
    void aWeekOfEightGpus();
};

void TstSeriesThinning::init() { m_folder = std::make_unique<QTemporaryDir>(); }

void TstSeriesThinning::thinningOfBuckets()
{
    const std::vector<series::ThinRule> rules{{100000, 10000}, {200000, 60000}};
    series::Thinned all;
    for (int i = 0; i < 400; ++i) {
        all.points.push_back(
            {double(i) * 1000, qint64(i) * 1000, i == 5 ? 1000.0 : (i == 195 ? std::nan("") : double(i % 10))});
    }
    const series::Thinned less = series::thinned(all, 400000, rules);
    // Up to 200 s ago minutes as far as they are whole: three; then tens up to 100 s ago; then points.
    QCOMPARE(less.buckets.size(), std::size_t(3 + 12));
    QCOMPARE(less.buckets[0].time, 0);
    QCOMPARE(less.buckets[0].count, std::uint64_t(60));
    QCOMPARE(less.buckets[0].max, 1000.0);
    QCOMPARE(less.buckets[0].min, 0.0);
    QVERIFY(std::abs(less.buckets[0].mean - (60 * 4.5 - 5 + 1000) / 60) < 1e-9);
    QCOMPARE(less.buckets[3].time, 180000);
    QCOMPARE(less.buckets[4].count, std::uint64_t(9)); // one is NaN
    QCOMPARE(less.buckets.back().time, 290000);
    QCOMPARE(less.points.size(), std::size_t(100));
    QCOMPARE(less.points.front().time, 300000);
    // Nothing finite is no reason to say zero; and times before 1970 have buckets, too.
    const series::Thinned odd = series::thinned({{}, {{-5, -5, std::nan("")}}}, 400000, rules);
    QCOMPARE(odd.buckets.size(), std::size_t(1));
    QCOMPARE(odd.buckets[0].time, -60000);
    QCOMPARE(odd.buckets[0].count, std::uint64_t(0));
    QVERIFY(std::isnan(odd.buckets[0].mean) && std::isnan(odd.buckets[0].min));
    QVERIFY(series::thinned(all, 400000, {}).points.size() == 400);
    QVERIFY(series::thinned({}, 400000, rules).buckets.empty());
}

void TstSeriesThinning::thinnedTwiceIsThinnedOnce()
{
    QRandomGenerator random(14);
    const std::vector<series::ThinRule> rules{{100000, 10000}, {300000, 60000}};
    for (int round = 0; round < 30; ++round) {
        series::Thinned all;
        qint64 time = random.bounded(100000);
        for (int i = 0; i < 1000; ++i) {
            time += random.bounded(2000);
            all.points.push_back({double(time), time, double(random.bounded(100))});
        }
        const qint64 now = time + random.bounded(400000), later = now + random.bounded(400000);
        const series::Thinned twice = series::thinned(series::thinned(all, now, rules), later, rules);
        const series::Thinned once = series::thinned(all, later, rules);
        QCOMPARE(twice.points.size(), once.points.size());
        QCOMPARE(twice.buckets.size(), once.buckets.size());
        for (std::size_t i = 0; i < once.buckets.size(); ++i) {
            QCOMPARE(twice.buckets[i].time, once.buckets[i].time);
            QCOMPARE(twice.buckets[i].min, once.buckets[i].min);
            QCOMPARE(twice.buckets[i].max, once.buckets[i].max);
            QCOMPARE(twice.buckets[i].count, once.buckets[i].count);
            QVERIFY(std::abs(twice.buckets[i].mean - once.buckets[i].mean) < 1e-9);
        }
    }
}

void TstSeriesThinning::thinningOfAFile()
{
    auto writer = writerOf(path());
    series::Info figure{"gpu0/use", series::Axis::Time};
    figure.mayThin = true;
    const auto use = *writer->define(figure);
    const auto loss = *writer->define({"loss"});
    for (int i = 0; i < 7200; ++i) {
        const qint64 time = startTime + i * 1000;
        writer->append(use, {double(time), time, double(i % 100)});
        writer->append(loss, {double(i), time, double(i)});
    }
    const std::vector<series::ThinRule> rules{{1800000, 10000}, {3600000, 60000}};
    for (const qint64 later : {7200000, 7300000, 9000000}) {
        QCOMPARE(series::rewrite(writer, startTime + later, rules).fault, series::Fault::None);
    }
    series::SeriesSet set(path());
    set.poll();
    QCOMPARE(set.series(*set.find("loss")).size(), std::size_t(7200)); // never
    QCOMPARE(set.series(*set.find("gpu0/use")).size(), std::size_t(0));
    const series::Series &counts = set.series(*set.find("gpu0/use", series::Part::Count));
    QCOMPARE(*counts.mean(0, 1e18) * double(counts.size()), 7200.0);
    const series::Series &most = set.series(*set.find("gpu0/use", series::Part::Max));
    QCOMPARE(most.largest()->value, 99.0);
    QCOMPARE(set.series(*set.find("gpu0/use", series::Part::Min)).smallest()->value, 0.0);
    QVERIFY(most.size() < 500);
    QVERIFY(most.xs()[1] - most.xs()[0] == 60000);
}

// The budget on the disk: 8 GPUs with 6 figures each second, for a week.
void TstSeriesThinning::aWeekOfEightGpus()
{
    QRandomGenerator random(15);
    auto writer = writerOf(path());
    std::vector<std::uint32_t> ids;
    for (int i = 0; i < 48; ++i) {
        series::Info figure{"gpu" + std::to_string(i / 6) + "/" + std::to_string(i % 6), series::Axis::Time};
        figure.mayThin = true;
        ids.push_back(*writer->define(figure));
    }
    // A part of it, from which the rest follows: the size does not depend on how long it goes on.
    const int parts = isFullForm() ? 20 : 60;
    const int seconds = 86400 * 7 / parts;
    const qint64 day = 86400000 / parts;
    double figures[48] = {};
    for (int s = 0; s < seconds; ++s) {
        const qint64 time = startTime + s * 1000 + random.bounded(5);
        for (std::size_t i = 0; i < 48; ++i) {
            switch (i % 6) {
            case 0: // per cent of use
                figures[i] = 90 + random.bounded(11);
                break;
            case 1: // MiB
                figures[i] = double(40000 + s / 600 * 2);
                break;
            case 2: // degrees
                figures[i] = std::clamp(figures[i] + random.bounded(3) - 1, 55.0, 70.0);
                break;
            case 3: // watts
                figures[i] = 300 + random.bounded(10000) / 100.0;
                break;
            case 4: // MHz
                figures[i] = 1980 - 15 * random.bounded(4);
                break;
            default: // per cent of memory use
                figures[i] = random.bounded(101);
            }
            writer->append(ids[i], {double(time), time, figures[i]});
        }
    }
    QCOMPARE(series::rewrite(writer, startTime + qint64(seconds) * 1000, {{day, 10000}, {7 * day, 60000}}).fault,
        series::Fault::None);
    const double megabytes = double(writer->cursor().offset) * parts / 1e6;
    qInfo("a week: %.1f MB", megabytes);
    QVERIFY(megabytes < 50);
}

TRAINYARD_TEST(TstSeriesThinning)
#include "tst_seriesthinning.moc"
