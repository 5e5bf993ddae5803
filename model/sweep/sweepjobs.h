// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"
#include "model/sweep/sweepplan.h"
#include "model/yaml/yamldocument.h"

namespace trainyard
{

// "train-07", the seventh of at most 99 jobs: as many digits as the last number has, so that lists sort them.
QString sweepJobName(const QString &group, qsizetype index, qsizetype count);

// The key by which the engine recognizes a job of a group that was submitted before.
QString sweepJobKey(const QString &group, qsizetype index);

// The text of one job of a sweep: the job's own with this name and these values of parameters, and otherwise unchanged,
// so that it can be run again, edited and compared like any other. Codes: those of planEdit() (model/yaml/yamledit.h).
Result<QByteArray> sweepJobText(
    const YamlDocument &job, const QString &name, const QStringList &parameters, const SweepPoint &values);

// The sum of the requests of one job's tasks.
struct JobDemand {
    qint64 gpus = 0, cpus = 0, memoryMiB = 0;
    JobDemand times(qint64 jobs) const { return {gpus * jobs, cpus * jobs, memoryMiB * jobs}; }
    friend bool operator==(const JobDemand &, const JobDemand &) = default;
};
JobDemand demandOf(const JobSpec &job);

// The parameters of a job that a sweep can change: texts, numbers and truth values.
QStringList sweepableParameters(const JobSpec &job);

} // namespace trainyard
