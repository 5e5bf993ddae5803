// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/environmentrecord.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::agent
{

// Which variables of a task its record shows. A value that was not checked may be a secret, so of the login shell's
// variables only those are shown that are known to matter to a training; the others have their names only.
bool isShownVariable(std::string_view name);
// Its name says that it holds a secret such as a password or a token.
bool isSecretVariable(std::string_view name);
// The value as people may see it: masked when its name asks for that, without the password of an address, and cut.
std::string shownValue(std::string_view name, std::string_view value);

// The last value of a variable among texts NAME=VALUE; empty when it is not there.
std::string valueOf(const std::vector<std::string> &environment, std::string_view name);

constexpr const char *hiddenValue = "******";

} // namespace trainyard::agent
