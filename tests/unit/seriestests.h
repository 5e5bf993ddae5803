// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/series/seriesset.h"
#include "engine/series/writer.h"

#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <map>
#include <memory>

// Files of series in a folder of a test, and what is in them.
namespace seriestests
{

using namespace trainyard;

inline constexpr qint64 startTime = 1700000000000;

struct Seen {
    double x = 0;
    std::int64_t time = 0;
    std::uint64_t value = 0; // bits
    friend bool operator==(const Seen &, const Seen &) = default;
};
using AllSeen = std::map<std::string, std::vector<Seen>>;

inline Seen seenOf(const series::Point &point)
{
    return {point.x, point.time, std::bit_cast<std::uint64_t>(point.value)};
}

inline QByteArray bytesOf(const std::string &file)
{
    QFile in(QString::fromStdString(file));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

inline void putBytes(const std::string &file, const QByteArray &bytes)
{
    QFile out(QString::fromStdString(file));
    QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(out.write(bytes), bytes.size());
}

inline std::unique_ptr<series::Writer> writerOf(const std::string &file)
{
    series::Error error;
    auto writer = series::Writer::open(file, error);
    if (!writer) {
        qWarning("fault %d, errno %d", int(error.fault), error.number);
    }
    return writer;
}

inline AllSeen contents(series::SeriesSet &set)
{
    AllSeen all;
    for (std::uint32_t id = 0; id < set.infos().size(); ++id) {
        const series::Info &info = set.infos()[id];
        std::vector<Seen> &points
            = all[info.name + (info.part == series::Part::Value ? "" : "/" + std::to_string(int(info.part)))];
        const series::Series &each = set.series(id);
        for (std::size_t i = 0; i < each.size(); ++i) {
            points.push_back(seenOf(each.at(i)));
        }
        for (const series::Point &point : each.voidPoints()) {
            points.push_back(seenOf(point));
        }
    }
    return all;
}

inline AllSeen contents(const std::string &file)
{
    series::SeriesSet set(file);
    set.poll();
    return contents(set);
}

// Some series of all kinds, in blocks of all sizes.
inline AllSeen writeSome(series::Writer &writer, quint32 seed, int rows, int perFlush)
{
    QRandomGenerator random(seed);
    AllSeen all;
    const auto add = [&](std::uint32_t id, const series::Point &point) {
        writer.append(id, point);
        all[writer.infos()[id].name].push_back(seenOf(point));
    };
    const auto loss = *writer.define({"loss", series::Axis::Step});
    const auto rate = *writer.define({"lr", series::Axis::Step});
    const auto accuracy = *writer.define({"eval/accuracy", series::Axis::Epoch});
    const auto power = *writer.define({"gpu0/power", series::Axis::Time});
    for (const series::Info &info : writer.infos()) {
        all[info.name];
    }
    qint64 time = startTime;
    for (int i = 0; i < rows; ++i) {
        time += 900 + random.bounded(200);
        const double noise = random.generateDouble();
        add(loss, {double(i), time, random.bounded(40) == 0 ? std::nan("") : double(float(1 + noise))});
        add(rate, {double(i), time, 1e-4 * (1 - i / 1e6)});
        add(power, {double(time + 3), time + 3, 100 + random.bounded(2000) / 10.0});
        if (i % 7 == 3) {
            add(accuracy, {i / 7.0, time, noise});
        }
        if (i % perFlush == perFlush - 1) {
            writer.flush();
        }
    }
    writer.flush();
    return all;
}

inline std::size_t pointsOf(const AllSeen &all)
{
    std::size_t count = 0;
    for (const auto &each : all) {
        count += each.second.size();
    }
    return count;
}

class SeriesFolder
{
protected:
    std::string path(const char *name = "series") const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace seriestests
