// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/taskoutline.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard
{

void countState(TaskCounts &counts, State state, int more)
{
    switch (state) {
    case State::Succeeded:
        counts.succeeded += more;
        break;
    case State::Failed:
        counts.failed += more;
        break;
    case State::Stopped:
        counts.stopped += more;
        break;
    case State::Waiting:
    case State::Unknown:
        counts.waiting += more;
        break;
    case State::Running:
    case State::Stopping:
        counts.running += more;
        break;
    }
}

QJsonObject TaskOutline::toJson() const
{
    QJsonArray allRoles, allTasks;
    for (const RoleCounts &each : roles) {
        const TaskCounts &c = each.counts;
        allRoles.append(QJsonObject{
            {u"role"_s, each.role}, {u"counts"_s, QJsonArray{c.waiting, c.running, c.succeeded, c.failed, c.stopped}}});
    }
    for (const TaskInfo &task : tasks) {
        allTasks.append(task.toJson());
    }
    return {{u"roles"_s, allRoles}, {u"tasks"_s, allTasks}};
}

TaskOutline TaskOutline::fromJson(const QJsonObject &json)
{
    TaskOutline outline;
    const QJsonArray allRoles = json.value("roles"_L1).toArray();
    for (const QJsonValue &each : allRoles) {
        const QJsonArray c = each.toObject().value("counts"_L1).toArray();
        outline.roles.append({each.toObject().value("role"_L1).toString(),
            {c.at(0).toInt(), c.at(1).toInt(), c.at(2).toInt(), c.at(3).toInt(), c.at(4).toInt()}});
    }
    const QJsonArray allTasks = json.value("tasks"_L1).toArray();
    for (const QJsonValue &each : allTasks) {
        outline.tasks.append(TaskInfo::fromJson(each.toObject()));
    }
    return outline;
}

} // namespace trainyard
