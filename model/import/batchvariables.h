// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchshape.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
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

// The variables that programs read to learn of each other, as srun sets them in each task of a step. SLURM_STEP_ID is
// not among them: from it, a program of MPI would conclude that srun has connected its processes.
QStringList srunVariables();
// The lines of a shell that set them for the tasks of a role.
QByteArrayList srunExports(const VariablesOf &of);
// The variables that srun sets differently for a step with fewer tasks, as words for "env".
QByteArray variablesOfFewer(qint64 tasks);

} // namespace trainyard::batch
