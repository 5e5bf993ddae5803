// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// Where a metric stands among others by what nearly everybody looks at first: 0 is a loss itself, then other losses,
// then scores; 4 is any other, and 5 what is set rather than measured, such as the learning rate.
int metricRank(const QString &name);

} // namespace trainyard
