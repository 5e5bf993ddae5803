// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/datause.h"

#include "engine/contract/codetree.h"
#include "engine/contract/taskfiles.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string_view>

namespace trainyard::contract
{
namespace
{

constexpr const char *sharedDataMark = "/.trainyard-data";

std::string usesFolder(const std::string &dataFolder) { return dataFolder + "/uses"; }

bool isJobName(const std::string &job) { return isPlainFilePath(job) && job.find('/') == std::string::npos; }

// "TREE.JOB"; false: the folder cannot be read.
bool forEachUse(
    const std::string &dataFolder, const std::function<void(std::string_view tree, std::string_view job)> &take)
{
    const std::string folder = usesFolder(dataFolder);
    refreshFolder(folder);
    DIR *uses = ::opendir(folder.c_str());
    if (!uses) {
        return errno == ENOENT;
    }
    errno = 0;
    while (const dirent *entry = ::readdir(uses)) {
        const std::string_view name = entry->d_name;
        const std::size_t point = name.find('.');
        if (point != std::string_view::npos && isContentName(name.substr(0, point))) {
            take(name.substr(0, point), name.substr(point + 1));
        }
        errno = 0;
    }
    const bool isWhole = errno == 0;
    ::closedir(uses);
    return isWhole;
}

} // namespace

bool isSharedData(const std::string &dataFolder)
{
    struct stat info {
    };
    return ::lstat((dataFolder + sharedDataMark).c_str(), &info) == 0 && S_ISREG(info.st_mode)
        && info.st_uid == ::geteuid();
}

int makeSharedData(const std::string &dataFolder)
{
    if (isSharedData(dataFolder)) {
        return makeFolders(usesFolder(dataFolder));
    }
    // One that is empty is what was left when it could not be marked.
    if (::rmdir(dataFolder.c_str()) != 0 && errno != ENOENT) {
        return errno == ENOTEMPTY || errno == EEXIST ? EPERM : errno;
    }
    int error = makeFolders(dataFolder);
    error = error != 0 ? error : writeAtomically(dataFolder + sharedDataMark, {}, true);
    return error != 0 ? error : makeFolders(usesFolder(dataFolder));
}

int noteDataUse(const std::string &dataFolder, const std::string &tree, const std::string &job)
{
    if (!isContentName(tree) || !isJobName(job)) {
        return EINVAL;
    }
    // Its name is all that it says: it is whole as soon as it is there.
    const std::string path = usesFolder(dataFolder) + '/' + tree + '.' + job;
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    const int error = fd < 0 || ::fsync(fd) != 0 ? errno : 0;
    if (fd >= 0) {
        ::close(fd);
    }
    return error;
}

bool isDataUsed(const std::string &dataFolder, const std::string &tree)
{
    bool isUsed = false;
    const bool isKnown
        = forEachUse(dataFolder, [&](std::string_view of, std::string_view) { isUsed = isUsed || of == tree; });
    return isUsed || !isKnown;
}

void dropDataUses(const std::string &dataFolder, const std::string &job)
{
    if (!isSharedData(dataFolder) || !isJobName(job)) {
        return;
    }
    std::string gone;
    forEachUse(dataFolder, [&](std::string_view tree, std::string_view of) {
        if (of == job) {
            gone.assign(tree);
            ::unlink((usesFolder(dataFolder) + '/' + gone + '.' + job).c_str());
        }
    });
}

} // namespace trainyard::contract
