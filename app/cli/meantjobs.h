// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <QSet>

namespace trainyard::cli
{

// The jobs that words of a command line mean. Every command that takes jobs takes the same words: the number, the name
// or the beginning of the UUID of one job, and words for several jobs: numbers ("38-46", "38,40-42"), a group
// ("group:NAME") and conditions as for 'ps' ("tag:mix", "state:failed lr>0.1").
struct MeantJobs {
    QList<JobSummary> jobs; // each once; those of one word oldest first
    QSet<QString> named; // the UUIDs of those that a word names by themselves
    bool areSeveral = false; // a word denotes several jobs, however many these are now
    QSet<QString> added = {}; // the UUIDs of all jobs, once add() has been called

    bool isNamed(const JobSummary &job) const { return named.contains(job.uuid); }
    void add(const MeantJobs &more);
};

// A group has exactly this name, and includes its archived jobs. For other words, archived jobs are left out as in
// 'ps'. Errors: group.unknown {group}, jobs.none {word}, jobs.no-filter {word, detail}, job.unknown-term {job, term},
// job.unknown-near {job, near}, and those of api::FindJob.
Result<MeantJobs> jobsOfWord(Session &session, const QString &word);
// Whether a word is none of these, and may be a task.
bool isNoJob(Session &session, const QString &word);
// For actions on active jobs: of several jobs of one name, the active one is meant, even if a newer one has ended.
// Additional error: job.several-active {job, jobs}.
Result<MeantJobs> activeJobsOfWord(Session &session, const QString &word);

// For what is done with one job that may be any: says on stderr which one is meant where several of the active and of
// the newest jobs have this name.
void sayWhichOfSeveral(Session &session, const QString &word, const JobSummary &job);
QString whichOfSeveral(
    const QString &word, const JobSummary &job, QList<JobSummary> all); // or empty: it is the only one

// Whether a word is a filter of jobs and not one of them: it has a condition. "name:NAME" is the job of just this name.
bool hasConditions(const QString &word);
// For what is done with jobs. 'ps' takes conditions in several words for such that all hold; as words for jobs, each
// would add its own. Says so and returns true, except where all are groups.
bool refusesSplitConditions(const QStringList &words);

// The condition of 'ps' that a person means by a word that is not a job: "state:failed" for "failed"; else empty.
QString termMeantBy(const QString &word);

} // namespace trainyard::cli
