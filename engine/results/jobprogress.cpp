// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/results/jobprogress.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace trainyard
{
namespace
{

bool hasEnded(const TaskProgress &task)
{
    return task.state == TaskProgress::State::Succeeded || task.state == TaskProgress::State::Failed;
}

double fractionOf(const TaskProgress &task)
{
    return hasEnded(task) ? 1 : task.state == TaskProgress::State::Waits ? 0 : task.fraction.value_or(0);
}

// Whether it can still be one of those that the rule counts.
bool isFor(const EndRule &rule, const TaskProgress &task)
{
    return (!rule.role || task.role == *rule.role) && !(rule.isSuccess && task.state == TaskProgress::State::Failed);
}

// Those that the rule looks at and that tell how far they are, the furthest first.
std::vector<TaskProgress> tellingTasks(const EndRule &rule, const std::vector<TaskProgress> &tasks)
{
    std::vector<TaskProgress> found;
    std::copy_if(tasks.begin(), tasks.end(), std::back_inserter(found), [&rule](const TaskProgress &task) {
        return isFor(rule, task) && (task.state != TaskProgress::State::Runs || task.fraction);
    });
    std::stable_sort(found.begin(), found.end(),
        [](const TaskProgress &a, const TaskProgress &b) { return fractionOf(a) > fractionOf(b); });
    return found;
}

JobProgress progressBy(const EndRule &rule, const std::vector<TaskProgress> &tasks, bool beginTogether)
{
    const std::vector<TaskProgress> telling = tellingTasks(rule, tasks);
    const bool oneRuns = std::any_of(telling.begin(), telling.end(),
        [](const TaskProgress &task) { return task.state == TaskProgress::State::Runs; });
    const auto useless = std::count_if(tasks.begin(), tasks.end(),
        [&rule](const TaskProgress &task) { return (!rule.role || task.role == *rule.role) && !isFor(rule, task); });
    const std::ptrdiff_t of = rule.of - useless;
    if (!oneRuns || rule.count < 1 || rule.count > of) {
        return {}; // nothing is known of those that are left, or too few are
    }
    // If fewer tasks tell than there are, as many fewer have to be ready.
    const auto known = std::ptrdiff_t(telling.size());
    const auto end = telling.begin() + (known >= of ? rule.count : (rule.count * known + of - 1) / of);
    JobProgress progress;
    progress.fraction = beginTogether
        ? fractionOf(*std::prev(end))
        : std::accumulate(telling.begin(), end, 0.0, [](double sum, const TaskProgress &task) {
              return sum + fractionOf(task);
          }) / double(end - telling.begin());
    for (auto task = telling.begin(); task != end; ++task) {
        if (hasEnded(*task) || task->fraction.value_or(0) >= 1) {
            continue; // what comes after the last step is not known, and is short as a rule
        }
        if (!task->endExpected) {
            progress.endExpected.reset();
            break;
        }
        progress.endExpected = std::max(progress.endExpected.value_or(0), *task->endExpected);
    }
    return progress;
}

} // namespace

JobProgress progressOfJob(const std::vector<EndRule> &rules, const std::vector<TaskProgress> &tasks, bool beginTogether)
{
    JobProgress nearest;
    for (const EndRule &rule : rules) {
        const JobProgress progress = progressBy(rule, tasks, beginTogether);
        const bool isNearer = progress.fraction && progress.fraction > nearest.fraction;
        const bool isSooner = progress.fraction && progress.fraction == nearest.fraction && progress.endExpected
            && (!nearest.endExpected || *progress.endExpected < *nearest.endExpected);
        nearest = isNearer || isSooner ? progress : nearest;
    }
    for (const TaskProgress &task : tasks) { // some outputs say only how long it takes
        if (!nearest.fraction && task.state == TaskProgress::State::Runs && !task.fraction && task.endExpected) {
            nearest.endExpected = std::max(nearest.endExpected.value_or(0), *task.endExpected);
        }
    }
    return nearest;
}

} // namespace trainyard
