// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logfinder.h"
#include "widgets/log/loghits.h"
#include "widgets/log/logindex.h"
#include "widgets/log/logmatcher.h"
#include "widgets/log/logsource.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

namespace trainyard
{

// Indexes and searches a log on a separate thread, in blocks, and checks from time to time whether it grew. All
// signals carry the generation of the request, so that late answers can be recognised.
class LogWorker : public QObject
{
    Q_OBJECT
public:
    using Generation = std::shared_ptr<const std::atomic<int>>; // that is wanted
    LogWorker(Generation source, Generation search);
    ~LogWorker() override;

public Q_SLOTS:
    void open(int generation, const trainyard::LogSourceFactory &factory);
    void search(int generation, const trainyard::LogQuery &query);
    void setWatching(bool on);
    void readHits(int generation, const trainyard::LogHits::Stretch &stretch); // answers with hitsRead()
    void findLine(int generation, const trainyard::LogGoal &goal); // of the source; answers with lineFound()

Q_SIGNALS:
    void indexed(int generation, const trainyard::LogIndex::Delta &delta, const QList<trainyard::LogSource::Live> &live,
        bool complete);
    // The lines with a hit in this stretch, in ascending order. `done` means that everything indexed was searched. A
    // stretch at the beginning replaces what was found before.
    void found(int generation, const trainyard::LogHits::Stretch &stretch, const QList<qint64> &lines, bool done);
    void hitsRead(int generation, const trainyard::LogHits::Stretch &stretch, const QList<qint64> &lines);
    void lineFound(int generation, qint64 line); // -1: there is none

private:
    void step();
    bool indexMore(); // true: something was read
    bool searchMore(); // true: there is more to search
    bool findLineMore();
    QByteArray wholeLines(qint64 from, bool *atEnd); // a block of them from there
    Generation m_wantedSource, m_wantedSearch;
    std::unique_ptr<LogSource> m_source;
    LogIndex m_index;
    LogQuery m_query;
    LogMatcher m_matcher;
    QTimer *m_timer = nullptr;
    int m_sourceGeneration = 0;
    int m_searchGeneration = 0;
    qint64 m_searchedTo = 0;
    qint64 m_searchLine = 0;
    LogFinder m_finder;
    bool m_searchDone = true;
    quint64 m_liveState = 0;
    quint64 m_restarts = 0;
    bool m_complete = false;
    bool m_watching = true;
    bool m_told = false;
    bool m_toldComplete = false;
    bool m_toldWhole = false;
};

} // namespace trainyard
