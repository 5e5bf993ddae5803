// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/enginefolder.h"

#include <sys/stat.h>

#include <cerrno>
#include <string_view>

namespace trainyard::agent
{

bool isEngineFolderAway(const std::string &dir)
{
    constexpr std::string_view engines = "/remote/";
    const std::size_t at = dir.rfind(engines);
    const std::size_t end = at == std::string::npos ? at : dir.find('/', at + engines.size());
    struct stat info;
    return end != std::string::npos && ::stat(dir.substr(0, end).c_str(), &info) != 0 && errno == ENOENT;
}

int lookError(const std::string &dir, int error) { return error == ENOENT && isEngineFolderAway(dir) ? ESTALE : error; }

bool OwnFolders::isAway(const std::string &path) const
{
    for (const std::string &dir : m_dirs) {
        const std::string state = dir.substr(0, dir.rfind("/remote/"));
        struct stat info;
        if (path.starts_with(state + '/') && ::stat(dir.c_str(), &info) != 0 && errno == ENOENT) {
            return true;
        }
    }
    return false;
}

} // namespace trainyard::agent
