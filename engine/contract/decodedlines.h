// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::contract
{

// The texts that a program finds when it reads a value in JSON, or a key whose line ends are written as \n: line by
// line, and only those that escapes with letters make different from what the value shows. Texts within texts are
// included.
std::vector<std::string> decodedLines(std::string_view value);

} // namespace trainyard::contract
