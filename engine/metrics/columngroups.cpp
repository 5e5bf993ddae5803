// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/columngroups.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <set>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestHeadings = 400;
constexpr std::uint64_t linesToNames = 2; // a rule may stand between

} // namespace

void ColumnGroups::note(std::string_view text, std::size_t indent, std::uint64_t line)
{
    constexpr std::size_t least = 2;
    m_groups.clear();
    if (text.size() > longestHeadings || !text.starts_with('|') || !text.ends_with('|') || hasDigit(text)) {
        return;
    }
    for (std::size_t bar = 0; bar + 1 < text.size();) {
        const std::size_t next = text.find('|', bar + 1);
        const std::string_view name = trimmed(text.substr(bar + 1, next - bar - 1));
        if (!name.empty()) {
            m_groups.push_back({std::string(name), indent + bar, indent + next});
        }
        bar = next;
    }
    if (m_groups.size() < least) {
        m_groups.clear();
    }
    m_line = line;
}

std::string ColumnGroups::nameAt(std::size_t begin, std::size_t end) const
{
    const auto found = std::find_if(m_groups.begin(), m_groups.end(),
        [begin, end](const Group &group) { return group.begin <= begin && end <= group.end; });
    return found != m_groups.end() ? found->name : std::string();
}

std::vector<std::string> ColumnGroups::named(
    const std::vector<std::string_view> &names, std::string_view text, std::size_t indent, std::uint64_t line) const
{
    if (m_groups.empty() || line <= m_line || line > m_line + linesToNames) {
        return {};
    }
    std::vector<std::string> result;
    for (const std::string_view name : names) {
        const bool isDoubled = std::count(names.begin(), names.end(), name) > 1;
        const std::size_t begin = indent + static_cast<std::size_t>(name.data() - text.data());
        const std::string group = isDoubled ? nameAt(begin, begin + name.size()) : std::string();
        result.push_back(group.empty() ? std::string(name) : group + '/' + std::string(name));
    }
    const std::set<std::string> different(result.begin(), result.end());
    const bool hasHeading = !std::equal(result.begin(), result.end(), names.begin(), names.end());
    return hasHeading && different.size() == result.size() ? result : std::vector<std::string>();
}

} // namespace trainyard::metrics
