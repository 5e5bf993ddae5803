// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

#include <QStringList>

namespace trainyard
{

// The failure in two or three words, for lists: "Module missing". The name of the exception if no cause is known.
// Empty: only the status is known.
QString causeName(const FailureFacts &facts);

// The same in a word or two, for narrow columns: "GPU OOM". It does not say how certain the cause is.
QString causeBrief(const FailureFacts &facts);

// The causes whose words, or whose shorter ones, have this text in them: "gpu-oom" and "host-oom" for "OOM".
QStringList causesNamed(const QString &text);

} // namespace trainyard
