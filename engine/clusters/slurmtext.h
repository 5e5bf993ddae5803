// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QHash>
#include <QList>
#include <QStringList>

#include <optional>

// The arguments and the output of the commands of Slurm (22.05 and later): text with named fields, which has stayed
// the same for years, while their JSON has not. Pure.
namespace trainyard::slurm
{

// The id in what `sbatch --parsable` prints, whatever a site prints before it; empty: there is none.
QString submittedId(const QByteArray &said);

// A job of the queue, or an element of an array. Slurm forgets it some minutes after its end (MinJobAge).
struct QueueRow {
    QString id; // "123", "123_4", "123+0"
    QString state; // PENDING, RUNNING, ...
    QString comment;
    QString reason; // why it is pending, or why it ended
    qint64 start = 0; // UTC seconds: begun, or expected to begin; 0: not known
    QString name = {};
    QString script = {}; // its path, and arguments
    friend bool operator==(const QueueRow &, const QueueRow &) = default;
};
QStringList queueArguments(); // of squeue, for all jobs of the user
QStringList queueArguments(const QStringList &ids); // for these of them
bool isUnknownToQueue(const QByteArray &said); // what squeue says, and fails, of a single job that is not there
QList<QueueRow> queueRows(const QByteArray &said);

// The position of a job among those that wait for a partition, by their priority and then by their age. Jobs that wait
// for anything but their turn are not counted.
struct LinePlace {
    QString partition;
    int position = 0, length = 0; // the first one is 1
    friend bool operator==(const LinePlace &, const LinePlace &) = default;
};
QStringList lineArguments(); // of squeue, for the jobs of all users; a site may show only those of the user
QHash<QString, LinePlace> linePlaces(const QByteArray &said); // by the ids of jobs, without those of elements
bool waitsForItsTurn(const QString &reason);

// A job that has left the queue, as the accounts have it.
struct AccountRow {
    QString id;
    QString state; // COMPLETED, TIMEOUT, "CANCELLED by 1000", ...
    QString comment;
    qint64 start = 0;
    QString name = {}, line = {}; // it was submitted by
    friend bool operator==(const AccountRow &, const AccountRow &) = default;
};
// The arguments of sacct. `hasLines`: it knows the lines of submission, as since Slurm 21.08.
QStringList accountArguments(const QStringList &ids, bool hasLines = true);
bool isWithoutLines(const QByteArray &said); // what it says, and fails, when it does not know them
QList<AccountRow> accountRows(const QByteArray &said); // of all runs, and of all jobs that have had the number
QList<AccountRow> newestRuns(const QList<AccountRow> &rows); // one of each job
// Elements of an array that ended before they began share a row: "12_[0-2,7]". Any other id is itself.
QStringList elementsOf(const QString &id);
// The arguments of sacct for a job that was submitted with this comment, and not before `since` (local time). Few sites
// keep the comments of jobs, but the line of the submission has it, too. The answer is empty if the job is not found.
QStringList searchArguments(const QString &name, const QDateTime &since, bool hasLines = true);
QString idInAccounts(const QByteArray &said, const QString &comment);
bool hasNoAccounts(const QByteArray &said); // what sacct says where the site keeps none

enum class Phase { Pending, Running, Over };
// PREEMPTED is final only when the job is not queued again, which its row says. An unknown state, for example of a
// later version, is not an end: while the cluster has the job, it may run.
Phase phaseOf(const QString &state);
// Whether a job is no longer in the queue. `wasThere`: it was there before.
bool hasLeft(const QString &state, bool wasThere);
bool isSuspended(const QString &state); // it runs, and its processes are stopped by the cluster

// Why a job waits, as a sentence's code: "wait.slurm" {reason} or one of those that say what can be done, such as
// "wait.slurm-resources", "wait.slurm-qos" (all with {reason, target, start?}; `start`: UTC ms, as Slurm expects it).
Error waitReason(const QueueRow &row, const QString &target);
// The same for a job with a time limit of its own, whose time then comes from the job and not from the target:
// "wait.slurm-job-time-limit" {minutes, spare}. `limitMs` 0: it has none.
Error waitReasonOfLimit(Error why, qint64 limitMs, qint64 graceMs);

} // namespace trainyard::slurm
