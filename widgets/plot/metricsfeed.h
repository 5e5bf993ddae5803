// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/continuedfiles.h"
#include "engine/client/continuedlog.h"
#include "engine/client/figurereader.h"
#include "widgets/common/readingthread.h"

#include <QObject>

#include <atomic>
#include <map>
#include <memory>
#include <optional>

namespace trainyard
{

class MetricsWorker;

// Reads the metrics in the outputs and in the files of several tasks, and their newest tries' use of hosts, on a
// separate thread, and continues as these grow. Each task has a number that the caller gives.
class MetricsFeed : public QObject
{
    Q_OBJECT
public:
    explicit MetricsFeed(QObject *parent);
    ~MetricsFeed() override;

    struct Tries {
        QStringList earlier; // folders, in their order
        QString newest;
        bool isAgain = false; // values of the task were reported before: the complete data replace them
    };
    void add(int task, const Tries &tries, const MetricPatterns &patterns);
    void clear(); // nothing that was read before comes after this
    void setWatching(bool on); // whether it reads at all

    struct Batch {
        int task = 0;
        bool begins = false; // what was reported of the task before is void as soon as this is complete
        std::vector<LogMetrics::TimedPoint> points;
        std::size_t ofTry = 0; // whose points they are, from 0; the newest is the last
        std::vector<GrownFigure> figures;
        std::vector<FileMetrics::Grown> files;
        std::map<std::size_t, qint64> filesBegin; // ms UTC, by the try
        std::optional<std::vector<Error>> remarks; // all about these, when they are others than before
        bool isWhole = false; // after it began again
    };

Q_SIGNALS:
    void found(const trainyard::MetricsFeed::Batch &batch);
    void caughtUp(); // all that is there now is read

private:
    std::shared_ptr<std::atomic<int>> m_generation; // shared with the worker, which may outlive this
    std::shared_ptr<WayBack> m_wayBack;
    MetricsWorker *m_worker;
    ReadingThread m_thread;
};

} // namespace trainyard
