// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/sweeproom.h"
#include "model/sweep/sweepjobs.h"

#include <QSet>

namespace trainyard::cli
{

// A sweep as its command line asks for it.
struct Sweep {
    QString group;
    SweepPlan plan;
    QStringList parameters;
    QList<SweepPoint> points; // of each job, in the order of the parameters
    JobSpec job; // with the values that its document has
    JobDemand demand; // of one job
    int limit = 0; // jobs at a time; 0: any number
    int placed = 0; // as SweepRoom has it
    QString stopWorse; // empty, or a rule
    bool sharesFolder = false; // its jobs would overwrite each other's files, if they write any
    bool writesSamePath = false; // they do

    qint64 atOnce() const { return jobsAtOnce(points.size(), limit, placed); } // jobs
    QString nameOf(qsizetype index) const { return sweepJobName(group, index, points.size()); }
};

// The jobs that would be submitted, as a table with the demand below it, or as JSON.
void printSweep(const Sweep &sweep, bool json);
// The effect of the rule that stops the worse jobs; empty without a rule.
QString ruleText(const Sweep &sweep);
// Says that earlier runs have other metrics than the rule names; empty where one has it, or none has any.
QString unknownMetricText(const Sweep &sweep, const QStringList &known);
// The submitted jobs: {group, seed, jobs: [{id, uuid, name, parameters}]}.
void printSubmitted(const Sweep &sweep, const QList<SubmitReply> &replies);
// Which jobs the group has, by these numbers of the sweep: with those that others have put into it, `inGroup`; `known`
// of the sweep were there before.
QString groupText(const QString &group, QList<qint64> numbers, qsizetype inGroup, qsizetype known);
// After their end: that the rule was not applied to jobs that never came to its step, or that ended before
// it could be applied; empty where it was to all. `wanted`: jobs that the user ran again after the rule had stopped
// them.
QString unjudgedText(const Sweep &sweep, const QList<JobSummary> &jobs, const QSet<QString> &wanted = {});

} // namespace trainyard::cli
