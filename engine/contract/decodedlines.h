// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// What a program has that reads a value in JSON, or a key whose ends of lines are written as \n: the texts in it, line
// by line, as far as escapes with letters make them others than the value shows. Texts in texts, too.
std::vector<std::string> decodedLines(std::string_view value);

} // namespace trainyard::contract
