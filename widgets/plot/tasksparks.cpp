// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/tasksparks.h"

#include "engine/client/taskfigures.h"
#include "engine/series/reader.h"
#include "model/base/threads.h"

#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

namespace trainyard
{
namespace
{

constexpr qint64 spanMs = 600'000;
constexpr int sparkColumns = 40;
constexpr int sparksEveryMs = 2000;

} // namespace

// Takes the newest points of one series.
class SparkPoints : public series::Reader::Sink
{
public:
    void take(std::span<const double>, std::span<const std::int64_t> times, std::span<const double> values) override
    {
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (std::isfinite(values[i])) {
                points.emplace_back(times[i], values[i]);
            }
        }
        if (!points.empty()) {
            const qint64 from = points.back().first - spanMs;
            points.erase(points.begin(),
                std::find_if(points.begin(), points.end(), [from](const auto &point) { return point.first >= from; }));
        }
    }
    void takeVoid(double) override { }

    std::vector<std::pair<qint64, double>> points; // times and values
};

// The figures of one try.
class SparkFile
{
public:
    explicit SparkFile(const QString &folder) : m_reader(QFile::encodeName(figuresFile(folder)).toStdString()) { }

    // Nothing while it has not grown.
    std::optional<TaskSparks::Spark> read()
    {
        const series::Reader::Change change = m_reader.poll();
        if (change.isReset) {
            m_series.clear();
        }
        bool hasNews = false;
        for (const std::uint32_t id : change.grown) {
            const series::Info &info = m_reader.infos()[id];
            const bool isGpu = info.name.starts_with("gpu/") && info.name.ends_with("/use");
            if (info.part == series::Part::Value && (isGpu || info.name == "cpu")) {
                Of &one = m_series[id];
                one.isGpu = isGpu;
                m_reader.load(id, one.newest, one.place);
                hasNews = true;
            }
        }
        return hasNews ? spark() : std::nullopt;
    }

private:
    struct Of {
        bool isGpu = false;
        SparkPoints newest;
        series::Reader::Place place;
    };

    std::optional<TaskSparks::Spark> spark() const
    {
        const bool hasGpus
            = std::any_of(m_series.begin(), m_series.end(), [](const auto &each) { return each.second.isGpu; });
        qint64 end = 0;
        for (const auto &[id, one] : m_series) {
            if (one.isGpu == hasGpus && !one.newest.points.empty()) {
                end = std::max(end, one.newest.points.back().first);
            }
        }
        if (end == 0) {
            return std::nullopt;
        }
        TaskSparks::Spark spark;
        spark.isGpu = hasGpus;
        std::array<double, sparkColumns> sums{};
        std::array<int, sparkColumns> counts{};
        double newest = 0;
        int series = 0;
        for (const auto &[id, one] : m_series) {
            if (one.isGpu != hasGpus || one.newest.points.empty()) {
                continue;
            }
            newest += one.newest.points.back().second;
            ++series;
            for (const auto &[at, value] : one.newest.points) {
                const qint64 column
                    = std::clamp<qint64>(sparkColumns - 1 - (end - at) * sparkColumns / spanMs, 0, sparkColumns - 1);
                sums.at(std::size_t(column)) += value;
                ++counts.at(std::size_t(column));
            }
        }
        spark.percent = int(std::lround(newest / series));
        double most = 100;
        for (std::size_t i = 0; i < sparkColumns; ++i) {
            if (counts.at(i) > 0) {
                spark.values.append(sums.at(i) / counts.at(i));
                most = std::max(most, spark.values.constLast());
            }
        }
        for (qreal &value : spark.values) {
            value *= 100 / most;
        }
        return spark;
    }

    series::Reader m_reader;
    std::map<std::uint32_t, Of> m_series;
};

// Lives on the thread.
class TaskSparks::Worker : public QObject
{
public:
    explicit Worker(std::function<void(QString, Spark)> tell) : m_tell(std::move(tell)), m_timer(new QTimer(this))
    {
        m_timer->setInterval(sparksEveryMs);
        connect(m_timer, &QTimer::timeout, this, &Worker::look);
    }
    ~Worker() override { threads::give(); }

    void watch(const QHash<QString, QString> &folders)
    {
        for (auto it = m_files.begin(); it != m_files.end();) {
            it = folders.contains(it->first) ? std::next(it) : m_files.erase(it);
        }
        for (auto it = folders.cbegin(); it != folders.cend(); ++it) {
            if (m_files.count(it.key()) == 0) {
                m_files.emplace(it.key(), std::make_unique<SparkFile>(it.value()));
            }
        }
        if (m_files.empty()) {
            m_timer->stop();
        } else if (!m_timer->isActive()) {
            m_timer->start();
        }
        look();
    }

private:
    void look()
    {
        for (const auto &[key, file] : m_files) {
            if (std::optional<Spark> spark = file->read()) {
                m_tell(key, std::move(*spark));
            }
        }
    }

    std::function<void(QString, Spark)> m_tell;
    QTimer *m_timer;
    std::map<QString, std::unique_ptr<SparkFile>> m_files;
};

TaskSparks::TaskSparks(QObject *parent)
    : QObject(parent), m_wayBack(std::make_shared<WayBack>(this)),
      m_worker(new Worker([this, back = m_wayBack](const QString &key, Spark spark) {
          back->callLater([this, key, spark = std::move(spark)] {
              if (m_folders.contains(key) && m_sparks.value(key) != spark) {
                  m_sparks.insert(key, spark);
                  Q_EMIT changed(key);
              }
          });
      })),
      m_thread(QStringLiteral("sparks"), m_worker, m_wayBack)
{
}

TaskSparks::~TaskSparks() = default;

void TaskSparks::watch(const QHash<QString, QString> &folders)
{
    if (folders == m_folders) {
        return;
    }
    // A task that was retried counts as another one.
    for (auto it = m_folders.cbegin(); it != m_folders.cend(); ++it) {
        if (folders.value(it.key()) != it.value()) {
            m_sparks.remove(it.key());
        }
    }
    m_folders = folders;
    threads::callLater(m_worker, [worker = m_worker, folders] { worker->watch(folders); });
}

const TaskSparks::Spark *TaskSparks::of(const QString &key) const
{
    const auto found = m_sparks.constFind(key);
    return found == m_sparks.constEnd() ? nullptr : &*found;
}

} // namespace trainyard
