// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/hostaddresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostAddresses = 128; // beside the GPUs in a header of 64 KiB

// "br-4f2a91c0de12" of Docker, not "br-lan" of a person.
bool isNetworkOfDocker(std::string_view interface)
{
    constexpr std::string_view begin = "br-";
    constexpr std::size_t digits = 12;
    return interface.size() == begin.size() + digits && interface.starts_with(begin)
        && interface.find_first_not_of("0123456789abcdef", begin.size()) == std::string_view::npos;
}

template <typename T> T read(const sockaddr *address) // as the type that it is, wherever it lies
{
    T value{};
    std::memcpy(&value, address, sizeof value);
    return value;
}

} // namespace

bool mayHavePeers(std::string_view interface)
{
    constexpr std::string_view guests[] = {"docker", "podman", "cni", "virbr", "vnet", "veth", "lxcbr", "lxdbr",
        "flannel", "cali", "weave", "nerdctl", "vmnet", "vboxnet", "dummy", "kube-"};
    return !isNetworkOfDocker(interface)
        && std::none_of(std::begin(guests), std::end(guests),
            [interface](std::string_view guest) { return interface.starts_with(guest); });
}

std::string peerAddressText(const sockaddr *address)
{
    char text[INET6_ADDRSTRLEN] = "";
    if (address && address->sa_family == AF_INET) {
        const in_addr ip = read<sockaddr_in>(address).sin_addr;
        const std::uint32_t number = ntohl(ip.s_addr);
        const bool isOfThisHost = (number >> 24) == 127 || (number >> 24) == 0;
        const bool isOfLink = (number >> 16) == 0xa9fe; // 169.254.0.0/16
        if (!isOfThisHost && !isOfLink && (number >> 28) != 14) {
            ::inet_ntop(AF_INET, &ip, text, sizeof text);
        }
    } else if (address && address->sa_family == AF_INET6) {
        const in6_addr ip = read<sockaddr_in6>(address).sin6_addr;
        if (!IN6_IS_ADDR_LOOPBACK(&ip) && !IN6_IS_ADDR_LINKLOCAL(&ip) && !IN6_IS_ADDR_UNSPECIFIED(&ip)
            && !IN6_IS_ADDR_MULTICAST(&ip) && !IN6_IS_ADDR_V4MAPPED(&ip)) {
            ::inet_ntop(AF_INET6, &ip, text, sizeof text);
        }
    }
    return text;
}

int prefixOf(const sockaddr *mask)
{
    int bits = 0;
    if (mask && mask->sa_family == AF_INET) {
        bits = std::popcount(static_cast<std::uint32_t>(read<sockaddr_in>(mask).sin_addr.s_addr));
    } else if (mask && mask->sa_family == AF_INET6) {
        for (const std::uint8_t byte : read<sockaddr_in6>(mask).sin6_addr.s6_addr) {
            bits += std::popcount(byte);
        }
    }
    return bits;
}

std::vector<contract::HostAddress> hostAddresses()
{
    std::vector<contract::HostAddress> found;
    ifaddrs *all = nullptr;
    if (::getifaddrs(&all) != 0) {
        return found;
    }
    for (const ifaddrs *each = all; each && found.size() < mostAddresses; each = each->ifa_next) {
        constexpr unsigned int wanted = IFF_UP | IFF_RUNNING;
        const std::string_view name = each->ifa_name ? each->ifa_name : "";
        if ((each->ifa_flags & wanted) != wanted || (each->ifa_flags & IFF_LOOPBACK) != 0 || !mayHavePeers(name)) {
            continue;
        }
        if (std::string text = peerAddressText(each->ifa_addr); !text.empty()) {
            found.push_back({std::string(name), std::move(text), prefixOf(each->ifa_netmask)});
        }
    }
    ::freeifaddrs(all);
    return found;
}

} // namespace trainyard::agent
