// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/slurmpartitions.h"
#include "engine/clusters/slurmscript.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

#include <optional>

// The nodes of a Slurm cluster, as sinfo lists them. Pure.
namespace trainyard::slurm
{

// The answer of sinfo. A partition has an object for each kind of GPUs in it: [{name, isDefault, isUp, limit, nodes,
// cpus, gpus, away, reasons: [text], largest: {cpus, memoryMiB, gpus}}]. `away`: how many of its nodes take no jobs,
// and `reasons` why, in Slurm's words ("drained: new disks"); `largest`: the most that one of its nodes has, free or
// not.
QStringList partitionArguments();
QJsonArray partitionsIn(const QByteArray &said);
// Whether to ask for them again: limits change while an engine runs, and so do nodes. `sinceAskedMs`: nothing, if that
// was never done.
bool mayAskPartitions(bool areKnown, std::optional<qint64> sinceAskedMs);

// Why none of the nodes of these partitions takes jobs; empty: some do, or nothing is known.
QStringList whyAllAreAway(const QJsonArray &partitions);

// Whether a refusal says that the cluster has no nodes such as were asked for.
bool isOfNodes(const QString &refusal);
// Why such a job was refused: slurm.refused-size {…, asked, most}, both {cpus, memoryMiB, gpus}, where one of its tasks
// asks for more than the largest node has; else slurm.refused {…}. `most` is largestOf(), or empty.
Error refusalBySize(const QJsonObject &args, const Layout &layout, const QJsonObject &most);

// How many nodes a heterogeneous job needs at least, whose components get nodes of their own (Slurm shares none between
// them). `largest`: the most that a node has, as of largestOf(); empty: not known, and one node serves each component.
int leastNodesFor(const Layout &layout, const QJsonObject &largest);
// How many nodes the largest of these partitions has, taking jobs or not.
int nodesOfLargest(const QJsonArray &partitions);
// Why such a job never starts there, instead of `why`: wait.slurm-components {target, components, needed, nodes}. The
// same as `why` when it may start, or nothing is known of the partitions.
Error waitReasonOfComponents(const Error &why, const Layout &layout, const QJsonArray &partitions);

} // namespace trainyard::slurm
