// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

std::string_view trimmed(std::string_view text); // without blanks at both ends
std::vector<std::string> absolutePartsOf(const std::string &path); // of a list such as PATH: those that begin with '/'

// The text of a regular file of at most 64 KiB, else empty: a pipe or a device in place of a file must not block the
// caller.
std::string smallText(const std::string &path);

// The newest bytes of a plain file, from `from` on at the earliest; of any other, nothing.
std::string endOfPlainFile(const std::string &path, std::int64_t most, std::int64_t from = 0);

void wipeText(std::string &text); // overwrites the bytes of a secret

} // namespace trainyard::agent
