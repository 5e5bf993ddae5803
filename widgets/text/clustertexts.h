// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "engine/api/hostvalues.h"

#include <QStringList>

namespace trainyard
{

QString clusterKindText(const QString &kind); // "Slurm"
QString clusterTitle(const QString &name, const QString &kind); // "lab (Slurm)"
// Why a cluster runs nothing new, as a sentence, or that it is followed to the end of its jobs; empty: all is well.
QString clusterTroubleText(const ClusterInfo &cluster);
// It did not answer the last time: a job that is there, else the check.
bool isSilentCluster(const ClusterInfo &cluster);
// The check found another obstacle for jobs. While the cluster has jobs, their reports are newer.
bool failsCheck(const ClusterInfo &cluster);
// Its state in a few words: "2 allocations", "does not answer".
QString clusterStateText(const ClusterInfo &cluster);
StepState clusterStepState(const ClusterStep &step); // Passed, Warned or Failed
QString clusterStepName(const ClusterStep &step); // "Shared folder"
// The findings of a step, in lines: the problem, or the facts.
QStringList clusterStepFacts(const ClusterStep &step);
// A SKU of a check, as {name, gpus, cpus, memoryMiB}: "K80: 1 GPU, 4 cores, 8 GiB".
QString skuText(const QJsonObject &sku);
// The steps of a check as rows of three cells: name; ok, warning or no; a line of what was found.
QList<QStringList> clusterStepRows(const ClusterInfo &cluster);
// A job that a cluster lists, in words: "Succeeded"; an unknown state stays in the word of the cluster.
QString clusterJobStateText(const QString &state);
// How many of the jobs there a list shows; empty: all of them.
QString shownClusterJobsText(const ClusterJobs &jobs);
// All that is known of a cluster as plain text, for its administrator.
QString clusterReport(const ClusterInfo &cluster);

} // namespace trainyard
