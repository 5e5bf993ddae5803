// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::agent
{

// The program that ssh starts to ask for a pass phrase: passes the question to the engine, which listens at
// `socketPath`, and prints its answer. Returns 0, or 1 without an answer, which ssh takes for Cancel. `hint` is ssh's
// description of the question (SSH_ASKPASS_PROMPT), or null: "none" needs no answer, and ssh ends this program when it
// is over.
int askPass(const char *socketPath, const char *prompt, const char *hint);

} // namespace trainyard::agent
