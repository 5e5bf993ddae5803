// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/joblabelling.h"

#include "engine/api/joblabels.h"

namespace trainyard
{

Result<bool> JobLabelling::change(const api::LabelChange &change)
{
    if (const Result<void> ready = m_tick.writable(); !ready) {
        return tl::unexpected<Error>(ready.error());
    }
    QList<JobSummary> others;
    for (const QString &uuid : change.ids) {
        const Result<JobSummary> job = m_queries.summary(uuid);
        if (!job) {
            return tl::unexpected<Error>(job.error());
        }
        JobSummary other = *job;
        other.labels = changedLabels(job->labels, change);
        if (other.labels != job->labels) {
            m_store.saveLabels(other.id, other.labels);
            if (other.labels.isStarred && job->removal) {
                m_store.saveRemoval(other.id, std::nullopt); // a star keeps it
            }
            others.append(other);
        }
    }
    if (others.isEmpty()) {
        return false;
    }
    if (const Result<void> written = m_store.commit(true); !written) {
        return tl::unexpected<Error>(written.error());
    }
    for (const JobSummary &job : std::as_const(others)) {
        if (ActiveJob *active = m_jobs.find(job.uuid)) {
            active->listed.labels = job.labels;
            m_publisher.mark(*active);
            m_publisher.publish();
        } else {
            Q_EMIT changed(job.uuid);
        }
    }
    return true;
}

} // namespace trainyard
