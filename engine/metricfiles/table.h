// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metricfiles/decoder.h"
#include "engine/metricfiles/lines.h"
#include "engine/metricfiles/row.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metricfiles
{

// A line of a table, cut at commas, semicolons or tabs. Cells in quotes lose them.
void splitCells(std::string_view line, char separator, std::vector<std::string> &cells);

// The structure that the first lines of a table show. It is not final before the header has its line feed.
struct TableHead {
    enum class Kind {
        None, // not a table with a header in words
        Open, // the header is not complete
        Table
    };
    Kind kind = Kind::None;
    char separator = ',';
    std::vector<std::string> names;
    std::vector<std::string> row; // the first one; none before it has its line feed
    bool hasCounter = false; // a column that counts, for example, steps
    bool hasNumbers = false; // the first row is mostly numbers; true without a row
};
TableHead tableHead(std::string_view text);

// Tables of metrics: a header in words, and a row of numbers for each step or epoch.
class TableFile : public Decoder
{
public:
    State decode(Source &source, Output &output, std::size_t budget) override;

private:
    void takeHeaderAgain(std::string_view line, std::uint64_t at);
    bool takesLast(const Source &source, std::string_view line);

    Lines m_lines{true};
    bool m_isInLastLine = false; // which was taken without its line feed
    char m_separator = ',';
    std::vector<std::string> m_names, m_cells;
    Row m_row;
    std::uint64_t m_rows = 0;
    std::uint64_t m_headerAt = 0; // of the last one
};

} // namespace trainyard::metricfiles
