// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logfeed.h"

#include "model/base/threads.h"
#include "widgets/log/logworker.h"

namespace trainyard
{

LogFeed::LogFeed(QObject *parent) : QObject(parent), m_worker(new LogWorker(&m_sourceGeneration, &m_searchGeneration))
{
    qRegisterMetaType<LogIndex::Delta>();
    qRegisterMetaType<LogQuery>();
    qRegisterMetaType<LogSourceFactory>("trainyard::LogSourceFactory");
    qRegisterMetaType<QList<qint64>>();
    qRegisterMetaType<LogHits::Stretch>();
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    // These run on the worker's thread, which ends before this does.
    connect(m_worker, &LogWorker::indexed, m_worker,
        [this](int generation, const LogIndex::Delta &delta, const QList<LogSource::Live> &live, bool complete) {
            threads::callLater(this, [=, this] {
                if (generation == m_sourceGeneration) {
                    Q_EMIT indexed(delta, live, complete);
                }
            });
        });
    connect(m_worker, &LogWorker::found, m_worker,
        [this](int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines, bool done) {
            threads::callLater(this, [=, this] {
                if (generation == m_searchGeneration) {
                    Q_EMIT found(stretch, lines, done);
                }
            });
        });
    connect(m_worker, &LogWorker::hitsRead, m_worker,
        [this](int generation, const LogHits::Stretch &stretch, const QList<qint64> &lines) {
            threads::callLater(this, [=, this] {
                if (generation == m_searchGeneration) {
                    Q_EMIT hitsRead(stretch, lines);
                }
            });
        });
    connect(m_worker, &LogWorker::lineFound, m_worker, [this](int generation, qint64 line) {
        threads::callLater(this, [=, this] {
            if (generation == m_sourceGeneration) {
                Q_EMIT lineFound(line);
            }
        });
    });
    m_thread.setObjectName(QStringLiteral("log"));
    m_thread.start(QThread::LowPriority);
}

LogFeed::~LogFeed()
{
    ++m_sourceGeneration;
    ++m_searchGeneration;
    m_thread.quit();
    m_thread.wait();
    threads::take();
}

void LogFeed::open(const LogSourceFactory &factory)
{
    const int generation = ++m_sourceGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, factory] { worker->open(generation, factory); });
}

void LogFeed::search(const LogQuery &query)
{
    const int generation = ++m_searchGeneration;
    threads::callLater(m_worker, [worker = m_worker, generation, query] { worker->search(generation, query); });
}

void LogFeed::readHits(const LogHits::Stretch &stretch)
{
    threads::callLater(m_worker, [worker = m_worker, generation = m_searchGeneration.load(), stretch] {
        worker->readHits(generation, stretch);
    });
}

void LogFeed::findLine(const LogGoal &goal)
{
    threads::callLater(m_worker, [worker = m_worker, generation = m_sourceGeneration.load(), goal] {
        worker->findLine(generation, goal);
    });
}

void LogFeed::setWatching(bool on)
{
    threads::callLater(m_worker, [worker = m_worker, on] { worker->setWatching(on); });
}

} // namespace trainyard
