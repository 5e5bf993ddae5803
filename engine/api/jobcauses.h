// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QStringList>

namespace trainyard
{

// The cause that the reason of a job or task names by itself, whatever its output shows: "host-oom" if the kernel ended
// it because memory ran out. Empty: it names none.
QString causeOfReason(const QString &reason);

// The names by which programs know why a job failed, the one that says most first: the cause that its output, or its
// health, shows or its reason says ("gpu-oom"), the type of the exception, the name of its completion code
// ("ContainerCudaOOMKilled") and the code of its reason ("limit.time"). Empty when it did not fail, or when nothing
// more is known.
QStringList failureCauses(const JobSummary &job);

} // namespace trainyard
