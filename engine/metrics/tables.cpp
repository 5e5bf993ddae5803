// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tables.h"

#include "engine/metrics/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t mostColumns = 64;
constexpr int mostMisses = 300;

enum class CellKind { Empty, Number, Ratio, Measure, Text, Mixed };
struct Cell {
    CellKind kind = CellKind::Empty;
    Number number;
};

bool isNotAvailable(std::string_view text) { return text == "n/a" || text == "N/A"; }

Cell readCell(std::string_view text)
{
    Cell cell;
    text = trimmed(text);
    if (text.empty() || text == "-" || text == "--" || isNotAvailable(text)) {
        return cell;
    }
    if (text.front() == '[' && text.back() == ']' && wholeNumber(trimmed(text.substr(1, text.size() - 2)))) {
        text = trimmed(text.substr(1, text.size() - 2)); // a list of one value
    }
    const char c = text.front();
    const bool mayBegin
        = isDigit(c) || ((c == '-' || c == '+' || c == '.') && (isDigit(at(text, 1)) || at(text, 1) == '.'));
    if (mayBegin) {
        Number number;
        const Lexed lexed = lexNumber(text, 0, number);
        if (lexed == Lexed::Number && number.end >= text.size()) {
            cell.number = number;
            cell.kind = number.total                                        ? CellKind::Ratio
                : number.unit == Unit::None || number.unit == Unit::Percent ? CellKind::Number
                                                                            : CellKind::Measure;
            return cell;
        }
        if (lexed == Lexed::Stamp && number.end >= text.size()) {
            cell.kind = CellKind::Measure;
            return cell;
        }
    }
    if (const std::optional<Number> other = lexNotFinite(text, 0); other && other->end == text.size()) {
        cell.kind = CellKind::Number;
        cell.number = *other;
        return cell;
    }
    cell.kind = CellKind::Text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '=' || (text[i] == ':' && isBlank(at(text, i + 1)))) {
            cell.kind = CellKind::Mixed;
        }
        if (i > 0 && isDigit(text[i]) && isBlank(text[i - 1])) {
            cell.kind = CellKind::Mixed;
        }
        Number value; // "loss:0.5"; but "cuda:0" is a name
        if (i > 1 && text[i - 1] == ':' && isDigit(text[i]) && isLetter(text[i - 2])
            && lexNumber(text, i, value) == Lexed::Number && !value.isWhole) {
            cell.kind = CellKind::Mixed;
        }
    }
    return cell;
}

std::vector<std::string_view> splitAt(std::string_view line, char border)
{
    std::vector<std::string_view> cells;
    std::size_t begin = 0;
    while (cells.size() <= mostColumns) {
        const std::size_t end = line.find(border, begin);
        cells.push_back(trimmed(line.substr(begin, end == std::string_view::npos ? end : end - begin)));
        if (end == std::string_view::npos) {
            break;
        }
        begin = end + 1;
    }
    return cells;
}

// At two or more blanks, or at each one.
std::vector<std::string_view> splitAtBlanks(std::string_view line, std::size_t least)
{
    std::vector<std::string_view> cells;
    std::size_t i = skipBlanks(line, 0);
    std::size_t begin = i;
    while (i < line.size() && cells.size() <= mostColumns) {
        if (!isBlank(line[i])) {
            ++i;
            continue;
        }
        const std::size_t next = skipBlanks(line, i);
        if (next - i >= least || line[i] == '\t' || next >= line.size()) {
            cells.push_back(line.substr(begin, i - begin));
            begin = next;
        }
        i = next;
    }
    if (begin < line.size() && cells.size() <= mostColumns) {
        cells.push_back(line.substr(begin));
    }
    return cells;
}

constexpr std::array<std::string_view, 3> uprights{"\xE2\x94\x82", "\xE2\x94\x83", "\xE2\x95\x91"}; // │ ┃ ║

bool isUpright(std::string_view text)
{
    return std::any_of(uprights.begin(), uprights.end(), [&](std::string_view u) { return text.starts_with(u); });
}

// Lines of '-', '=', '+', '|' and of the characters that draw boxes.
bool isRule(std::string_view line)
{
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < line.size();) {
        const char c = line[i];
        if (c == '-' || c == '=' || c == '+' || c == '|' || c == ':' || isBlank(c) || c == '_' || c == '*') {
            drawn += isBlank(c) ? 0U : 1U;
            ++i;
        } else if (c == '\xE2' && (at(line, i + 1) == '\x94' || at(line, i + 1) == '\x95')) {
            ++drawn;
            i += 3;
        } else {
            return false;
        }
    }
    return drawn >= 3;
}

