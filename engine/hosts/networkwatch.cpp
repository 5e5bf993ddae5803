// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/networkwatch.h"

#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace trainyard
{
namespace
{

constexpr std::chrono::milliseconds settling{500};

std::string_view addressBytes(const sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const auto *in = reinterpret_cast<const sockaddr_in *>(address);
        return {reinterpret_cast<const char *>(&in->sin_addr), sizeof in->sin_addr};
    }
    if (address->sa_family == AF_INET6) {
        const auto *in = reinterpret_cast<const sockaddr_in6 *>(address);
        return {reinterpret_cast<const char *>(&in->sin6_addr), sizeof in->sin6_addr};
    }
    return {};
}

void noteWhatIsThere(NetworkNews &news)
{
    ifaddrs *all = nullptr;
    if (::getifaddrs(&all) != 0) {
        return; // then the first news of each address may be none
    }
    for (const ifaddrs *each = all; each; each = each->ifa_next) {
        const int interface = int(::if_nametoindex(each->ifa_name));
        news.noteLine(interface, (each->ifa_flags & IFF_UP) != 0 && (each->ifa_flags & IFF_RUNNING) != 0);
        if (const std::string_view bytes = each->ifa_addr ? addressBytes(each->ifa_addr) : std::string_view();
            !bytes.empty()) {
            news.noteAddress(interface, bytes);
        }
    }
    ::freeifaddrs(all);
}

} // namespace

NetworkWatch::NetworkWatch(QObject *parent) : QObject(parent)
{
    m_settling.setSingleShot(true);
    m_settling.setInterval(settling);
    connect(&m_settling, &QTimer::timeout, this, &NetworkWatch::cameUp);
}

NetworkWatch::~NetworkWatch()
{
    m_notifier.reset();
    if (m_socket >= 0) {
        ::close(m_socket);
    }
}

void NetworkWatch::start()
{
    if (m_socket >= 0) {
        return;
    }
    m_socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    sockaddr_nl own{};
    own.nl_family = AF_NETLINK;
    own.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (m_socket < 0 || ::bind(m_socket, reinterpret_cast<const sockaddr *>(&own), sizeof own) != 0) {
        return;
    }
    noteWhatIsThere(m_news); // afterwards, so that nothing is missed in between
    m_notifier = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &NetworkWatch::read);
}

void NetworkWatch::read()
{
    bool isNews = false;
    std::array<char, 32 * 1024> buffer{};
    for (;;) {
        sockaddr_nl from{};
        socklen_t length = sizeof from;
        const ssize_t n
            = ::recvfrom(m_socket, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr *>(&from), &length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0 && errno == ENOBUFS) {
            isNews = true; // some of it was lost: an attempt too many does no harm
            continue;
        }
        if (n <= 0) {
            break;
        }
        if (from.nl_pid == 0) { // of the kernel
            isNews = m_news.take({buffer.data(), std::size_t(n)}) || isNews;
        }
    }
    if (isNews && !m_settling.isActive()) {
        m_settling.start();
    }
}

} // namespace trainyard
