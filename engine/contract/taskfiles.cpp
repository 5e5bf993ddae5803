// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/taskfiles.h"

#include <algorithm>
#include <charconv>

namespace trainyard::contract
{
namespace
{

constexpr std::size_t longestFilePath = 4000;
constexpr std::size_t longestName = 255;

using Parts = std::vector<std::string_view>;

Parts partsOf(std::string_view path)
{
    Parts parts;
    while (true) {
        const std::size_t slash = path.find('/');
        parts.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) {
            return parts;
        }
        path.remove_prefix(slash + 1);
    }
}

// "out/" and "out/**" are "out/**/*", and a "./" in front says nothing.
Parts partsOfGlob(std::string_view glob)
{
    while (glob.starts_with("./")) {
        glob.remove_prefix(2);
    }
    Parts parts = partsOf(glob);
    if (parts.size() > 1 && parts.back().empty()) {
        parts.back() = "**";
    }
    if (parts.back() == "**") {
        parts.push_back("*");
    }
    return parts;
}

// How many bytes the character that begins here has; 0: it is none.
std::size_t characterAt(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1
        : lead < 0xc2                      ? 0
        : lead < 0xe0                      ? 2
        : lead < 0xf0                      ? 3
        : lead < 0xf5                      ? 4
                                           : 0;
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

// Control characters also of Latin-1, and the marks that turn the direction of what is shown.
bool isPlainText(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterAt(text);
        const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
        const bool turns = length == 3 && byte(0) == 0xe2
            && ((byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae)
                || (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
        const bool isControl = length == 1 ? byte(0) < 0x20 || byte(0) == 0x7f
                                           : turns || (length == 2 && byte(0) == 0xc2 && byte(1) < 0xa0);
        if (length == 0 || isControl) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

bool matchesName(std::string_view glob, std::string_view name)
{
    if (name.starts_with('.') && !glob.starts_with('.')) {
        return false;
    }
    std::size_t g = 0, n = 0, star = std::string_view::npos, from = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            from = n;
        } else if (g < glob.size() && glob[g] == '?') {
            ++g;
            n += std::max<std::size_t>(1, characterAt(name.substr(n)));
        } else if (g < glob.size() && glob[g] == name[n]) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') {
        ++g;
    }
    return g == glob.size();
}

// Which parts of the glob may come next once all names are taken: bit by bit, so that many "**" cost nothing.
std::vector<bool> reached(const Parts &glob, const Parts &names)
{
    const auto skip = [&glob](std::vector<bool> &at) { // "**" may stand for no folder
        for (std::size_t i = 0; i < glob.size(); ++i) {
            if (at[i] && glob[i] == "**") {
                at[i + 1] = true;
            }
        }
    };
    std::vector<bool> at(glob.size() + 1);
    at[0] = true;
    for (const std::string_view name : names) {
        skip(at);
        std::vector<bool> after(glob.size() + 1);
        for (std::size_t i = 0; i < glob.size(); ++i) {
            if (!at[i]) {
                continue;
            }
            if (glob[i] == "**") {
                after[i] = after[i] || !name.starts_with('.');
            } else if (matchesName(glob[i], name)) {
                after[i + 1] = true;
            }
        }
        at = after;
    }
    return at;
}

} // namespace

bool isPlainFilePath(std::string_view path)
{
    if (path.empty() || path.size() > longestFilePath || !isPlainText(path)) {
        return false;
    }
    const Parts parts = partsOf(path);
    return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
        return !part.empty() && part != "." && part != ".." && part.size() <= longestName;
    });
}

bool matchesGlob(std::string_view glob, std::string_view path)
{
    const Parts parts = partsOfGlob(glob);
    return reached(parts, partsOf(path))[parts.size()];
}

bool matchesAnyGlob(const std::vector<std::string> &globs, std::string_view path)
{
    return std::any_of(globs.begin(), globs.end(), [path](const std::string &glob) { return matchesGlob(glob, path); });
}

bool mayMatchBelow(const std::vector<std::string> &globs, std::string_view folder)
{
    return std::any_of(globs.begin(), globs.end(), [folder](const std::string &glob) {
        const Parts parts = partsOfGlob(glob);
        const std::vector<bool> at = reached(parts, partsOf(folder));
        return std::any_of(at.begin(), at.end() - 1, [](bool isThere) { return isThere; });
    });
}

std::string joinFileEntries(const std::vector<FileEntry> &entries)
{
    std::string text;
    for (const FileEntry &entry : entries) {
        text += std::to_string(entry.bytes) + (entry.isExecutable ? "x " : " ") + std::to_string(entry.changedNs) + ' '
            + entry.path + '\0';
    }
    return text;
}

std::vector<FileEntry> splitFileEntries(std::string_view text)
{
    std::vector<FileEntry> entries;
    while (!text.empty()) {
        const std::size_t end = text.find('\0');
        if (end == std::string_view::npos) {
            break;
        }
        const std::string_view one = text.substr(0, end);
        text.remove_prefix(end + 1);
        FileEntry entry;
        const char *const last = one.data() + one.size();
        auto [afterBytes, badBytes] = std::from_chars(one.data(), last, entry.bytes);
        entry.isExecutable = badBytes == std::errc() && afterBytes != last && *afterBytes == 'x';
        afterBytes += entry.isExecutable ? 1 : 0;
        if (badBytes != std::errc() || afterBytes == last || *afterBytes != ' ') {
            break;
        }
        const auto [afterTime, badTime] = std::from_chars(afterBytes + 1, last, entry.changedNs);
        if (badTime != std::errc() || afterTime == last || *afterTime != ' ') {
            break;
        }
        entry.path.assign(afterTime + 1, last);
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace trainyard::contract
