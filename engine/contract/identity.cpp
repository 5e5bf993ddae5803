// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/identity.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace trainyard::contract
{
namespace
{
std::string readSmallFile(const char *path)
{
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return {};
    }
    char buffer[4096];
    std::string text;
    ssize_t n = 0;
    while ((n = ::read(fd, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(n));
    }
    ::close(fd);
    return text;
}
} // namespace

std::string currentBootId()
{
    std::string id = readSmallFile("/proc/sys/kernel/random/boot_id");
    while (!id.empty() && (id.back() == '\n' || id.back() == ' ')) {
        id.pop_back();
    }
    return id;
}

std::optional<ProcessIdentity> identityOf(std::int64_t pid)
{
    const std::string stat = readSmallFile(("/proc/" + std::to_string(pid) + "/stat").c_str());
    // The command may hold blanks and brackets: fields count from the last ')'.
    const std::size_t bracket = stat.rfind(')');
    if (bracket == std::string::npos || bracket + 2 >= stat.size()) {
        return std::nullopt;
    }
    const char *p = stat.c_str() + bracket + 2;
    const char state = *p;
    long threads = 0;
    for (int field = 3; field < 22 && p; ++field) {
        threads = field == 20 ? std::strtol(p, nullptr, 10) : threads;
        p = std::strchr(p, ' ');
        p = p ? p + 1 : nullptr;
    }
    // A zombie with threads is one whose first thread alone has ended.
    if (state == 'X' || (state == 'Z' && threads <= 1)) {
        return std::nullopt;
    }
    if (!p) {
        return std::nullopt;
    }
    return ProcessIdentity{currentBootId(), pid, std::strtoull(p, nullptr, 10)};
}

bool isAlive(const ProcessIdentity &identity)
{
    const std::optional<ProcessIdentity> now = identityOf(identity.pid);
    return now && *now == identity;
}

} // namespace trainyard::contract
