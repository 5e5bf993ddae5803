// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// How programs write a value where it cannot stand as it is: in JSON and in literals of Python, in addresses, in HTML,
// in a shell, in base64 (also behind other bytes, as in "user:value") and as hexadecimal digits. Without those that are
// the value itself.
std::vector<std::string> spellingsOf(std::string_view value);

} // namespace trainyard::contract
