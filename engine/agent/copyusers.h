// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace trainyard::agent
{

// Which engines have used the copies of code or data in a folder. All engines of an account share the copies, and one
// of them that cleans up leaves those that others have used. A file for each tree and engine says it, in `users` beside
// `trees`. The functions wait for the disk, so they are called in a separate process (SideProcesses).

// Of a tree that is there. A name of an engine that is no plain name is not noted.
void noteCopyUser(const std::string &folder, const std::string &tree, const std::string &engine);

// The trees that engines other than this one have used. Notes of trees that are gone are removed.
std::set<std::string> copiesOfOthers(const std::string &folder, const std::string &engine);

// This engine no longer needs these trees, which stay for others.
void leaveCopies(const std::string &folder, const std::set<std::string> &trees, const std::string &engine);

// Of the contents of these trees, each once, as the file system has given it.
std::int64_t bytesOfCopies(const std::string &folder, const std::set<std::string> &trees);

} // namespace trainyard::agent
