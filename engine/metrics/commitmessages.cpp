// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/commitmessages.h"

#include <algorithm>
#include <array>

namespace trainyard::metrics
{

namespace
{

// "commit 3f2a1bc (HEAD -> main)"
bool beginsCommit(std::string_view line)
{
    constexpr std::string_view word = "commit ";
    constexpr std::size_t shortestHash = 7;
    if (!line.starts_with(word)) {
        return false;
    }
    const std::string_view hash = line.substr(word.size());
    const std::size_t end = std::min(hash.find_first_not_of("0123456789abcdef"), hash.size());
    return end >= shortestHash && (end == hash.size() || hash[end] == ' ');
}

} // namespace

bool CommitMessages::take(std::string_view line)
{
    if (beginsCommit(line)) {
        m_isInside = true;
        return true;
    }
    if (!m_isInside || line.empty()) {
        return m_isInside;
    }
    constexpr std::string_view indent = "    ";
    constexpr std::array<std::string_view, 6> heads{
        "Author:", "AuthorDate:", "Commit:", "CommitDate:", "Date:", "Merge:"};
    m_isInside = line.starts_with(indent)
        || std::any_of(heads.begin(), heads.end(), [line](std::string_view head) { return line.starts_with(head); });
    return m_isInside;
}

} // namespace trainyard::metrics
