// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sharedwork.h"

#include "app/cli/console.h"
#include "app/cli/session.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qsizetype mostHosts = 4; // each is a question to the engine

} // namespace

QStringList sharedWorkLines(Session &session, const QString &job, const QList<TaskInfo> &tasks)
{
    QStringList asked, lines;
    for (const TaskInfo &task : tasks) {
        const bool isElsewhere = !task.host.isEmpty() && task.host != "local"_L1 && !task.logFolder.isEmpty();
        if (!isElsewhere || asked.contains(task.host) || asked.size() >= mostHosts) {
            continue;
        }
        asked.append(task.host);
        const Result<TaskFolder> place = session.call<api::GetTaskFolder>({job, task.role, task.index});
        // A host that is not connected does not reduce what is shown of the job.
        if (place && place->isHere && !place->target.isEmpty()) {
            lines.append(tr("in %1, which %2 shares with this computer").arg(place->work, place->host));
        }
    }
    return lines;
}

} // namespace trainyard::cli
