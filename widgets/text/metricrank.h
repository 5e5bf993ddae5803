// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// The rank of a metric by how early most users look at it: 0 is a loss itself, then other losses, then scores; 4 is any
// other, and 5 a value that is set rather than measured, such as the learning rate.
int metricRank(const QString &name);

} // namespace trainyard
