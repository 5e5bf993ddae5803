// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tablecells.h"
#include "engine/metrics/tablecolumns.h"
#include "engine/metrics/tables.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

namespace
{

// "Metric", "Train", "Val": what is measured stands in front of each row.
bool hasColumnsOfParts(const std::vector<std::string> &names)
{
    constexpr std::size_t leastColumns = 3;
    return names.size() >= leastColumns && !isPartName(names.front()) && kindOf(names.front()) != NameKind::Metric
        && std::all_of(names.begin() + 1, names.end(), [](const std::string &name) { return isPartName(name); });
}

// "timestamp", "duration", "speed": when a row was printed, in front of its step
bool isBehindTimes(const std::vector<std::string> &names, std::size_t step)
{
    return std::all_of(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(step), [](const std::string &name) {
        const NameKind kind = kindOf(name);
        return kind == NameKind::Other || kind == NameKind::Speed;
    });
}

} // namespace

bool TableReader::setHeader(const std::vector<std::string_view> &cells, Cells how, bool isBoxed, bool isDoubtful)
{
    Header header;
    header.cells = how;
    header.isBoxed = isBoxed;
    int metrics = 0, strict = 0;
    std::string_view group; // "Box(P   R   mAP50)  Mask(P   R   mAP50)"
    for (const std::string_view cell : cells) {
        std::string name = withoutLooseParenthesis(cell);
        const bool isLeftOut = name.empty() && how == Cells::Words;
        if (!isBoxed && !isLeftOut && !isSetName(name)) {
            return false;
        }
        const std::size_t open = cell.find('(');
        const bool isClosed = cell.find(')') != std::string_view::npos;
        if (open != std::string_view::npos && !isClosed) {
            group = cell.substr(0, open);
            name = group.empty() ? name : std::string(trimmed(cell.substr(open + 1)));
        }
        const bool isKnown = std::find(header.names.begin(), header.names.end(), name) != header.names.end();
        if (isKnown && !group.empty() && !name.empty()) {
            name = std::string(group) + '/' + name;
        }
        group = isClosed ? std::string_view() : group;
        if (std::find(header.names.begin(), header.names.end(), name) != header.names.end() && !name.empty()) {
            header.isDoubled = true;
        }
        const NameKind kind = kindOf(name);
        const bool metric = kind == NameKind::Metric || kind == NameKind::Faint;
        metrics += metric ? 1 : 0;
        strict += metric || kind == NameKind::Setting || kind == NameKind::Speed || kind == NameKind::TimeLeft
                || kind == NameKind::Other
            ? 1
            : 0;
        const bool mayCountNodes = (how == Cells::Bars || m_mayCountNodes) && header.stepColumns.empty();
        const std::optional<StepName> step
            = how == Cells::Labelled && header.names.empty() ? stepOfLabelled(name) : stepOfColumn(name, mayCountNodes);
        const bool isFirst = header.names.empty();
        // "model | epochs | acc", "N  E  dE", "Epoch  Disc  Gen"
        if (step && (isFirst || (lowered(name) != "epochs" && name != "E" && name != "Gen"))) {
            header.stepColumns.push_back({header.names.size(), *step});
        }
        header.names.push_back(std::move(name));
    }
    header.hasMetric = metrics > 0;
    if (header.stepColumns.empty() && metrics > 1 && !isBoxed && !header.names.empty()
        && isNodeOfSearch(header.names.front())) {
        header.stepColumns.push_back({0, *stepOfColumn(header.names.front(), true)});
    }
    bool countsWork = false;
    for (std::size_t i = 0; i < header.names.size() && header.stepColumns.empty() && metrics > 0; ++i) {
        if (const std::optional<StepName> step = stepOfWork(header.names[i])) {
            header.stepColumns.push_back({i, *step});
            countsWork = true;
        }
    }
    const bool first = !header.stepColumns.empty()
        && (header.stepColumns.front().at <= 1 || countsWork || (metrics > 0 && how == Cells::Commas)
            || (metrics > 0 && isBehindTimes(header.names, header.stepColumns.front().at)));
    const bool classes = header.stepColumns.empty() && metrics >= 2 && strict + 2 >= static_cast<int>(cells.size()) / 2;
    if (!isBoxed && (cells.size() < 2 || (!(first && (metrics > 0 || cells.size() >= 3) && !isDoubtful) && !classes))) {
        return false;
    }
    header.hasLabels = header.stepColumns.empty();
    header.isByParts = header.hasLabels && hasColumnsOfParts(header.names);
    if (header.hasLabels && isBoxed) {
        header.namedValue = namedValueIn(header.names);
    }
    header.mayGoOn = isBoxed;
    m_header = std::move(header);
    m_places = {}; // those of another table
    m_misses = 0;
    m_only = {};
    m_labelled = 0;
    return true;
}