// "-----------  ------"
bool isRuleOfTwo(std::string_view line)
{
    const std::size_t gap = line.find("  ");
    if (gap == std::string_view::npos || gap < 3) {
        return false;
    }
    const std::string_view second = trimmed(line.substr(gap));
    return second.size() >= 3 && line.substr(0, gap).find_first_not_of('-') == std::string_view::npos
        && second.find_first_not_of('-') == std::string_view::npos;
}

bool isOfAll(std::string_view label)
{
    const std::string text = lowered(trimmed(label));
    return text == "all" || text == "overall" || text == "mean" || text == "average" || text == "avg"
        || text == "total";
}

std::string withoutLooseParenthesis(std::string_view name)
{
    std::string text(trimmed(name));
    while (!text.empty() && text.back() == ')' && text.find('(') == std::string::npos) {
        text.pop_back();
    }
    return text;
}

// Columns may be narrow: "E    #   LOSS".
std::optional<StepName> stepOfColumn(std::string_view name)
{
    if (name == "E") {
        return StepName{Axis::Epoch, false, false, false};
    }
    if (name == "#") {
        return StepName{Axis::Step, false, false, false};
    }
    if (lowered(name) == "epochs") { // in a line it may be how many there will be
        return StepName{Axis::Epoch, false, false, false};
    }
    if (name == "gen") { // elsewhere it is what generates
        return StepName{Axis::Round, false, false, false};
    }
    if (lowered(name) == "trial") { // it has a name in tables
        return {};
    }
    return stepName(name);
}

// What solvers count in tables without a frame; elsewhere a node is a machine.
bool isNodeOfSearch(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower == "node" || lower == "nodes" || lower == "expl" || lower == "proc";
}

std::optional<StepName> stepOfColumn(std::string_view name, bool hasBars)
{
    return hasBars && isNodeOfSearch(name) ? StepName{Axis::Iteration, false, false, false} : stepOfColumn(name);
}

bool isSetName(std::string_view text)
{
    // A name of a column: no sentence, nothing with a value.
    if (text.empty() || text.size() > 40 || std::count(text.begin(), text.end(), ' ') > 3) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if ((c == ':' && at(text, i + 1) != '.') || c == '[' || c == '=' || c == '!' || c == '?' || c == '{'
            || c == '\\' || c == '"' || c == '<') {
            return false;
        }
    }
    return text.back() != '.' && text.back() != ':' && text.back() != ',';
}

// "4090 (81.78%)": how much of the work is done
bool takeShare(std::string_view cell, Record &row)
{
    Number count, share;
    if (lexNumber(cell, 0, count) != Lexed::Number || !count.isWhole || count.total) {
        return false;
    }
    const std::size_t open = skipBlanks(cell, count.end);
    if (at(cell, open) != '(' || !isDigit(at(cell, open + 1)) || lexNumber(cell, open + 1, share) != Lexed::Number
        || share.unit != Unit::Percent || share.value > 100 || cell.substr(share.end) != ")") {
        return false;
    }
    row.fraction = share.value / 100;
    return true;
}

double wholeOf(std::string_view cell)
{
    Number count;
    lexNumber(cell, 0, count);
    return count.value;
}

Pair pairOf(std::string_view name, const Number &number)
{
    Pair pair;
    pair.name = name;
    pair.kind = kindOf(name);
    pair.value = number.value;
    pair.isWhole = number.isWhole && number.unit != Unit::Percent;
    pair.decimals = number.decimals;
    return pair;
}

} // namespace

TableReader::TableReader(Found found) : m_found(std::move(found)) { }

void TableReader::give(Record &&record)
{
    record.shape = Shape::Table;
    m_found(std::move(record));
}

void TableReader::closeBox()
{
    if (!m_values.isEmpty()) {
        give(std::exchange(m_values, {}));
    }
    if (m_labelled == 1) {
        give(std::exchange(m_only, {}));
    }
    m_only = {};
    m_labelled = 0;
    if (m_header.isBoxed) {
        m_header = {};
    }
    m_inBox = m_inList = false;
}

