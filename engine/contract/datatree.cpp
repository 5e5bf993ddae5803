// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/datatree.h"

#include "engine/contract/sha256.h"
#include "engine/contract/systemtimes.h"
#include "engine/contract/taskfiles.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::contract
{
namespace
{

// The target as it is to be in a copy; empty: it leads out of the folder.
std::string innerTarget(const std::string &target, const std::string &folder, const std::string &path)
{
    const auto depth = std::count(path.begin(), path.end(), '/');
    if (target.starts_with(folder + '/')) {
        std::string inner;
        for (std::ptrdiff_t i = 0; i < depth; ++i) {
            inner += "../";
        }
        inner += target.substr(folder.size() + 1);
        return isPlainFilePath(target.substr(folder.size() + 1)) ? inner : std::string();
    }
    std::string_view rest = target;
    for (std::ptrdiff_t i = 0; i < depth && rest.starts_with("../"); ++i) {
        rest.remove_prefix(3);
    }
    return isPlainFilePath(rest) ? target : std::string();
}

class Lister
{
public:
    Lister(DataFiles &found, const std::function<bool()> &isCancelled) : m_found(found), m_isCancelled(isCancelled) { }
    void list()
    {
        m_open.emplace_back();
        while (!m_open.empty() && m_found.problem.empty()) {
            const std::string below = std::move(m_open.back());
            m_open.pop_back();
            listFolder(below);
        }
        std::sort(m_found.files.begin(), m_found.files.end(),
            [](const DataFile &a, const DataFile &b) { return a.path < b.path; });
    }

private:
    void fail(const char *problem, const std::string &about, int error = 0)
    {
        m_found.problem = problem;
        m_found.about = about;
        m_found.systemError = error;
    }

    void listFolder(const std::string &below)
    {
        const std::string folder = below.empty() ? m_found.folder : m_found.folder + '/' + below;
        DIR *all = ::opendir(folder.c_str());
        if (!all) {
            fail("unreadable", folder, errno);
            return;
        }
        errno = 0;
        while (const dirent *entry = ::readdir(all)) {
            const std::string name = entry->d_name;
            if (name != "." && name != "..") {
                add(below.empty() ? name : below + '/' + name);
            }
            if (m_isCancelled && m_isCancelled()) {
                fail("cancelled", m_found.folder);
            }
            if (!m_found.problem.empty()) {
                break;
            }
            errno = 0;
        }
        if (errno != 0 && m_found.problem.empty()) {
            fail("unreadable", folder, errno);
        }
        ::closedir(all);
    }

    void add(const std::string &path)
    {
        const std::string full = m_found.folder + '/' + path;
        struct stat info {
        };
        if (::lstat(full.c_str(), &info) != 0) {
            fail("unreadable", full, errno);
            return;
        }
        if (!S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) {
            return;
        }
        if (!isPlainFilePath(path)) {
            fail("name", full);
            return;
        }
        if (S_ISDIR(info.st_mode)) {
            m_open.push_back(path);
            return;
        }
        DataFile file;
        file.path = path;
        file.changedNs = changedNsOf(info);
        if (S_ISLNK(info.st_mode)) {
            char target[PATH_MAX];
            const ssize_t length = ::readlink(full.c_str(), target, sizeof target);
            file.target = length > 0
                ? innerTarget(std::string(target, static_cast<std::size_t>(length)), m_found.folder, path)
                : std::string();
            if (file.target.empty()) {
                fail("link", full);
                return;
            }
        } else {
            file.bytes = static_cast<std::uint64_t>(info.st_size);
            m_found.bytes += file.bytes;
        }
        m_found.files.push_back(std::move(file));
        if (m_found.files.size() > mostDataFiles) {
            fail("many", m_found.folder);
        }
    }

    DataFiles &m_found;
    const std::function<bool()> &m_isCancelled;
    std::vector<std::string> m_open; // folders
};

} // namespace

DataFiles dataFilesAt(const std::string &path, const std::function<bool()> &isCancelled)
{
    DataFiles found;
    found.about = path;
    char real[PATH_MAX];
    struct stat info {
    };
    if (path.empty() || path[0] != '/' || !::realpath(path.c_str(), real) || ::stat(real, &info) != 0) {
        found.systemError = path.empty() || path[0] != '/' ? EINVAL : errno;
        found.problem = found.systemError == EACCES ? "unreadable" : "missing";
        return found;
    }
    found.folder = real;
    if (S_ISDIR(info.st_mode)) {
        Lister(found, isCancelled).list();
        return found;
    }
    const std::size_t slash = found.folder.rfind('/');
    const std::string name = found.folder.substr(slash + 1);
    found.isFile = true;
    if (!S_ISREG(info.st_mode) || ::access(real, R_OK) != 0) {
        found.systemError = S_ISREG(info.st_mode) ? errno : EINVAL;
        found.problem = "unreadable";
        return found;
    }
    found.folder = slash == 0 ? "/" : found.folder.substr(0, slash);
    found.bytes = static_cast<std::uint64_t>(info.st_size);
    found.files.push_back({name, {}, found.bytes, changedNsOf(info)});
    found.problem = isPlainFilePath(name) ? "" : "name";
    return found;
}

std::vector<CodeEntry> dataEntries(const DataFiles &files, const std::vector<std::string> &contents)
{
    std::vector<CodeEntry> entries;
    for (std::size_t i = 0; i < files.files.size(); ++i) {
        CodeEntry entry;
        entry.path = files.files[i].path;
        entry.target = files.files[i].target;
        entry.bytes = files.files[i].bytes;
        entry.content = i < contents.size() ? contents[i] : std::string();
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::string dataSum(const DataFiles &files, const std::vector<CodeEntry> &entries)
{
    if (files.isFile && entries.size() == 1) {
        return entries.front().content;
    }
    Sha256 sum;
    sum.add(codeTreeText(entries));
    return sum.hex();
}

std::string dataFolder(const std::string &stateFolder) { return stateFolder + "/data"; }

std::string dataTreePath(const std::string &stateFolder, const std::string &tree)
{
    return dataFolder(stateFolder) + "/trees/" + tree;
}

std::string dataContentsFolder(const std::string &stateFolder) { return dataFolder(stateFolder) + "/contents"; }

std::string dataContentName(const std::string &content) { return content.substr(0, 2) + '/' + content; }

} // namespace trainyard::contract
