// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/approvalsdoor.h"

#include "engine/backend/clock.h"

namespace trainyard
{

using namespace Qt::StringLiterals;

Approvals::Door approvalsDoor(
    const Settings &settings, const ActiveJobs &jobs, JobService &service, const JobQueries &queries)
{
    Approvals::Door door;
    door.rules = [&settings] {
        return AssistantRules{settings.text(u"assistants.submit"_s) == "ask"_L1,
            int(settings.integer(u"assistants.maxJobs"_s)), int(settings.integer(u"assistants.maxGpus"_s))};
    };
    door.used = [&jobs] {
        AssistantUse used;
        for (const auto &[uuid, job] : jobs) {
            if (!job->state.meta.assistant.isEmpty()) {
                ++used.jobs;
                used.gpus += job->state.policy.totalGpu();
            }
        }
        return used;
    };
    door.look = [&service](const SubmitRequest &request) {
        Result<JobOutlook> outlook = service.outlook(request);
        const Result<PlanReply> plan = outlook ? service.plan(request) : Result<PlanReply>(PlanReply());
        if (!plan) {
            return Result<JobOutlook>(tl::unexpected<Error>(plan.error()));
        }
        for (const PlannedTask &task : plan->tasks) {
            if (outlook && !task.host.isEmpty() && !outlook->hosts.contains(task.host)) {
                outlook->hosts.append(task.host);
            }
        }
        return outlook;
    };
    door.check = [&service](const SubmitRequest &request) { return service.check(request); };
    door.submit = [&service](const SubmitRequest &request, const QJsonObject &origin) {
        return service.submit(request, origin);
    };
    door.job = [&queries](const QString &uuid) { return queries.summary(uuid); };
    door.stop = [&service](const QString &uuid, const Error &why) { return service.stop(uuid, false, why); };
    door.utcMs = nowMs;
    door.steadyMs = steadyMs;
    return door;
}

} // namespace trainyard
