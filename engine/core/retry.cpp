// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/retry.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

ExitClass exitClassOf(const ExitRules &rules, int code)
{
    if (code == 0) {
        return ExitClass::Success;
    }
    if (isStopCode(code)) {
        return ExitClass::Stopped;
    }
    // Reserved between the controller and a container; they have no entry in the exit specification.
    switch (code) {
    case 200:
        return ExitClass::Transient;
    case 201:
        return ExitClass::TransientConflict;
    case 210:
        return ExitClass::Permanent;
    default:
        break;
    }
    const ExitSpecEntry *entry = rules.find(code);
    if (!entry) {
        return ExitClass::Unknown;
    }
    if (entry->behavior == "TRANSIENT_NORMAL"_L1) {
        return ExitClass::Transient;
    }
    if (entry->behavior == "TRANSIENT_CONFLICT"_L1) {
        return ExitClass::TransientConflict;
    }
    return entry->behavior == "PERMANENT"_L1 ? ExitClass::Permanent : ExitClass::Unknown;
}

RetryDecision decideRetry(const ExitRules &rules, bool fancy, qint64 budget, qint64 charged, int code)
{
    const ExitClass exitClass = exitClassOf(rules, code);
    if (exitClass == ExitClass::Stopped) {
        return {};
    }
    if (fancy) {
        switch (exitClass) {
        case ExitClass::TransientConflict:
            return {.retry = true, .charged = false, .delayed = true};
        case ExitClass::Transient:
            return {.retry = true, .charged = false, .delayed = false};
        case ExitClass::Permanent:
            return {};
        default:
            break;
        }
    }
    const bool failed = code != 0;
    const bool retry = budget == -2 || (failed && (budget == -1 || charged < budget));
    return {.retry = retry, .charged = retry, .delayed = false};
}

int freeRetriesOf(const RetryLimits &guards, const QString &reason)
{
    constexpr int untilByHand = 5; // with the usual pauses 93 s: a service that restarts is back by then
    const bool isByHand = reason == "launch.container-service"_L1;
    return isByHand && (guards.freeRetryCap < 0 || guards.freeRetryCap > untilByHand) ? untilByHand
                                                                                      : guards.freeRetryCap;
}

qint64 retryPauseMs(const RetryLimits &guards, int inARow)
{
    if (guards.minPauseMs <= 0) {
        return 0;
    }
    const qint64 doubled = guards.minPauseMs << std::clamp(inARow, 0, 20);
    return std::min(doubled, std::max(guards.maxPauseMs, guards.minPauseMs));
}

} // namespace trainyard::core
