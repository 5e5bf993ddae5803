// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/export/jobscript.h"
#include "model/template/pluginsteps.h"

#include <algorithm>

namespace trainyard::exporting
{

qint64 taskRetriesOf(const JobSpec &job, const TaskRole &role) { return job.gangAllocation ? 0 : role.taskRetryCount; }

ScriptNeeds needsOf(const JobSpec &job, Starter starter)
{
    const auto any
        = [&job](const auto &holds) { return std::any_of(job.taskRoles.cbegin(), job.taskRoles.cend(), holds); };
    ScriptNeeds needs;
    const auto add = [&needs](const char *word, bool isNeeded) {
        if (isNeeded) {
            needs.insert(word);
        }
    };
    add("environment", !variablesOf(job).isEmpty() || !job.trainyard.data.isEmpty());
    if (starter == Starter::Other) {
        add("task-retries", true); // its loop is that of the only try, too
        add("retries", true);
        return needs;
    }
    const bool isMany = taskCount(job) != 1;
    const bool taskRetries = any([&job](const TaskRole &role) { return taskRetriesOf(job, role) != 0; });
    add("many", isMany);
    add("rules", isMany || any([](const TaskRole &role) { return role.effectiveMinFailed() != 1; }));
    add("images", any([&job](const TaskRole &role) { return !imageOf(job, role).isEmpty(); }));
    add("gpus", any([](const TaskRole &role) { return role.resources.gpu > 0; }));
    add("task-retries", taskRetries);
    add("job-retries", job.jobRetryCount != 0);
    add("retries", taskRetries || job.jobRetryCount != 0);
    add("stop-file", starter == Starter::Slurm); // srun would kill a task at once that it is asked to stop
    return needs;
}

QByteArray neededLines(const QByteArray &text, const ScriptNeeds &needs)
{
    QByteArray needed;
    bool isNeeded = true;
    for (qsizetype begin = 0; begin < text.size();) {
        const qsizetype lineBreak = text.indexOf('\n', begin);
        const qsizetype end = lineBreak < 0 ? text.size() : lineBreak + 1;
        const QByteArray line = text.mid(begin, end - begin);
        begin = end;
        if (line.startsWith("#@if ")) {
            const QByteArray word = line.mid(5).trimmed();
            isNeeded = word.startsWith('!') ? !needs.contains(word.mid(1)) : needs.contains(word);
        } else if (line.startsWith("#@end")) {
            isNeeded = true;
        } else if (isNeeded) {
            needed += line;
        }
    }
    return needed;
}

} // namespace trainyard::exporting
