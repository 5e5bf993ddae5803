// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/networknews.h"

#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

namespace trainyard
{
namespace
{

// The header of a message or of an attribute of one. Datagrams have no alignment of their own.
template <typename T> std::optional<T> netlinkHead(std::string_view bytes)
{
    if (bytes.size() < sizeof(T)) {
        return std::nullopt;
    }
    T head;
    std::memcpy(&head, bytes.data(), sizeof head);
    return head;
}

std::string_view netlinkRest(std::string_view bytes, std::size_t length)
{
    const std::size_t aligned = (length + 3) & ~std::size_t(3);
    return bytes.substr(std::min(aligned, bytes.size()));
}

struct ToldAddress {
    std::string bytes;
    bool isUsable = false; // and not still being tried out
};

std::optional<ToldAddress> addressIn(std::string_view message, const ifaddrmsg &about)
{
    if (about.ifa_scope >= RT_SCOPE_LINK) {
        return std::nullopt;
    }
    std::string_view local, other; // at a line from one computer to another, the latter is that of the other one
    std::uint32_t flags = about.ifa_flags;
    std::string_view left = netlinkRest(message, sizeof about);
    for (std::optional<rtattr> each = netlinkHead<rtattr>(left); each; each = netlinkHead<rtattr>(left)) {
        if (each->rta_len < sizeof *each || each->rta_len > left.size()) {
            break;
        }
        const std::string_view value = left.substr(sizeof *each, each->rta_len - sizeof *each);
        if (each->rta_type == IFA_LOCAL) {
            local = value;
        } else if (each->rta_type == IFA_ADDRESS) {
            other = value;
        } else if (each->rta_type == IFA_FLAGS) {
            flags = netlinkHead<std::uint32_t>(value).value_or(flags);
        }
        left = netlinkRest(left, each->rta_len);
    }
    const std::string_view bytes = local.empty() ? other : local;
    if (bytes.empty()) {
        return std::nullopt;
    }
    return ToldAddress{std::string(bytes), (flags & (IFA_F_TENTATIVE | IFA_F_DADFAILED)) == 0};
}

} // namespace

bool NetworkNews::take(std::string_view datagram)
{
    bool isNews = false;
    for (std::optional<nlmsghdr> head = netlinkHead<nlmsghdr>(datagram); head; head = netlinkHead<nlmsghdr>(datagram)) {
        if (head->nlmsg_len < sizeof *head || head->nlmsg_len > datagram.size()) {
            break;
        }
        const std::string_view message = datagram.substr(sizeof *head, head->nlmsg_len - sizeof *head);
        switch (head->nlmsg_type) {
        case RTM_NEWADDR:
        case RTM_DELADDR:
            isNews = takeAddress(message, head->nlmsg_type == RTM_NEWADDR) || isNews;
            break;
        case RTM_NEWLINK:
        case RTM_DELLINK:
            isNews = takeLine(message, head->nlmsg_type == RTM_NEWLINK) || isNews;
            break;
        default:
            break;
        }
        datagram = netlinkRest(datagram, head->nlmsg_len);
    }
    return isNews;
}

bool NetworkNews::takeAddress(std::string_view message, bool isThere)
{
    const std::optional<ifaddrmsg> about = netlinkHead<ifaddrmsg>(message);
    const std::optional<ToldAddress> address = about ? addressIn(message, *about) : std::nullopt;
    if (!address) {
        return false;
    }
    std::set<std::string> &known = m_addresses[int(about->ifa_index)];
    if (!isThere) {
        known.erase(address->bytes);
        return false;
    }
    return address->isUsable && known.insert(address->bytes).second;
}

bool NetworkNews::takeLine(std::string_view message, bool isThere)
{
    const std::optional<ifinfomsg> about = netlinkHead<ifinfomsg>(message);
    if (!about) {
        return false;
    }
    if (!isThere) {
        m_addresses.erase(about->ifi_index);
        m_isUp.erase(about->ifi_index);
        return false;
    }
    const bool isUp = (about->ifi_flags & IFF_UP) != 0 && (about->ifi_flags & IFF_RUNNING) != 0;
    const auto known = m_isUp.find(about->ifi_index);
    const bool cameUp = isUp && known != m_isUp.end() && !known->second;
    m_isUp[about->ifi_index] = isUp;
    const auto addresses = m_addresses.find(about->ifi_index);
    return cameUp && addresses != m_addresses.end() && !addresses->second.empty();
}

} // namespace trainyard
