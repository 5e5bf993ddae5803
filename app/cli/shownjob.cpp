// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/shownjob.h"

#include "engine/api/compare/parametertext.h"
#include "engine/api/jobfacts.h"
#include "model/protocol/jobdocument.h"
#include "model/yaml/yamledit.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{

JobSummary summaryOfAttempt(const JobSummary &job, const AttemptInfo &attempt, const TaskOutline &outline)
{
    JobSummary summary = asOf(attempt, job);
    summary.counts = {};
    for (const RoleCounts &role : outline.roles) {
        for (const auto member : {&TaskCounts::waiting, &TaskCounts::running, &TaskCounts::succeeded,
                 &TaskCounts::failed, &TaskCounts::stopped}) {
            summary.counts.*member += role.counts.*member;
        }
    }
    summary.hosts.clear();
    for (const TaskInfo &task : outline.tasks) {
        if (!task.host.isEmpty() && !summary.hosts.contains(task.host)) {
            summary.hosts.append(task.host);
        }
    }
    return summary;
}

QByteArray textAsItRan(const JobDetail &detail)
{
    const QByteArray text = yamlWithParameters(detail.yaml, detail.summary.parameters);
    const ParseOutcome outcome = parseJob(text);
    if (!outcome.spec || outcome.spec->name == detail.summary.name) {
        return text;
    }
    const Result<TextEdits> edits = planEdit(outcome.document, edit::SetText{YamlPath{u"name"_s}, detail.summary.name});
    return edits ? applyEdits(text, *edits) : text;
}

} // namespace trainyard::cli
