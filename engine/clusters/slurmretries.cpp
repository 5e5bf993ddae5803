// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/clusters/slurmretries.h"

#include "engine/core/retry.h"

namespace trainyard::slurm
{
namespace
{

// After so many the engine makes another submission, when it is there.
constexpr int mostFurtherTries = 16;
constexpr int codeOfOtherFailures = 255; // docs/execution.md

contract::LeadExitClass leadClassOf(const ExitRules &rules, int code)
{
    switch (core::exitClassOf(rules, code)) {
    case core::ExitClass::Transient:
    case core::ExitClass::TransientConflict: // of a task it is retried as any other
        return contract::LeadExitClass::Transient;
    case core::ExitClass::Permanent:
    case core::ExitClass::Stopped:
        return contract::LeadExitClass::Permanent;
    default:
        return contract::LeadExitClass::Unknown;
    }
}

contract::LeadExitRule leadRuleOf(const ExitRules &rules, const ExitRule &rule, bool hintIsEnough)
{
    contract::LeadExitRule made;
    made.exits.assign(rule.exits.cbegin(), rule.exits.cend());
    made.hint = rule.hint.toStdString();
    made.isSure = rule.hint.isEmpty() || (hintIsEnough && rule.pattern.pattern().isEmpty());
    made.exitClass = leadClassOf(rules, rule.code);
    return made;
}

} // namespace

contract::LeadRetries leadRetriesOf(
    const ExitRules &rules, const core::RolePolicy &role, const core::RetryLimits &guards, bool isStrict)
{
    contract::LeadRetries retries;
    retries.budget = role.taskRetry;
    retries.freeCap = guards.freeRetryCap;
    retries.steadyMs = guards.steadyMs;
    retries.minPauseMs = guards.minPauseMs;
    retries.maxPauseMs = guards.maxPauseMs;
    retries.otherwise = leadClassOf(rules, codeOfOtherFailures);
    // Where the order of the table does not count, a user's own rules and those of the bare status go first.
    const auto goesFirst = [isStrict](const ExitRule &rule) { return isStrict || rule.own || rule.hint.isEmpty(); };
    for (const bool isFirst : {true, false}) {
        for (const ExitRule &rule : rules.rules()) {
            if (goesFirst(rule) == isFirst) {
                retries.rules.push_back(leadRuleOf(rules, rule, isFirst));
            }
        }
    }
    return retries;
}

std::vector<std::string> furtherTriesOf(const core::JobState &job, core::TaskRef task)
{
    std::vector<std::string> uuids;
    for (int further = 1; further <= mostFurtherTries; ++further) {
        uuids.push_back(
            core::tryUuid(job.uuid, job.attempt(), job.roleName(task), task.index, job.task(task).tryIndex + further)
                .toString(QUuid::WithoutBraces)
                .toStdString());
    }
    return uuids;
}

} // namespace trainyard::slurm
