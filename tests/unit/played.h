// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"
#include "engine/core/report.h"
#include "engine/core/retry.h"
#include "engine/core/tasksnotdone.h"
#include "tests/helpers/scenarios.h"

namespace trainyard::core::played
{

using namespace Qt::StringLiterals;

// One line: "LaunchTry w/0#1@0".
QString describe(const JobState &job, const Effect &effect);

// A job that is told things and tells what is to be done.
class Player
{
public:
    explicit Player(JobPolicy policy)
    {
        JobMeta meta;
        meta.name = u"job"_s;
        job = newJob(QUuid(u"{6b1f3ad2-8a1c-4f0e-9a39-c3b6d7f1a001}"_s), meta, std::move(policy), 1000);
    }
    QStringList say(decltype(Event::what) what)
    {
        Step step = next(std::move(job), {now, std::move(what), boot}, *rules);
        job = std::move(step.job);
        effects = std::move(step.effects);
        QStringList lines;
        for (const Effect &effect : effects) {
            lines.append(describe(job, effect));
        }
        return lines;
    }
    QUuid uuid(TaskRef ref) const { return tryUuid(job, ref); }
    QStringList grant(const std::vector<TaskRef> &tasks)
    {
        event::PlacementGranted granted;
        for (TaskRef ref : tasks) {
            granted.grants.push_back({ref, uuid(ref), {u"local"_s, u"127.0.0.1"_s, {ref.index}, {}}});
        }
        return say(granted);
    }
    QStringList ports(const std::vector<TaskRef> &tasks)
    {
        event::PortsDrawn drawn;
        for (TaskRef ref : tasks) {
            drawn.tasks.push_back({ref, uuid(ref), {{u"http"_s, {15000 + ref.index}}}});
        }
        return say(drawn);
    }
    QStringList started(TaskRef ref) { return say(event::TryStarted{ref, uuid(ref), {u"boot"_s, 42, 7}, now}); }
    QStringList ended(TaskRef ref, int code, bool ran = true)
    {
        return say(event::TryEnded{ref, uuid(ref), {code, code, {}, {}}, 0, 0, ran});
    }
    void run(const std::vector<TaskRef> &tasks)
    {
        grant(tasks);
        ports(tasks);
        for (TaskRef ref : tasks) {
            started(ref);
        }
    }

    JobState job;
    std::vector<Effect> effects;
    qint64 now = 1000;
    std::optional<BootTime> boot;
    const ExitRules *rules = &ExitRules::bundled();
};

inline JobPolicy workers(int instances, bool gang = true)
{
    JobPolicy policy;
    policy.gang = gang;
    policy.roles.push_back({u"w"_s, instances, 1, -1, 0, {}});
    policy.guards = scenarios::openPaiRetryLimits();
    return policy;
}

inline constexpr TaskRef w0{0, 0}, w1{0, 1};

} // namespace trainyard::core::played
