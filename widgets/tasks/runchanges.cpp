// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/runchanges.h"

#include "engine/api/compare/parametertext.h"
#include "engine/client/scriptplace.h"
#include "model/protocol/jobdocument.h"
#include "widgets/text/changetexts.h"

namespace trainyard
{

const QList<JobChange> &RunChanges::of(const RunView &view)
{
    const JobSummary job = view.failure().value_or(view.job);
    if (m_yaml != view.yaml || m_reason != job.reason || m_reasonArgs != job.reasonArgs) {
        m_yaml = view.yaml;
        m_reason = job.reason;
        m_reasonArgs = job.reasonArgs;
        m_changes.clear();
        const FailedPart failed
            = failedPart(job.reason, job.reasonArgs, job.reasonArgs.value(QLatin1StringView("role")).toString());
        if (!failed.cause.isEmpty() && !m_yaml.isEmpty()) {
            const ParseOutcome outcome = parseJob(yamlWithParameters(m_yaml, job.parameters));
            if (outcome.spec) {
                m_changes = changesAfter(
                    failed, *outcome.spec, outcome.document, scriptPlaceOf(*outcome.spec, job.file, view.work));
            }
        }
    }
    return m_changes;
}

} // namespace trainyard
