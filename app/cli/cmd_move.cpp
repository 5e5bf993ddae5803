// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actedjobs.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"

#include <limits>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Empty when no job waits.
QString firstOfQueue(const QList<JobSummary> &jobs)
{
    const JobSummary *first = nullptr;
    for (const JobSummary &job : jobs) {
        if (isQueued(job)
            && (!first
                || std::tie(first->priority, job.order, job.id) < std::tie(job.priority, first->order, first->id))) {
            first = &job;
        }
    }
    return first ? first->uuid : QString();
}

struct MoveValues {
    QStringList words;
    bool first = false, json = false;
    std::optional<QString> before;
    std::optional<qint64> priority;
};

int moveJob(Session &session, const MoveValues &values, const JobSummary &job, ActedJobs &acted)
{
    const auto done = [&](bool isChanged, const QString &sentence) {
        acted.done(job, isChanged);
        if (!acted.isJson()) {
            errorLine(sentence);
        }
        return int(exitOk);
    };
    if (values.priority) {
        const Result<bool> set = session.call<api::SetPriority>({job.uuid, int(*values.priority)});
        if (!set) {
            return acted.fail(job, set.error());
        }
        return *set ? done(true, tr("%1 has priority %2 now.").arg(jobTitle(job), QString::number(*values.priority)))
                    : acted.refuse(job, tr("Only waiting jobs have a position in the queue."));
    }
    QString before;
    QString place = tr("%1 is the last one in the queue now.").arg(jobTitle(job));
    if (values.before) {
        const Result<JobSummary> other = session.findJob(*values.before);
        if (!other) {
            return acted.fail(job, other.error());
        }
        before = other->uuid;
        place = tr("%1 starts before %2 now.").arg(jobTitle(job), jobTitle(*other));
    } else if (values.first) {
        before = firstOfQueue(session.client().jobs());
        place = tr("%1 is the first one in the queue now.").arg(jobTitle(job));
        if (before == job.uuid) {
            return done(false, tr("%1 is the first one in the queue already.").arg(jobTitle(job)));
        }
    }
    const Result<bool> moved = session.call<api::Move>({job.uuid, before});
    if (!moved) {
        return acted.fail(job, moved.error());
    }
    return *moved ? done(true, place)
                  : acted.refuse(job, tr("Only waiting jobs can be moved, and only before other waiting jobs."));
}

int runMove(const MoveValues &values)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
        return status;
    }
    ActedJobs acted(values.json);
    return acted.print(moveJob(session, values, job, acted));
}

} // namespace

Command moveCommand()
{
    static const CommandLine<MoveValues> line
        = CommandLine<MoveValues>(u"move"_s, tr("Change the order of waiting jobs"))
              .runs(runMove, {u"JOB"_s, 1, 1, Word::Job, whichJob()})
              .text(tr("Moves a waiting job to the front of the queue, directly before another job, or to the end of "
                       "the queue."))
              .option(u"--first"_s, &MoveValues::first, tr("move it before all other jobs"))
              .option(u"--before OTHER"_s, &MoveValues::before, tr("move it directly before this job"))
              .completes(Word::Job)
              .option(u"--priority N"_s, &MoveValues::priority,
                  tr("give it this priority; larger numbers start first, equal ones by the time of submission"),
                  wholeNumber(std::numeric_limits<int>::min()))
              .exclusive(&MoveValues::first, &MoveValues::before, &MoveValues::priority)
              .option(actedJsonOption(), &MoveValues::json)
              .examples({u"trainyardctl move 44 --first"_s, u"trainyardctl move 44 --before 41"_s,
                  u"trainyardctl move 44 --priority 10"_s, u"trainyardctl move 41"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("one of the jobs does not wait")}});
    return line.command();
}

} // namespace trainyard::cli
