// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/namedlists.h"

#include "engine/metrics/names.h"
#include "engine/metrics/vocabulary.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

constexpr std::size_t longestList = 200, mostNames = 12;
constexpr std::size_t mostWordsOfName = 3;

bool isNameOfList(std::string_view name)
{
    return !name.empty() && isLetter(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
        return isWord(c) || c == ' ' || c == '-' || c == '@' || c == '.';
    }) && static_cast<std::size_t>(std::count(name.begin(), name.end(), ' ')) < mostWordsOfName;
}

// The numbers of "0.5 0.4", "0.5, 0.4", "[0.5, 0.4]" and "(0.5, 0.4)", and nothing else.
std::vector<Number> numbersOf(std::string_view text)
{
    text = trimmed(text);
    if (text.size() > 2 && (text.front() == '[' || text.front() == '(')
        && text.back() == (text.front() == '[' ? ']' : ')')) {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<Number> numbers;
    std::size_t i = skipBlanks(text, 0);
    while (i < text.size()) {
        const std::size_t end = std::min(text.find_first_of(" \t,", i), text.size());
        const std::optional<Number> number = wholeNumber(text.substr(i, end - i));
        if (!number || numbers.size() >= mostNames) {
            return {};
        }
        numbers.push_back(*number);
        i = skipBlanks(text, end);
        i = at(text, i) == ',' ? skipBlanks(text, i + 1) : i;
    }
    return numbers;
}

} // namespace

std::vector<NamedNumber> namedListOf(std::string_view line)
{
    constexpr std::string_view joint = " ::: "; // behind what a logger puts in front
    const std::size_t message = line.rfind(joint);
    line = trimmed(message == std::string_view::npos ? line : line.substr(message + joint.size()));
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos || comma == 0 || line.size() > longestList || !isLetter(line.front())
        || line.substr(0, comma).find_first_of(":=([0123456789") != std::string_view::npos) {
        return {};
    }
    // The names end at a sign, or before the first word that is a number.
    std::size_t end = line.find_first_of(":=");
    std::size_t values = end == std::string_view::npos ? end : end + 1;
    if (end != std::string_view::npos && line[end] == '=') { // "==>", and no sign of a number: "=-0.5"
        const std::size_t tip = line.find_first_not_of("=-", end);
        values = at(line, tip) == '>' ? tip + 1 : values;
    }
    for (std::size_t i = comma; end == std::string_view::npos && i + 1 < line.size(); ++i) {
        const char c = line[i + 1];
        if (isBlank(line[i])
            && (isDigit(c) || c == '[' || c == '(' || ((c == '-' || c == '.') && isDigit(at(line, i + 2))))) {
            end = values = i;
        }
    }
    if (end == std::string_view::npos) {
        return {};
    }
    std::vector<NamedNumber> list;
    const std::vector<Number> numbers = numbersOf(line.substr(values));
    std::string_view names = line.substr(0, end), part;
    if (static_cast<std::size_t>(std::count(names.begin(), names.end(), ',')) == numbers.size()
        && isPartName(names.substr(0, comma))) {
        part = names.substr(0, comma);
        names.remove_prefix(comma + 1);
    }
    for (const Number &number : numbers) {
        const std::size_t next = std::min(names.find(','), names.size());
        const std::string_view name = trimmed(names.substr(0, next));
        if (!isNameOfList(name)) {
            return {};
        }
        list.push_back({name, number, part});
        names.remove_prefix(std::min(next + 1, names.size()));
    }
    const bool hasMetric = std::any_of(
        list.begin(), list.end(), [](const NamedNumber &each) { return kindOf(each.name) == NameKind::Metric; });
    return trimmed(names).empty() && list.size() > 1 && hasMetric ? list : std::vector<NamedNumber>();
}

bool isNameAlone(std::string_view line)
{
    constexpr std::size_t longestName = 60, mostWords = 7;
    line = trimmed(line);
    if (line.ends_with(':') || line.ends_with('=')) {
        line = trimmed(line.substr(0, line.size() - 1));
    }
    if (line.empty() || line.size() > longestName
        || (kindOf(line) != NameKind::Metric && kindOf(line) != NameKind::Faint)
        || !std::all_of(line.begin(), line.end(), [](char c) { return isWord(c) || c == ' ' || c == '-'; })) {
        return false;
    }
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (isDigit(line[i]) && isBlank(line[i - 1])) {
            return false; // "loss 5"
        }
    }
    // "accuracy on validation data", "Mean Squared Error"
    const std::size_t joint = std::min(line.find(" on "), line.find(" of "));
    return static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) < mostWords
        && (endsAsMetric(line) || endsAsMetric(line.substr(0, joint)));
}

} // namespace trainyard::metrics
