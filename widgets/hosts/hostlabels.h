// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QList>

namespace trainyard
{

// The hosts with labels that can be told apart: machines are often called the same by those who made them. This
// computer is called so.
QList<HostInfo> withDistinctLabels(QList<HostInfo> hosts);

} // namespace trainyard