void TableReader::finish() { closeBox(); }

bool TableReader::setHeader(const std::vector<std::string_view> &cells, Cells how, bool isBoxed, bool isDoubtful)
{
    Header header;
    header.cells = how;
    header.isBoxed = isBoxed;
    int metrics = 0, strict = 0;
    std::string_view group; // "Box(P   R   mAP50)  Mask(P   R   mAP50)"
    for (const std::string_view cell : cells) {
        std::string name = withoutLooseParenthesis(cell);
        if (!isBoxed && !isSetName(name)) {
            return false;
        }
        const std::size_t open = cell.find('(');
        const bool isClosed = cell.find(')') != std::string_view::npos;
        group = open != std::string_view::npos && !isClosed ? cell.substr(0, open) : group;
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
        if (stepOfColumn(name, mayCountNodes)
            && (lowered(name) != "epochs" || header.names.empty())) { // "model | epochs | acc"
            header.stepColumns.push_back(static_cast<int>(header.names.size()));
        }
        header.names.push_back(std::move(name));
    }
    header.hasMetric = metrics > 0;
    if (header.stepColumns.empty() && metrics > 1 && !isBoxed && !header.names.empty()
        && isNodeOfSearch(header.names.front())) {
        header.stepColumns.push_back(0);
    }
    const bool first = !header.stepColumns.empty() && header.stepColumns.front() <= 1;
    const bool classes = header.stepColumns.empty() && metrics >= 2 && strict + 2 >= static_cast<int>(cells.size()) / 2;
    if (!isBoxed && (cells.size() < 2 || (!(first && (metrics > 0 || cells.size() >= 3) && !isDoubtful) && !classes))) {
        return false;
    }
    header.hasLabels = header.stepColumns.empty();
    header.mayGoOn = isBoxed;
    m_header = std::move(header);
    m_places = {}; // those of another table
    m_misses = 0;
    m_only = {};
    m_labelled = 0;
    return true;
}

