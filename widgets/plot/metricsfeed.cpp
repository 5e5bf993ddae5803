// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/metricsfeed.h"

#include "model/base/threads.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <memory>

namespace trainyard
{
// Lives on the thread of the feed. One step reads a piece of one output, so that wishes come in between.
class MetricsWorker : public QObject
{
public:
    MetricsWorker(std::shared_ptr<const std::atomic<int>> wanted, std::function<void(int, MetricsFeed::Batch)> found,
        std::function<void(int)> caughtUp)
        : m_wanted(std::move(wanted)), m_found(std::move(found)), m_caughtUp(std::move(caughtUp)),
          m_timer(new QTimer(this))
    {
        m_timer->setSingleShot(true);
        connect(m_timer, &QTimer::timeout, this, &MetricsWorker::step);
    }
    ~MetricsWorker() override { threads::give(); }

    void add(int generation, int task, const MetricsFeed::Tries &tries, const MetricPatterns &patterns)
    {
        if (generation != m_wanted->load()) {
            return;
        }
        if (generation != m_generation) {
            m_generation = generation;
            m_outputs.clear();
        }
        std::erase_if(m_outputs, [task](const Output &output) { return output.task == task; });
        Output output{task, tries,
            std::make_unique<ContinuedLog>(tries.earlier, tries.newest, patterns, !tries.isAgain), {}, {}, {}};
        output.begin();
        m_outputs.push_back(std::move(output));
        m_next = 0;
        if (m_watching) {
            m_timer->start(0);
        }
    }
    void setWatching(bool on)
    {
        m_watching = on;
        if (on) {
            m_next = 0;
            m_timer->start(0);
        }
    }

private:
    struct Output {
        int task = 0;
        MetricsFeed::Tries tries;
        std::unique_ptr<ContinuedLog> log;
        std::unique_ptr<FigureReader> figures;
        std::unique_ptr<ContinuedFiles> files;
        QElapsedTimer sinceFigures;
        int lastLooks = 10; // the figures and files of the last seconds come after the end of the output
        void begin() // their reports from now on are complete
        {
            figures = std::make_unique<FigureReader>(tries.newest);
            files = std::make_unique<ContinuedFiles>(tries.earlier, tries.newest);
            sinceFigures.invalidate();
        }
        bool isOver() const { return lastLooks <= 0; }
    };

    static void takeFiles(Output &output, MetricsFeed::Batch &batch)
    {
        constexpr qint64 lookEveryMs = 1000;
        if (output.sinceFigures.isValid() && output.sinceFigures.elapsed() < lookEveryMs) {
            return;
        }
        output.sinceFigures.start();
        output.lastLooks -= output.log->isOver() ? 1 : 0;
        for (const std::string &name : output.figures->poll()) {
            batch.figures.push_back(output.figures->take(name));
        }
        batch.files = output.files->takeNew();
        batch.filesBegin = output.files->begins();
        batch.remarks = output.files->takeRemarks();
    }

    void step()
    {
        constexpr int lookEveryMs = 500;
        if (!m_watching || m_generation != m_wanted->load()) {
            return;
        }
        if (m_next < m_outputs.size()) {
            Output &output = m_outputs[m_next];
            const bool more = output.log->readMore();
            ContinuedLog::Told told = output.log->take();
            if (told.begins) {
                output.begin();
            }
            MetricsFeed::Batch batch{
                output.task, told.begins, std::move(told.points), told.ofTry, {}, {}, {}, {}, false};
            batch.isWhole = told.isWhole;
            if (!more || told.isWhole) {
                takeFiles(output, batch);
            }
            const bool isTold = told.begins || told.isWhole || !batch.points.empty();
            if (isTold || !batch.figures.empty() || !batch.files.empty() || batch.remarks) {
                m_found(m_generation, std::move(batch));
            }
            m_next += more ? 0 : 1;
            m_timer->start(0);
            return;
        }
        m_next = 0;
        std::erase_if(m_outputs, [](const Output &output) { return output.isOver(); });
        m_caughtUp(m_generation);
        if (!m_outputs.empty()) {
            m_timer->start(lookEveryMs);
        }
    }

    std::shared_ptr<const std::atomic<int>> m_wanted;
    std::function<void(int, MetricsFeed::Batch)> m_found;
    std::function<void(int)> m_caughtUp;
    QTimer *m_timer;
    std::vector<Output> m_outputs;
    std::size_t m_next = 0;
    int m_generation = 0;
    bool m_watching = false;
};

MetricsFeed::MetricsFeed(QObject *parent)
    : QObject(parent), m_generation(std::make_shared<std::atomic<int>>(0)), m_wayBack(std::make_shared<WayBack>(this)),
      m_worker(new MetricsWorker(
          m_generation,
          [this, back = m_wayBack](int generation, MetricsFeed::Batch batch) {
              back->callLater([this, generation, batch = std::move(batch)] {
                  if (generation == *m_generation) {
                      Q_EMIT found(batch);
                  }
              });
          },
          [this, back = m_wayBack](int generation) {
              back->callLater([this, generation] {
                  if (generation == *m_generation) {
                      Q_EMIT caughtUp();
                  }
              });
          })),
      m_thread(QStringLiteral("metrics"), m_worker, m_wayBack)
{
}

MetricsFeed::~MetricsFeed() { ++*m_generation; }

void MetricsFeed::add(int task, const Tries &tries, const MetricPatterns &patterns)
{
    threads::callLater(m_worker, [worker = m_worker, generation = m_generation->load(), task, tries, patterns] {
        worker->add(generation, task, tries, patterns);
    });
}

void MetricsFeed::clear() { ++*m_generation; }

void MetricsFeed::setWatching(bool on)
{
    threads::callLater(m_worker, [worker = m_worker, on] { worker->setWatching(on); });
}

} // namespace trainyard
