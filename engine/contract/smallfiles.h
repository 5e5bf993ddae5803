// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Reads and writes small files as a whole, and makes folders. Standard library only; every call may wait for the disk.
namespace trainyard::contract
{

// Writes all of the bytes; returns 0 or errno. Safe between fork and exec.
int writeWhole(int fd, std::string_view bytes);

// Writes a file so that it is there whole or not at all (temporary name, rename); mode 0600. 0 or errno.
int writeAtomically(const std::string &path, std::string_view bytes, bool sync);
// Keeps the room and the name of a record that will have to be written to a full disk. 0 or errno.
constexpr std::size_t reservedBytes = 4096;
int reserveRecord(const std::string &reserve);
// Writes a record over a file that is there, then gives it its name: that takes no room on the disk. The file is lost.
// ENOSPC when the text is longer than reservedBytes. 0 or errno.
int writeOver(const std::string &reserve, const std::string &path, std::string_view bytes, bool sync);
// Returns nothing if it cannot be read (missing) or is longer than `limit`.
std::optional<std::string> readWhole(const std::string &path, std::size_t limit = 1 << 20);
// 0 when it can be read, else why not (errno).
int readError(const std::string &path);
// Why (errno) it is not known what is in a file that may be there. 0: it can be read, or is not there.
int unreadError(const std::string &path);
// mkdir -p; the kernel takes the bits of its umask away from the mode. 0 or errno.
int makeFolders(const std::string &path, unsigned int mode = 0700);
// Makes this computer look at what has come into a folder. On a shared file system it may continue for a while to
// report that a file is not there, after it was once not there; the opening of a folder is what makes it ask (NFS:
// close-to-open).
void refreshFolder(const std::string &path);

} // namespace trainyard::contract
