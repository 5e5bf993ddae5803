// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/foldernames.h"

#include <dirent.h>

namespace trainyard::agent
{

std::string folderAbove(const std::string &path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

void forEachName(const std::string &folder, const std::function<void(const std::string &)> &take)
{
    DIR *open = ::opendir(folder.c_str());
    if (!open) {
        return;
    }
    while (const dirent *entry = ::readdir(open)) {
        if (entry->d_name[0] != '.') {
            take(entry->d_name);
        }
    }
    ::closedir(open);
}

} // namespace trainyard::agent
