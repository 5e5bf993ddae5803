// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/codetree.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace trainyard::contract
{
namespace
{

constexpr std::string_view treeHead = "trainyard-tree 1";
constexpr std::size_t longestPath = 4000;

bool isPlainPath(std::string_view path)
{
    if (path.empty() || path.size() > longestPath) {
        return false;
    }
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") {
            return false;
        }
        if (slash == std::string_view::npos) {
            return true;
        }
        path.remove_prefix(slash + 1);
    }
}

std::optional<std::string_view> takeField(std::string_view &text)
{
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(end + 1);
    return field;
}

// "f 123 <content>", x for one that is executable, p and q for the same if they are private; "l <target>".
bool readKind(std::string_view kind, CodeEntry &entry)
{
    if (kind.size() < 3 || kind[1] != ' ') {
        return false;
    }
    const std::string_view rest = kind.substr(2);
    if (kind[0] == 'l') {
        entry.target = rest;
        return rest.size() <= longestPath;
    }
    const std::size_t blank = rest.find(' ');
    if (std::string_view("fxpq").find(kind[0]) == std::string_view::npos || blank == std::string_view::npos) {
        return false;
    }
    entry.isExecutable = kind[0] == 'x' || kind[0] == 'q';
    entry.isPrivate = kind[0] == 'p' || kind[0] == 'q';
    entry.content = rest.substr(blank + 1);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + blank, entry.bytes);
    return error == std::errc() && end == rest.data() + blank && isContentName(entry.content);
}

} // namespace

bool isContentName(std::string_view name)
{
    constexpr std::size_t digits = 64;
    return name.size() == digits && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
}

std::string codeTreeText(const std::vector<CodeEntry> &entries)
{
    std::string text(treeHead);
    text += '\0';
    for (const CodeEntry &entry : entries) {
        if (entry.content.empty()) {
            text += "l " + entry.target;
        } else {
            text += entry.isPrivate ? (entry.isExecutable ? "q " : "p ") : (entry.isExecutable ? "x " : "f ");
            text += std::to_string(entry.bytes) + ' ' + entry.content;
        }
        text += '\0' + entry.path + '\0';
    }
    return text;
}

std::optional<std::vector<CodeEntry>> parseCodeTree(std::string_view text)
{
    if (takeField(text) != treeHead) {
        return std::nullopt;
    }
    std::vector<CodeEntry> entries;
    std::set<std::string, std::less<>> known, links;
    while (!text.empty()) {
        CodeEntry entry;
        const std::optional<std::string_view> kind = takeField(text), path = takeField(text);
        if (!kind || !path || !readKind(*kind, entry) || !isPlainPath(*path) || !known.emplace(*path).second) {
            return std::nullopt;
        }
        entry.path = *path;
        if (entry.content.empty()) {
            links.insert(entry.path);
        }
        entries.push_back(std::move(entry));
    }
    for (const CodeEntry &entry : entries) {
        for (std::size_t slash = entry.path.find('/'); slash != std::string::npos;
             slash = entry.path.find('/', slash + 1)) {
            if (links.contains(std::string_view(entry.path).substr(0, slash))) {
                return std::nullopt;
            }
        }
    }
    return entries;
}

std::string codeContentPath(const std::string &stateFolder, const std::string &name)
{
    return stateFolder + "/code/contents/" + name.substr(0, 2) + '/' + name;
}

std::string codeTreePath(const std::string &stateFolder, const std::string &name)
{
    return stateFolder + "/code/trees/" + name;
}

std::string codeOriginPath(const std::string &dir) { return dir + ".origin.json"; }

std::string codeSentPath(const std::string &dir) { return dir + ".sent"; }

} // namespace trainyard::contract
