// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/jobtries.h"

#include <algorithm>

namespace trainyard::cli
{

Result<QHash<QString, QList<OutputTry>>> triesOfTasks(
    Session &session, const QString &uuid, int first, const QList<TaskInfo> &tasks)
{
    QList<TaskInfo> all = tasks;
    const int newest = tasks.isEmpty() ? first : tasks.constFirst().attempt;
    const bool isOnlyTry = newest == first
        && std::all_of(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return task.tries == 0; });
    for (int attempt = first; attempt <= newest && !isOnlyTry; ++attempt) {
        const Result<QList<TaskInfo>> tries = session.earlierTries(uuid, attempt);
        const Result<QList<TaskInfo>> ended
            = attempt < newest ? session.allTasks(uuid, attempt) : Result<QList<TaskInfo>>(QList<TaskInfo>());
        if (!tries || !ended) {
            return tl::unexpected<Error>(tries ? ended.error() : tries.error());
        }
        all += *tries + *ended;
    }
    return outputTries(all);
}

} // namespace trainyard::cli
