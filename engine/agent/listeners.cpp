// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/listeners.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace trainyard::agent
{
namespace
{

constexpr std::string_view listening = "0A"; // TCP_LISTEN

SocketAddress addressOf(const in_addr &address, int port)
{
    SocketAddress made;
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(static_cast<std::uint16_t>(port));
    in.sin_addr = address;
    std::memcpy(&made.storage, &in, sizeof in);
    made.length = sizeof in;
    return made;
}

SocketAddress addressOf(const in6_addr &address, int port)
{
    SocketAddress made;
    sockaddr_in6 in{};
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(static_cast<std::uint16_t>(port));
    in.sin6_addr = address;
    std::memcpy(&made.storage, &in, sizeof in);
    made.length = sizeof in;
    return made;
}

std::string_view takeWord(std::string_view &line)
{
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) {
        line = {};
        return {};
    }
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

std::optional<std::uint32_t> hexNumber(std::string_view text)
{
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "0100007F:1F90": words of the address as this computer has them in memory, and the port.
std::optional<SocketAddress> readLocal(std::string_view word, int port)
{
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || hexNumber(word.substr(colon + 1)) != static_cast<std::uint32_t>(port)) {
        return std::nullopt;
    }
    const std::string_view digits = word.substr(0, colon);
    if (digits.size() != 8 && digits.size() != 32) {
        return std::nullopt;
    }
    std::uint32_t parts[4] = {};
    for (std::size_t i = 0; i * 8 < digits.size(); ++i) {
        const std::optional<std::uint32_t> part = hexNumber(digits.substr(i * 8, 8));
        if (!part) {
            return std::nullopt;
        }
        parts[i] = *part;
    }
    if (digits.size() == 8) {
        in_addr address{};
        std::memcpy(&address, parts, sizeof address);
        const bool isUsual = parts[0] == htonl(INADDR_ANY) || parts[0] == htonl(INADDR_LOOPBACK);
        return isUsual ? std::nullopt : std::optional(addressOf(address, port));
    }
    in6_addr address{};
    std::memcpy(&address, parts, sizeof address);
    const bool isUsual = std::memcmp(&address, &in6addr_any, sizeof address) == 0
        || std::memcmp(&address, &in6addr_loopback, sizeof address) == 0;
    return isUsual ? std::nullopt : std::optional(addressOf(address, port));
}

// The kernel lists those that listen before the connections, of which there may be very many.
std::string beginningOf(const char *name)
{
    constexpr std::size_t enough = 1 << 20;
    std::string text;
    const int fd = ::open(name, O_RDONLY | O_CLOEXEC);
    char buffer[16384];
    ssize_t n = 0;
    while (fd >= 0 && text.size() < enough && (n = ::read(fd, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    if (fd >= 0) {
        ::close(fd);
    }
    return text;
}

} // namespace

std::optional<SocketAddress> numericAddress(const std::string &address, int port)
{
    in_addr four{};
    if (::inet_pton(AF_INET, address.c_str(), &four) == 1) {
        return addressOf(four, port);
    }
    in6_addr six{};
    return ::inet_pton(AF_INET6, address.c_str(), &six) == 1 ? std::optional(addressOf(six, port)) : std::nullopt;
}

std::vector<SocketAddress> loopbackAddresses(int port)
{
    in_addr address{};
    address.s_addr = htonl(INADDR_LOOPBACK);
    return {addressOf(address, port), addressOf(in6addr_loopback, port)};
}

std::vector<SocketAddress> listenersIn(std::string_view table, int port)
{
    std::vector<SocketAddress> found;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        std::string_view line = table.substr(0, end);
        table.remove_prefix(std::min(end + 1, table.size()));
        takeWord(line); // its number
        const std::string_view local = takeWord(line);
        takeWord(line); // the other side
        if (takeWord(line) != listening) {
            continue;
        }
        if (const std::optional<SocketAddress> address = readLocal(local, port)) {
            found.push_back(*address);
        }
    }
    return found;
}

std::vector<SocketAddress> otherListeners(int port)
{
    std::vector<SocketAddress> all;
    for (const char *name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        const std::vector<SocketAddress> found = listenersIn(beginningOf(name), port);
        all.insert(all.end(), found.begin(), found.end());
    }
    return all;
}

} // namespace trainyard::agent
