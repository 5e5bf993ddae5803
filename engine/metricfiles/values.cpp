// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metricfiles/values.h"

#include <algorithm>
#include <charconv>
#include <chrono>
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

std::optional<std::int64_t> timeOfIso(std::string_view text)
{
    bool isWhole = true;
    const auto number = [&](std::size_t at, std::size_t size) {
        int value = 0;
        const std::string_view digits = at <= text.size() ? text.substr(at, size) : std::string_view();
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        isWhole = isWhole && digits.size() == size && error == std::errc() && end == digits.data() + size && value >= 0;
        return value;
    };
    const std::chrono::year_month_day day{std::chrono::year(number(0, 4)), std::chrono::month(unsigned(number(5, 2))),
        std::chrono::day(unsigned(number(8, 2)))};
    const int hour = number(11, 2), minute = number(14, 2), second = number(17, 2);
    if (!isWhole || !day.ok() || text[4] != '-' || text[7] != '-' || (text[10] != 'T' && text[10] != ' ')
        || text[13] != ':' || text[16] != ':' || hour > 23 || minute > 59 || second > 60) {
        return {};
    }
    std::size_t at = 19;
    double part = 0;
    if (at < text.size() && text[at] == '.') {
        const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
        part = numberOf(text.substr(at, end - at)).value_or(0);
        at = end;
    }
    int zone = 0; // minutes
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
        zone = (number(at + 1, 2) * 60 + number(at + 4, 2)) * (text[at] == '-' ? -1 : 1);
        isWhole = isWhole && text[at + 3] == ':' && text.size() == at + 6;
    } else {
        isWhole = at == text.size() || text.substr(at) == "Z";
    }
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    const double seconds = double(days) * 86400 + hour * 3600 + (minute - zone) * 60 + second + part;
    return isWhole ? timeOfSeconds(seconds) : std::nullopt;
}

} // namespace trainyard::metricfiles
