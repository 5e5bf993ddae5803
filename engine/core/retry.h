// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobpolicy.h"

#include <QtGlobal>

namespace trainyard::core
{

// How a completion code is taken by the retry rule.
enum class ExitClass { Success, Stopped, Transient, TransientConflict, Permanent, Unknown };
ExitClass exitClassOf(int code);

inline constexpr int codeStopJob = -210;
inline constexpr int codeAttemptEnded = -220;
inline constexpr int codeTaskDeleted = -230;
inline constexpr int codeTimeLimit = -1004; // upstream's PodDeadlineExceeded
inline constexpr int codeNeverStarted
    = -1100; // upstream's CreateFrameworkPermanentFailed: accepted, could not be begun
inline bool isStopCode(int code) { return code == codeStopJob || code == codeAttemptEnded || code == codeTaskDeleted; }

struct RetryDecision {
    bool retry = false;
    bool charged = false; // to the budget
    bool delayed = false; // after a conflict
    friend bool operator==(const RetryDecision &, const RetryDecision &) = default;
};

// The one rule for jobs and tasks: docs/execution.md, "Retry". `fancy`: the class decides before the budget does.
RetryDecision decideRetry(bool fancy, qint64 budget, qint64 charged, int code);

// Pause before the n-th free retry in a row (n from 0).
qint64 retryPauseMs(const GuardRails &guards, int inARow);

} // namespace trainyard::core
