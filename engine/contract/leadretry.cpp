// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/leadretry.h"

#include <algorithm>
#include <optional>

namespace trainyard::contract
{
namespace
{

LeadDecision decideByExitClass(
    const LeadRetries &retries, const LeadCounts &counts, bool hasFailed, LeadExitClass exitClass, std::int64_t ranMs)
{
    const auto pauseMs = [&retries](std::int64_t inARow) {
        if (retries.minPauseMs <= 0) {
            return std::int64_t(0);
        }
        const std::int64_t doubled = retries.minPauseMs << std::clamp<std::int64_t>(inARow, 0, 20);
        return std::min(doubled, std::max(retries.maxPauseMs, retries.minPauseMs));
    };
    LeadDecision decision;
    decision.consecutiveFreeRetries = ranMs >= retries.steadyMs ? 0 : counts.consecutiveFreeRetries;
    if (hasFailed && exitClass == LeadExitClass::Permanent) {
        return decision;
    }
    if (hasFailed && exitClass == LeadExitClass::Transient) {
        if (retries.freeCap >= 0 && decision.consecutiveFreeRetries >= retries.freeCap) {
            return decision;
        }
        decision.next = LeadNext::Again;
        decision.pauseMs = pauseMs(decision.consecutiveFreeRetries++);
        return decision;
    }
    const bool isInBudget = hasFailed && (retries.budget == -1 || counts.charged < retries.budget);
    if (retries.budget == -2 || isInBudget) {
        decision.next = LeadNext::Again;
        decision.isCharged = true;
        decision.pauseMs = retries.budget < 0 && ranMs < retries.steadyMs ? pauseMs(counts.charged) : 0;
    }
    return decision;
}

} // namespace

std::string withoutEscapes(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t escape = std::min(text.find('\x1b', at), text.size());
        plain.append(text, at, escape - at);
        at = escape + 1;
        if (at < text.size() && text[at] == '[') {
            ++at;
            while (at < text.size() && text[at] >= 0x20 && text[at] <= 0x3f) {
                ++at;
            }
            at += at < text.size() && text[at] >= 0x40 ? 1 : 0;
        }
    }
    return plain;
}

LeadDecision decideLeadRetry(
    const LeadRetries &retries, const LeadCounts &counts, int status, std::int64_t ranMs, std::string_view output)
{
    if (status == 0) {
        return decideByExitClass(retries, counts, false, LeadExitClass::Unknown, ranMs);
    }
    // All that it may be; if that makes no difference, nothing more needs to be known.
    std::optional<LeadDecision> decision;
    const auto isAnother = [&](LeadExitClass exitClass) {
        const LeadDecision one = decideByExitClass(retries, counts, true, exitClass, ranMs);
        const bool differs = decision && !(*decision == one);
        decision = one;
        return differs;
    };
    for (const LeadExitRule &rule : retries.rules) {
        const bool fits
            = rule.exits.empty() || std::find(rule.exits.begin(), rule.exits.end(), status) != rule.exits.end();
        if (!fits || (!rule.hint.empty() && output.find(rule.hint) == std::string_view::npos)) {
            continue;
        }
        if (isAnother(rule.exitClass)) {
            return {LeadNext::Unsure, false, 0, counts.consecutiveFreeRetries};
        }
        if (rule.isSure) {
            return *decision;
        }
    }
    return isAnother(retries.otherwise) ? LeadDecision{LeadNext::Unsure, false, 0, counts.consecutiveFreeRetries}
                                        : *decision;
}

} // namespace trainyard::contract
