// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filecopy.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

int copyBytes(int from, int to, std::uint64_t bytes)
{
    if (::ioctl(to, FICLONE, from) == 0) {
        return 0;
    }
    char buffer[65536];
    std::uint64_t copied = 0;
    while (true) {
        const ssize_t n = ::read(from, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return errno;
        }
        if (n == 0) {
            return copied == bytes ? 0 : EIO;
        }
        for (ssize_t done = 0; done < n;) {
            const ssize_t written = ::write(to, buffer + done, static_cast<std::size_t>(n - done));
            if (written < 0 && errno != EINTR) {
                return errno;
            }
            done += std::max<ssize_t>(written, 0);
        }
        copied += static_cast<std::uint64_t>(n);
    }
}

int makeParents(const std::string &dir, const std::string &path, std::set<std::string> &made)
{
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        const std::string parent = dir + '/' + path.substr(0, slash);
        if (made.insert(parent).second && ::mkdir(parent.c_str(), 0755) != 0) {
            return errno;
        }
    }
    return 0;
}

} // namespace trainyard::agent
