// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/clusters.h"
#include "model/base/result.h"

#include <QByteArray>

// What an OpenPAI cluster says of the jobs of its user. Pure.
namespace trainyard::openpai
{

// Of an answer to the list of jobs: an object with a number of all, or, from older servers, an array. What is no job in
// it is left out, and so are those behind the `most` newest ones. Code: openpai.no-list {target}: the answer is
// neither.
Result<ClusterJobs> jobsIn(const QByteArray &answer, const QString &target, qsizetype most);

} // namespace trainyard::openpai
