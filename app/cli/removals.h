// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/meantjobs.h"

#include <QStringList>

namespace trainyard::cli
{

// Jobs to remove, and those that their star keeps: it is for what must not be lost by mistake.
struct Removals {
    QList<JobSummary> jobs, kept;
};

// Finds the finished jobs in one of these states (or in any, when none is given) that ended before a time.
Result<Removals> removalsByState(Session &session, const QStringList &states, qint64 endedBefore, bool alsoStarred);

// Takes jobs that words mean: one that is named itself has no other protection.
Removals removalsOf(const MeantJobs &meant, bool alsoStarred);

// It cannot be undone, so the user is asked; a script passes the option `yes`.
bool isSureToRemove(const QList<JobSummary> &jobs, const QString &yes);

// "3 jobs removed. Archived among them: 1."
QString removedText(const QList<JobSummary> &jobs);
// Says which jobs stay, and that the option `starred` removes them.
void sayKept(const QList<JobSummary> &kept, const QString &starred);

} // namespace trainyard::cli
