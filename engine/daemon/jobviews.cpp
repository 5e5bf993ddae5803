// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/jobviews.h"

#include "engine/contract/taskfolder.h"
#include "engine/core/report.h"
#include "engine/launch/stepreport.h"
#include "model/template/pluginsteps.h"

#include <QFile>

namespace trainyard
{

using namespace Qt::StringLiterals;

JobSummary JobViews::summaryOf(const ActiveJob &job) const
{
    JobSummary summary = core::summaryOf(job.state);
    const Error &waits = job.unpublished.waits;
    if (!waits.code.isEmpty() && summary.state == State::Waiting) {
        summary.reason = waits.code;
        summary.reasonArgs = waits.args;
    }
    m_backends.of(job).describe(job, summary);
    summary.labels = job.listed.labels;
    summary.group = job.listed.group;
    summary.parameters = job.listed.parameters;
    summary.command = job.listed.command;
    m_readings.fill(job.uuid(), summary);
    m_readings.fillProgress(job.state, summary);
    explainByHealth(summary);
    return summary;
}

TaskInfo JobViews::taskInfoOf(const ActiveJob &job, core::TaskRef ref) const
{
    TaskInfo info = core::taskInfoOf(job.state, ref);
    m_backends.of(job).describe(job, ref, info);
    // A task that waits for its next try still shows the log of the one before.
    const bool isPlaced = core::placeOf(job.state.task(ref).state) != nullptr;
    const int shown = isPlaced ? info.tries : info.tries - 1;
    if (shown >= 0) {
        info.logFolder = m_backends.of(job)
                             .log(job.uuid(), info.keptFrom.value_or(info.attempt), info.role, info.index, shown)
                             .folder;
    }
    m_readings.fill(job.uuid(), ref, job.state.pauses, info);
    if (info.reasonArgs.contains(failureKey)) {
        explainByHealth(m_readings.healthOf(job.uuid()), info);
    }
    return info;
}

QList<ServiceInfo> JobViews::servicesOf(const ActiveJob &job) const
{
    constexpr qint64 readBytes = 256 << 10; // a step says it early
    QList<ServiceInfo> services;
    if (!job.spec || !hasPlugin(*job.spec, u"tensorboard"_s)) {
        return services;
    }
    for (const TaskRole &role : job.spec->taskRoles) {
        const std::optional<core::TaskRef> ref = job.state.find(role.name, 0);
        if (!ref || !std::holds_alternative<core::Running>(job.state.task(*ref).state)) {
            continue;
        }
        const TaskInfo task = taskInfoOf(job, *ref);
        QFile log(task.logFolder + u'/' + QLatin1StringView(contract::file::runtime));
        if (!log.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QList<launch::ServiceReport> reports = launch::serviceReports(log.read(readBytes));
        for (const launch::ServiceReport &report : reports) {
            if (report.state != "ended"_L1) {
                services.append({report.name, report.address, report.state, role.name, task.host, 0});
            }
        }
    }
    return services;
}

} // namespace trainyard
