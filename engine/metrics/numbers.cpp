// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/numbers.h"

#include "engine/metrics/units.h"
#include "engine/metrics/words.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace trainyard::metrics
{

using namespace std::string_view_literals;

namespace
{

// Behind everything that belongs to the word at i, so that its rest is not read as something else.
std::size_t tokenEnd(std::string_view text, std::size_t i)
{
    while (i < text.size() && !isBlank(text[i]) && text[i] != ',' && text[i] != ';' && text[i] != '|' && text[i] != ']'
        && text[i] != ')') {
        ++i;
    }
    return i;
}

// Most numbers have few digits: these and the power of ten are exact, so that their quotient is the nearest double, as
// from_chars() finds it. False for others.
bool readShort(std::string_view digits, double &value)
{
    constexpr std::size_t most = 15;
    constexpr std::array powers{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool isNegative = digits.starts_with('-');
    digits.remove_prefix(isNegative ? 1 : 0);
    if (digits.size() > most + 1) {
        return false;
    }
    std::uint64_t whole = 0;
    std::size_t count = 0, behindPoint = 0;
    bool hasPoint = false;
    for (const char c : digits) {
        if (c == '.' && !hasPoint) {
            hasPoint = true;
            continue;
        }
        if (!isDigit(c)) {
            return false;
        }
        constexpr std::uint64_t ten = 10;
        whole = whole * ten + static_cast<std::uint64_t>(c - '0');
        ++count;
        behindPoint += hasPoint ? 1 : 0;
    }
    if (count == 0 || count > most) {
        return false;
    }
    const double read = static_cast<double>(whole) / powers[behindPoint];
    value = isNegative ? -read : read;
    return true;
}

// "1" of "1,5" and "1.234" of "1.234,5": what is behind the comma may belong to them.
bool mayGoOn(std::string_view text, std::size_t first, std::size_t whole, std::size_t fraction, std::size_t end)
{
    constexpr std::size_t group = 3;
    const bool mayHaveGroup = fraction == group && whole >= 1 && whole <= group && at(text, first) != '0';
    return at(text, end) == ',' && isDigit(at(text, end + 1)) && (fraction == 0 || mayHaveGroup);
}

// The number without what follows it; the end, or `begin` when there is none.
std::size_t decimal(std::string_view text, std::size_t begin, Number &number)
{
    std::size_t i = begin;
    if (at(text, i) == '+' || at(text, i) == '-') {
        ++i;
    }
    const std::size_t first = i;
    i = digitsEnd(text, i);
    const std::size_t whole = i - first;
    number.isWhole = true;
    std::string grouped;
    number.isUnclear = false;
    if (whole >= 1 && whole <= 3 && text[first] != '0' && at(text, i) == ',') {
        constexpr std::size_t group = 4; // with its comma
        std::size_t j = i;
        while (at(text, j) == ',' && digitsEnd(text, j + 1) == j + 4) {
            j += 4;
        }
        if (j > i && at(text, j) != '.') { // 16,384; not "0.1,200"
            for (const char c : text.substr(begin, j - begin)) {
                if (c != ',') {
                    grouped += c;
                }
            }
            number.isUnclear = j - i == group;
            i = j;
        }
    }
    std::size_t fraction = 0;
    if (grouped.empty() && at(text, i) == '.'
        && (isDigit(at(text, i + 1)) || (whole > 0 && !isWord(at(text, i + 1))))) {
        // "5." is a number, but the point of a sentence is not part of it.
        const std::size_t end = digitsEnd(text, i + 1);
        if (end > i + 1 || (i + 1 < text.size() && !isBlank(text[i + 1]) && text[i + 1] != '.')) {
            fraction = end - i - 1;
            number.isWhole = false;
            i = end;
        }
    }
    if (whole + fraction == 0) {
        return begin;
    }
    number.isUnclear = number.isUnclear || (grouped.empty() && mayGoOn(text, first, whole, fraction, i));
    // 0.5f0 is a Float32 of Julia, and 0.5D-01 a double of Fortran.
    const bool isOther = (at(text, i) == 'f' || at(text, i) == 'D') && fraction > 0;
    if ((at(text, i) == 'e' || at(text, i) == 'E' || isOther) && grouped.empty()) {
        std::size_t j = i + 1;
        if (at(text, j) == '+' || at(text, j) == '-') {
            ++j;
        }
        const std::size_t end = digitsEnd(text, j);
        if (end > j && !(isOther && isWord(at(text, end)))) {
            if (isOther) {
                grouped = text.substr(begin, end - begin);
                grouped[i - begin] = 'e';
            }
            i = end;
            number.isWhole = false;
        }
    }
    number.decimals = static_cast<int>(fraction);
    const std::string_view digits = grouped.empty() ? text.substr(begin, i - begin) : std::string_view(grouped);
    const std::string_view unsignedDigits = digits.front() == '+' ? digits.substr(1) : digits;
    if (readShort(unsignedDigits, number.value)) {
        return i;
    }
    const auto [end, error]
        = std::from_chars(unsignedDigits.data(), unsignedDigits.data() + unsignedDigits.size(), number.value);
    if (error == std::errc::result_out_of_range) {
        // 1e400 and 1e-400 are as good as these.
        const bool tiny = digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
        number.value = tiny ? 0 : std::numeric_limits<double>::infinity();
    }
    return i;
}

// "3/10" and "100 / 1000"; 0.1/0.2 is a value and another one, which is passed over.
bool takeTotal(std::string_view text, Number &number)
{
    std::size_t i = skipBlanks(text, number.end);
    if (at(text, i) != '/') {
        return false;
    }
    i = skipBlanks(text, i + 1);
    if (!isDigit(at(text, i))) {
        return false;
    }
    Number total;
    std::size_t end = decimal(text, i, total);
    while (!number.isWhole && at(text, end) == '/' && isDigit(at(text, end + 1))) {
        end = decimal(text, end + 1, total); // 0.52/0.14/0.03
    }
    if (isWord(at(text, end)) || at(text, end) == '/' || (at(text, end) == '.' && isDigit(at(text, end + 1)))) {
        return false;
    }
    if (number.isWhole && total.isWhole) {
        number.total = total.value;
        number.isUnclear = false; // both are counts
    } else if (number.isWhole) {
        return false;
    }
    number.end = end;
    return true;
}

constexpr bool startsGlued(std::string_view rest)
{
    for (const std::string_view level : {"INFO"sv, "WARN"sv, "ERROR"sv, "DEBUG"sv}) {
        if (rest.starts_with(level)) {
            return true; // a message of a logger that was written into an unfinished line
        }
    }
    return false;
}

} // namespace

Lexed lexNumber(std::string_view text, std::size_t begin, Number &number)
{
    number = {};
    std::size_t end = decimal(text, begin, number);
    if (end == begin) {
        number.end = tokenEnd(text, begin + 1);
        return Lexed::Broken;
    }
    const char next = at(text, end);
    const bool digitAfter = isDigit(at(text, end + 1));
    if ((next == '.' || next == ':' || next == '-') && digitAfter) {
        number.end = tokenEnd(text, end);
        // 0.5711.594 is neither a version nor an address but what is left of two numbers.
        const bool remains = next == '.' && number.decimals > 2;
        return remains ? Lexed::Broken : Lexed::Stamp;
    }
    if (next == '.' && isLetter(at(text, end + 1))) { // "val_loss=0.12.ckpt"
        number.end = tokenEnd(text, end);
        return Lexed::Stamp;
    }
    if (next == '\'' || next == '"') {
        number.end = end;
        return Lexed::Number;
    }
    number.end = end;
    if (isLetter(next) || next == '_') {
        const std::size_t wend = lettersEnd(text, end);
        const std::string_view word = text.substr(end, wend - end);
        const bool whole = !isWord(at(text, wend));
        if (whole && at(text, wend) == '/' && isLetter(at(text, wend + 1))) {
            number.unit = Unit::Rate;
            number.end = lettersEnd(text, wend + 1);
            return Lexed::Number;
        }
        if (whole && timeUnit(word)) {
            number.unit = Unit::Time;
            number.end = wend;
            return Lexed::Number;
        }
        if (whole && isSizeUnit(word)) {
            number.unit = Unit::Size;
            number.end = wend;
            return Lexed::Number;
        }
        if (whole && (word == "th" || word == "st" || word == "nd" || word == "rd")) {
            number.unit = Unit::Ordinal;
            number.end = wend;
            return Lexed::Number;
        }
        if (startsGlued(text.substr(end))) {
            return Lexed::Number;
        }
        number.end = tokenEnd(text, end);
        return Lexed::Broken;
    }
    if (next == '/' && isLetter(at(text, end + 1))) { // "820.5/s", "820.5/s/gpu"
        number.unit = Unit::Rate;
        number.end = lettersEnd(text, end + 1);
        while (at(text, number.end) == '/' && isLetter(at(text, number.end + 1))) {
            number.end = lettersEnd(text, number.end + 1);
        }
        return Lexed::Number;
    }
    if (takeTotal(text, number)) {
        if (at(text, number.end) == '%') {
            ++number.end;
        }
        return Lexed::Number;
    }
    if (next == '/' && digitAfter) { // 2022/03/17, 10.0.0.1/8
        number.end = tokenEnd(text, end);
        return Lexed::Stamp;
    }
    if (number.isWhole && text.substr(end, 4) == " of " && isDigit(at(text, end + 4))) {
        Number total;
        const std::size_t totalEnd = decimal(text, end + 4, total);
        if (total.isWhole && !isWord(at(text, totalEnd)) && at(text, totalEnd) != '.') {
            number.total = total.value;
            number.end = totalEnd;
            return Lexed::Number;
        }
    }
    takeUnit(text, begin, number);
    return Lexed::Number;
}

std::optional<Number> lexNotFinite(std::string_view text, std::size_t begin)
{
    std::size_t i = begin;
    const bool negative = at(text, i) == '-';
    if (negative || at(text, i) == '+') {
        ++i;
    }
    const std::size_t end = lettersEnd(text, i);
    if (end - i < 3 || end - i > 8 || isWord(at(text, end))) {
        return {};
    }
    const std::string word = lowered(text.substr(i, end - i));
    Number number;
    if (word == "nan") {
        number.value = std::numeric_limits<double>::quiet_NaN();
    } else if (word == "inf" || word == "infinity") {
        number.value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else {
        return {};
    }
    number.end = end;
    return number;
}

std::optional<Number> wholeNumber(std::string_view text)
{
    if (text.empty()) {
        return {};
    }
    Number number;
    const std::size_t end = decimal(text, 0, number);
    if (end == text.size()) {
        number.end = end;
        return number;
    }
    if (end == 0) {
        const std::optional<Number> other = lexNotFinite(text, 0);
        if (other && other->end == text.size()) {
            return other;
        }
    }
    return {};
}

std::optional<double> durationAt(std::string_view text, std::size_t begin, std::size_t *endOut)
{
    std::size_t i = skipBlanks(text, begin);
    double seconds = 0;
    bool any = false;
    for (int part = 0; part < 5; ++part) {
        if (!isDigit(at(text, i))) {
            break;
        }
        Number number;
        std::size_t end = decimal(text, i, number);
        if (at(text, end) == ':') { // [days, ]h:mm:ss
            double clock = number.value;
            while (at(text, end) == ':' && isDigit(at(text, end + 1))) {
                Number next;
                end = decimal(text, end + 1, next);
                clock = clock * 60 + next.value;
            }
            seconds += clock;
            any = true;
            i = end;
            break;
        }
        const std::size_t word = at(text, end) == ' ' ? end + 1 : end;
        const std::size_t wend = lettersEnd(text, word);
        std::string_view name = text.substr(word, wend - word);
        if (name == "day") {
            name = "days";
        }
        const std::optional<double> unit = timeUnit(name);
        if (!unit) {
            break;
        }
        seconds += number.value * *unit;
        any = true;
        i = wend;
        std::size_t next = i;
        while (at(text, next) == ' ' || at(text, next) == ',') {
            ++next;
        }
        if (!isDigit(at(text, next))) {
            break;
        }
        // "3s, 5 epochs": only another duration goes on, "20 m, 5 s" with its blanks.
        std::size_t probe = digitsEnd(text, next);
        probe += word > end && at(text, probe) == ' ' ? 1 : 0;
        if (at(text, probe) != ':' && !timeUnit(text.substr(probe, lettersEnd(text, probe) - probe))) {
            break;
        }
        i = next;
    }
    if (!any) {
        return {};
    }
    if (endOut) {
        *endOut = i;
    }
    return seconds;
}

} // namespace trainyard::metrics
