// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// An address of this computer with a port, as connect() takes it.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t length = 0;
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(&storage); }
};

// An address in numbers; nothing: it is none.
std::optional<SocketAddress> numericAddress(const std::string &address, int port);
// 127.0.0.1 and ::1.
std::vector<SocketAddress> loopbackAddresses(int port);
// The addresses at which a program listens on the port, from the text of /proc/net/tcp or tcp6. Programs that listen at
// all addresses, or only at the usual two of this computer, are left out: loopbackAddresses() has them.
std::vector<SocketAddress> listenersIn(std::string_view table, int port);
// The same, of this computer.
std::vector<SocketAddress> otherListeners(int port);

} // namespace trainyard::agent
