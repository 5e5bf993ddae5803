// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/backend.h"

#include <QTimer>

#include <map>
#include <unordered_map>

namespace trainyard
{

// The times that jobs wait for: the end of the pause before a retry, the time limit of an attempt. It uses a clock that
// cannot be set: with a clock that jumps, they would come too early or too late.
class JobTimers : public QObject
{
    Q_OBJECT
public:
    explicit JobTimers(const ActiveJobs &jobs);
    void start(const ActiveJob &job, const core::effect::StartTimer &timer);
    void start(const ActiveJob &job, const core::effect::StartLimit &limit); // in place of the one before
    void forget(const ActiveJob &job); // it is over: its limit may be months away

Q_SIGNALS:
    void due(trainyard::ActiveJob *job, const trainyard::core::Event &event);

private:
    using What = decltype(core::Event::what);
    using Due = std::multimap<qint64, std::pair<QString, What>>; // steady; job's UUID
    Due::iterator add(const ActiveJob &job, qint64 at, qint64 mostMs, What what);
    void tell();
    void wait();

    const ActiveJobs &m_jobs;
    Due m_due;
    std::unordered_map<QString, Due::iterator> m_limits; // of these, the limit of each job
    QTimer m_timer; // the next of them
};

} // namespace trainyard
