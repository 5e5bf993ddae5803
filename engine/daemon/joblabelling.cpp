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
    if (const Result<void> checked = checkTags(change.addTags); !checked) {
        return tl::unexpected<Error>(checked.error());
    }
    if (const Result<void> checked = checkNote(change.note.value_or(QString())); !checked) {
        return tl::unexpected<Error>(checked.error());
    }
    QList<JobSummary> before, others;
    for (const QString &uuid : change.ids) {
        const Result<JobSummary> job = m_queries.summary(uuid);
        if (!job) {
            return tl::unexpected<Error>(job.error());
        }
        JobSummary other = *job;
        other.labels = changedLabels(job->labels, change);
        if (other.labels.isArchived && !job->labels.isArchived && !isFinal(job->state)) {
            return fail(QStringLiteral("job.archive-active"),
                {{QStringLiteral("job"), uuid}, {QStringLiteral("id"), job->id}, {QStringLiteral("name"), job->name}});
        }
        if (other.labels != job->labels) {
            before.append(*job);
            others.append(other);
        }
    }
    if (others.isEmpty()) {
        return false;
    }
    // Writing starts only when all of them are known: changes before a refusal would be part of the next commit.
    for (const JobSummary &job : std::as_const(others)) {
        m_store.saveLabels(job.id, job.labels);
        if (job.labels.isStarred && job.removal) {
            m_store.saveRemoval(job.id, std::nullopt); // a star keeps it
        }
    }
    if (const Result<void> written = m_store.commit(true); !written) {
        if (m_store.mayBeWritten()) { // then a client that gets a refusal must not find it there
            for (const JobSummary &job : std::as_const(before)) {
                m_store.saveLabels(job.id, job.labels);
                m_store.saveRemoval(job.id, job.removal);
            }
            m_store.writeAnything();
            m_store.commit();
        }
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
