// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/rehearsals.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

Result<void> Rehearsals::take(const QString &uuid)
{
    if (uuid.isEmpty()) {
        return {};
    }
    const std::optional<qint64> id = m_store.idOf(uuid);
    const std::optional<StoredDocument> document = id ? m_store.document(*id) : std::nullopt;
    const std::optional<JobSummary> job = id ? m_store.job(*id) : std::nullopt;
    if (const std::optional<Error> damaged = m_store.readError()) {
        return tl::unexpected<Error>(*damaged);
    }
    if (!document || !job) {
        return fail(u"job.unknown"_s, {{u"job"_s, uuid}});
    }
    if (document->original.isEmpty()) {
        return fail(u"rehearsal.not-one"_s, {{u"job"_s, job->id}, {u"name"_s, job->name}});
    }
    m_uuid = uuid;
    m_id = *id;
    m_document = *document;
    return {};
}

void Rehearsals::write(const QString &promoted)
{
    if (m_id > 0) {
        m_document.promoted = promoted;
        m_store.saveFacts(m_id, m_document);
    }
}

void Rehearsals::noteWritten()
{
    if (ActiveJob *active = m_id > 0 ? m_jobs.find(m_uuid) : nullptr) {
        active->document.promoted = m_document.promoted;
    }
}

} // namespace trainyard
