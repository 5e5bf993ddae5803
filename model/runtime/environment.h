// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QHash>
#include <QList>
#include <QString>

namespace trainyard
{

// Where one task of an attempt is: what the others must know of it.
struct TaskPlacement {
    QString role;
    int index = 0;
    QString address; // reachable from every task of the job; empty when not placed yet
    QList<std::pair<QString, QList<int>>> ports; // label -> port numbers, in label order (written ones, ssh, http)
};

struct JobIdentity {
    QString user;
    QString jobName; // unique name (PAI_JOB_NAME is user~jobName)
    QString uuid;
    int attempt = 0;
};

// The PAI_* environment of docs/protocol.md ("Environment"), both spellings of role names, nothing unset. Computed once
// per attempt and then per task, because the global part may be large.
class TaskEnvironment
{
public:
    TaskEnvironment(const JobSpec &job, const JobIdentity &identity, const QList<TaskPlacement> &placements);
    // Ordered name/value pairs. workDir and taskTry are the task's own.
    QList<std::pair<QString, QString>> forTask(
        const QString &role, int index, int taskTry, const QString &workDir) const;

private:
    JobSpec m_job;
    JobIdentity m_identity;
    QList<TaskPlacement> m_placements;
    QHash<QString, qsizetype> m_roles;
    QHash<std::pair<QString, int>, qsizetype> m_tasks;
    QList<std::pair<QString, QString>> m_global;
};

// What an OpenPAI server itself tells a task: the same in every task of the job, and with a role the two or three that
// differ. Its runtime adds addresses and ports when the tasks are placed.
QList<std::pair<QString, QString>> serverEnvironment(
    const JobSpec &job, const QString &user, const QString &role = {}, int index = 0);

// Role name as OpenPAI's runtime spells it in variables: lower case, only [a-z0-9].
QString squeezedRoleName(const QString &role);
// With _ for all that a shell does not take in the name of a variable.
QString wordOfRole(const QString &role);

} // namespace trainyard
