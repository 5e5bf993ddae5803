// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/runtime/jobchanges.h"

namespace trainyard
{

// What a change of a job does, in words.
struct ChangeWords {
    QString title; // "Raise the memory of worker to 16 GiB"
    QString detail; // "It is 8 GiB now"
};
ChangeWords changeWords(const JobChange &change);

// What the reason of a failed task or job tells of what to change; no cause where it tells nothing.
FailedPart failedPart(const QString &reason, const QJsonObject &reasonArgs, const QString &role);

} // namespace trainyard
