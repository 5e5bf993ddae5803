// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/askpass.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostAnswer = 64 << 10;

bool sendAll(int fd, const std::string &bytes)
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::send(fd, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return false;
        }
        done += static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

int askPass(const char *socketPath, const char *prompt, const char *hint)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (std::strlen(socketPath) >= sizeof address.sun_path) {
        return 1;
    }
    std::memcpy(address.sun_path, socketPath, std::strlen(socketPath));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0
        || !sendAll(fd, std::string(prompt) + '\0' + (hint ? hint : "") + '\0')) {
        return 1;
    }
    // "+answer", or nothing when there is none.
    std::string said;
    char buffer[4096];
    for (;;) {
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0 || said.size() > mostAnswer) {
            break;
        }
        said.append(buffer, static_cast<std::size_t>(n));
    }
    if (said.empty() || said.front() != '+') {
        return 1;
    }
    said.erase(0, 1);
    said += '\n';
    return std::fwrite(said.data(), 1, said.size(), stdout) == said.size() && std::fflush(stdout) == 0 ? 0 : 1;
}

} // namespace trainyard::agent
