// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchscript.h"

// What the commands of a script expect around them: the environment of the user who submits it, arguments, Slurm
// itself.
namespace trainyard::batch
{

// Whether they start the tasks of the job themselves, by mpirun.
bool startsTasks(const Script &script);

// The variables that a script reads and does not set, without those that Slurm and every shell have; those with a value
// of their own ("${LR:-0.1}") are among them. In their order. `known`: what sets them elsewhere.
QStringList readVariables(const Script &script, const QStringList &known, ByteRange *at = nullptr);
// The arguments that it reads: "$1", "$@". None when it sets them, or only functions have some.
QStringList readArguments(const Script &script, ByteRange *at = nullptr);
// The commands of Slurm that it runs, other than srun and what is replaced: "sbatch", "scontrol requeue".
QStringList slurmCommands(const QByteArray &line);

// Whether a value that a variable gets looks like a secret: by the variable's name, or by how the tokens of well-known
// services begin.
bool looksSecret(const QString &name, const QString &value);

// These, and secrets that it has in its text.
void sayUsage(const Script &script, const QStringList &known, Findings &findings);
// mpirun in each of several tasks.
void sayOfMpirun(const QList<Line> &lines, qint64 instances, Findings &findings);
// A launcher that starts a process for each GPU, and more of them than the task asks for GPUs. One of MPI does not
// count: its processes are as often for processors.
void sayOfLaunchers(const QList<Line> &lines, qint64 gpus, Findings &findings);

} // namespace trainyard::batch
