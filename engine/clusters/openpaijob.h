// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/core/next.h"

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

// Reads an OpenPAI cluster's answers about a job and translates them. Pure.
namespace trainyard::openpai
{

constexpr int codeLost = -101; // completion codes (docs/execution.md)
constexpr int codeRefused = -200;
constexpr int codeNotStarted = -300;

// Why something ended, according to the exit specification of the cluster.
struct Exit {
    std::optional<int> code;
    QString phrase; // ContainerCudaOOMKilled
    QString type; // USER_FAILURE, PLATFORM_FAILURE, ...
    QString words; // its reason; never what a program has printed
    friend bool operator==(const Exit &, const Exit &) = default;
};

struct TaskThere {
    QString role;
    int index = 0;
    QString state; // WAITING, RUNNING, ...
    int retries = 0;
    int attempt = 0; // of the task, for its logs
    qint64 launched = 0, completed = 0; // ms UTC; 0: not yet
    QString node, address;
    Exit exit;
    bool hasBegun() const; // it has run, or runs
    friend bool operator==(const TaskThere &, const TaskThere &) = default;
};

struct JobThere {
    QString state; // WAITING, RUNNING, STOPPING, STOPPED, SUCCEEDED, FAILED; empty: not known
    bool isStopRequested = false;
    int retries = 0, userRetries = 0, platformRetries = 0;
    int attempt = 0; // of the job there
    std::optional<int> retryDelaySec;
    qint64 completed = 0;
    Exit exit;
    QString triggerRole; // which task decided; empty: none
    int triggerIndex = -1;
    std::optional<int> rawExit; // what the program of that one returned
    QList<TaskThere> tasks;
    bool isFinal() const;
    const TaskThere *task(const QString &role, int index) const;
    int retriesOf(const QString &role, int index) const; // of a task: its own in this attempt, and those of the job
    friend bool operator==(const JobThere &, const JobThere &) = default;
};
// Returns nothing if it is not a job: a proxy in between may answer with any text.
std::optional<JobThere> jobOf(const QJsonObject &detail);
// How an attempt of the job there ended, in the cluster's own words: "137 ContainerOOMKilled (worker/1)".
// Empty: it has no code, as it has not ended.
QString endWords(const JobThere &attempt);
// The newest words of the scheduler about a job that waits; empty: none.
QString waitWords(const QJsonObject &events);

// The result for the core of a job that has ended there: its tasks with their own codes, in the order in which they
// count. The tasks of one attempt here are those of the last attempt there, as its retries are the cluster's.
struct Ends {
    std::vector<core::event::TryEnded> tries;
    // The core would make another result of them: this one is the cluster's, and fixes it first.
    std::optional<core::TryResult> overruled;
    bool isStopped = false; // it was stopped there
};
// `former`: endWords() of the attempts before the last one, as far as they are known.
Ends endsOf(const JobThere &there, const core::JobState &job, const QString &target, const QStringList &former = {});
// The result of the attempt that the core would come to, if every task ended so.
int codeOfTries(const core::JobPolicy &policy, const std::vector<core::event::TryEnded> &tries);

} // namespace trainyard::openpai
