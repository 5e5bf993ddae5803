// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmcommands.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QString>

// Interprets the messages of commands of Slurm that failed, above all why sbatch refused a job. Pure.
namespace trainyard::slurm
{

// Whether the commands of Slurm are there, but have no configuration that names the cluster.
bool isUnconfigured(const QByteArray &said);
// Why a command has not answered a question: {program, detail}. Codes: slurm.login-away, slurm.no-commands,
// slurm.not-runnable (it is there, and cannot be run: a shell or the loader says so by its status), slurm.unconfigured,
// slurm.silent.
Error whyNoAnswer(const QString &program, const SlurmCommands::Answer &answer);

// Why sbatch refused, in its own words: the last line that it said of it, with the limit that it names before.
QString refusal(const QByteArray &said);
// Whether it may take the job later: its controller does not answer, or a limit of jobs is reached. Unclear: a limit of
// jobs, or one of what a single job may take. Array: it takes no array, or none of this size.
enum class Refusal { Silent, Limit, Unclear, Array, Final };
Refusal refusalKind(const QString &refusal);
// The same of a command that ended with this status; -1: it was killed, or has not ended. One that was killed, could
// not be run or says nothing of a job does not say either that the cluster refuses it.
Refusal refusalOf(int status, const QString &refusal);
// Why a job waits that was refused for now. The files of a cluster behind a login node are not for this computer.
QString waitAfter(Refusal refusal, const QByteArray &said, bool isBehindLogin);
// Whether the whole output of sbatch shows that it ended before it submitted anything: it does not find its
// configuration, or no server accepts its call. A request that may have been sent without an answer does not count.
bool isBeforeSubmission(const QByteArray &said);
// Whether a job that was refused so many times is not tried again. `hasOthers`: other jobs of this engine are there,
// whose number may be the reason.
bool isFinal(Refusal kind, int refusals, bool hasOthers);

} // namespace trainyard::slurm
