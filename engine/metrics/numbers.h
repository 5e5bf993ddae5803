// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace trainyard::metrics
{

// What stands behind a number and says what it measures.
enum class Unit { None, Percent, Time, Size, Rate, Ordinal };

// A number as it stands in a text.
struct Number {
    double value = 0;
    std::optional<double> total; // of "3/10" and "3 of 10"
    Unit unit = Unit::None;
    bool isWhole = false; // written without point and exponent
    bool isUnclear = false; // a comma in it groups, or is a decimal comma, or begins another number: "12,345"
    int decimals = 0; // digits behind the point
    std::size_t end = 0; // behind the number and its unit
};

// What a word that begins with a digit, a sign or a point is.
enum class Lexed {
    Number,
    Stamp, // a time, a date, an address, a version
    Broken, // the remains of an overwritten text, or a name that begins with a digit
};

// Reads at `begin`, where a number can begin; `number.end` is set in each case.
Lexed lexNumber(std::string_view text, std::size_t begin, Number &number);

// "nan", "-inf", "Infinity" and the like at `begin`.
std::optional<Number> lexNotFinite(std::string_view text, std::size_t begin);

// A bare decimal number and nothing else: 12, -0.5, .5, 1e-05, nan.
std::optional<Number> wholeNumber(std::string_view text);

// "1:09:54", "2 days, 3:04:05", "1m 19s", "6425.5s", "0us", "12 hours"; nothing for a number without a unit.
std::optional<double> durationAt(std::string_view text, std::size_t begin, std::size_t *end = nullptr);

} // namespace trainyard::metrics
