// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/jobchanges.h"

namespace trainyard
{

// Describes a change of a job.
struct ChangeWords {
    QString title; // "Raise the memory of worker to 16 GiB"
    QString detail; // "It is 8 GiB now"
};
ChangeWords changeWords(const JobChange &change);

// The facts in the reason of a failed task or job that suggest a change; no cause if there are none.
FailedPart failedPart(const QString &reason, const QJsonObject &reasonArgs, const QString &role);

} // namespace trainyard
