// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/smalltext.h"

#include "engine/contract/pathkinds.h"
#include "engine/contract/plainfile.h"
#include "engine/contract/taskfolder.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string> absolutePartsOf(const std::string &path)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t colon = std::min(path.find(':', at), path.size());
        if (colon > at && path[at] == '/') {
            parts.push_back(path.substr(at, colon - at));
        }
        at = colon + 1;
    }
    return parts;
}

std::string smallText(const std::string &path)
{
    constexpr std::size_t most = 64 << 10;
    return contract::isFileAt(path) ? contract::readWhole(path, most).value_or("") : std::string();
}

std::string endOfPlainFile(const std::string &path, std::int64_t most, std::int64_t from)
{
    struct stat info = {};
    const int fd = contract::openPlainFile(path.c_str(), info);
    if (fd < 0) {
        return {};
    }
    const std::int64_t begin = std::max({std::int64_t(0), from, std::int64_t(info.st_size) - most});
    std::string bytes(std::size_t(std::max<std::int64_t>(0, info.st_size - begin)), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t n = ::pread(fd, bytes.data() + have, bytes.size() - have, off_t(begin) + off_t(have));
        if (n <= 0 && !(n < 0 && errno == EINTR)) {
            break;
        }
        have += n > 0 ? std::size_t(n) : 0;
    }
    ::close(fd);
    bytes.resize(have);
    return bytes;
}

void wipeText(std::string &text) { ::explicit_bzero(text.data(), text.size()); }

} // namespace trainyard::agent
