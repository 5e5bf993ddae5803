// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchshape.h"
#include "model/import/batchsteps.h"

namespace trainyard::batch
{

struct Role { // of the job
    QString name;
    qint64 instances = 1;
    qint64 cpusPerTask = 1; // as the script says
    qint64 tasksInOne = 1; // of the script, in each task of the job, as mpirun starts them
    qint64 component = 0; // of a heterogeneous job
    Demand demand;
    Arrangement arrange = Arrangement::Any; // of its tasks, on at least so many nodes
    qint64 nodes = 0;
    ByteRange nodesAt = {};
    QString image; // as the step says; empty: it does not
    QList<Line> lines;
    bool decides = false; // the job ends with it
};

struct BatchRoles {
    QList<Role> roles; // at least one
    bool needsSrun = false; // their lines call it
    qint64 tasksPerNode = 0; // of its calls that say how many nodes and not how many tasks; 0: all tasks
};

// The task roles of a script with commands, from its steps and the shapes of its components.
BatchRoles batchRoles(const Script &script, const QList<Shape> &shapes, Findings &findings);

} // namespace trainyard::batch
