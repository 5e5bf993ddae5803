// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/searchlines.h"

#include "engine/metrics/lineowner.h"
#include "engine/metrics/textline.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <string>

namespace trainyard::metrics
{

namespace
{

// The first of these signs that stands in no brackets.
std::size_t outsideBrackets(std::string_view text, std::size_t begin, std::string_view signs)
{
    int depth = 0;
    for (std::size_t i = begin; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (depth == 0 && signs.find(c) != std::string_view::npos) {
            return i;
        }
    }
    return text.size();
}

// "END ......C=0.1", "loss=hinge": a name with its value, which is no step and no value of a metric
bool isSettingOfTry(std::string_view part)
{
    part = trimmed(part);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals + 1 >= part.size()
        || outsideBrackets(part, equals, " \t") < part.size()) {
        return false;
    }
    std::size_t begin = equals;
    while (begin > 0 && isWord(part[begin - 1])) {
        --begin;
    }
    const std::string_view name = part.substr(begin, equals - begin);
    // In front of the first one stands which try it is, in brackets, and a word.
    std::string_view before = part.substr(0, begin);
    before.remove_prefix(before.starts_with('[') ? std::min(before.find(']'), before.size() - 1) : 0);
    const NameKind kind = kindOf(name);
    const bool isMeasured
        = (kind == NameKind::Metric || kind == NameKind::Faint) && wholeNumber(part.substr(equals + 1));
    return !name.empty() && isLetter(name.front()) && !stepName(name) && !isMeasured && !hasDigit(before)
        && before.find(':') == std::string_view::npos;
}

// "lr=0.1": a program that trains says so as well, in front of its losses.
bool isRateOfTraining(std::string_view settings)
{
    const std::size_t equals = settings.find('=');
    const std::string_view name = trimmed(settings.substr(0, equals));
    const std::optional<Number> rate = wholeNumber(trimmed(settings.substr(std::min(equals + 1, settings.size()))));
    return equals < settings.size() && rate && !rate->isWhole && std::all_of(name.begin(), name.end(), isWord)
        && isLearningRate(name);
}

// "[epoch 5/10]" tells of a training, and "[CV 1/5]" of a search.
bool isOfStep(std::string_view text)
{
    const std::size_t begin = skipBlanks(text, 0);
    return at(text, begin) == '[' && beginsWithStep(text.substr(skipBlanks(text, begin + 1)));
}

bool isMetricKind(NameKind kind) { return kind == NameKind::Metric || kind == NameKind::Faint; }

// "Validation score   (accuracy)": one blank between two words is enough.
std::string withSingleBlanks(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (!isBlank(c)) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    return result;
}

// "C=0.1, kernel=rbf; score=0.634": what stands behind the settings of a try is measured, whatever its name is.
std::optional<Record> resultsOfTry(std::string_view text)
{
    const std::size_t end = text.find(';') == std::string_view::npos ? text.size() : outsideBrackets(text, 0, ";");
    if (end + 1 >= text.size()) {
        return {};
    }
    const std::string_view settings = text.substr(0, end);
    if (isRateOfTraining(settings) || isOfStep(settings)) {
        return {};
    }
    for (std::size_t i = 0; i < settings.size();) {
        const std::size_t next = outsideBrackets(settings, i, ",");
        if (!isSettingOfTry(settings.substr(i, next - i))) {
            return {};
        }
        i = next + 1;
    }
    Record record;
    readText(text.substr(std::min(text.find_first_not_of(",; \t", end), text.size())), record);
    std::erase_if(record.pairs, [](const Pair &pair) { return !isMetricKind(pair.kind); });
    if (settings.empty() || record.pairs.empty() || !record.steps.empty()) {
        return {};
    }
    for (Pair &pair : record.pairs) {
        pair.kind = NameKind::Metric;
    }
    return record;
}

// "0.8753  = Validation score (accuracy)"
std::optional<Record> valueBeforeName(std::string_view text)
{
    Number number;
    const std::size_t begin = skipBlanks(text, 0);
    if (begin >= text.size() || lexNumber(text, begin, number) != Lexed::Number || number.decimals == 0 || number.total
        || (number.unit != Unit::None && number.unit != Unit::Percent)) {
        return {};
    }
    const std::size_t equals = skipBlanks(text, number.end);
    if (equals == number.end || at(text, equals) != '=' || !isBlank(at(text, equals + 1))) {
        return {};
    }
    const std::string_view name = trimmed(text.substr(equals + 1));
    const std::size_t open = name.ends_with(')') ? name.rfind('(') : std::string_view::npos;
    if (!endsAsMetric(name.substr(0, open)) || !canBeName(name, true)) {
        return {};
    }
    Record record;
    Pair pair;
    pair.name = withSingleBlanks(name);
    pair.kind = NameKind::Metric;
    pair.value = number.value;
    pair.isUnclear = number.isUnclear;
    pair.decimals = number.decimals;
    record.pairs.push_back(std::move(pair));
    return record;
}

} // namespace

std::optional<Record> lineOfSearch(std::string_view text)
{
    std::optional<Record> record = resultsOfTry(text);
    return record ? std::move(record) : valueBeforeName(text);
}

} // namespace trainyard::metrics
