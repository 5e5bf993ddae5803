// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/contract/messages.h"
#include "engine/pool/livetry.h"

#include <string>

// The requests to an agent about a try, and the meaning of its refusals. No I/O.
namespace trainyard
{

contract::Observe observeOf(const LiveTry &entry); // with what it is to hide
// The grace period of the job, otherwise this many seconds; none when the task has to be killed at once.
contract::Stop stopOf(const ActiveJob &job, const std::string &folder, qint64 graceSeconds);
// Whether an agent that refuses a launch does not know if an earlier one has begun the try. `isAgain`: there was one.
bool mayHaveBegun(const contract::Failure &why, bool isAgain);
// The end of a try that its agent could not start; `now` in ms UTC.
contract::ExitRecord notStarted(const contract::Failure &why, qint64 now);

} // namespace trainyard
