// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/solvedfields.h"

#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

std::optional<Record> SolvedFields::take(std::string_view text)
{
    if (constexpr std::string_view time = "Time = "; text.starts_with(time)) {
        std::string_view value = trimmed(text.substr(time.size()));
        value = value.ends_with('s') ? value.substr(0, value.size() - 1) : value;
        m_time = wholeNumber(value) ? value : std::string_view();
        return {};
    }
    constexpr std::string_view solving = "olving for ";
    const std::size_t i = text.find(solving);
    const std::size_t comma = text.find(',');
    if (i == std::string_view::npos || comma == std::string_view::npos || comma < i + solving.size()) {
        return {};
    }
    const std::string_view field = trimmed(text.substr(i + solving.size(), comma - i - solving.size()));
    const std::optional<Number> step = wholeNumber(m_time);
    if (field.empty() || field.find(' ') != std::string_view::npos || !step) {
        return {};
    }
    Record record;
    readText(text.substr(comma + 1), record);
    std::erase_if(record.pairs, [](const Pair &pair) { return !endsAsMetric(pair.name); });
    for (Pair &pair : record.pairs) {
        pair.name = std::string(field) + ' ' + pair.name;
        pair.kind = NameKind::Metric;
    }
    record.steps = {{{Axis::Step, true, false, false}, step->value, {}, false, false}};
    return record;
}

} // namespace trainyard::metrics
