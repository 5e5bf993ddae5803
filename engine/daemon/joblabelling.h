// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/daemon/jobqueries.h"
#include "engine/daemon/tick.h"

namespace trainyard
{

// The labels that users give jobs, active or not: tags, notes, stars, and which jobs are archived.
class JobLabelling : public QObject
{
    Q_OBJECT
public:
    JobLabelling(ActiveJobs &jobs, Store &store, const JobQueries &queries, Publisher &publisher, Tick &tick)
        : m_jobs(jobs), m_store(store), m_queries(queries), m_publisher(publisher), m_tick(tick)
    {
    }
    // True when something has changed, and is on the disk. job.unknown {job}, tag.too-long, note.too-long, store.*.
    Result<bool> change(const api::LabelChange &change);

Q_SIGNALS:
    void changed(const QString &uuid); // of a job that has ended; the others are the publisher's

private:
    ActiveJobs &m_jobs;
    Store &m_store;
    const JobQueries &m_queries;
    Publisher &m_publisher;
    Tick &m_tick;
};

} // namespace trainyard
