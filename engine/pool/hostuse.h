// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/calls.h"
#include "engine/hosts/hostsfile.h"

namespace trainyard
{

// The use of a host after a change of it. host.bad-label {label}, host.bad-hours {hours}, host.always-closed {hours},
// host.bad-address {address}.
Result<HostUse> changedUse(HostUse use, const api::HostChange &change);

} // namespace trainyard
