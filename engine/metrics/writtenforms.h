// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Lines that something between the program and us has written in another form.
namespace trainyard::metrics
{

inline constexpr std::size_t longestLine = 16 * 1024; // of text; a dictionary may be longer

// The line as the program meant it, or nothing where it is so already: a tab that syslog has escaped, the tuple of
// Python 2's print(), signs as Chinese and Japanese texts write them, and counts in their words.
std::optional<std::string> asMeant(std::string_view line);
std::optional<std::string> withEscapedTabs(std::string_view line);
// Python's list of names with their values, "[('loss', 0.5), ('acc', 0.7)]", as the dictionary that it stands for.
std::optional<std::string> withDictOfPairs(std::string_view line);

// The line that loggers and containers have in an object of JSON: {"log": "step 1 loss: 0.5\n", "stream": "stdout"}.
std::optional<std::string> messageIn(std::string_view object);

} // namespace trainyard::metrics
