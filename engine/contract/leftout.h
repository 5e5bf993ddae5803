// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

// Variables of the login shell that a task does not get since their names say that they are secret. The helper names
// them in the runtime log, never with values, and the engine reads them there.
namespace trainyard::contract
{

// Begins the sentence; the names follow with ", " between them and a full stop behind the last one.
constexpr std::string_view leftOutWords
    = "The task does not get these variables of the login shell, as their names say that they are secret: ";

} // namespace trainyard::contract
