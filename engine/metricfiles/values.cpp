// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/values.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace trainyard::metricfiles
{

namespace
{

constexpr double lastSecond = 253402300800.0; // the year 10000
constexpr double firstStamp = 946684800.0; // the year 2000

constexpr bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

} // namespace

std::optional<double> numberOf(std::string_view text)
{
    while (!text.empty() && isSpace(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isSpace(text.back())) {
        text.remove_suffix(1);
    }
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
        text.remove_prefix(1);
    }
    if (text.empty()) {
        return {};
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || text.back() == ')') { // nan(ind)
        return {};
    }
    if (error == std::errc::result_out_of_range) {
        const bool isTiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos
            || text.find_first_of("eE") == std::string_view::npos;
        const double size = isTiny ? 0 : std::numeric_limits<double>::infinity();
        return text.front() == '-' ? -size : size;
    }
    if (error != std::errc()) {
        return {};
    }
    return value;
}

std::optional<std::int64_t> timeOfSeconds(double seconds)
{
    if (!(seconds > 0 && seconds < lastSecond)) {
        return {};
    }
    return static_cast<std::int64_t>(std::llround(seconds * 1000));
}

std::optional<std::int64_t> timeOfStamp(double stamp)
{
    if (stamp >= firstStamp && stamp < firstStamp * 10) {
        return timeOfSeconds(stamp);
    }
    if (stamp >= firstStamp * 1000 && stamp < firstStamp * 10000) {
        return static_cast<std::int64_t>(std::llround(stamp));
    }
    return {};
}

} // namespace trainyard::metricfiles
