// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/import/batchfindings.h"
#include "model/import/batchscript.h"

// The requirements of a script's commands: the environment of the user who submits it, arguments, Slurm itself.
namespace trainyard::batch
{

// Whether the commands start the tasks of the job themselves, by mpirun.
bool startsTasks(const Script &script);

// The variables that a script reads and does not set, without those that Slurm and every shell have; those with a value
// of their own ("${LR:-0.1}") are among them. In their order. `known`: what sets them elsewhere.
QStringList readVariables(const Script &script, const QStringList &known, ByteRange *at = nullptr);
// The arguments that it reads: "$1", "$@". There are none if the script sets them, or if only functions have arguments.
QStringList readArguments(const Script &script, ByteRange *at = nullptr);
// The commands of Slurm that it runs, other than srun and what is replaced: "sbatch", "scontrol requeue".
QStringList slurmCommands(const QByteArray &line);

// Whether a value that a variable gets looks like a secret: by the variable's name, or by how the tokens of well-known
// services begin.
bool isNameOfSecret(const QString &name); // whatever the value is
bool looksSecret(const QString &name, const QString &value);

// Adds findings about all of this, and about secrets in the text of the script.
void sayUsage(const Script &script, const QStringList &known, Findings &findings);
// Adds a finding where mpirun runs in each of several tasks.
void sayOfMpirun(const QList<Line> &lines, qint64 instances, Findings &findings);
// Adds a finding for a launcher that starts a process for each GPU, and more of them than the task asks for GPUs.
// Launchers of MPI do not count: their processes are as often for processors.
void sayOfLaunchers(const QList<Line> &lines, qint64 gpus, Findings &findings);

} // namespace trainyard::batch
