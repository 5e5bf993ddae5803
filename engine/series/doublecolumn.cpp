// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/series/doublecolumn.h"

#include "engine/series/intcolumn.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace trainyard::series
{

namespace
{

// The first byte of a column. Decimals have the number of digits behind the point there.
constexpr int mostDigits = 22; // powers of ten up to this one are exact doubles
constexpr int formFloats = 23, formDoubles = 24;
constexpr int withExceptions = 0x80;

constexpr double powersOfTen[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Exceptions that are common have a byte of their own.
constexpr std::uint64_t commonExceptions[]
    = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x8000000000000000};

struct Exception {
    std::size_t index = 0;
    std::uint64_t bits = 0;
};

struct WholeColumn {
    std::vector<std::int64_t> ints;
    std::vector<Exception> exceptions;
};

std::int64_t placeOfFloat(float value)
{
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits >= 0 ? bits : static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min()) - bits - 1;
}

float floatAt(std::int64_t place)
{
    const auto narrow = static_cast<std::int32_t>(place);
    return std::bit_cast<float>(narrow >= 0
            ? narrow
            : static_cast<std::int32_t>(
                static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min()) - narrow - 1));
}

bool isFloat(double value)
{
    return std::abs(value) <= std::numeric_limits<float>::max()
        && static_cast<double>(static_cast<float>(value)) == value;
}

// Exact where it is one: the quotient of two exact doubles is rounded once, as a reader of the text rounds.
std::optional<std::int64_t> digitsOf(double value, int digits)
{
    const double scaled = value * powersOfTen[digits];
    if (!(std::abs(scaled) < 9007199254740992.0)) {
        return std::nullopt;
    }
    const auto whole = static_cast<std::int64_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
    const double back = static_cast<double>(whole) / powersOfTen[digits];
    if (std::bit_cast<std::uint64_t>(back) != std::bit_cast<std::uint64_t>(value)) {
        return std::nullopt;
    }
    return whole;
}

// How many digits nine of ten of some values need, and how many all but those that are not decimal fractions.
std::vector<int> likelyDigits(std::span<const double> values)
{
    constexpr std::size_t samples = 48;
    const std::size_t stride = std::max<std::size_t>(1, values.size() / samples);
    std::vector<int> needed;
    for (std::size_t i = 0; i < values.size(); i += stride) {
        int digits = 0;
        while (digits <= mostDigits && !digitsOf(values[i], digits)) {
            ++digits;
        }
        if (std::isfinite(values[i])) {
            needed.push_back(digits);
        }
    }
    std::sort(needed.begin(), needed.end());
    const auto end = std::upper_bound(needed.begin(), needed.end(), mostDigits);
    std::vector<int> likely;
    if (end != needed.begin()) {
        likely.push_back(*(end - 1));
        const int most = needed[needed.size() - 1 - needed.size() / 10];
        if (most < likely.front()) {
            likely.push_back(most);
        }
    }
    return likely;
}

template <class Whole> std::optional<WholeColumn> wholeColumn(std::span<const double> values, bool mayFail, Whole whole)
{
    WholeColumn column;
    column.ints.reserve(values.size());
    std::int64_t before = 0;
    std::size_t misfits = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::optional<std::int64_t> number;
        if (std::isfinite(values[i])) {
            number = whole(values[i]);
            misfits += number ? 0 : 1;
            if (mayFail && misfits * 8 > values.size() + 8) {
                return std::nullopt; // each one takes ten bytes
            }
        }
        if (!number) {
            column.exceptions.push_back({i, std::bit_cast<std::uint64_t>(values[i])});
        }
        before = number.value_or(before);
        column.ints.push_back(before);
    }
    return column;
}

void putColumn(int form, const WholeColumn &column, std::string &out)
{
    out += static_cast<char>(form | (column.exceptions.empty() ? 0 : withExceptions));
    if (!column.exceptions.empty()) {
        putVarint(out, column.exceptions.size());
        std::size_t next = 0;
        for (const Exception &exception : column.exceptions) {
            putVarint(out, exception.index - next);
            next = exception.index + 1;
            const auto *const common
                = std::find(std::begin(commonExceptions), std::end(commonExceptions), exception.bits);
            out += static_cast<char>(common - std::begin(commonExceptions));
            if (common == std::end(commonExceptions)) {
                putRaw(out, exception.bits);
            }
        }
    }
    encodeInts(column.ints, out);
}

