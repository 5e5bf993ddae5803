// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// The kind of file at a path.
namespace trainyard::contract
{

bool isAnythingAt(const std::string &path); // also a link to nothing
bool isRealFolderAt(const std::string &path); // not a link to one
// Also through links:
bool isFolderAt(const std::string &path);
bool isFileAt(const std::string &path); // a regular one
bool isProgramAt(const std::string &path); // a regular file that this user may run

// Whether it is a program of this user that no other user may change, and not a link to another one.
bool isOwnProgram(const std::string &path);
// The path without links, or the same path where nothing is there.
std::string resolvedPath(const std::string &path);

} // namespace trainyard::contract
