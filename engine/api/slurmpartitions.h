// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

// The partitions of a Slurm cluster, as its check has them (the step "answers" of ClusterStep).
namespace trainyard::slurm
{

// The partitions that jobs with these options of sbatch use: the named ones, otherwise the default.
QJsonArray partitionsOf(const QJsonArray &partitions, const QStringList &options);
// The most that one of their nodes has: {cpus, memoryMiB, gpus}; empty: nothing is known.
QJsonObject largestOf(const QJsonArray &partitions);

} // namespace trainyard::slurm
