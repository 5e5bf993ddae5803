// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// What to look at when a host cannot be reached, where the sentence of its error has only the words of ssh. Empty: the
// sentence itself says what to do.
QString hostAdvice(const HostInfo &host);

} // namespace trainyard
