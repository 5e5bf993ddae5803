// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace trainyard::cli
{

// Prints the environments and modules that tasks could use on a host; returns the exit status.
int outEnvironments(Session &session, const QString &host, bool json);

// How much it was used in the last hour; nothing where that is not known.
void outLastHour(const api::HostHistory &history, const QList<GpuInfo> &gpus);

} // namespace trainyard::cli