// "time | node | dualbound", whose rows have the same bars, and "Expl Unexpl | Obj Depth | Gap", where they part groups
// of columns and stand only here
bool TableReader::takeHeaderWithBars(std::string_view line)
{
    std::vector<std::string_view> cells = splitAt(line, '|');
    for (std::string_view &cell : cells) {
        cell.remove_suffix(cell.ends_with('.') ? 1 : 0); // "compl."
    }
    const auto isName = [](std::string_view cell) { return readCell(cell).kind == CellKind::Text; };
    constexpr std::size_t leastColumns = 3;
    if (cells.size() < leastColumns || !std::all_of(cells.begin(), cells.end(), isName)) {
        return false;
    }
    if (setHeader(cells, Cells::Bars, false)) {
        return !m_header.stepColumns.empty();
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

// A row that has left cells empty: all that stands in it are values, behind one mark at most.
std::vector<std::string_view> TableReader::spread(
    const std::vector<std::string_view> &cells, std::string_view line) const
{
    std::vector<std::string_view> values = cells;
    if (!values.empty() && values.front().size() == 1 && !isDigit(values.front().front())) {
        values.erase(values.begin()); // "H", "*"
    } else if (!values.empty() && values.front().size() > 1 && values.front().front() == '*') {
        values.front().remove_prefix(1);
    }
    if (!values.empty() && values.front().size() > 1 && values.front().ends_with('+')) {
        values.front().remove_suffix(1); // "150+"
    }
    const auto isValue = [](std::string_view cell) {
        const CellKind kind = readCell(cell).kind;
        return kind == CellKind::Number || kind == CellKind::Measure || kind == CellKind::Empty;
    };
    constexpr std::size_t least = 2;
    if (m_header.stepColumns.empty() || values.size() < least || values.size() > m_header.names.size()
        || !std::all_of(values.begin(), values.end(), isValue)) {
        return {};
    }
    return m_places.spread(values, line, m_indent);
}

bool TableReader::takeHeader(std::string_view line)
{
    if (line.find('|') != std::string_view::npos && takeHeaderWithBars(line)) {
        return true;
    }
    // "# step  rmse": the mark of a comment, not a column
    if (line.starts_with("# ")) {
        const std::string_view names = line.substr(skipBlanks(line, 1));
        line = stepName(names.substr(0, names.find_first_of(" \t"))) ? names : line;
    }
    // What has a number among its words is no header.
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (isDigit(line[i])
            && (i == 0 || isBlank(line[i - 1]) || line[i - 1] == ',' || line[i - 1] == '=' || line[i - 1] == '#')) {
            return false;
        }
    }
    if (line.find('\t') != std::string_view::npos) {
        return setHeader(splitAt(line, '\t'), Cells::Tabs, false);
    }
    if (line.find("  ") != std::string_view::npos) {
        if (!setHeader(splitAtBlanks(line, 2), Cells::Blanks, false)
            && !setHeader(splitAtBlanks(line, 1), Cells::Blanks, false, true)) {
            return false;
        }
        m_headerLine = line;
        const std::vector<std::string_view> wide = splitAtBlanks(line, 2);
        m_places.setHeader(wide.size() == m_header.names.size() ? wide : splitAtBlanks(line, 1), line, m_indent);
        return true;
    }
    if (line.find(',') != std::string_view::npos && line.find(", ") == std::string_view::npos) {
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

bool TableReader::takeRow(const std::vector<std::string_view> &cells, bool mayBeRow)
{
    if (cells.size() != m_header.names.size()) {
        return false;
    }
    Record row;
    std::string_view label;
    int numbers = 0, texts = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Cell cell = readCell(cells[i]);
        const bool isStep = std::find(m_header.stepColumns.begin(), m_header.stepColumns.end(), static_cast<int>(i))
            != m_header.stepColumns.end();
        if (isStep && cell.kind != CellKind::Number && takeShare(trimmed(cells[i]), row)) { // "4090 (81.78%)"
            row.steps.push_back({*stepOfColumn(m_header.names[i], true), wholeOf(trimmed(cells[i])), {}, false, false});
            continue;
        }
        if (isStep) {
            if ((cell.kind != CellKind::Number && cell.kind != CellKind::Ratio) || cell.number.value < 0) {
                return false;
            }
            row.steps.push_back({*stepOfColumn(m_header.names[i], true), cell.number.value, cell.number.total, false,
                !cell.number.isWhole});
            continue;
        }
        if (cell.kind != CellKind::Number && kindOf(m_header.names[i]) == NameKind::TimeLeft) {
            row.secondsLeft = durationAt(trimmed(cells[i]), 0);
            continue;
        }
        switch (cell.kind) {
        case CellKind::Number:
            ++numbers;
            if (!m_header.names[i].empty()) {
                row.pairs.push_back(pairOf(m_header.names[i], cell.number));
            }
            break;
        case CellKind::Text:
            ++texts;
            if (label.empty()) {
                label = cells[i];
            }
            break;
        case CellKind::Mixed:
            if (m_header.stepColumns.empty()) {
                return false;
            }
            break;
        case CellKind::Measure:
        case CellKind::Ratio:
        case CellKind::Empty:
            break;
        }
    }
    if ((numbers == 0 && !row.fraction) || (!m_header.isBoxed && m_header.hasLabels && texts != 1)) {
        return false;
    }
    if (!m_header.isBoxed && stepName(label)) {
        return false; // "Epoch 2" below a table of two columns
    }
    m_misses = 0;
    if (!mayBeRow) {
        row.pairs.clear();
        give(std::move(row)); // how far it is
        return true;
    }
    if (m_header.isDoubled) {
        return true;
    }
    if (!row.steps.empty()) {
        give(std::move(row));
        return true;
    }
    if (!m_header.hasMetric) {
        return true;
    }
    if (texts == 0 || isOfAll(label)) {
        m_labelled += texts == 0 ? 0 : mostMisses; // the rows below are parts of it
        give(std::move(row));
        return true;
    }
    if (isPartName(label) && texts == 1) { // "train | 0.5 | 0.9": one row for each part of the data
        for (Pair &pair : row.pairs) {
            pair.name = std::string(trimmed(label)) + '/' + pair.name;
        }
        m_labelled += mostMisses;
        give(std::move(row));
        return true;
    }
    if (++m_labelled == 1) {
        m_only = std::move(row);
    } else {
        m_only = {};
    }
    return true;
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

// "| Epoch | Mini-batch | Mini-batch |" above "|       |  Accuracy  |    Loss    |": one header in two lines
bool TableReader::goesOnWithHeader(const std::vector<std::string_view> &cells)
{
    const std::vector<std::string> above = m_header.names;
    if (!std::exchange(m_header.mayGoOn, false) || cells.size() != above.size() || !cells.front().empty()
        || !stepOfColumn(above.front())) {
        return false;
    }
    // A row of which nothing is known yet has no name in it.
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

bool TableReader::takeBoxed(std::string_view line)
{
    std::vector<std::string_view> cells;
    if (line.front() == '|') {
        cells = splitAt(line, '|');
    } else {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < line.size() && cells.size() < mostColumns;) {
            if (isUpright(line.substr(i))) {
                cells.push_back(trimmed(line.substr(begin, i - begin)));
                i += 3;
                begin = i;
            } else {
                ++i;
            }
        }
        cells.push_back(trimmed(line.substr(begin)));
    }
    if (!cells.empty() && cells.front().empty()) {
        cells.erase(cells.begin());
    }
    if (!cells.empty() && cells.back().empty()) {
        cells.pop_back();
    }
    if (cells.empty()) {
        return false;
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

bool TableReader::take(std::string_view line, bool mayBeRow)
{
    const std::string_view text = trimmed(line);
    if (text.empty()) {
        if (m_inBox || m_inList) {
            closeBox();
        }
        return false;
    }
    const char c = text.front();
    if (c == '|' || (c == '\xE2' && isUpright(text))) {
        if (isRule(text)) {
            m_header.mayGoOn = false;
            return true;
        }
        return takeBoxed(text);
    }
    if (c == '-' && isRuleOfTwo(text)) { // a list of names with values between two of them
        closeBox();
        m_inList = true;
        return true;
    }
    if (m_inList) {
        const std::vector<std::string_view> cells = splitAtBlanks(text, 2);
        const Cell value = cells.size() == 2 ? readCell(cells[1]) : Cell();
        if (value.kind == CellKind::Number && takeValue(cells[0], value.number)) {
            return true;
        }
        closeBox();
    }
    if ((c == '-' || c == '+' || c == '=' || c == '\xE2' || c == '_' || c == '*') && isRule(text)) {
        if (m_inBox && !m_values.isEmpty()) {
            closeBox();
        }
        return true;
    }
    if (m_inBox) {
        closeBox();
    }
    if (!m_header.names.empty() && !m_header.isBoxed) {
        std::string_view body = text;
        while (!body.empty() && body.back() == ':') {
            body.remove_suffix(1);
        }
        std::vector<std::string_view> cells;
        switch (m_header.cells) {
        case Cells::Tabs:
            cells = splitAt(line, '\t');
            break;
        case Cells::Commas:
            cells = splitAt(body, ',');
            break;
        case Cells::Bars:
            cells = splitAt(line, '|');
            break;
        case Cells::Words:
            cells = splitAtBlanks(body, 1);
            break;
        case Cells::Blanks:
            cells = splitAtBlanks(body, 2);
            if (cells.size() != m_header.names.size()) {
                cells = splitAtBlanks(body, 1);
                const std::string words = m_headerLine;
                const std::vector<std::string_view> names = splitAtBlanks(words, 1);
                if (cells.size() != m_header.names.size() && cells.size() == names.size()) {
                    if (setHeader(names, Cells::Blanks, false)) {
                        m_places.setHeader(names, words, m_indent);
                    }
                }
            }
            break;
        }
        // A time that the header does not name may follow: "(00:13)".
        if (cells.size() == m_header.names.size() + 1
            && (at(cells.back(), 0) == '(' || readCell(cells.back()).kind == CellKind::Measure)) {
            cells.pop_back();
        }
        if (m_header.cells == Cells::Blanks || m_header.cells == Cells::Words) {
            if (cells.size() == m_header.names.size() && readCell(cells.front()).kind == CellKind::Number) {
                m_places.learn(cells, line, m_indent);
            } else if (std::vector<std::string_view> all = spread(splitAtBlanks(body, 1), line); !all.empty()) {
                cells = std::move(all);
            }
        }
        if (takeRow(cells, mayBeRow)) {
            return true;
        }
        if (m_labelled > 0) {
            if (m_labelled == 1) {
                give(std::exchange(m_only, {}));
            }
            m_labelled = 0;
        }
        if (++m_misses > mostMisses) {
            m_header = {};
        }
    }
    std::string_view head = text;
    while (!head.empty() && head.back() == ':') {
        head.remove_suffix(1);
    }
    return takeHeader(head);
}

} // namespace trainyard::metrics
