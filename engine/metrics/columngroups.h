// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// "|   Population   |   Best one   |" above "Gen  Length  Fitness  Length  Fitness": headings of several columns each.
// A name that occurs in more than one of them is only told apart by its heading.
class ColumnGroups
{
public:
    // `indent` is how many blanks were taken off the line.
    void note(std::string_view text, std::size_t indent, std::uint64_t line);
    // The names of a header, which are parts of `text`: those that occur twice with their headings. Nothing where no
    // heading stands above them, or where it does not tell them apart.
    std::vector<std::string> named(const std::vector<std::string_view> &names, std::string_view text,
        std::size_t indent, std::uint64_t line) const;

private:
    struct Group {
        std::string name;
        std::size_t begin = 0, end = 0;
    };
    std::string nameAt(std::size_t begin, std::size_t end) const;

    std::vector<Group> m_groups;
    std::uint64_t m_line = 0;
};

} // namespace trainyard::metrics
