// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <optional>
#include <vector>

namespace trainyard
{

// One of the tasks that decide when a job ends.
struct TaskProgress {
    int role = 0;
    enum class State {
        Waits, // it has not begun, or begins again
        Runs,
        Succeeded,
        Failed,
    } state
        = State::Runs;
    std::optional<double> fraction = {}; // 0 to 1, as its output says
    std::optional<qint64> endExpected = {}; // ms UTC
};

// A rule that ends the job: when so many tasks have ended, of one role or of all.
struct EndRule {
    int count = 1;
    int of = 1; // tasks that there are; more than are known, where not all outputs are read
    std::optional<int> role = {}; // nothing: all
    bool isSuccess = false; // only those count that have succeeded
};

struct JobProgress {
    std::optional<double> fraction;
    std::optional<qint64> endExpected; // nothing while one of the tasks that it takes has not begun, or is not known
    friend bool operator==(const JobProgress &, const JobProgress &) = default;
};

// How far a job is, and when it ends: by the rule that is nearest, and of the tasks that this one takes, by the
// slowest. Where tasks begin as there is room for them, the slowest has often not begun, and the mean of them is told.
// A task that says nothing is taken for one that goes along with the others.
JobProgress progressOfJob(
    const std::vector<EndRule> &rules, const std::vector<TaskProgress> &tasks, bool beginTogether);

} // namespace trainyard
