// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logfeed.h"

#include "model/base/threads.h"
#include "widgets/log/logworker.h"

namespace trainyard
{

LogFeed::LogFeed(QObject *parent)
    : QObject(parent), m_sourceGeneration(std::make_shared<std::atomic<int>>(0)),
      m_searchGeneration(std::make_shared<std::atomic<int>>(0)), m_wayBack(std::make_shared<WayBack>(this)),
      m_worker(new LogWorker(m_sourceGeneration, m_searchGeneration)),
      m_thread(QStringLiteral("log"), m_worker, m_wayBack)
{
    qRegisterMetaType<LogIndex::Delta>();
    qRegisterMetaType<LogQuery>();
    qRegisterMetaType<LogSourceFactory>("trainyard::LogSourceFactory");
    qRegisterMetaType<QList<qint64>>();
    qRegisterMetaType<LogHits::Stretch>();
    // These run on the worker's thread, and what they send back runs only while this exists.
    connect(m_worker, &LogWorker::indexed, m_worker,
        [this, back = m_wayBack](
            int generation, const LogIndex::Delta &delta, const QList<LogSource::Live> &live, bool complete) {
            back->callLater([=, this] {
                if (generation == *m_sourceGeneration) {
                    Q_EMIT indexed(delta, live, complete);
                }
            });
        });
    connect(m_worker, &LogWorker::found, m_worker,
        [this, back = m_wayBack](
            int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done) {
            back->callLater([=, this] {
                if (generation == *m_searchGeneration) {
                    Q_EMIT found(stretch, lines, done);
                }
            });
        });
    connect(m_worker, &LogWorker::hitsRead, m_worker,
        [this, back = m_wayBack](int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines) {
            back->callLater([=, this] {
                if (generation == *m_searchGeneration) {
                    Q_EMIT hitsRead(stretch, lines);
                }
            });
        });
    connect(m_worker, &LogWorker::lineFound, m_worker, [this, back = m_wayBack](int generation, qint64 line) {
        back->callLater([=, this] {
            if (generation == *m_sourceGeneration) {
                Q_EMIT lineFound(line);
            }
        });
    });
}

LogFeed::~LogFeed()
{
    ++*m_sourceGeneration;
    ++*m_searchGeneration;
}

void LogFeed::open(const LogSourceFactory &factory)
{
    const int generation = ++*m_sourceGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, factory] { worker->open(generation, factory); });
}

void LogFeed::search(const LogQuery &query)
{
    const int generation = ++*m_searchGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, query] { worker->search(generation, query); });
}

void LogFeed::readHits(const LogHits::Stretch &stretch)
{
    threads::callLater(m_worker, [worker = m_worker, generation = m_searchGeneration->load(), stretch] {
        worker->readHits(generation, stretch);
    });
}

void LogFeed::findLine(const LogGoal &goal)
{
    threads::callLater(m_worker,
        [worker = m_worker, generation = m_sourceGeneration->load(), goal] { worker->findLine(generation, goal); });
}

void LogFeed::setWatching(bool on)
{
    threads::callLater(m_worker, [worker = m_worker, on] { worker->setWatching(on); });
}

} // namespace trainyard
