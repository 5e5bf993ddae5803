// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

#include <QHash>
#include <QList>
#include <QString>

namespace trainyard
{

// Where one task of an attempt runs, as far as the other tasks must know it.
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

// The PAI_* environment of docs/protocol.md ("Environment") with both spellings of role names and all variables set.
// The part that may be large is computed once per attempt, the rest per task.
class TaskEnvironment
{
public:
    TaskEnvironment(const JobSpec &job, const JobIdentity &identity, const QList<TaskPlacement> &placements);
    // Pairs of name and value in order. `workDir` and `taskTry` are the task's own.
    QList<std::pair<QString, QString>> forTask(
        const QString &role, int index, int taskTry, const QString &workDir) const;
    // The two parts of it: what all tasks of the attempt have, and what each task adds or replaces. The first grows
    // with the number of tasks, so that it is sent once.
    const QList<std::pair<QString, QString>> &forAll() const { return m_global; }
    QList<std::pair<QString, QString>> ownOfTask(
        const QString &role, int index, int taskTry, const QString &workDir) const;
    // The variables of forAll() that `other` lacks, or has with another value.
    QList<std::pair<QString, QString>> besides(const TaskEnvironment &other) const;

private:
    JobSpec m_job;
    JobIdentity m_identity;
    QList<TaskPlacement> m_placements;
    QHash<QString, qsizetype> m_roles;
    QHash<std::pair<QString, int>, qsizetype> m_tasks;
    QList<std::pair<QString, QString>> m_global;
};

// The variables that an OpenPAI server itself sets for a task: those that are the same in every task of the job, and
// with a role the two or three that differ. Its runtime adds addresses and ports when the tasks are placed.
QList<std::pair<QString, QString>> serverEnvironment(
    const JobSpec &job, const QString &user, const QString &role = {}, int index = 0);

// The role name as OpenPAI's runtime spells it in variables: lower case, only [a-z0-9].
QString squeezedRoleName(const QString &role);
// How variables spell the name of each role, in the order of the file: as OpenPAI's runtime does, as it is written, and
// as version 1 called it.
QList<QStringList> spellingsOfRoles(const JobSpec &job);
// The role name with _ for every character that a shell does not accept in the name of a variable.
QString wordOfRole(const QString &role);

} // namespace trainyard
