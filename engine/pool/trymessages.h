// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/contract/messages.h"
#include "engine/pool/livetry.h"

#include <string>

// What an agent is asked about a try, and what its refusal means. No I/O.
namespace trainyard
{

contract::Observe observeOf(const LiveTry &entry); // with what it is to hide
// As the job wants it, else after so many seconds; at once where it is to be killed.
contract::Stop stopOf(const ActiveJob &job, const std::string &folder, qint64 graceSeconds);
// Whether an agent that refuses a launch does not know if an earlier one has begun the try. `isAgain`: there was one.
bool mayHaveBegun(const contract::Failure &why, bool isAgain);
// The end of a try that its agent could not start; `now` in ms UTC.
contract::ExitRecord notStarted(const contract::Failure &why, qint64 now);

} // namespace trainyard
