// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QHash>

namespace trainyard
{

// What the page of a run shows, for the parts of the page: they are given it whenever it changes.
struct RunView {
    JobSummary job;
    QList<AttemptInfo> attempts; // oldest first
    QByteArray yaml; // secrets masked
    QString unresolved; // what is said of references in its commands that refer to nothing
    QString runFolder;
    QList<ServiceInfo> services;
    bool isRehearsal = false;
    std::optional<OtherJob> rehearsal, promoted; // as in JobDetail
    QHash<QString, QString> hostLabels; // by the id of the host
    int attempt = 0; // the one whose tasks are shown
    std::optional<qint64> graceSeconds; // that its tasks have to end in order when it is stopped; nothing: not known

    const AttemptInfo *shownAttempt() const; // nothing until the engine has listed it
    const AttemptInfo *formerAttempt() const; // the one shown, when it is not the newest
    int tellingAttempt() const; // trainyard::tellingAttempt()
    // Why the job, or the attempt that is shown, has failed: the job as it was then. Nothing: it has not.
    std::optional<JobSummary> failure() const;
    // "worker/0": the task that failed first or, where that only lost another one, the other; empty: none is known.
    QString causeTask() const;
    bool showsNewest() const { return attempts.isEmpty() || attempt == attempts.constLast().index; }
    qint64 clock(qint64 now) const; // all clocks of a paused job stand
    QJsonObject reasonArgs() const; // of the job, with the labels of the hosts
};

} // namespace trainyard
