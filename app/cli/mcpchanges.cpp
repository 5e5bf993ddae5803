// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcpchanges.h"

#include <algorithm>

namespace trainyard::cli::mcp
{
namespace
{

bool isStateChanged(const JobSummary &before, const JobSummary &after)
{
    return before.state != after.state || before.retries != after.retries || before.paused != after.paused
        || before.reason != after.reason || before.reasonArgs != after.reasonArgs;
}

bool isResultChanged(const JobSummary &before, const JobSummary &after)
{
    return before.results != after.results || before.resultsPending != after.resultsPending;
}

bool isJobChanged(const JobSummary &before, const JobSummary &after)
{
    return isStateChanged(before, after) || before.stopRequested != after.stopRequested || before.counts != after.counts
        || before.hosts != after.hosts || before.exitCode != after.exitCode || before.health != after.health
        || before.labels != after.labels || before.priority != after.priority
        || (isFinal(after.state) && isResultChanged(before, after));
}

} // namespace

bool isChangeOf(ResourceUri::Kind kind, const JobSummary &before, const JobSummary &after)
{
    switch (kind) {
    case ResourceUri::Kind::Jobs:
    case ResourceUri::Kind::Job:
        return isJobChanged(before, after);
    case ResourceUri::Kind::Yaml:
        return before.retries != after.retries || before.parameters != after.parameters; // it may have been edited
    case ResourceUri::Kind::Why:
        return isStateChanged(before, after);
    case ResourceUri::Kind::Log:
        return before.retries != after.retries || isFinal(before.state) != isFinal(after.state);
    case ResourceUri::Kind::Metrics:
        return isResultChanged(before, after) || before.progress != after.progress || before.retries != after.retries
            || isFinal(before.state) != isFinal(after.state);
    }
    return true;
}

bool isGrowthOf(const ResourceUri &uri, const QList<LogGrowth> &logs)
{
    const bool isOfOutput = uri.kind == ResourceUri::Kind::Log || uri.kind == ResourceUri::Kind::Metrics;
    return isOfOutput && std::any_of(logs.cbegin(), logs.cend(), [&uri](const LogGrowth &log) {
        return uri.role.isEmpty() || (log.role == uri.role && log.index == uri.index);
    });
}

qint64 restOf(ResourceUri::Kind kind)
{
    constexpr qint64 stateMs = 1000, outputMs = 10000;
    return kind == ResourceUri::Kind::Log || kind == ResourceUri::Kind::Metrics ? outputMs : stateMs;
}

} // namespace trainyard::cli::mcp
