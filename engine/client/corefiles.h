// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard
{

// A crash of this program leaves no core file: it would hold the secrets that are typed into it.
void leaveNoCoreFiles();

} // namespace trainyard
