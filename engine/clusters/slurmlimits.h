// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/slurmnamedlimit.h"
#include "engine/clusters/slurmscript.h"
#include "model/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

// The numbers of a limit of an account or a quality of service (QoS) that keeps a job from starting. The controller is
// asked for them, because it knows what all users have now, and the limits of all accounts above that of the user.
// Pure.
namespace trainyard::slurm
{

// A job of the user in the queue, or one that was refused and is not there.
struct LimitedJob {
    QString id; // empty: it is not there
    QString user; // its number, or its name
    QString account; // empty: that of the user
    QString qos;
    QStringList partitions;
    // cpu, mem (MiB), node (not of one that is not there), gres/gpu, ...; time (minutes)
    QHash<QString, qint64> asked;
    QHash<QString, qint64> ofTask = {}; // the most of it that one task asks for, of a job that is not there
};
QStringList limitedJobsArguments(); // of squeue
// One that the cluster has not taken, by what its script asks for.
LimitedJob untakenJob(const ScriptInput &input, const QString &user);
QList<LimitedJob> limitedJobsIn(const QByteArray &said);

// What scontrol says of the limits: of these qualities of service, or of all accounts and the user.
QStringList qosLimitsArguments(const QStringList &names);
QStringList accountLimitsArguments(const QString &user);
// The qualities of service whose limits a job has: that of the partition overrides its own.
QStringList qosOf(const LimitedJob &job, const QHash<QString, QString> &partitionQos);
QStringList partitionQosArguments();
// By partition, those that have one. That of the default partition also has an empty name.
QHash<QString, QString> partitionQosIn(const QByteArray &said);

// {limit, used?, asked?, of, minutes?, running?, span?}: `of` is cpu, mem (MiB), node, gres/gpu, ..., jobs, submit,
// time (minutes); `minutes`: limit and used are minutes of that; `span`: job, node, where it is not for all together.
// Empty: not known, as when none of the limits explains why the job does not start.
QJsonObject limitNumbers(const NamedLimit &named, const LimitedJob &job, const QHash<QString, QString> &partitionQos,
    const QByteArray &said);
// A wait for a limit with its numbers: "wait.slurm-over-limit" where the job alone asks for more than there may ever be
// at once, so that the end of other jobs does not help it.
Error waitReasonOfNumbers(Error why, const QJsonObject &numbers);

} // namespace trainyard::slurm
