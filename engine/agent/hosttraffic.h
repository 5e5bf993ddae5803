// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard::agent
{

// The bytes that went through the network devices of the host since they were started. The loopback device and those of
// containers and bridges are left out, as their bytes go through another one or stay on the host.
struct HostTraffic {
    std::uint64_t received = 0, sent = 0;
};
HostTraffic hostTraffic();
HostTraffic parseTraffic(std::string_view text); // of /proc/net/dev

} // namespace trainyard::agent
