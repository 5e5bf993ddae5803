// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/jobtime.h"

#include "engine/api/jobfacts.h"
#include "widgets/common/clocktext.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard
{
namespace
{

struct JobTime {
    Q_DECLARE_TR_FUNCTIONS(JobTime)
};

} // namespace

QStringList jobTimeDetails(const JobSummary &job, qint64 now, const AttemptInfo *former)
{
    const qint64 paused = former ? asOf(*former, job).pausedMs : job.pausedMs;
    QStringList lines;
    if (job.retries > 0) {
        lines.append(JobTime::tr("This is the time of attempt %1.").arg((former ? former->index : job.retries) + 1));
    }
    if (paused > 0) {
        lines.append(JobTime::tr("Without the time in which the job was paused: %1").arg(clockText(paused)));
    }
    if (job.retries > 0) {
        lines.append(JobTime::tr("All attempts together, as the lists of jobs show: %1")
                         .arg(clockText(allAttemptsMs(job, now))));
        lines.append(JobTime::tr("Since the job was submitted, with all waits: %1")
                         .arg(clockText(job.completed.value_or(now) - job.submitted)));
    }
    return lines;
}

QStringList wholeTimeDetails(const JobSummary &job, qint64 now)
{
    QStringList lines;
    if (job.retries > 0) {
        lines.append(JobTime::tr("This is the time of all attempts together; attempt %1 alone: %2")
                         .arg(job.retries + 1)
                         .arg(clockText(countedMs(job, now))));
    }
    const qint64 paused = std::max(job.pausedMs, pausedMsIn(job, job.submitted, job.completed.value_or(now)));
    if (paused > 0) {
        lines.append(JobTime::tr("Without the time in which the job was paused: %1").arg(clockText(paused)));
    }
    if (job.retries > 0) {
        lines.append(JobTime::tr("Since the job was submitted, with all waits: %1")
                         .arg(clockText(job.completed.value_or(now) - job.submitted)));
    }
    return lines;
}

} // namespace trainyard
