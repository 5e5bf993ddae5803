// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hosttraffic.h"

#include "engine/contract/taskfolder.h"

#include <array>
#include <cstdlib>
#include <string>

namespace trainyard::agent
{

static bool isVirtual(std::string_view device)
{
    constexpr std::array prefixes{"veth", "docker", "br-", "virbr", "cni", "podman", "tap", "dummy", "flannel", "cali"};
    for (const std::string_view prefix : prefixes) {
        if (device.starts_with(prefix)) {
            return true;
        }
    }
    return device == "lo";
}

HostTraffic parseTraffic(std::string_view text)
{
    HostTraffic traffic;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(':');
        const std::size_t begin = line.find_first_not_of(' ');
        if (colon == std::string::npos || begin >= colon
            || isVirtual(std::string_view(line).substr(begin, colon - begin))) {
            continue;
        }
        // received: bytes packets errs drop fifo frame compressed multicast; sent: bytes ...
        const char *p = line.c_str() + colon + 1;
        for (int field = 0; field <= 8; ++field) {
            char *after = nullptr;
            const std::uint64_t value = std::strtoull(p, &after, 10);
            if (after == p) {
                break;
            }
            p = after;
            traffic.received += field == 0 ? value : 0;
            traffic.sent += field == 8 ? value : 0;
        }
    }
    return traffic;
}

HostTraffic hostTraffic() { return parseTraffic(contract::readWhole("/proc/net/dev").value_or("")); }

} // namespace trainyard::agent
