// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/jobfilter.h"

namespace trainyard
{

// The terms of a filter, or what is wrong with one of them, and where. `now`: ms since 1970, for times of a day.
Result<QList<FilterTerm>> filterTermsIn(const QString &text, qint64 now);

} // namespace trainyard