// The columns "Metric" and "Value", beside others: where there are no others, each row is a name with its value.
std::optional<TableReader::Header::NamedValue> TableReader::namedValueIn(const std::vector<std::string> &names)
{
    const auto columnOf = [&names](std::string_view wanted) {
        const auto found = std::find_if(
            names.begin(), names.end(), [wanted](const std::string &name) { return lowered(name) == wanted; });
        return static_cast<std::size_t>(found - names.begin());
    };
    const std::size_t name = columnOf("metric"), value = columnOf("value");
    if (names.size() <= 2 || name >= value || value >= names.size()) {
        return {};
    }
    return Header::NamedValue{name, value};
}

// "time | node | dualbound", whose rows have the same bars, and "Expl Unexpl | Obj Depth | Gap", where they part groups
// of columns and stand only here
bool TableReader::takeHeaderWithBars(std::string_view line)
{
    std::vector<std::string_view> cells = splitAt(line, '|');
    for (std::string_view &cell : cells) {
        cell.remove_suffix(cell.ends_with('.') ? 1 : 0); // "compl."
    }
    if (cells.size() > 1 && cells.back().empty()) {
        cells.pop_back(); // the bar at the end
    }
    const auto isName = [](std::string_view cell) { return readCell(cell).kind == CellKind::Text; };
    constexpr std::size_t leastColumns = 3;
    if (cells.size() == leastColumns - 1 && isPartName(cells.front()) && isPartName(cells.back())) {
        cells.insert(cells.begin(), "metric"); // what stands in front of the rows has no name of its own
    }
    if (cells.size() < leastColumns || !std::all_of(cells.begin(), cells.end(), isName)) {
        return false;
    }
    if (setHeader(cells, Cells::Bars, false)) {
        return !m_header.stepColumns.empty() || m_header.isByParts;
    }
    std::string names(line);
    std::replace(names.begin(), names.end(), '|', ' ');
    std::vector<std::string_view> words = splitAtBlanks(names, 1);
    for (std::string_view &word : words) {
        word.remove_suffix(word.ends_with('.') ? 1 : 0); // "Proc."
    }
    if (words.size() > 1 && !stepOfColumn(words.front(), true)) {
        words.erase(words.begin()); // "Src", of a mark that rows may have
    }
    if (words.empty() || !stepOfColumn(words.front(), true)) {
        return false;
    }
    m_mayCountNodes = true;
    const bool isHeader = setHeader(words, Cells::Words, false);
    m_mayCountNodes = false;
    if (isHeader) {
        m_headerLine = names;
        m_places.setHeader(words, names, m_indent);
    }
    return isHeader;
}

// "ETITLE:   TS   BOND   ANGLE" above "ENERGY:   100   4482.7420   4216.2104", and "N   E   dE" above "DAV:   1
// 0.1484E+02 0.1484E+02"
bool TableReader::takeLabelledHeader(std::string_view line)
{
    const std::string_view names = withoutRowLabel(line);
    const std::vector<std::string_view> cells = splitAtBlanks(names, 2);
    constexpr std::size_t leastColumns = 4;
    const auto isName = [](std::string_view cell) { return readCell(cell).kind == CellKind::Text; };
    return cells.size() >= leastColumns && stepOfLabelled(cells.front())
        && std::all_of(cells.begin(), cells.end(), isName) && setHeader(cells, Cells::Labelled, false);
}

