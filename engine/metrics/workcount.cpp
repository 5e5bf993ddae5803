// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/workcount.h"

#include "engine/metrics/bars.h"
#include "engine/metrics/numbers.h"
#include "engine/metrics/words.h"

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostOfWords = 40;

// "Processed", "Rendering frame": a word for what is done stands first.
bool tellsOfWork(std::string_view before)
{
    const std::string first = lowered(before.substr(0, before.find(' ')));
    const bool isDone = first.size() > 4 && (first.ends_with("ed") || first.ends_with("ing"));
    return isDone && !isSideWork(before) && !first.starts_with("load") && !first.starts_with("download")
        && !first.starts_with("read") && !first.starts_with("connect");
}

} // namespace

void WorkCount::take(std::string_view line)
{
    const std::size_t begin = line.find_first_of("0123456789");
    if (begin == std::string_view::npos || begin == 0 || begin > mostOfWords || isWord(line[begin - 1])) {
        return;
    }
    std::string_view before = trimmed(line.substr(0, begin));
    while (!before.empty() && std::string_view("[(:").find(before.back()) != std::string_view::npos) {
        before = trimmed(before.substr(0, before.size() - 1));
    }
    Number count;
    if (before.empty() || !isLetter(before.front()) || lexNumber(line, begin, count) != Lexed::Number || !count.isWhole
        || !count.total || *count.total < 2 || count.value > *count.total || !tellsOfWork(before)) {
        return;
    }
    const bool goesOn = before == m_before && *count.total == m_total && count.value > m_at;
    m_before = before;
    m_total = *count.total;
    m_at = count.value;
    if (goesOn) {
        m_fraction = count.value / m_total;
    }
}

} // namespace trainyard::metrics
