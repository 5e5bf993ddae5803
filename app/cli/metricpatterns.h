// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/client/metricpatterns.h"

#include <QStringList>

namespace trainyard::cli
{

// The patterns of the settings, over them those of `ofJob`, and over these the ones that were typed as NAME=EXPRESSION.
// Says which of the first cannot be used. Errors: "metrics.pattern-form" {text}, and those of MetricPatterns for typed
// ones.
Result<MetricPatterns> usedPatterns(const QStringList &typed, const MetricPatterns &ofJob = MetricPatterns());

} // namespace trainyard::cli
