// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/datacache.h"

#include "engine/agent/foldernames.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/pump.h"
#include "engine/contract/datatree.h"
#include "engine/contract/datause.h"
#include "engine/contract/removetree.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfolder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
void removeDataTree(const std::string &folder)
{
    struct stat info {
    };
    if (::lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
        contract::removeTree(folder);
    }
}

DataCache::DataCache(std::string root) : m_root(std::move(root)), m_isShared(contract::isSharedData(m_root))
{
    contract::refreshFolder(m_root + "/trees");
    forEachName(m_root + "/trees", [this](const std::string &name) {
        if (contract::isContentName(name)) {
            readTree(name);
        }
    });
    removeOldParts(m_root + "/trees", utcMs());
    std::sort(m_trees.begin(), m_trees.end(), [](const Tree &a, const Tree &b) { return a.usedNs > b.usedNs; });
    readContents();
}

std::string DataCache::contentPath(const std::string &name) const
{
    return m_root + "/contents/" + contract::dataContentName(name);
}

void DataCache::readTree(const std::string &name)
{
    const std::string path = m_root + "/trees/" + name;
    struct stat info {
    };
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
        return;
    }
    Tree tree{name, contract::changedNsOf(info), {}};
    const std::optional<std::string> text = contract::readWhole(path, mostDataTree);
    const auto entries = text ? contract::parseCodeTree(*text) : std::nullopt;
    std::set<std::string> contents;
    for (const contract::CodeEntry &entry : entries.value_or(std::vector<contract::CodeEntry>())) {
        if (!entry.content.empty() && contents.insert(entry.content).second) {
            ++m_users[entry.content];
        }
    }
    tree.contents.assign(contents.begin(), contents.end());
    m_trees.push_back(std::move(tree));
}

void DataCache::readContents()
{
    const std::string all = m_root + "/contents";
    forEachName(all, [&](const std::string &group) {
        const std::string folder = all + '/' + group;
        forEachName(folder, [&](const std::string &name) {
            const std::string path = folder + '/' + name;
            struct stat info {
            };
            if (!contract::isContentName(name) || ::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
                return;
            }
            if (m_users.contains(name)) {
                m_bytes += static_cast<std::int64_t>(info.st_size);
            } else {
                ::unlink(path.c_str());
            }
        });
        removeOldParts(folder, utcMs());
    });
}

void DataCache::keep(const std::set<std::string> &trees)
{
    std::erase_if(m_trees, [&trees](const Tree &tree) { return trees.contains(tree.name); });
}

int DataCache::lockFree(const Tree &tree) const
{
    // To write: NFS gives no exclusive lock otherwise.
    const int fd = ::open((m_root + "/trees/" + tree.name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat info {
    };
    // A process that has locked it uses it; one that has asked for it meanwhile is about to.
    const bool isFree = fd >= 0 && (::flock(fd, LOCK_EX | LOCK_NB) == 0 || (m_isShared && errno != EWOULDBLOCK))
        && ::fstat(fd, &info) == 0 && contract::changedNsOf(info) == tree.usedNs
        && !(m_isShared && contract::isDataUsed(m_root, tree.name));
    if (fd >= 0 && !isFree) {
        ::close(fd);
    }
    return isFree ? fd : -1;
}

std::int64_t DataCache::removableBytes(const std::string &but) const
{
    std::map<std::string, int> users = m_users;
    std::int64_t bytes = 0;
    for (const Tree &tree : m_trees) {
        const int fd = tree.name == but ? -1 : lockFree(tree);
        if (fd < 0) {
            continue;
        }
        ::close(fd);
        for (const std::string &content : tree.contents) {
            struct stat info {
            };
            if (--users[content] == 0 && ::lstat(contentPath(content).c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
                bytes += static_cast<std::int64_t>(info.st_size);
            }
        }
    }
    return bytes;
}

bool DataCache::removeOldest(const std::string &but)
{
    while (!m_trees.empty()) {
        const Tree tree = std::move(m_trees.back());
        m_trees.pop_back();
        const int fd = tree.name == but ? -1 : lockFree(tree);
        if (fd >= 0) {
            ::unlink((m_root + "/trees/" + tree.name).c_str());
            remove(tree);
            ::close(fd);
            return true;
        }
    }
    return false;
}

void DataCache::remove(const Tree &tree)
{
    removeDataTree(m_root + "/folders/" + tree.name);
    for (const std::string &content : tree.contents) {
        struct stat info {
        };
        const std::string path = contentPath(content);
        if (--m_users[content] == 0 && ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
            m_bytes -= ::unlink(path.c_str()) == 0 ? static_cast<std::int64_t>(info.st_size) : 0;
        }
    }
}

} // namespace trainyard::agent
