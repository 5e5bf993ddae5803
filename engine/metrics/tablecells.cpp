// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tablecells.h"

#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <array>

namespace trainyard::metrics
{

namespace
{

constexpr std::array<std::string_view, 3> uprights{"\xE2\x94\x82", "\xE2\x94\x83", "\xE2\x95\x91"}; // │ ┃ ║

} // namespace

bool isNotAvailable(std::string_view text) { return text == "n/a" || text == "N/A"; }

Cell readCell(std::string_view text)
{
    Cell cell;
    text = trimmed(text);
    if (constexpr std::string_view bold = "**"; text.size() > 4 && text.starts_with(bold) && text.ends_with(bold)) {
        text = text.substr(bold.size(), text.size() - 2 * bold.size()); // as Markdown marks the best one
    }
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

std::string_view withoutQuotes(std::string_view cell)
{
    return cell.size() > 1 && cell.front() == '"' && cell.back() == '"' ? cell.substr(1, cell.size() - 2) : cell;
}

std::optional<std::string> withTabsForSemicolons(std::string_view line)
{
    if (line.find(';') == std::string_view::npos || line.find_first_of("=\t|{(") != std::string_view::npos
        || line.find("; ") != std::string_view::npos || line.find(':') != std::string_view::npos) {
        return {};
    }
    std::string tabs;
    for (const std::string_view cell : splitAt(line, ';')) {
        tabs += withoutQuotes(cell);
        tabs += '\t'; // also behind a first cell that is empty
    }
    tabs.pop_back();
    return tabs;
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

std::vector<std::string_view> splitInBox(std::string_view line)
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
    return cells;
}

std::string_view withoutRowLabel(std::string_view line)
{
    constexpr std::size_t shortest = 2, longest = 12;
    const std::size_t colon = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const std::size_t values = colon == std::string_view::npos ? colon : skipBlanks(line, colon + 1);
    const bool hasLabel = colon != std::string_view::npos && colon >= shortest && colon <= longest && line[colon] == ':'
        && values > colon + 2 && values < line.size();
    return hasLabel ? line.substr(values) : line;
}

bool isUpright(std::string_view text)
{
    return std::any_of(uprights.begin(), uprights.end(), [&](std::string_view u) { return text.starts_with(u); });
}

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

std::optional<double> countBehindName(std::string_view cell)
{
    const std::size_t blank = cell.find(' ');
    const std::optional<Number> count = blank == std::string_view::npos || !stepName(cell.substr(0, blank))
        ? std::nullopt
        : wholeNumber(trimmed(cell.substr(blank)));
    return count && count->isWhole ? std::optional(count->value) : std::nullopt;
}

std::optional<CountWithShare> countWithShare(std::string_view cell)
{
    Number count, share;
    if (lexNumber(cell, 0, count) != Lexed::Number || !count.isWhole || count.total) {
        return {};
    }
    const std::size_t open = skipBlanks(cell, count.end);
    if (at(cell, open) != '(' || !isDigit(at(cell, open + 1)) || lexNumber(cell, open + 1, share) != Lexed::Number
        || share.unit != Unit::Percent || share.value > 100 || cell.substr(share.end) != ")") {
        return {};
    }
    return CountWithShare{count.value, share.value / 100};
}

} // namespace trainyard::metrics
