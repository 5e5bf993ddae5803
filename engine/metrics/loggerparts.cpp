// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/loggerparts.h"

#include "engine/metrics/lineowner.h"
#include "engine/metrics/names.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

constexpr std::array<std::string_view, 16> levels{"INFO", "WARNING", "WARN", "ERROR", "DEBUG", "CRITICAL", "FATAL",
    "TRACE", "NOTICE", "SUCCESS", "info", "Info", "warning", "debug", "error", "INF"};

} // namespace

std::size_t levelAt(std::string_view text)
{
    if (text.starts_with("I ") && isUpper(at(text, 2)) && isLower(at(text, 3))) { // "I Training of Epoch 0 - loss: 0.5"
        return 1;
    }
    for (const std::string_view level : levels) {
        if (at(text, 0) == level.front() && text.starts_with(level) && !isWord(at(text, level.size()))) {
            return level.size();
        }
    }
    return 0;
}

std::size_t stampAt(std::string_view text)
{
    std::size_t i = 0, colons = 0, dashes = 0, digits = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (isDigit(c)) {
            ++digits;
        } else if (c == ':' && isDigit(at(text, i + 1)) && i > 0) {
            ++colons;
        } else if ((c == '-' || c == '/') && isDigit(at(text, i + 1)) && i > 0) {
            ++dashes;
        } else if ((c == '.' || c == ',') && isDigit(at(text, i + 1)) && (colons >= 2 || dashes >= 2)) {
            // the fraction of a second
        } else if ((c == 'T' || c == '_') && isDigit(at(text, i + 1)) && dashes == 2) {
        } else if (c == '+' && colons >= 1 && isDigit(at(text, i + 1))) {
        } else if (c == 'Z' && colons >= 1 && !isWord(at(text, i + 1))) {
        } else {
            break;
        }
        ++i;
    }
    const bool time = colons >= 2 || (colons == 1 && dashes == 2);
    const bool date = dashes == 2 && digits >= 6;
    if ((!time && !date) || isWord(at(text, i))) {
        return 0;
    }
    return i;
}

std::size_t shortDateAt(std::string_view text)
{
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos || space < 4 || space > 10 || !isDigit(text.front())
        || text.substr(0, space).find_first_not_of("0123456789/-.") != std::string_view::npos) {
        return 0;
    }
    const std::size_t time = stampAt(text.substr(space + 1));
    return time > 0 ? space + 1 + time : 0;
}

bool namesSource(std::string_view text)
{
    for (const std::string_view part :
        {".py:"sv, ".cc:"sv, ".cpp:"sv, ".cu:"sv, ".c:"sv, ".h:"sv, ".go:"sv, ".rs:"sv, ".hpp:"sv, ".py"sv, ".cc"sv}) {
        if (text.find(part) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

bool namesLine(std::string_view text)
{
    constexpr std::string_view word = "line";
    return text.starts_with(word) && isDigit(text.back())
        && text.find_first_not_of(": 0123456789", word.size()) == std::string_view::npos;
}

bool looksLikeBar(std::string_view text)
{
    const std::size_t slash = text.find('/');
    const std::size_t behind = digitsEnd(text, slash == std::string_view::npos ? text.size() : slash + 1);
    const std::size_t last = text.rfind(',');
    return slash != std::string_view::npos && isBlank(at(text, behind))
        && (text.find('<') != std::string_view::npos
            || (last != std::string_view::npos && beginsWithStep(trimmed(text.substr(last + 1)))));
}

std::size_t levelWithPlaceAt(std::string_view text)
{
    constexpr std::size_t longestPlace = 200, shortestLevel = 3;
    std::size_t open = 0;
    while (isUpper(at(text, open)) || at(text, open) == '_') {
        ++open;
    }
    if (open < shortestLevel || at(text, open) != ' ' || at(text, open + 1) != '(') {
        return 0;
    }
    int depth = 0;
    for (std::size_t i = open + 1; i < std::min(text.size(), open + longestPlace); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            const std::string_view inside = text.substr(open + 2, i - open - 2);
            const std::size_t colon = inside.rfind(':');
            const bool endsWithLine = colon != std::string_view::npos && colon + 1 < inside.size()
                && digitsEnd(inside, colon + 1) == inside.size();
            return endsWithLine && namesSource(inside.substr(0, colon + 1)) ? i + 1 : 0;
        }
    }
    return 0;
}

std::size_t functionWithLineAt(std::string_view text)
{
    constexpr std::string_view bracket = " [line";
    constexpr std::size_t longestPlace = 120;
    const std::size_t open = text.find(bracket);
    const std::size_t close = text.find(']', open == std::string_view::npos ? text.size() : open);
    const std::size_t blank = text.find(' ');
    if (close == std::string_view::npos || close > longestPlace || !namesSource(text.substr(0, blank))
        || !namesLine(text.substr(open + 2, close - open - 2))) {
        return 0;
    }
    const std::string_view function = blank < open ? text.substr(blank + 1, open - blank - 1) : std::string_view();
    const bool isFunction = std::all_of(
        function.begin(), function.end(), [](char c) { return isWord(c) || c == '.' || c == '<' || c == '>'; });
    return isFunction ? close + 1 : 0;
}

std::size_t loggerBeforeStepAt(std::string_view text)
{
    constexpr std::string_view joint = " - [";
    const std::size_t end = text.find(' ');
    const std::string_view name = text.substr(0, end);
    const bool isName = end != std::string_view::npos && text.substr(end).starts_with(joint)
        && isDigit(at(text, end + joint.size())) && isLetter(at(name, 0))
        && std::all_of(name.begin(), name.end(), [](char c) { return isLetter(c) || c == '_'; });
    return isName && kindOf(name) == NameKind::Unknown && !isOfEvaluation(name) && !stepName(name) ? end + 2 : 0;
}

std::size_t threadAt(std::string_view text)
{
    const std::size_t colon = text.find(": ");
    const std::string_view name = text.substr(0, colon);
    const bool isName = colon != std::string_view::npos
        && std::all_of(name.begin(), name.end(), [](char c) { return isWord(c) || c == '-'; });
    return isName && name.find("Thread") != std::string_view::npos ? colon + 1 : 0;
}

bool isNameOfLogger(std::string_view text)
{
    return isLetter(at(text, 0)) && isLetter(text.back()) && text.find('.') != std::string_view::npos
        && std::all_of(text.begin(), text.end(), [](char c) { return isLetter(c) || c == '_' || c == '.'; })
        && kindOf(text) == NameKind::Unknown;
}

} // namespace trainyard::metrics
