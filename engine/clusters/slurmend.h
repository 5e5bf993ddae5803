// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/srunwords.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/jobstate.h"

#include <optional>

// Derives the results of tasks that ended together with their allocation. Pure.
namespace trainyard::slurm
{

// Completion codes (docs/execution.md).
constexpr int codeLost = -101;
constexpr int codeRefused = -200;
constexpr int codeNotStarted = -300;
constexpr int codeNoFolder = -2010; // as on a host: something that the job names is not there

struct EndFacts {
    QString state; // of the job at the cluster, in Slurm's words; empty: the cluster no longer knows it
    QString target;
    QString reason; // Slurm's, of that state
    QString detail; // what the lead or the batch script said last
    bool wasStarted = false; // the task had begun
    bool isLed = false; // its lead has come to the end, and `detail` says more than the cluster
    contract::SrunWords words = {}; // of its step, or of the batch script
    qint64 limitSeconds = 0; // the time limit of the job; 0: it has none
    qint64 pausedMs = 0; // for how long it was paused, which counts as time of the allocation
};

// It was cancelled there, but not by Trainyard: the job is to be stopped, rather than the task to fail.
bool isCancelled(const QString &state);
// The reason why one element of an array ended while the others continue: its task is stopped, and the job is not.
core::TryResult resultOfCancelled(const QString &state, const QString &target);
// It was queued again while it ran, by an administrator or the site's rules.
core::TryResult resultOfRequeued(const QString &target);
// Whether an element that is in this state continues: it is not about to end by the same cancellation.
bool goesOn(const QString &state);
// Nothing when its own record says all: the cluster did not end it. `limitSeconds` and `pausedMs` as above.
std::optional<core::TryResult> resultByCluster(
    const QString &state, const QString &target, qint64 limitSeconds = 0, qint64 pausedMs = 0);
// The same where its lead has ended it before that, so that its tasks had their grace period: `before` seconds before
// the time `option` of the target. Without an option it stays as it is.
core::TryResult resultByNotice(core::TryResult byCluster, const QString &option, qint64 before);
// It used more memory than it had asked for, and the cluster ended it for that; nothing: not as far as is known.
std::optional<core::TryResult> resultByMemory(const contract::SrunWords &words);
// It ended well, after it had been asked to end because the time of its allocation was over soon.
core::TryResult resultAfterNotice(const QString &target);
// Its lead ended it at the time limit of the job, as the engine was away.
core::TryResult resultByLimit(qint64 limitSeconds);
// It was ended before it had begun. This is not a failure of the task itself, but a consequence of what ended it.
bool isStoppedBefore(const contract::ExitRecord &record);
// The result of a task without a record of its end.
core::TryResult resultWithoutRecord(const EndFacts &facts);

} // namespace trainyard::slurm
