// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/jobpolicy.h"
#include "model/runtime/exitrules.h"

#include <QtGlobal>

namespace trainyard::core
{

// How the retry rule treats a completion code.
enum class ExitClass { Success, Stopped, Transient, TransientConflict, Permanent, Unknown };
ExitClass exitClassOf(const ExitRules &rules, int code);

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

// The one retry rule for jobs and tasks (docs/execution.md, "Retry"). With `fancy` the class of the code decides before
// the budget does.
RetryDecision decideRetry(const ExitRules &rules, bool fancy, qint64 budget, qint64 charged, int code);

// How often in a row a failure is retried for free; negative: without a limit. A failure that a user has to correct,
// such as a container service that was not started, is retried for about two minutes.
int freeRetriesOf(const RetryLimits &guards, const QString &reason);

// The pause before the n-th free retry in a row, with n from 0.
qint64 retryPauseMs(const RetryLimits &guards, int inARow);

} // namespace trainyard::core
