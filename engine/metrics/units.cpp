// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/units.h"

#include "engine/metrics/names.h"
#include "engine/metrics/stepnames.h"
#include "engine/metrics/words.h"

#include <algorithm>
#include <array>

namespace trainyard::metrics
{

namespace
{

struct TimeUnit {
    std::string_view name;
    double seconds;
};
constexpr std::array<TimeUnit, 21> timeUnits{
    {{"s", 1}, {"sec", 1}, {"secs", 1}, {"second", 1}, {"seconds", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9},
        {"msec", 1e-3}, {"m", 60}, {"min", 60}, {"mins", 60}, {"minute", 60}, {"minutes", 60}, {"h", 3600},
        {"hr", 3600}, {"hrs", 3600}, {"hour", 3600}, {"hours", 3600}, {"d", 86400}, {"days", 86400}}};
constexpr std::array<std::string_view, 22> sizeUnits{"B", "b", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
    "Mb", "Gb", "G", "M", "K", "k", "T", "bytes", "Bytes", "MHz", "W"};

// These are units of what is measured itself: the value keeps its meaning, and the unit does not belong to the next
// name.
constexpr std::array<std::string_view, 8> measureUnits{"dB", "nats", "bits", "px", "mm", "cm", "eV", "meV"};
// For each of which it is measured: "kJ/mol", "meV/atom", "bits/dim". No work is done at such a rate.
constexpr std::array<std::string_view, 7> measuredParts{"mol", "atom", "dim", "char", "byte", "dof", "cell"};

// Whether the last word is that of a step or of a metric: neither is so many of something in a second.
bool hasNoRate(std::string_view text)
{
    constexpr std::string_view joints = " \t:=#";
    const std::size_t last = text.find_last_not_of(joints);
    const std::string_view name = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
    std::size_t word = name.size();
    while (word > 0 && isWord(name[word - 1])) {
        --word;
    }
    return word < name.size() && (stepName(name.substr(word)) || endsAsMetric(name.substr(word)));
}

// Whether "train/loss" behind a number and a blank is the next name, where "it/s" would be the number's unit. A sign
// says so, but for a number that opens the text: "1 images/sec: 1.9". So does a number, where the one before has no
// rate: "step 1 foo/bar 0.5". The words of a metric say so, too, but for "loss/step".
bool isNextName(std::string_view text, std::size_t begin, std::size_t word, std::size_t slash)
{
    std::size_t end = slash;
    while (isWord(at(text, end)) || at(text, end) == '/' || at(text, end) == '-' || at(text, end) == '.'
        || at(text, end) == '@') {
        ++end;
    }
    const std::size_t sign = skipBlanks(text, end);
    if (begin > 0 && (at(text, sign) == ':' || at(text, sign) == '=') && at(text, sign + 1) != '=') {
        return true;
    }
    const std::size_t digits = sign + (at(text, sign) == '-' || at(text, sign) == '+' ? 1 : 0);
    const bool isValueBehind
        = sign > end && (isDigit(at(text, digits)) || (at(text, digits) == '.' && isDigit(at(text, digits + 1))));
    if (isValueBehind && hasNoRate(text.substr(0, begin))) {
        return true;
    }
    const std::string_view below = text.substr(slash + 1, lettersEnd(text, slash + 1) - slash - 1);
    return !timeUnit(below) && !stepName(below)
        && (isPartName(text.substr(word, slash - word)) || endsAsMetric(text.substr(word, end - word)));
}

} // namespace

std::optional<double> timeUnit(std::string_view word)
{
    for (const TimeUnit &unit : timeUnits) {
        if (unit.name.front() == at(word, 0) && unit.name == word) {
            return unit.seconds;
        }
    }
    return {};
}

bool isSizeUnit(std::string_view word)
{
    for (const std::string_view unit : sizeUnits) {
        if (unit.front() == at(word, 0) && unit == word) {
            return true;
        }
    }
    return false;
}

void takeUnit(std::string_view text, std::size_t begin, Number &number)
{
    std::size_t i = number.end;
    if (at(text, i) == '%' || (at(text, i) == ' ' && at(text, i + 1) == '%')) {
        number.unit = Unit::Percent;
        number.end = i + (text[i] == '%' ? 1 : 2);
        return;
    }
    // A unit behind a blank, also in parentheses: "7.1 (s)", "7.1[sec]".
    std::size_t j = i;
    if (at(text, j) == ' ') {
        ++j;
    }
    const char closing = at(text, j) == '[' ? ']' : at(text, j) == '(' && j > i ? ')' : '\0';
    const bool inParentheses = closing != '\0';
    if (inParentheses) {
        ++j;
    }
    const std::size_t end = lettersEnd(text, j);
    const std::string_view word = text.substr(j, end - j);
    if (word.empty() || isWord(at(text, end)) || (inParentheses && at(text, end) != closing)) {
        return;
    }
    if (at(text, end) == '/' && isLetter(at(text, end + 1))) { // "it/s", "tok/s", "s/iter"
        if (j > i && !inParentheses && isNextName(text, begin, j, end)) {
            return;
        }
        number.end = lettersEnd(text, end + 1);
        const std::string_view part = text.substr(end + 1, number.end - end - 1);
        const bool isMeasured = std::find(measuredParts.begin(), measuredParts.end(), part) != measuredParts.end();
        number.unit = isMeasured ? number.unit : Unit::Rate;
        return;
    }
    if (at(text, end) == ':' || at(text, end) == '=') {
        return; // the next name: "0.5 s: 3"
    }
    // "loss 0.5 W 0.25 b 0.75", "Loss 0.5 T[min/max]=0.1": a name of one letter
    const std::size_t next = skipBlanks(text, end);
    if (word.size() == 1 && j > i && !inParentheses && isSizeUnit(word)
        && (at(text, end) == '['
            || (next > end && (isDigit(at(text, next)) || (at(text, next) == '-' && isDigit(at(text, next + 1))))))) {
        return;
    }
    if (timeUnit(word)) {
        number.unit = Unit::Time;
    } else if (isSizeUnit(word)) {
        number.unit = Unit::Size;
    } else if (begin == 0 || std::find(measureUnits.begin(), measureUnits.end(), word) == measureUnits.end()) {
        return;
    }
    number.end = end + (inParentheses ? 1 : 0);
}

} // namespace trainyard::metrics
