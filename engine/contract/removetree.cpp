// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/removetree.h"

#include <ftw.h>
#include <sys/stat.h>

#include <cstdio>

namespace trainyard::contract
{
namespace
{

constexpr int openLevels = 32; // of folders that are open at a time
constexpr int mostRounds = 8; // a folder that could not be read shows what is in it in the next one

int removeOne(const char *path, const struct stat *, int, struct FTW *)
{
    static_cast<void>(std::remove(path)); // the rest goes all the same
    return 0;
}

int openOne(const char *path, const struct stat *info, int type, struct FTW *)
{
    if ((type == FTW_D || type == FTW_DNR) && (info->st_mode & S_IRWXU) != S_IRWXU) {
        ::chmod(path, (info->st_mode & 07777) | S_IRWXU);
    }
    return 0;
}

} // namespace

void removeTree(const std::string &dir)
{
    struct stat info;
    for (int round = 0; round < mostRounds; ++round) {
        if (round > 0) {
            ::nftw(dir.c_str(), openOne, openLevels, FTW_PHYS | FTW_MOUNT);
        }
        ::nftw(dir.c_str(), removeOne, openLevels, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
        if (::lstat(dir.c_str(), &info) != 0) {
            return;
        }
    }
}

} // namespace trainyard::contract
