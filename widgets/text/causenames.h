// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"

namespace trainyard
{

// What failed in two or three words, for lists: "Module missing". The name of the exception where no cause is known.
// Empty: nothing is known that says more than the status.
QString causeName(const FailureFacts &facts);

// The same in a word or two, where a column is narrow: "GPU OOM". How sure it is stands elsewhere.
QString causeBrief(const FailureFacts &facts);

} // namespace trainyard
