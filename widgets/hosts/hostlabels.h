// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QList>

namespace trainyard
{

// The hosts with the labels by which windows call them: the names that the user gave, which commands and lists of jobs
// have as well and of which each is there once. What a machine calls itself is often the same for several. This
// computer is called so.
QList<HostInfo> withShownLabels(QList<HostInfo> hosts);

// For a tooltip: the label, and below it how ssh reaches the host, where that is something else.
QString labelAndAddress(const HostInfo &host);

} // namespace trainyard
