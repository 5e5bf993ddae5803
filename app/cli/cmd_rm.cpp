// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/removals.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/words.h"

#include <QDateTime>

#include <algorithm>
#include <limits>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct RmValues {
    QStringList words, states;
    std::optional<qint64> olderThan; // seconds
    bool yes = false, starred = false, json = false;
};
const CommandLine<RmValues> &rmLine();

const QStringList &finishedStates()
{
    static const QStringList words{u"succeeded"_s, u"failed"_s, u"stopped"_s};
    return words;
}

int removeEach(Session &session, const QList<JobSummary> &jobs, ActedJobs &acted, QList<JobSummary> &removed)
{
    return askForEach(
        jobs, tr("Removing ..."), acted,
        [&](const JobSummary &job, const QString &what) { return session.call<api::Remove>({job.uuid}, what); },
        [&removed](const JobSummary &job) { removed.append(job); });
}

// Asks where `asks` is set, and removes what is wanted.
int removeWanted(Session &session, const RmValues &values, const Removals &wanted, bool asks, bool saysCount)
{
    const QString starred = rmLine().name(&RmValues::starred);
    ActedJobs acted(values.json);
    for (const JobSummary &job : wanted.kept) {
        acted.done(job, false, {{u"kept"_s, u"starred"_s}});
    }
    if (wanted.jobs.isEmpty()) {
        errorLine(tr("No finished job matches."));
        sayKept(wanted.kept, starred);
        return acted.print(exitOk);
    }
    if (asks && !values.yes && !isSureToRemove(wanted.jobs, rmLine().name(&RmValues::yes))) {
        return exitRefused;
    }
    QList<JobSummary> removed;
    const int status = removeEach(session, wanted.jobs, acted, removed);
    if (saysCount && !removed.isEmpty() && !values.json) {
        errorLine(removedText(removed));
    }
    sayKept(wanted.kept, starred);
    return acted.print(status);
}

int removeSelected(const RmValues &values)
{
    const QStringList &known = finishedStates();
    QStringList states;
    for (const QString &word : values.states) {
        const QStringList parts = word.toLower().split(u',', Qt::SkipEmptyParts);
        for (const QString &state : parts) {
            if (!known.contains(state)) {
                return rmLine().wrongUsage(
                    tr("There is no state '%1' of finished jobs. The states are: %2.").arg(state, known.join(u", "_s))
                    + didYouMean(state, known));
            }
            states.append(state);
        }
    }
    const qint64 before = values.olderThan ? QDateTime::currentMSecsSinceEpoch() - *values.olderThan * 1000
                                           : std::numeric_limits<qint64>::max();
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<Removals> wanted = removalsByState(session, states, before, values.starred);
    return wanted ? removeWanted(session, values, *wanted, true, true) : report(wanted.error());
}

int removeJobs(const RmValues &values)
{
    if (!values.states.isEmpty() || values.olderThan) {
        return values.words.isEmpty()
            ? removeSelected(values)
            : rmLine().wrongUsage(tr("Name the jobs, or select them with %1 and %2.")
                                      .arg(rmLine().name(&RmValues::states), rmLine().name(&RmValues::olderThan)));
    }
    if (values.words.isEmpty()) {
        return rmLine().wrongUsage(whichJob());
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(values.words, meant); status != exitOk) {
        return status;
    }
    leaveOut(meant, [](const JobSummary &job) { return isFinal(job.state); });
    return removeWanted(session, values, removalsOf(meant, values.starred), meant.areSeveral, meant.areSeveral);
}

const CommandLine<RmValues> &rmLine()
{
    static const CommandLine<RmValues> line
        = CommandLine<RmValues>(u"rm"_s, tr("Remove finished jobs with their logs"))
              .runs(removeJobs, {u"[JOB...]"_s, 0, anyNumber, Word::EndedJob, {}})
              .text(tr(
                  "Removes finished jobs from the list, those that are named or those "
                  "that the options select, and deletes their folders: logs, records and files that the tasks left "
                  "there. This cannot be "
                  "undone. A job with a star is removed only when it is named itself, or with --starred; archived jobs "
                  "are removed as others are. Before it removes several that were not named one by one, it asks."))
              .more(severalNote() + u' ' + tr("--state and --older-than find archived jobs as well."))
              .option(u"--state STATE"_s, &RmValues::states,
                  tr("remove all jobs in this state: succeeded, failed or stopped; may be repeated"))
              .values(finishedStates())
              .option(u"--older-than SPAN"_s, &RmValues::olderThan,
                  tr("remove all jobs that ended longer ago than this: 90s, 10m, 2h, 7d or 4w"), timeSpan())
              .option(u"--starred"_s, &RmValues::starred, tr("remove selected jobs that have a star, too"))
              .option(u"-y, --yes"_s, &RmValues::yes, tr("do not ask before removing the selected jobs"))
              .option(
                  actedJsonOption(tr("kept (\"starred\": the job has a star and was not removed)")), &RmValues::json)
              .examples({u"trainyardctl rm 40"_s, u"trainyardctl rm tag:trial"_s,
                  u"trainyardctl rm --state failed --older-than 7d"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("the job is still active, the removal cannot be stored, or you answered no")}});
    return line;
}

} // namespace

Command removeCommand() { return rmLine().command(); }

} // namespace trainyard::cli
