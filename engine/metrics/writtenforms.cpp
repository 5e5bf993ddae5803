// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/writtenforms.h"

#include "engine/metrics/foreignwords.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <utility>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::string_view wideColon = "\xEF\xBC\x9A", wideComma = "\xEF\xBC\x8C";

// How syslog, and what is built on it, writes a tab.
constexpr std::string_view escapedTab = "#011";

std::string withTabs(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t i = std::min(text.find(escapedTab), text.size());
        result += text.substr(0, i);
        if (i == text.size()) {
            break;
        }
        result += '\t';
        text.remove_prefix(i + escapedTab.size());
    }
    return result;
}

// Python 2 prints the values of a print() as a tuple: ('Epoch:', 1, 'loss', 0.5) is "Epoch: 1, loss 0.5".
std::string asPrinted(std::string_view tuple)
{
    std::string text;
    for (std::size_t i = 1; i < tuple.size(); ++i) {
        if (tuple[i] != '\'') {
            text += tuple[i];
        } else if (at(tuple, i + 1) == ',') {
            ++i;
        }
    }
    if (!text.empty()) {
        text.pop_back();
    }
    return text;
}

// <log step="100" loss="0.5"/> is "step=100 loss=0.5": the values of an element, and nothing of one that counts no
// step.
std::optional<std::string> asValuesOfElement(std::string_view line)
{
    constexpr std::string_view joint = "=\"";
    if (!line.starts_with('<') || !isLetter(at(line, 1)) || !line.ends_with('>')
        || line.find('<', 1) != std::string_view::npos || line.find(joint) == std::string_view::npos) {
        return {};
    }
    bool hasStep = false;
    for (std::size_t sign = line.find(joint); sign != std::string_view::npos; sign = line.find(joint, sign + 1)) {
        const std::size_t begin = line.find_last_of(" \t", sign) + 1;
        hasStep = hasStep || (begin > 0 && stepName(line.substr(begin, sign - begin)));
    }
    std::string values(hasStep ? line.substr(lettersEnd(line, 1)) : std::string_view());
    values.resize(values.find_last_not_of("/> ") + 1);
    values.erase(std::remove(values.begin(), values.end(), '"'), values.end());
    return std::string(trimmed(values));
}

// Behind "('loss', 0.5)" at `begin`, of which the name with its quotes and the value are returned; 0 where none stands.
std::size_t pairAt(std::string_view text, std::size_t begin, std::string_view &name, std::string_view &value)
{
    const char quote = at(text, begin + 1);
    if (at(text, begin) != '(' || (quote != '\'' && quote != '"')) {
        return 0;
    }
    const std::size_t close = text.find(quote, begin + 2);
    if (close == std::string_view::npos || at(text, close + 1) != ',') {
        return 0;
    }
    int depth = 1; // "('loss', tensor(0.5))"
    std::size_t end = close + 2;
    while (end < text.size() && depth > 0) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        ++end;
    }
    name = text.substr(begin + 1, close - begin);
    value = trimmed(text.substr(close + 2, end - close - 3));
    return depth == 0 ? end : 0;
}

} // namespace

std::optional<std::string> withDictOfPairs(std::string_view line)
{
    line = line.substr(0, longestLine);
    std::size_t begin = line.find("[('");
    begin = begin == std::string_view::npos ? line.find("[(\"") : begin;
    if (begin == std::string_view::npos) {
        return {};
    }
    std::string dict(line.substr(0, begin));
    dict += '{';
    std::size_t i = begin + 1;
    while (true) {
        std::string_view name, value;
        const std::size_t end = pairAt(line, i, name, value);
        if (end == 0) {
            return {};
        }
        dict.append(name).append(": ").append(value);
        i = skipBlanks(line, end);
        if (at(line, i) == ']') {
            break;
        }
        if (at(line, i) != ',') {
            return {};
        }
        dict += ", ";
        i = skipBlanks(line, i + 1);
    }
    dict += '}';
    dict += line.substr(i + 1);
    return dict;
}

std::optional<std::string> withEscapedTabs(std::string_view line)
{
    return line.find(escapedTab) != std::string_view::npos ? std::optional(withTabs(line.substr(0, longestLine)))
                                                           : std::nullopt;
}

std::optional<std::string> asMeant(std::string_view line)
{
    if (line.starts_with("('") && line.ends_with(')')) {
        return asPrinted(line.substr(0, longestLine));
    }
    if (std::optional<std::string> values = asValuesOfElement(line.substr(0, longestLine))) {
        return values;
    }
    if (std::all_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
        return {};
    }
    if (line.find(wideColon) == std::string_view::npos && line.find(wideComma) == std::string_view::npos) {
        return withKnownCounts(line.substr(0, longestLine));
    }
    std::string narrow(line.substr(0, longestLine));
    for (const auto &[wide, plainSign] : {std::pair(wideColon, ": "), std::pair(wideComma, ", ")}) {
        for (std::size_t i = narrow.find(wide); i != std::string::npos; i = narrow.find(wide, i)) {
            narrow.replace(i, wide.size(), plainSign);
        }
    }
    if (std::optional<std::string> counted = withKnownCounts(narrow)) {
        return counted;
    }
    return narrow;
}

std::optional<std::string> messageIn(std::string_view object)
{
    for (const std::string_view key : {"\"log\""sv, "\"message\""sv, "\"msg\""sv}) {
        std::size_t i = object.find(key);
        if (i == std::string_view::npos) {
            continue;
        }
        i = skipBlanks(object, i + key.size());
        if (at(object, i) != ':') {
            continue;
        }
        i = skipBlanks(object, i + 1);
        if (at(object, i) != '"') {
            continue;
        }
        std::string text;
        for (++i; i < object.size() && object[i] != '"'; ++i) {
            if (object[i] != '\\') {
                text += object[i];
            } else if (++i < object.size()) {
                const char c = object[i];
                text += c == 'n' || c == 'r' || c == 't' ? ' ' : c;
            }
        }
        return std::string(trimmed(text));
    }
    return {};
}

} // namespace trainyard::metrics
