// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>

// Reads an OpenPAI cluster's answers about the jobs of its user. Pure.
namespace trainyard::openpai
{

// Reads an answer to the list of jobs: an object with a number of all, or, from older servers, an array. Entries that
// are not jobs are left out, and so are those after the `most` newest ones. Code: openpai.no-list {target}: the answer
// is neither.
Result<ClusterJobs> jobsIn(const QByteArray &answer, const QString &target, qsizetype most);

// Reads an answer about SKUs: [{name, gpus, cpus, memoryMiB}], in the order of their names. Entries that are not SKUs
// are left out; a server without a scheduler of SKUs has none.
QJsonArray skusIn(const QJsonObject &answer);

// The tags of a job by its detail, in their order, each once. Older servers give objects with a name.
QStringList tagsIn(const QJsonObject &detail);

// Whether a text can be a tag there: one line of at most 255 characters.
bool isTag(const QString &tag);

} // namespace trainyard::openpai
