// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/environmentrecord.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// The result for a folder, or else for the nearest one above it. It is cached, because tries that start together have
// most of the folders above theirs in common.
class FoundAbove
{
public:
    using At = std::string (*)(const std::string &folder); // empty: nothing
    explicit FoundAbove(At at) : m_at(at) { }
    const std::string &of(const std::string &folder);

private:
    At m_at;
    std::map<std::string, std::string> m_known; // by folder
};

std::string repositoryAt(const std::string &folder); // the same folder if `.git` is in it
// The folder with `.git` that a folder is in, itself or one above it; empty when it is in none.
std::string repositoryOf(std::string folder);

// The state of the repository that a folder is in, according to git with the variables of this process. It takes no
// lock there, fetches nothing, runs no hook, asks nothing, and waits no longer than `until` (monotonic ms). Files that
// were changed or made after `moment` (changedsince.h) are left out. `gaps` gets git.slow, git.failed, git.later,
// diff.slow and untracked.slow. Nothing when the folder is in no repository, or there is no git.
std::optional<contract::GitRecord> findGit(
    const std::string &folder, std::int64_t until, std::int64_t moment, std::vector<std::string> &gaps);

// A tracked file that differs from the commit.
struct GitChange {
    std::string path; // from the top of the repository
    std::string oldPath; // of one that was renamed
};
// Takes the output of `git status --porcelain=v2 --branch -z`.
std::vector<GitChange> readGitStatus(std::string_view output, contract::GitRecord &record);

// The file that says which commit a folder has that is a copy of one on another computer; empty: it is not a copy.
std::string originFileAt(const std::string &folder);
// The contents of that file; nothing when it cannot be read.
std::optional<contract::GitRecord> readOrigin(const std::string &file, std::vector<std::string> &gaps);

} // namespace trainyard::agent
