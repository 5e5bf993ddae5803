// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/figurereader.h"
#include "engine/client/filemetrics.h"
#include "engine/client/logmetrics.h"
#include "widgets/common/readingthread.h"

#include <QObject>

#include <atomic>
#include <memory>
#include <optional>

namespace trainyard
{

class MetricsWorker;

// Reads the metrics in the output and in the files of several tasks, and what they use of their hosts, on a thread of
// its own, and goes on as these grow. Each task has a number that the caller gives.
class MetricsFeed : public QObject
{
    Q_OBJECT
public:
    explicit MetricsFeed(QObject *parent);
    ~MetricsFeed() override;

    void add(int task, const QString &folder, const MetricPatterns &patterns); // of the try
    void clear(); // nothing that was read before comes after this
    void setWatching(bool on); // whether it reads at all

    struct Batch {
        int task = 0;
        std::vector<LogMetrics::TimedPoint> points;
        std::vector<GrownFigure> figures;
        std::vector<FileMetrics::Grown> files;
        std::optional<std::vector<Error>> remarks; // all about these, when they are others than before
        metrics::Progress progress;
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
