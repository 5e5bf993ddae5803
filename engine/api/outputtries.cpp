// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/outputtries.h"

#include "engine/api/tasklabel.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace trainyard
{

QHash<QString, QList<OutputTry>> outputTries(const QList<TaskInfo> &tries)
{
    QHash<QString, QList<OutputTry>> all;
    QSet<QString> known;
    for (const TaskInfo &task : tries) {
        if (!task.logFolder.isEmpty() && !known.contains(task.logFolder)) {
            known.insert(task.logFolder);
            all[taskLabel(task)].append({task.logFolder, task.keptFrom.value_or(task.attempt), newestBegunTry(task)});
        }
    }
    for (QList<OutputTry> &ofTask : all) {
        std::stable_sort(ofTask.begin(), ofTask.end(), [](const OutputTry &a, const OutputTry &b) {
            return std::pair(a.attempt, a.number) < std::pair(b.attempt, b.number);
        });
    }
    return all;
}

} // namespace trainyard
