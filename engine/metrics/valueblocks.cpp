// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/valueblocks.h"

#include "engine/metrics/words.h"

#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostValuesInRow = 12;
constexpr std::size_t longestRowOfValues = 200;
constexpr int longestSection = 60; // lines

struct Column {
    std::string name;
    Number value;
};

// Nothing unless every value ends where a name ends, and every name where a value does.
std::vector<Column> columnsOf(std::string_view names, std::string_view values)
{
    std::vector<Column> columns;
    std::size_t i = skipBlanks(values, 0), from = 0;
    while (i < values.size()) {
        std::size_t end = i;
        while (end < values.size() && !isBlank(values[end])) {
            ++end;
        }
        const std::optional<Number> value = wholeNumber(values.substr(i, end - i));
        const bool isEndOfName = end <= names.size() && end > from && !isBlank(names[end - 1])
            && (end == names.size() || isBlank(names[end]));
        const std::string_view name = isEndOfName ? trimmed(names.substr(from, end - from)) : std::string_view();
        if (!value || name.empty() || !isLetter(name.front()) || columns.size() >= mostValuesInRow) {
            return {};
        }
        columns.push_back({std::string(name), *value});
        from = end;
        i = skipBlanks(values, end);
    }
    return trimmed(names.substr(from)).empty() ? columns : std::vector<Column>();
}

} // namespace

std::optional<Record> ValueBlocks::take(std::string_view line)
{
    while (!line.empty() && isBlank(line.back())) {
        line.remove_suffix(1);
    }
    const std::string above = std::exchange(m_above, {});
    if (line.empty() || line.size() > longestRowOfValues || !isBlank(line.front())) {
        return {};
    }
    ++m_lines;
    const char first = line[skipBlanks(line, 0)];
    if (isLetter(first)) {
        m_above = line;
        return {};
    }
    const std::vector<Column> columns = above.empty() ? std::vector<Column>() : columnsOf(above, line);
    if (columns.size() < 2) {
        return {};
    }
    Record record;
    record.shape = Shape::Table;
    for (const Column &column : columns) {
        if (const std::optional<StepName> step = stepName(column.name); step && column.value.isWhole) {
            record.steps.push_back({*step, column.value.value, {}, false, false});
            continue;
        }
        Pair pair;
        pair.name = column.name;
        pair.kind = kindOf(column.name);
        pair.value = column.value.value;
        pair.isWhole = column.value.isWhole;
        pair.isUnclear = column.value.isUnclear;
        pair.decimals = column.value.decimals;
        record.pairs.push_back(std::move(pair));
    }
    if (!record.steps.empty()) {
        m_steps = record.steps;
        m_told.clear();
        m_lines = 0;
    } else if (m_steps.empty() || m_lines > longestSection) {
        return {};
    }
    record.steps = m_steps;
    std::erase_if(record.pairs, [this](const Pair &pair) { return !m_told.insert(pair.name).second; });
    return record;
}

} // namespace trainyard::metrics
