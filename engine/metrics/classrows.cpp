// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/classrows.h"

#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

bool ClassRows::take(const Record &record)
{
    constexpr std::size_t leastPairs = 2;
    if (record.pairs.size() < leastPairs || !record.steps.empty()) {
        m_namesOfAll.clear();
        return false;
    }
    const std::string label = lowered(record.pairs.front().context);
    const auto isAbove = [this](const Pair &pair) {
        return std::find(m_namesOfAll.begin(), m_namesOfAll.end(), pair.name) != m_namesOfAll.end();
    };
    if (!label.empty() && label.find(' ') == std::string::npos && !isPartName(label)
        && std::all_of(record.pairs.begin(), record.pairs.end(), isAbove)) {
        return true;
    }
    m_namesOfAll.clear();
    for (const Pair &pair : record.pairs) {
        if (record.pairs.front().context.empty()) {
            m_namesOfAll.push_back(pair.name);
        }
    }
    return false;
}

} // namespace trainyard::metrics
