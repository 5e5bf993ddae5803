// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

namespace trainyard
{

// The findings of a check of a Slurm cluster about its user, in lines: the arguments of the steps "use" and "limits"
// (engine/api/clusters.h).
QStringList slurmUseFacts(const QJsonObject &args);
QStringList slurmLimitFacts(const QJsonObject &args);

// The resources of a node, or the request of a task, {cpus, memoryMiB, gpus}: "4 cores, 3.9 GiB of memory and 2 GPUs".
QString slurmNodeText(const QJsonObject &node);
// Why nodes take no jobs, in the words of a check: "idle*: ..." is "idle, not answering: ...".
QString slurmReasonText(const QString &reason);
// The words for the partition of a check whose nodes take no jobs: "2 of 3 take no jobs (drained: new disks)"; empty:
// all do.
QString slurmAwayText(const QJsonObject &partition);

// The numbers of the limit that a job waits for (engine/clusters/slurmlimits.h): "limit 8 GPUs, 6 in use, 4 asked for".
QString slurmLimitText(const QJsonObject &numbers);
// The arguments of a reason, in which the word of Slurm for a limit has its numbers beside it, where they are known.
QJsonObject withLimitNumbers(const QJsonObject &args);

} // namespace trainyard
