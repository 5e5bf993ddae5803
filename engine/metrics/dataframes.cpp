// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/dataframes.h"

#include "engine/metrics/tablecells.h"
#include "engine/metrics/tablecolumns.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <iterator>

namespace trainyard::metrics
{

namespace
{

std::size_t endIn(std::string_view text, std::string_view cell)
{
    return static_cast<std::size_t>(cell.data() - text.data()) + cell.size();
}

bool isNameOfColumn(std::string_view cell)
{
    return isLetter(cell.front()) && readCell(cell).kind == CellKind::Text && isSetName(cell);
}

} // namespace

void DataFrames::begin(std::string_view text, std::size_t leastBlanks)
{
    constexpr std::size_t leastColumns = 2, longestHeader = 1000;
    const std::size_t first = skipBlanks(text, 0);
    if (first == 0 || text.size() > longestHeader || !isLetter(at(text, first))
        || text.find("  ", first) == std::string_view::npos) {
        return;
    }
    const std::vector<std::string_view> names = splitAtBlanks(text, leastBlanks);
    if (names.size() < leastColumns || !std::all_of(names.begin(), names.end(), isNameOfColumn)) {
        return;
    }
    bool hasOnlyMetrics = true, hasPart = false;
    for (const std::string_view name : names) {
        const std::optional<StepName> step = stepOfColumn(name);
        if (step && !m_step) {
            m_stepColumn = m_columns.size();
            m_step = step;
        }
        const bool isMetric = kindOf(name) == NameKind::Metric;
        m_hasMetric = m_hasMetric || isMetric;
        hasOnlyMetrics = hasOnlyMetrics && isMetric;
        hasPart = hasPart || isOfEvaluation(name);
        m_hasOdd = m_hasOdd || std::any_of(m_columns.begin(), m_columns.end(), [name](const Column &other) {
            return other.name == name;
        });
        m_columns.push_back({std::string(name), endIn(text, name)});
    }
    m_isHistory = hasOnlyMetrics && hasPart;
    m_header = text;
    m_leastBlanks = leastBlanks;
}

// "epoch" alone below the header
bool DataFrames::takeNameOfIndex(std::string_view text)
{
    const bool mayName = m_count == 0 && !m_step && isLetter(at(text, 0));
    const std::optional<StepName> step = mayName ? stepOfColumn(trimmed(text)) : std::nullopt;
    m_step = step ? step : m_step;
    return step.has_value();
}

// The cells of a row, the index first; empty if the line is not a row.
std::vector<std::string_view> DataFrames::rowOf(std::string_view text) const
{
    if (!isDigit(at(text, 0))) {
        return {};
    }
    std::vector<std::string_view> cells = splitAtBlanks(text, m_leastBlanks);
    if (cells.size() != m_columns.size() + 1 || digitsEnd(cells.front(), 0) != cells.front().size()) {
        return {};
    }
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (endIn(text, cells[i + 1]) != m_columns[i].end) {
            return {};
        }
    }
    return cells;
}

// Nothing if the row does not count, as one about a model does not.
std::optional<Record> DataFrames::readRow(const std::vector<std::string_view> &cells)
{
    const std::optional<Number> index = wholeNumber(cells.front());
    m_hasOdd = m_hasOdd || !index || (!m_step && index->value != static_cast<double>(m_count));
    ++m_count;
    if (m_hasOdd || !m_hasMetric || (!m_step && !m_isHistory)) {
        return {};
    }
    Record row;
    row.shape = Shape::Table;
    row.isOfFrame = true;
    Number step = *index;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        const Cell cell = readCell(cells[i + 1]);
        const bool isStep = m_stepColumn == i;
        if (cell.kind != CellKind::Number) {
            if (isStep || !m_step) {
                return {};
            }
        } else if (isStep) {
            step = cell.number;
        } else {
            row.pairs.push_back(pairOf(m_columns[i].name, cell.number));
        }
    }
    if (!(step.value >= 0)) {
        return {};
    }
    const StepName counted = m_step ? *m_step : StepName{Axis::Iteration, false, false, false};
    row.steps.push_back({counted, step.value, {}, false, !step.isWhole});
    row.beginsFrame = !std::exchange(m_hasBegun, true);
    return row;
}

// The only row of a table is not a step.
void DataFrames::finish(Lines &rows)
{
    for (auto &[line, row] : m_first) {
        row.steps.clear();
        rows.emplace_back(line, std::move(row));
    }
    *this = {};
}

bool DataFrames::take(std::string_view text, std::uint64_t line, Lines &rows)
{
    if (!m_columns.empty()) {
        if (m_count == 0 && m_leastBlanks > 1 && rowOf(text).empty()) {
            DataFrames narrow;
            narrow.begin(m_header, 1);
            if (!narrow.m_columns.empty() && !narrow.rowOf(text).empty()) {
                *this = std::move(narrow);
            }
        }
        if (const std::vector<std::string_view> cells = rowOf(text); !cells.empty()) {
            std::optional<Record> row = readRow(cells);
            if (row && row->beginsFrame && !m_step) {
                m_first.emplace_back(line, std::move(*row));
                return true;
            }
            std::move(m_first.begin(), m_first.end(), std::back_inserter(rows));
            m_first.clear();
            if (row) {
                rows.emplace_back(line, std::move(*row));
            }
            return true;
        }
        if (takeNameOfIndex(text) || (m_count > 0 && text.starts_with("..  "))) { // rows were left out
            return true;
        }
        finish(rows);
    }
    begin(text, 2);
    return false;
}

} // namespace trainyard::metrics
