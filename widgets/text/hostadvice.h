// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// Advice for a failed step of connecting to a host whose sentence has only the words of ssh. Empty: the
// sentence itself says what to do.
QString hostAdvice(const HostStep &step);

} // namespace trainyard
