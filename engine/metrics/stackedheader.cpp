// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/stackedheader.h"

#include "engine/metrics/names.h"
#include "engine/metrics/tablecells.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t leastNames = 4;
constexpr std::size_t longestHeader = 400;

bool mayBeHeader(std::string_view text)
{
    return text.size() <= longestHeader && text.find("  ") != std::string_view::npos && !hasDigit(text)
        && text.find_first_of("|:=,;.()[]{}") == std::string_view::npos;
}

std::size_t placeIn(std::string_view text, std::string_view word)
{
    return static_cast<std::size_t>(word.data() - text.data());
}

} // namespace

void StackedHeader::note(std::string_view text, std::uint64_t line)
{
    if (mayBeHeader(text)) {
        m_above = text;
        m_line = line;
    }
}

std::vector<std::string> StackedHeader::with(std::string_view text, std::uint64_t line) const
{
    if (m_line == 0 || m_line + 1 != line || !mayBeHeader(text)) {
        return {};
    }
    const std::string_view upper = m_above;
    const std::vector<std::string_view> above = splitAtBlanks(upper, 1), below = splitAtBlanks(text, 1);
    if (above.size() != below.size() || above.size() < leastNames) {
        return {};
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < above.size(); ++i) {
        const std::size_t first = placeIn(upper, above[i]), second = placeIn(text, below[i]);
        if (first >= second + below[i].size() || second >= first + above[i].size()) {
            return {};
        }
        const std::string name = std::string(above[i]) + ' ' + std::string(below[i]);
        const bool isOfOne = above[i] == "current" && kindOf(below[i]) != NameKind::Metric;
        names.push_back(isOfOne ? std::string() : name);
    }
    return names;
}

} // namespace trainyard::metrics
