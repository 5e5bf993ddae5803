// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/settingslist.h"
#include "engine/metrics/tablecells.h"
#include "engine/metrics/tablecolumns.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

namespace
{

bool isHeaderInBox(const std::vector<std::string_view> &cells)
{
    constexpr std::size_t leastColumns = 3;
    return cells.size() >= leastColumns
        && std::all_of(cells.begin(), cells.end(), [](auto cell) { return readCell(cell).kind == CellKind::Text; })
        && std::any_of(cells.begin(), cells.end(), [](auto cell) { return stepOfColumn(cell).has_value(); });
}

} // namespace

void TableReader::closeBox()
{
    if (!m_values.isEmpty()) {
        give(std::exchange(m_values, {}));
    }
    if (m_labelled == 1) {
        give(std::exchange(m_only, {}));
    }
    if (!m_named.isEmpty()) {
        give(std::exchange(m_named, {}));
    }
    m_rowLabel.clear();
    m_only = {};
    m_labelled = 0;
    if (m_header.isBoxed) {
        m_header = {};
    }
    m_inBox = m_inList = false;
}

bool TableReader::takeValue(std::string_view name, const std::optional<Number> &value)
{
    if (!value) {
        return false;
    }
    const std::optional<StepName> step = stepName(name);
    if (step && value->value >= 0) {
        if (value->value == std::floor(value->value) || step->axis == Axis::Epoch) { // 1e+03, 1.02e+04
            m_values.steps.push_back({*step, value->value, {}, false, value->decimals > 0});
        }
    } else if (m_values.pairs.size() < 1000) {
        m_values.pairs.push_back(pairOf(name, *value));
    }
    return true;
}

bool TableReader::takeBoxed(std::string_view line)
{
    std::vector<std::string_view> cells = splitInBox(line);
    if (cells.empty()) {
        return false;
    }
    if (cells.size() == 1 && line.front() != '|') {
        // "│ name       0.5 │": only blanks part the name from its value.
        std::vector<std::string_view> parts = splitAtBlanks(cells.front(), 2);
        const bool isValue
            = parts.size() == 2 && isLetter(at(parts.front(), 0)) && readCell(parts.back()).kind == CellKind::Number;
        // "│ trial    status    iter    loss │": neither do columns have more between them.
        const bool isRow = parts.size() > 2 && m_header.isBoxed && parts.size() == m_header.names.size();
        if (isValue || isRow || isHeaderInBox(parts)) {
            cells = std::move(parts);
        }
    }
    std::vector<Cell> read;
    bool allText = true, mixed = false, number = false;
    for (const std::string_view cell : cells) {
        read.push_back(readCell(cell));
        const CellKind kind = read.back().kind;
        allText = allText && (kind == CellKind::Text || kind == CellKind::Empty);
        mixed = mixed || kind == CellKind::Mixed;
        number = number || kind == CellKind::Number;
    }
    const bool hasHeader = m_header.isBoxed;
    const bool named = cells.size() == 2 && read[0].kind == CellKind::Mixed && read[1].kind == CellKind::Number
        && cells[0].find_first_of("=:") == std::string_view::npos; // "| mean 100 episode reward | 21.5 |"
    if (named) {
        read[0].kind = CellKind::Text;
    } else if (mixed && !hasHeader) {
        return false;
    }
    m_inBox = true;
    const bool valueColumn = hasHeader && cells.size() == 2 && m_header.names.size() == 2
        && (lowered(m_header.names[1]) == "value" || lowered(m_header.names[1]).starts_with("dataloader"));
    if (valueColumn && introducesSettings(m_header.names.front())) {
        return true; // "| setting | value |"
    }
    if (cells.size() == 2 && read[0].kind == CellKind::Text && (!hasHeader || valueColumn)
        && (read[1].kind == CellKind::Number || read[1].kind == CellKind::Ratio || !m_values.isEmpty())) {
        takeValue(cells[0], read[1].kind == CellKind::Number ? std::optional(read[1].number) : std::nullopt);
        return true;
    }
    if (cells.size() <= 2 && !hasHeader && allText && read.back().kind == CellKind::Empty) {
        return true; // the heading of a part: "| rollout/   |   |"
    }
    if (cells.size() == 1) {
        return !hasHeader;
    }
    if (allText && !hasHeader) {
        setHeader(cells, Cells::Blanks, true);
        return true;
    }
    if (allText && goesOnWithHeader(cells)) {
        return true;
    }
    if (hasHeader && number) {
        takeRow(cells, true);
    }
    return true;
}

} // namespace trainyard::metrics
