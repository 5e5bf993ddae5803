// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// The files of a folder as they are copied to another host (docs/hosts.md, "Code"). Contents have their SHA-256 as a
// name, so each is on a host only once, and a tree is a list of names.
struct CodeEntry {
    std::string path; // below the folder, "/" between its parts
    std::string content; // name of its content; empty: a link
    std::uint64_t bytes = 0;
    bool isExecutable = false;
    bool isPrivate = false; // no other user may read it, such as a key
    std::string target; // of a link
    friend bool operator==(const CodeEntry &, const CodeEntry &) = default;
};

// One text for one tree. Its SHA-256 is the name of the tree.
std::string codeTreeText(const std::vector<CodeEntry> &entries);
// Returns nothing if it is not such a text, or if it names a path that is not below the folder: "..", or one behind a
// link.
std::optional<std::vector<CodeEntry>> parseCodeTree(std::string_view text);

bool isContentName(std::string_view name); // 64 hexadecimal digits

// Where an agent keeps them, below its state folder.
std::string codeContentPath(const std::string &stateFolder, const std::string &name);
std::string codeTreePath(const std::string &stateFolder, const std::string &name);
// Beside a folder that was made of a tree: of which commit it is (environmentrecord.h).
std::string codeOriginPath(const std::string &dir);
// The same: the tree itself. It is written when all files are there, and before anything works in the folder: what is
// newer has been changed since.
std::string codeSentPath(const std::string &dir);
constexpr std::size_t longestCodeTree = 64 << 20;

} // namespace trainyard::contract
