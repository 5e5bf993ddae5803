// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/tablecolumns.h"

#include "engine/metrics/words.h"

#include <algorithm>

namespace trainyard::metrics
{

namespace
{

std::optional<StepName> stepOfName(std::string_view name)
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
    if (name == "gen" || name == "Gen") { // elsewhere it is what generates
        return StepName{Axis::Round, false, false, false};
    }
    if (lowered(name) == "trial") { // it has a name in tables
        return {};
    }
    return stepName(name);
}

} // namespace

bool isColumnOfTime(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower == "timestamp" || lower == "time" || lower == "date" || lower == "datetime";
}

// In other tables, a node is a machine.
bool isNodeOfSearch(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower == "node" || lower == "nodes" || lower == "expl" || lower == "proc";
}

std::optional<StepName> stepOfColumn(std::string_view name, bool hasBars)
{
    return hasBars && isNodeOfSearch(name) ? StepName{Axis::Iteration, false, false, false} : stepOfName(name);
}

std::optional<StepName> stepOfWork(std::string_view name)
{
    const std::string lower = lowered(name);
    const bool isCount
        = lower == "number_of_trees" || lower == "number of trees" || lower == "trees" || lower == "example counter";
    return isCount ? std::optional(StepName{Axis::Iteration, false, false, false}) : std::nullopt;
}

std::optional<StepName> stepOfLabelled(std::string_view name)
{
    return name == "TS" || name == "N" ? StepName{Axis::Step, false, false, false} : stepOfColumn(name);
}

bool isSetName(std::string_view text)
{
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
    constexpr std::size_t longestShort = 4; // with its point
    const bool isShortened = text.ends_with('.') // "Train Acc.", "Itn."
        && (kindOf(text) == NameKind::Metric || text.size() - (text.find_last_of(' ') + 1) <= longestShort);
    return (text.back() != '.' || isShortened) && text.back() != ':' && text.back() != ',';
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

Pair pairOf(std::string_view name, const Number &number)
{
    Pair pair;
    pair.name = name;
    pair.kind = kindOf(name);
    pair.value = number.value;
    pair.isWhole = number.isWhole && number.unit != Unit::Percent;
    pair.isUnclear = number.isUnclear;
    pair.decimals = number.decimals;
    return pair;
}

} // namespace trainyard::metrics
