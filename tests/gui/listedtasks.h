// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QObject>
#include <QStringList>

namespace trainyard
{

// Tasks in short, for the tests of what shows them.
class ListedTasks : public QObject
{
protected:
    // "worker 0 R" per line: role, index, first letter of the state.
    static QList<TaskInfo> tasks(const QStringList &lines, int attempt = 0)
    {
        QList<TaskInfo> result;
        for (const QString &line : lines) {
            const QStringList words = line.split(QLatin1Char(' '));
            TaskInfo task;
            task.role = words.at(0);
            task.index = words.at(1).toInt();
            task.attempt = attempt;
            switch (words.at(2).at(0).toLatin1()) {
            case 'R':
                task.state = State::Running;
                break;
            case 'S':
                task.state = State::Succeeded;
                break;
            case 'F':
                task.state = State::Failed;
                break;
            default:
                task.state = State::Waiting;
                break;
            }
            result.append(task);
        }
        return result;
    }
};

} // namespace trainyard