bool TableReader::takeHeader(std::string_view line)
{
    if (withoutRowLabel(line).size() < line.size() && takeLabelledHeader(line)) {
        return true;
    }
    if (line.find('|') != std::string_view::npos && takeHeaderWithBars(line)) {
        return true;
    }
    // "# step  rmse": the mark of a comment, not a column
    if (line.starts_with("# ")) {
        const std::string_view names = line.substr(skipBlanks(line, 1));
        line = stepName(names.substr(0, names.find_first_of(" \t"))) ? names : line;
    }
    // `"","epoch","loss"` and `#"Step","Energy"`: quoted names, the first of which may be missing
    if (const std::string_view names = line.substr(line.starts_with('#') ? 1 : 0); names.starts_with('"')) {
        std::vector<std::string_view> cells = splitAt(names, ',');
        const bool isQuoted = std::all_of(
            cells.begin(), cells.end(), [](std::string_view cell) { return withoutQuotes(cell).size() < cell.size(); });
        std::transform(cells.begin(), cells.end(), cells.begin(), withoutQuotes);
        const bool hasRowNames = !cells.empty() && cells.front().empty();
        if (hasRowNames) {
            cells.front() = "row";
        }
        return isQuoted && cells.size() > 1 && setHeader(cells, Cells::Commas, false);
    }
    // A line with a number among its words is not a header.
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (isDigit(line[i])
            && (i == 0 || isBlank(line[i - 1]) || line[i - 1] == ',' || line[i - 1] == '=' || line[i - 1] == '#')) {
            return false;
        }
    }
    if (line.find('\t') != std::string_view::npos) {
        std::vector<std::string_view> cells = splitAt(line, '\t');
        if (cells.back().empty()) {
            cells.pop_back(); // a tab at the end of each line
        }
        return setHeader(cells, Cells::Tabs, false);
    }
    if (line.find("  ") != std::string_view::npos) {
        const std::vector<std::string_view> wideNames = splitAtBlanks(line, 2);
        if (const std::vector<std::string> all = m_groups.named(wideNames, line, m_indent, m_line);
            !all.empty() && setHeader({all.begin(), all.end()}, Cells::Blanks, false)) {
            m_headerLine = line;
            m_places.setHeader(wideNames, line, m_indent);
            return true;
        }
        if (!setHeader(splitAtBlanks(line, 2), Cells::Blanks, false)
            && !setHeader(splitAtBlanks(line, 1), Cells::Blanks, false, true)) {
            return line.starts_with("N  ") && takeLabelledHeader(line);
        }
        m_headerLine = line;
        const std::vector<std::string_view> wide = splitAtBlanks(line, 2);
        m_places.setHeader(wide.size() == m_header.names.size() ? wide : splitAtBlanks(line, 1), line, m_indent);
        return true;
    }
    const std::size_t comma = line.find(',');
    if (comma != std::string_view::npos
        && (line.find(", ") == std::string_view::npos || stepName(line.substr(0, comma)))) { // "epoch, loss, acc"
        return setHeader(splitAt(line, ','), Cells::Commas, false);
    }
    const std::vector<std::string_view> words = splitAtBlanks(line, 1);
    if (words.size() < 3 || words.size() > 16 || !stepName(words.front())) {
        return false;
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        const NameKind kind = kindOf(words[i]);
        if (kind == NameKind::Unknown || kind == NameKind::TimeLeft) {
            return false;
        }
    }
    return setHeader(words, Cells::Words, false);
}

// "| Epoch | Mini-batch | Mini-batch |" above "|       |  Accuracy  |    Loss    |": one header in two lines
bool TableReader::goesOnWithHeader(const std::vector<std::string_view> &cells)
{
    const std::vector<std::string> above = m_header.names;
    if (!std::exchange(m_header.mayGoOn, false) || cells.size() != above.size() || !cells.front().empty()
        || !stepOfColumn(above.front())) {
        return false;
    }
    // A row about which nothing is known yet does not contain a name.
    const auto isName = [](std::string_view cell) { return readCell(cell).kind == CellKind::Text; };
    if (std::any_of(cells.begin(), cells.end(), isNotAvailable) || std::none_of(cells.begin(), cells.end(), isName)) {
        return false;
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        names.push_back(above[i] + (cells[i].empty() || above[i].empty() ? "" : " ") + std::string(cells[i]));
    }
    setHeader({names.begin(), names.end()}, Cells::Blanks, true);
    m_header.mayGoOn = false;
    return true;
}

} // namespace trainyard::metrics
