// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

#include <QStringList>

namespace trainyard
{

// What failed in two or three words, for lists: "Module missing". The name of the exception where no cause is known.
// Empty: nothing is known that says more than the status.
QString causeName(const FailureFacts &facts);

// The same in a word or two, where a column is narrow: "GPU OOM". How sure it is stands elsewhere.
QString causeBrief(const FailureFacts &facts);

// The causes whose words, or whose shorter ones, have this text in them: "gpu-oom" and "host-oom" for "OOM".
QStringList causesNamed(const QString &text);

} // namespace trainyard
