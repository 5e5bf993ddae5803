// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/readingthread.h"
#include "widgets/log/logfinder.h"
#include "widgets/log/loghits.h"
#include "widgets/log/logindex.h"
#include "widgets/log/logmatcher.h"
#include "widgets/log/logsource.h"

#include <QObject>

#include <atomic>
#include <memory>

namespace trainyard
{

class LogWorker;

// Indexes and searches a log on a separate thread. Only results of the newest request come back.
class LogFeed : public QObject
{
    Q_OBJECT
public:
    explicit LogFeed(QObject *parent);
    ~LogFeed() override;
    void open(const LogSourceFactory &factory); // none: no log
    void search(const LogQuery &query);
    void readHits(const LogHits::Stretch &stretch); // answers with hitsRead()
    void findLine(const LogGoal &goal); // answers with lineFound()
    void setWatching(bool on); // whether it looks if the log has grown

Q_SIGNALS:
    // More lines are there, or other unfinished ones.
    void indexed(const trainyard::LogIndex::Delta &delta, const QList<trainyard::LogSource::Live> &live, bool complete);
    // As LogWorker has it: a stretch at the beginning replaces what was found before.
    void found(const trainyard::LogHits::Stretch &stretch, const QList<qint64> &lines, bool done);
    void hitsRead(const trainyard::LogHits::Stretch &stretch, const QList<qint64> &lines);
    void lineFound(qint64 line); // the nearest one that findLine() asked for, or -1

private:
    // Shared with the worker, which may outlive this.
    std::shared_ptr<std::atomic<int>> m_sourceGeneration, m_searchGeneration;
    std::shared_ptr<WayBack> m_wayBack;
    LogWorker *m_worker;
    ReadingThread m_thread;
};

} // namespace trainyard
