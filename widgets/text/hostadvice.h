// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// What to look at when a step on the way to a host has failed and its sentence has only the words of ssh. Empty: the
// sentence itself says what to do.
QString hostAdvice(const HostStep &step);

} // namespace trainyard
