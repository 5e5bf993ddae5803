// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/corefiles.h"

#include "engine/contract/corefiles.h"

namespace trainyard
{

void leaveNoCoreFiles() { contract::leaveNoCoreFiles(); }

} // namespace trainyard
