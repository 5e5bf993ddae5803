// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchshape.h"
#include "model/import/batchsteps.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard::batch
{

// The tasks that a script's variables are for.
struct VariablesOf {
    QByteArray role;
    qint64 instances = 1;
    qint64 cpusPerTask = 1; // as the script says
    qint64 tasksInOne = 1; // of the script, in each task of the job
    Demand demand;
    QList<qint64> ids; // of the elements of an array, which the tasks are; none: they are tasks of a step
};

// The value that a shell assigns to a variable of Slurm so that it has the same meaning in a task of a job, such as
// "$PAI_TASK_INDEX" for SLURM_PROCID; nothing: there is none. Each task is like a node of its own.
std::optional<QByteArray> valueOfVariable(const QString &variable, const VariablesOf &of);

// Whether a task on a Slurm cluster, which is a step of its own there, has the same from Slurm itself: other variables
// are about that one step, or about the lead of the job, and mean something else in the script.
bool isSetBySlurm(const QString &variable);
// Whether Slurm sets it there, and nothing else has a value for it.
bool isOnlyOnSlurm(const QString &variable);
// Reports the values of variables that the script names, each once: only people know whether it can work with them.
class SaidValues
{
public:
    void say(const UsedVariable &variable, const QString &role, const VariablesOf &of, Findings &findings);

private:
    QSet<QString> m_said;
};
// "NAME=VALUE" for the shell; what Slurm has set stays.
QByteArray assignmentOf(const QString &variable, const VariablesOf &of);

// The variables that programs read to learn of each other, as srun sets them in each task of a step. SLURM_STEP_ID is
// not among them: from it, a program of MPI would conclude that srun has connected its processes.
QStringList srunVariables();
// The lines of a shell that set them for the tasks of a role.
QByteArrayList srunExports(const VariablesOf &of);
// The variables that srun sets differently for a step with fewer tasks, as words for "env".
QByteArray variablesOfFewer(qint64 tasks);

} // namespace trainyard::batch
