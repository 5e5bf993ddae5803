// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/datashare.h"

#include "engine/agent/network.h"
#include "engine/agent/removal.h"
#include "engine/agent/statefolder.h"
#include "engine/contract/codetree.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace trainyard::agent
{

bool isSeenWith(const std::string &cache, const std::string &path)
{
    struct stat own {
    }, other{};
    const std::string folder = existingFolder(cache);
    return ::stat(folder.c_str(), &own) == 0 && ::stat(path.c_str(), &other) == 0 && own.st_dev == other.st_dev
        && isOnNetwork(folder.c_str());
}

SharedDataUse::SharedDataUse(const contract::Data &request)
{
    if (request.cache.empty() || request.cache[0] != '/' || !isPlainPath(request.cache)
        || !contract::isContentName(request.tree)) {
        m_error = EINVAL;
        return;
    }
    const std::string root = contract::dataFolder(request.cache);
    m_error = contract::makeSharedData(root);
    if (m_error != 0) {
        return;
    }
    const std::string path = contract::dataTreePath(request.cache, request.tree);
    m_lock = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info {
    };
    // Where the file system has no locks, the note has to do.
    m_isBusy = m_lock >= 0
        && ((::flock(m_lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            || (::fstat(m_lock, &info) == 0 && info.st_nlink == 0));
    if (!m_isBusy) {
        m_error = contract::noteDataUse(root, request.tree, request.job);
    }
}

SharedDataUse::~SharedDataUse()
{
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

} // namespace trainyard::agent
