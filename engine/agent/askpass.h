// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// What ssh starts to ask for a pass phrase: hands the question to the engine, which listens at `socketPath`, and prints
// its answer. 0; 1 when there is none, as ssh expects of somebody who pressed Cancel.
int askPass(const char *socketPath, const char *prompt);

} // namespace trainyard::agent
