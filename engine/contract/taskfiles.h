// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Files of a task's work folder, by their paths below it. Both ends of the wire use these rules: the agent, so that it
// reports only what is requested, and its client, because it must not trust an agent.
namespace trainyard::contract
{

struct FileEntry {
    std::string path; // below the folder
    std::uint64_t bytes = 0;
    std::int64_t changedNs = 0; // UTC
    bool isExecutable = false; // by its owner
    friend bool operator==(const FileEntry &, const FileEntry &) = default;
};

// Whether the path can be made below any folder: relative, without "..", control characters or bytes that are not
// UTF-8.
bool isPlainFilePath(std::string_view path);

// In a glob `*` matches any part of a name, `?` one character, and `**` any number of folders; "out/" is all
// that is in out. Hidden names are matched only by parts that begin with a dot.
bool matchesGlob(std::string_view glob, std::string_view path);
bool matchesAnyGlob(const std::vector<std::string> &globs, std::string_view path);
// Whether something in this folder could match: others need not be read.
bool mayMatchBelow(const std::vector<std::string> &globs, std::string_view folder);

// A list of files as one text, and back. What is damaged ends the list.
std::string joinFileEntries(const std::vector<FileEntry> &entries);
std::vector<FileEntry> splitFileEntries(std::string_view text);

} // namespace trainyard::contract
