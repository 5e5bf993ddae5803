// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::metricfiles
{

// A number and nothing else, blanks around it aside: 12, -0.5, .5, 1e-05, nan, -Infinity.
std::optional<double> numberOf(std::string_view text);

// Milliseconds since 1970; nothing for a value that is not a time of a known epoch.
std::optional<std::int64_t> timeOfSeconds(double seconds);
// Reads seconds or milliseconds since 1970, whichever it can be; nothing for other numbers, such as elapsed seconds.
std::optional<std::int64_t> timeOfStamp(double stamp);
// Reads a date and a time, "2024-03-01T12:00:00.25", with a zone behind it ("Z", "+02:00") or in UTC.
std::optional<std::int64_t> timeOfIso(std::string_view text);

} // namespace trainyard::metricfiles
