// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/seriesset.h"
#include "engine/series/writer.h"
#include "tests/helpers/testregistry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <memory>

using namespace trainyard;
using namespace Qt::StringLiterals;

// What the writer of a file of series does where the disk is full, and with as many series as there may be.
class TstSeriesWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pointsWaitForTheDisk();
    void manySeriesGoBack();

private:
    QString path() const { return m_folder.filePath(u"series"_s); }
    std::unique_ptr<series::Writer> opened() const
    {
        QFile::remove(path());
        series::Error error;
        return series::Writer::open(path().toStdString(), error);
    }
    QTemporaryDir m_folder;
};

// A limit for files has the same effect as a disk that is full, for a while.
void TstSeriesWriter::pointsWaitForTheDisk()
{
    constexpr std::size_t count = 20000;
    const auto writer = opened();
    QVERIFY(writer);
    series::Info info;
    info.name = "loss";
    const std::uint32_t id = writer->define(info).value();
    QVERIFY(!writer->isWaiting());
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{512, before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (std::size_t i = 0; i < count; ++i) {
        writer->append(id, {double(i), std::int64_t(i), 1.0 / double(i + 1)});
    }
    const series::Error full = writer->flush();
    const bool waits = writer->isWaiting();
    ::setrlimit(RLIMIT_FSIZE, &before);
    ::signal(SIGXFSZ, handler);
    QCOMPARE(full.number, EFBIG);
    QVERIFY(waits);
    QVERIFY(writer->flush().fault == series::Fault::None);
    QVERIFY(!writer->isWaiting());
    series::SeriesSet set(path().toStdString());
    set.poll();
    QCOMPARE(set.series(id).size(), count);
}

// A program with as many series as there may be is started again: each of them goes back.
void TstSeriesWriter::manySeriesGoBack()
{
    constexpr qint64 longest = 5000; // ms; several times that where all series are looked at for each of them
    const auto writer = opened();
    QVERIFY(writer);
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < series::mostSeries; ++i) {
        series::Info info;
        info.name = "s" + std::to_string(i);
        ids.push_back(writer->define(info).value());
    }
    writer->append(ids.front(), {1, 1, 0.5});
    QElapsedTimer timer;
    timer.start();
    for (const std::uint32_t id : ids) {
        writer->voidFrom(id, 0);
    }
    QVERIFY2(timer.elapsed() < longest, qPrintable(QString::number(timer.elapsed())));
    writer->append(ids.front(), {0, 2, 0.25});
    QVERIFY(writer->flush().fault == series::Fault::None);
    series::SeriesSet set(path().toStdString());
    set.poll();
    QCOMPARE(set.series(ids.front()).size(), std::size_t(1));
    QCOMPARE(set.series(ids.front()).at(0).value, 0.25);
}

TRAINYARD_TEST(TstSeriesWriter)
#include "tst_serieswriter.moc"
