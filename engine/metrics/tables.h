// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/columngroups.h"
#include "engine/metrics/columns.h"
#include "engine/metrics/record.h"
#include "engine/metrics/stackedheader.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::metrics
{

// Tables of several lines: a header and rows below it, with blanks, tabs or commas between the cells or in boxes of
// '|', and boxes of names with values. A row is taken when a column of it counts steps, when it is about all classes,
// or when it is the only one; a table by class is not a series. Large because every kind
// of table begins in lines that may still turn out to be another kind, which only one reader of all can tell: headers
// are in tableheaders.cpp, rows below them in tablerows.cpp and namedrows.cpp, boxes of names with values in
// tableboxes.cpp.
class TableReader
{
public:
    using Found = std::function<void(Record &&)>;
    explicit TableReader(Found found);

    // Returns whether the line belongs to a table, so that no other reader needs to read it. `mayBeRow` is false while
    // a bar on the same line says that the row will be drawn again.
    bool take(std::string_view line, bool mayBeRow);
    // A row that begins with its time, which is a column and not what a logger writes in front.
    bool takeTimedRow(std::string_view line);
    void finish();
    // How many blanks were taken off the line that comes next: rows with empty cells are read by their places.
    void setPlace(std::size_t blanks, std::uint64_t line)
    {
        m_indent = blanks;
        m_line = line;
    }
    // A line in which nothing is known may be the upper half of a header.
    void noteOther(std::string_view line, std::uint64_t at) { m_stacked.note(line, at); }
    // Whether the lines before have begun a table, so that a line without any word may belong to it.
    bool isOpen() const { return m_inBox || m_inList || !m_header.names.empty(); }

private:
    enum class Cells { Blanks, Tabs, Commas, Words, Bars, Labelled }; // the last: rows say in front what they are
    struct Header {
        std::vector<std::string> names;
        Cells cells = Cells::Blanks;
        struct StepColumn {
            std::size_t at = 0;
            StepName name;
        };
        std::vector<StepColumn> stepColumns;
        bool isBoxed = false;
        bool isDoubled = false; // a name occurs twice: several rows side by side
        bool hasMetric = false;
        bool hasLabels = false; // the first column is not a number
        bool mayGoOn = false; // in the next line: nothing is below it yet
        bool isByParts = false; // "Metric | Train | Val": the row says what, the column of which part of the data
        struct NamedValue {
            std::size_t name = 0, value = 0;
        };
        std::optional<NamedValue> namedValue; // "Task | Metric | Value": the columns of which a row says both

        const StepName *stepAt(std::size_t column) const;
    };
    bool takeValue(std::string_view name, const std::optional<Number> &value);
    bool takeBoxed(std::string_view line);
    bool takeHeader(std::string_view line);
    bool takeHeaderWithBars(std::string_view line);
    bool takeLabelledHeader(std::string_view line);
    std::vector<std::string_view> spread(const std::vector<std::string_view> &cells, std::string_view line) const;
    std::vector<std::string_view> cellsOf(std::string_view line);
    bool takeRow(const std::vector<std::string_view> &cells, bool mayBeRow);
    bool takeRowOfParts(const std::vector<std::string_view> &cells, bool mayBeRow);
    bool takeNamedRow(const std::vector<std::string_view> &cells);
    bool goesOnWithHeader(const std::vector<std::string_view> &cells);
    void closeBox();
    static std::optional<Header::NamedValue> namedValueIn(const std::vector<std::string> &names);
    bool setHeader(const std::vector<std::string_view> &cells, Cells how, bool isBoxed, bool isDoubtful = false);
    void give(Record &&record);

    static constexpr int mostMisses = 300;

    Found m_found;
    Header m_header;
    bool m_mayCountNodes = false; // in the header that is read
    ColumnPlaces m_places;
    std::size_t m_indent = 0;
    std::uint64_t m_line = 0;
    StackedHeader m_stacked;
    ColumnGroups m_groups;
    std::string m_headerLine; // for columns with only one blank between them
    int m_misses = 0; // lines since the last row
    bool m_inBox = false, m_inList = false;
    Record m_values; // of a box of names with values
    Record m_named; // the values of rows that name their metric
    std::string m_rowLabel; // of such a row, and of those below it that leave it out
    Record m_only; // a row with a label that may be the only one
    int m_labelled = 0;
};

} // namespace trainyard::metrics
