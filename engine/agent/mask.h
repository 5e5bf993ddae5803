// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/mask.h"

namespace trainyard::agent
{

using contract::Masker;
using contract::Secrets;

} // namespace trainyard::agent
