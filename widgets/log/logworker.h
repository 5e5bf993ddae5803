// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/logindex.h"
#include "widgets/log/logsource.h"

#include <QObject>
#include <QRegularExpression>
#include <QTimer>

#include <atomic>

namespace trainyard
{

// What is looked for in a log.
struct LogQuery {
    QString text;
    bool isPattern = false;
    bool matchCase = false;
    bool isEmpty() const { return text.isEmpty(); }
    QRegularExpression expression() const; // invalid when the pattern is
    friend bool operator==(const LogQuery &, const LogQuery &) = default;
};

// Indexes and searches a log on a thread of its own, in blocks, and looks every now and then whether it grew.
// Everything it says carries the generation of the request, so that late answers can be told.
class LogWorker : public QObject
{
    Q_OBJECT
public:
    explicit LogWorker(const std::atomic<int> *sourceGeneration, const std::atomic<int> *searchGeneration);
    ~LogWorker() override;

public Q_SLOTS:
    void open(int generation, const trainyard::LogSourceFactory &factory);
    void search(int generation, const trainyard::LogQuery &query);
    void setWatching(bool on);

Q_SIGNALS:
    void indexed(int generation, const trainyard::LogIndex::Delta &delta, bool complete);
    // Lines with a hit, rising, each once; `hits` counts all so far; `done`: everything indexed was searched.
    void found(int generation, const QList<qint64> &lines, qint64 hits, bool done);

private:
    void step();
    bool indexMore(); // true: something was read
    bool searchMore(); // true: there is more to search
    const std::atomic<int> *m_wantedSource;
    const std::atomic<int> *m_wantedSearch;
    std::unique_ptr<LogSource> m_source;
    LogIndex m_index;
    LogQuery m_query;
    QRegularExpression m_expression;
    QTimer *m_timer = nullptr;
    int m_sourceGeneration = 0;
    int m_searchGeneration = 0;
    qint64 m_searchedTo = 0;
    qint64 m_searchLine = 0;
    qint64 m_hits = 0;
    bool m_searchDone = true;
    bool m_complete = false;
    bool m_watching = true;
    bool m_told = false;
    bool m_toldComplete = false;
};

} // namespace trainyard

Q_DECLARE_METATYPE(trainyard::LogIndex::Delta)
Q_DECLARE_METATYPE(trainyard::LogQuery)
