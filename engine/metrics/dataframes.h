// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/record.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::metrics
{

// Tables as pandas prints them, whose rows begin with their index, for which the header has no name, or has it on a
// line of its own:
//    epoch  train_loss  val_loss
// 0      1        0.50      0.75
// A row counts where a column, or the index, names its step. All rows are taken, so that no other reader takes the
// words of a table of models or of data for metrics.
class DataFrames
{
public:
    using Lines = std::vector<std::pair<std::uint64_t, Record>>;
    // Whether the line, with the blanks before it, belongs to a table. What is known now is added to the rows.
    bool take(std::string_view text, std::uint64_t line, Lines &rows);
    void finish(Lines &rows);

private:
    struct Column {
        std::string name;
        std::size_t end = 0; // of the name and of all values, which stand at the right of their column
    };
    void begin(std::string_view text, std::size_t leastBlanks);
    bool takeNameOfIndex(std::string_view text);
    std::vector<std::string_view> rowOf(std::string_view text) const;
    std::optional<Record> readRow(const std::vector<std::string_view> &cells);

    std::string m_header;
    std::size_t m_leastBlanks = 2; // between two columns: some have only one
    std::vector<Column> m_columns;
    std::optional<std::size_t> m_stepColumn;
    std::optional<StepName> m_step; // of that column, or of the index
    bool m_hasMetric = false;
    bool m_isHistory = false; // of metrics of parts of the data, so that the index counts
    bool m_hasOdd = false; // a name comes twice, or the rows are not counted on
    bool m_hasBegun = false; // there was a row that counts
    std::size_t m_count = 0; // rows
    Lines m_first; // the first one, while it may be the only one
};

} // namespace trainyard::metrics
