// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"
#include "engine/core/jobstate.h"

#include <QByteArray>
#include <QStringList>

#include <vector>

// How the tasks of a job become one allocation of Slurm. Pure.
namespace trainyard::slurm
{

// Tasks with the same needs are one component. Several components make a heterogeneous job, which only the backfill
// scheduler starts, so there are no more of them than needed. The tasks of a role that have to be on one node, or on
// different ones, are a component of their own.
struct Component {
    int cpus = 1;
    qint64 memoryMiB = 0; // 0: whatever the site gives
    int gpus = 0;
    int tasks = 0;
    int role = -1; // the only one of which it has tasks, because of `arrange`; -1: of any
    Arrangement arrange = Arrangement::Any; // SameHost or DifferentHosts; the others are for the cluster to choose
    friend bool operator==(const Component &, const Component &) = default;
};

struct Layout {
    std::vector<Component> components; // those with the most GPUs first
    std::vector<int> ofTask; // the component of each task
    friend bool operator==(const Layout &, const Layout &) = default;
};
Layout layoutOf(const core::JobPolicy &policy, const std::vector<core::TaskRef> &tasks);

// The share of it that a task's step takes. A step without a share would take everything, and make the others wait.
std::vector<std::string> stepOptions(const Component &component);

struct ScriptInput {
    QString folder; // of the allocation
    QString program; // the helper, on the shared file system
    QStringList options; // of the target
    Layout layout;
    bool isArray = false; // each element has one task
    QString elements; // of an array of several jobs (slurmarray.h): "0-7%2"; each has its own folder and log
    qint64 limitMs = 0; // of the job; 0: the target's, or the site's
    qint64 graceMs = 30000; // that tasks have to end
};
QString timeOption(const QStringList &options); // the value of the last --time; empty: there is none
// How long before the end of its time a job is told of it, as far as its own options say when that is.
qint64 noticeSecondsOf(const ScriptInput &input);
QByteArray jobScript(const ScriptInput &input);
QByteArray directives(const ScriptInput &input); // what the script asks for, without anything that it does

// The arguments of sbatch in addition to the script: those that must not be in the file, or cannot be written there.
// The notice of the end of the time follows from the limits of `input`, which are in the script.
QStringList submitArguments(const ScriptInput &input, const QString &name, const QString &comment);

// The script with the command that submits it, for people.
QByteArray submissionText(const ScriptInput &input, const QString &name, const QString &comment);

} // namespace trainyard::slurm
