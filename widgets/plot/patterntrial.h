// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/metricpatterns.h"
#include "widgets/log/logsource.h"

#include <QObject>
#include <QStringList>

#include <atomic>
#include <map>
#include <memory>

namespace trainyard
{

// Tries patterns on the beginning of a log, on a thread of the pool. Only the newest trial reports its results.
class PatternTrial : public QObject
{
    Q_OBJECT
public:
    static constexpr qint64 mostBytes = 64 << 20; // of the log

    struct Hits {
        qint64 count = 0;
        double last = 0;
        QStringList lines; // the first few with a hit
    };
    using Found = std::map<std::string, Hits>; // by the names of the patterns; without those that find nothing

    explicit PatternTrial(QObject *parent) : QObject(parent), m_newest(std::make_shared<std::atomic<int>>(0)) { }
    ~PatternTrial() override { ++*m_newest; }
    void start(const LogSourceFactory &log, const MetricPatterns &patterns);

Q_SIGNALS:
    void found(const trainyard::PatternTrial::Found &hits, bool isWhole);

private:
    std::shared_ptr<std::atomic<int>> m_newest;
};

} // namespace trainyard
