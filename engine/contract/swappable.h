// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

// Whether another user could replace a folder that several computers share by a folder of their own. What is started
// from there would then be that user's, and run as another user. Standard library only; asks the file system.
namespace trainyard::contract
{

struct FolderPart {
    int error = 0; // errno: there is none, or it cannot be looked at
    uid_t owner = 0;
    mode_t mode = 0;
    std::string target = {}; // of a link
};
using LookAtPart = std::function<FolderPart(const std::string &path)>;
FolderPart partOnDisk(const std::string &path);

struct SwappableFolder {
    std::string part; // the folder, or one above it
    std::string why; // owner: it is another user's; mode: everybody may rename what is in it; link: another user's
};
// Each folder on the way, also behind links, has to be root's or `user`'s, and must not be open to everybody unless it
// is sticky. What a group may do is meant so. Nothing: it is safe. What is not there yet will be the user's.
std::optional<SwappableFolder> swappableFolder(
    const std::string &folder, uid_t user, const LookAtPart &lookAt = partOnDisk);

} // namespace trainyard::contract