bool takeExceptions(Bytes &in, std::size_t count, std::vector<Exception> &exceptions)
{
    const std::uint64_t number = in.varint();
    if (number > count) {
        return false;
    }
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < number; ++i) {
        const std::uint64_t gap = in.varint();
        const std::size_t kind = in.raw<std::uint8_t>();
        if (in.failed() || gap >= count - next || kind > std::size(commonExceptions)) {
            return false;
        }
        const std::uint64_t bits
            = kind < std::size(commonExceptions) ? commonExceptions[kind] : in.raw<std::uint64_t>();
        exceptions.push_back({static_cast<std::size_t>(next + gap), bits});
        next += gap + 1;
        if (next == count && i + 1 < number) {
            return false;
        }
    }
    return !in.failed();
}

} // namespace

std::int64_t placeOf(double value)
{
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - (bits + 1);
}

double doubleAt(std::int64_t place)
{
    return std::bit_cast<double>(place >= 0 ? place : std::numeric_limits<std::int64_t>::min() - (place + 1));
}

void encodeDoubles(std::span<const double> values, std::string &out)
{
    if (values.empty()) {
        return;
    }
    std::string best, other;
    const auto offer = [&best, &other](int form, const WholeColumn &column) {
        std::string &to = best.empty() ? best : other;
        to.clear();
        putColumn(form, column, to);
        if (!other.empty() && other.size() < best.size()) {
            best.swap(other);
        }
    };
    bool isWhole = false;
    for (const int digits : likelyDigits(values)) {
        if (const auto column = wholeColumn(values, true, [digits](double value) { return digitsOf(value, digits); })) {
            isWhole = isWhole || (digits == 0 && column->exceptions.empty());
            offer(digits, *column);
        }
    }
    // Small whole numbers are floats, too, and never shorter as such.
    if (!isWhole) {
        const auto floats = wholeColumn(values, true, [](double value) {
            return isFloat(value) ? std::optional(placeOfFloat(static_cast<float>(value))) : std::nullopt;
        });
        if (floats) {
            offer(formFloats, *floats);
        }
        if (best.empty() || !floats) {
            offer(formDoubles, *wholeColumn(values, false, [](double value) { return std::optional(placeOf(value)); }));
        }
    }
    out += best;
}

bool decodeDoubles(Bytes &in, std::size_t count, std::vector<double> &values)
{
    values.resize(count);
    if (count == 0) {
        return true;
    }
    const unsigned first = in.raw<std::uint8_t>();
    const int form = static_cast<int>(first & ~static_cast<unsigned>(withExceptions));
    std::vector<Exception> exceptions;
    if (in.failed() || form > formDoubles
        || ((first & withExceptions) != 0 && !takeExceptions(in, count, exceptions))) {
        return false;
    }
    static thread_local std::vector<std::int64_t> ints;
    if (!decodeInts(in, count, ints)) {
        return false;
    }
    if (form == 0) {
        std::transform(ints.begin(), ints.end(), values.begin(), [](std::int64_t i) { return static_cast<double>(i); });
    } else if (form <= mostDigits) {
        const double power = powersOfTen[form];
        std::transform(ints.begin(), ints.end(), values.begin(),
            [power](std::int64_t i) { return static_cast<double>(i) / power; });
    } else if (form == formFloats) {
        std::transform(
            ints.begin(), ints.end(), values.begin(), [](std::int64_t i) { return static_cast<double>(floatAt(i)); });
    } else {
        std::transform(ints.begin(), ints.end(), values.begin(), doubleAt);
    }
    for (const Exception &exception : exceptions) {
        values[exception.index] = std::bit_cast<double>(exception.bits);
    }
    return true;
}

} // namespace trainyard::series
