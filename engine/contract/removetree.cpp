// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/removetree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace trainyard::contract
{
namespace
{

constexpr int mostLevels = 32; // of folders that are open at a time; what is deeper is moved to the top first
constexpr int mostRounds = 8; // some file systems leave names out of a list while others of it are deleted

struct TreeRemoval {
    int top = -1;
    dev_t device = 0;
    int moved = 0; // to the top
};

// Something that is mounted in the tree is not part of it, even where it is a folder of the same file system.
bool isMountedThere(int folder, dev_t device, dev_t deviceOfTree)
{
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx more = {};
    if (::statx(folder, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &more) == 0
        && (more.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0) {
        return true;
    }
#endif
    return device != deviceOfTree;
}

// Opens a folder of ours for reading and deleting what is in it. Its name may lead elsewhere at any moment: what is
// changed is what was looked at, and no link is followed.
int openToEmpty(int parent, const char *name, const TreeRemoval *removal)
{
    const int place = ::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) {
        return -1;
    }
    int folder = -1;
    struct stat info;
    if (::fstat(place, &info) == 0 && (!removal || !isMountedThere(place, info.st_dev, removal->device))) {
        if ((info.st_mode & S_IRWXU) != S_IRWXU && info.st_uid == ::geteuid()) {
            ::chmod(("/proc/self/fd/" + std::to_string(place)).c_str(), (info.st_mode & 07777) | S_IRWXU);
        }
        folder = ::openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    ::close(place);
    return folder;
}

bool isFolderEntry(int parent, const dirent &entry)
{
    struct stat info;
    return entry.d_type == DT_DIR
        || (entry.d_type == DT_UNKNOWN && ::fstatat(parent, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0
            && S_ISDIR(info.st_mode));
}

bool emptyFolder(TreeRemoval &removal, int folder, int level);

// Whether it is no longer there.
bool removeFolderIn(TreeRemoval &removal, int parent, const char *name, int level)
{
    for (int round = 0; round < mostRounds; ++round) {
        const int folder = openToEmpty(parent, name, &removal);
        if (folder >= 0 && level >= mostLevels) {
            ::close(folder);
            const std::string above
                = "trainyard-deep-" + std::to_string(::getpid()) + '-' + std::to_string(removal.moved);
            if (::renameat(parent, name, removal.top, above.c_str()) != 0) {
                return false;
            }
            ++removal.moved;
            return true;
        }
        const bool isEmpty = folder >= 0 && emptyFolder(removal, folder, level);
        if (::unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
            return true;
        }
        if (!isEmpty) {
            break;
        }
    }
    return false;
}

// Takes the descriptor. Whether all that was seen in it has gone.
bool emptyFolder(TreeRemoval &removal, int folder, int level)
{
    DIR *open = ::fdopendir(folder);
    if (!open) {
        ::close(folder);
        return false;
    }
    bool isEmpty = true;
    while (const dirent *entry = ::readdir(open)) {
        const std::string_view name = entry->d_name;
        if (name == "." || name == "..") {
            continue;
        }
        const bool isGone = isFolderEntry(folder, *entry)
            ? removeFolderIn(removal, folder, entry->d_name, level + 1)
            : ::unlinkat(folder, entry->d_name, 0) == 0 || errno == ENOENT;
        isEmpty = isEmpty && isGone;
    }
    ::closedir(open);
    return isEmpty;
}

} // namespace

void removeTree(const std::string &dir)
{
    struct stat info;
    if (::lstat(dir.c_str(), &info) != 0) {
        return;
    }
    if (!S_ISDIR(info.st_mode)) {
        ::unlink(dir.c_str());
        return;
    }
    TreeRemoval removal;
    removal.device = info.st_dev;
    removal.top = openToEmpty(AT_FDCWD, dir.c_str(), nullptr);
    if (removal.top < 0) {
        ::rmdir(dir.c_str());
        return;
    }
    for (int round = 0, before = 0; round < mostRounds; round = removal.moved == before ? round + 1 : round) {
        before = removal.moved;
        const int again = ::openat(removal.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool isEmpty = again >= 0 && emptyFolder(removal, again, 0);
        if (::rmdir(dir.c_str()) == 0 || (removal.moved == before && !isEmpty)) {
            break;
        }
    }
    ::close(removal.top);
}

} // namespace trainyard::contract
