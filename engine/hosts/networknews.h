// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace trainyard
{

// What the kernel reports of the networks of this computer (rtnetlink), as far as hosts that could not be reached may
// be reached by it: an address that was not there before, or an interface with an address whose line is back. Addresses
// that lead nowhere else (loopback, link-local) do not count, nor do interfaces without an address, as those of
// containers, and the renewal of an address. Pure.
class NetworkNews
{
public:
    // What is there at first, which is no news.
    void noteAddress(int interface, std::string_view address) { m_addresses[interface].emplace(address); }
    void noteLine(int interface, bool isUp) { m_isUp[interface] = isUp; }
    // One datagram of the kernel. True: it brings such news.
    bool take(std::string_view datagram);

private:
    bool takeAddress(std::string_view message, bool isThere);
    bool takeLine(std::string_view message, bool isThere);
    std::map<int, std::set<std::string>> m_addresses; // by interface, as bytes
    std::map<int, bool> m_isUp; // by interface
};

} // namespace trainyard
