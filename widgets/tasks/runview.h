// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/failurefacts.h"
#include "engine/api/jobfacts.h"
#include "engine/api/values.h"

#include <QHash>
#include <QSet>

namespace trainyard
{

// A host of a run that could not be reached for a time. Its tasks go on meanwhile.
struct HostCut {
    QString host; // id
    qint64 from = 0; // ms UTC: when it was last seen
    std::optional<qint64> until = {}; // it was reached again; nothing: it still is not
    friend bool operator==(const HostCut &, const HostCut &) = default;
};
// Whether the job says that a host with tasks of it cannot be reached.
bool isOutOfReach(const JobSummary &job);
// The cuts that are known once the job says this: a new one, the same, or none any more.
QList<HostCut> cutsWith(QList<HostCut> cuts, const JobSummary &job, qint64 now);

// The waits that are known once the job says what it waits for now: those of the pool, which change all the time, not.
QList<WaitNote> waitsWith(QList<WaitNote> waits, const JobSummary &job, qint64 now);

// The contents of the page of a run, which its parts get whenever they change.
struct RunView {
    JobSummary job;
    QList<AttemptInfo> attempts; // oldest first
    QByteArray yaml; // of the newest attempt, secrets masked
    QString unresolved; // what is said of references in its commands that refer to nothing
    QString work; // as in JobDetail
    QString place; // formerTarget(): where it was to run
    QString runFolder;
    QList<ServiceInfo> services;
    bool isRehearsal = false;
    std::optional<OtherJob> rehearsal, promoted; // as in JobDetail
    QHash<QString, QString> hostLabels; // by the id of the host
    QSet<QString> connecting = {}; // ids of other computers to which a connection is being made
    int attempt = 0; // the one whose tasks are shown
    QList<HostCut> cuts = {}; // since the page is looked at, oldest first; one that lasts has the time of before
    QList<EarlierText> earlierTexts = {}; // as in JobDetail
    QList<WaitNote> waits = {}; // of a job on a cluster, oldest first
    std::optional<qint64> graceSeconds; // that its tasks have to end in order when it is stopped; nothing: not known

    const AttemptInfo *shownAttempt() const; // nothing until the engine has listed it
    std::optional<TextOfAttempt> textOf(int attempt) const; // nothing: it is not known any more
    // The shown attempt ran with the same text as the newest one.
    bool showsNewestText() const { return textOf(attempt) == TextOfAttempt{yaml, job.parameters}; }
    const AttemptInfo *formerAttempt() const; // the one shown, when it is not the newest
    int tellingAttempt() const; // trainyard::tellingAttempt()
    int attemptCount() const; // with one that did not begin
    // Why the job, or the attempt that is shown, has failed: the job as it was then. Nothing: it has not.
    std::optional<JobSummary> failure() const;
    // "worker/0": the task that failed first or, where that only lost another one, the other; empty: none is known.
    QString causeTask() const;
    // Another task of that attempt that failed as well: the attempt and the job as if it had ended them. Nothing: it is
    // the one above, or it has not failed.
    struct Failure {
        JobSummary job;
        AttemptInfo attempt;
    };
    std::optional<Failure> otherFailure(const TaskInfo &task) const;
    // The cause that the output of a task of that attempt shows; empty: none.
    FailureFacts findingIn(const TaskInfo &task) const;
    bool showsNewest() const { return attempts.isEmpty() || attempt == attempts.constLast().index; }
    qint64 clock(qint64 now) const; // all clocks of a paused job stop
    QJsonObject reasonArgs() const; // of the job, with the labels of the hosts
    // The label of the host for which the job waits and to which a connection is being made; empty: there is none.
    QString connectingTo() const;
};

} // namespace trainyard
