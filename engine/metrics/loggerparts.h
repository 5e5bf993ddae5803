// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

// What loggers write beside the text of a program: levels, times, places in the source.
namespace trainyard::metrics
{

inline constexpr std::array<std::string_view, 19> calendar{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
    "Sep", "Oct", "Nov", "Dec", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

// How long the level at the beginning of a text is; 0: there is none. So are the next two.
std::size_t levelAt(std::string_view text);
// A time or a date: only digits and what stands between them, with "hh:mm" or "yyyy-mm-dd" in it.
std::size_t stampAt(std::string_view text);
// "04/18 01:46:54", "2024.05.01 10:00:00": a date that is one only beside a time.
std::size_t shortDateAt(std::string_view text);

bool namesSource(std::string_view text);

} // namespace trainyard::metrics
