// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// "average  since  example  current" above "loss     last   counter  label": the names of a table without a frame, in
// two lines. Only the second one may say what is measured, so that the first one is kept until the next line.
class StackedHeader
{
public:
    void note(std::string_view text, std::uint64_t line);
    // The names of both lines, where a word of the one stands above each word of the other. What is the current one's
    // alone, such as its label, has no name.
    std::vector<std::string> with(std::string_view text, std::uint64_t line) const;

private:
    std::string m_above;
    std::uint64_t m_line = 0;
};

} // namespace trainyard::metrics
