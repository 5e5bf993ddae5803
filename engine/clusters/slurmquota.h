// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmscript.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

// The use and the limits of a user on a Slurm cluster: own jobs, free GPUs, and the limits of the accounts. The
// commands are asked for named fields and answer in text, which has stayed the same for years. Pure.
namespace trainyard::slurm
{

// The lines with this number of fields, trimmed. Other output of the site before them is left out.
QList<QStringList> rowsIn(const QByteArray &said, QChar between, qsizetype fields);

// Own jobs: of squeue. {running, pending, gpus: that the running ones have, user: as the queue names them, or absent}.
QStringList ownJobsArguments();
QJsonObject ownJobsIn(const QByteArray &said);

// GPUs of the nodes that take jobs: of sinfo. [{name, gpus, free}] of each partition that has some.
QStringList freeGpusArguments();
QJsonArray freeGpusIn(const QByteArray &said);
// Whether a node in this state takes jobs, now or when others end: "idle", "mixed-", "allocated", but not "drained".
bool takesJobs(const QString &state);
// How many GPUs a list of resources has: "gpu:a100:4(S:0-1),gpu:1" is 5; what is not a number does not count.
int gpusIn(const QString &resources);

// The limits of sacctmgr. Values without a limit are absent.
// [{account, partition, qos: [names], maxJobs, maxSubmit, groupJobs, groupTres, maxTres, maxWall,
// groupTresMinutes}]; the last one is a budget, in minutes of each resource.
QStringList associationArguments(const QString &user);
QJsonArray associationsIn(const QByteArray &said);
// Asks for these qualities of service: [{name, maxJobs, maxSubmit, groupTres, maxTres, maxTresOfUser, maxWall,
// groupTresMinutes}]; the first two are those of a user. Those without a limit are left out.
QStringList qosArguments(const QJsonArray &associations);
QJsonArray qosIn(const QByteArray &said);
// The quality of service of a job that asks for none, of the same command; empty: not known. Without an account, of the
// only one that there is.
QStringList usualQosArguments(const QString &user);
QString usualQosIn(const QByteArray &said, const QString &account, const QStringList &partitions);
// The value of an option among those of a target, such as "--time="; empty: it is not there. The last one counts, as
// for sbatch.
QString valueOfOption(const QStringList &options, QLatin1StringView name);
// Whether the options of a target ask for more time than each partition allows that they name, or the default one:
// sbatch takes such jobs, and none of them ever starts. {asked, partition, limit} in Slurm's words, or empty.
// `partitions` as of partitionsIn().
QJsonObject timeThatNeverFits(const QStringList &options, const QJsonArray &partitions);
// The same of a job there, for which it has to be known what its script asks for.
QJsonObject timeOfJobThatNeverFits(const ScriptInput &input, const QJsonArray &partitions);
// A controller that has just taken such a job names its partition, and only later the time: then
// "wait.slurm-time-limit" instead of `why`.
Error waitReasonOfTime(Error why, const ScriptInput &input, const QJsonArray &partitions);
bool hasNoManager(const QByteArray &said); // what sacctmgr says where the site keeps no accounts

} // namespace trainyard::slurm
