// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QStringList>

namespace trainyard
{

// What a check of a Slurm cluster has found of its user, in lines: the arguments of the steps "use" and "limits"
// (engine/api/clusters.h).
QStringList slurmUseFacts(const QJsonObject &args);
QStringList slurmLimitFacts(const QJsonObject &args);

} // namespace trainyard
