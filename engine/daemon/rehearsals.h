// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"

namespace trainyard
{

// Keeps with a rehearsal what is submitted of its original, for one submission. The job itself has the UUID of its
// rehearsal in its document; this is the way back.
class Rehearsals
{
public:
    Rehearsals(ActiveJobs &jobs, Store &store) : m_jobs(jobs), m_store(store) { }

    // Takes the rehearsal of the submission; empty: there was none. Errors: job.unknown {job}, rehearsal.not-one {job,
    // name}.
    Result<void> take(const QString &uuid);
    void write(const QString &promoted); // the UUID of the new job, into the current transaction
    void noteWritten(); // once that is committed

private:
    ActiveJobs &m_jobs;
    Store &m_store;
    QString m_uuid;
    qint64 m_id = 0; // 0: none
    StoredDocument m_document;
};

} // namespace trainyard
