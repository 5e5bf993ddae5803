// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/queueplace.h"
#include "engine/api/values.h"

#include <QHash>
#include <QStringList>

namespace trainyard::cli
{

// The lines of `ps`, below their head. Where they have a width, the reasons are a few words, since there would be no
// room for their sentences, and what says least is left out until names and reasons have room: counts of tasks, then
// when a job was submitted, where it is, and its tasks. `now` is ms UTC.
QStringList psTable(const QList<JobSummary> &jobs, const QHash<QString, QueuePlace> &queue, int width, qint64 now);

} // namespace trainyard::cli
