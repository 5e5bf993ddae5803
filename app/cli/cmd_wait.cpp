// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultswait.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct WaitValues {
    QStringList words;
    bool json = false;
};

int waitForSeveral(Session &session, const WaitValues &values, QList<JobSummary> &jobs)
{
    const int status = waitForJobs(session, jobs, values.words.join(u' '), values.words, values.json);
    if (values.json) {
        QJsonArray ended;
        for (const JobSummary &job : std::as_const(jobs)) {
            ended.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(ended));
    }
    return status;
}

int runWait(const WaitValues &values)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectFor(values.words, meant); status != exitOk) {
        return status;
    }
    QList<JobSummary> &jobs = meant.jobs;
    if (meant.areSeveral) {
        return waitForSeveral(session, values, jobs);
    }
    int worst = exitOk; // of several jobs the greatest status, or that of the interruption
    const bool isJson = values.json;
    QJsonArray ended;
    for (const JobSummary &job : std::as_const(jobs)) {
        WatchOptions watch;
        watch.table = canDraw() && !isJson;
        watch.number = job.id;
        const Watched end = watchJob(session, job.uuid, watch);
        if (!end.over) {
            worst = end.status;
            break;
        }
        waitForLogs(session, end.job);
        waitForResults(session, {end.job});
        if (isJson) {
            ended.append(openpai::toListEntry(end.job));
        } else {
            errorLine(endSentence(end.job));
        }
        worst = std::max(worst, end.status);
    }
    if (isJson && jobs.size() > 1) {
        outJson(QJsonDocument(ended));
    } else if (isJson && !ended.isEmpty()) {
        outJson(QJsonDocument(ended.first().toObject()));
    }
    return worst;
}

} // namespace

Command waitCommand()
{
    static const CommandLine<WaitValues> line
        = CommandLine<WaitValues>(u"wait"_s, tr("Wait until jobs have ended"))
              .runs(runWait, {u"JOB..."_s, 1, anyNumber, Word::ActiveJob, whichJob()})
              .text(tr("Waits until the jobs have ended and their logs and results are here. Ctrl+C ends only this "
                       "command; the jobs keep running. A log that does not arrive, for example because its host "
                       "cannot be reached, "
                       "is named on stderr after a while, and so are results."))
              .more(severalNote())
              .option(u"--json"_s, &WaitValues::json,
                  tr("print how the job ended, in the form of 'ps --json'; for several jobs one array"))
              .examples({u"trainyardctl wait 41 && trainyardctl logs 41"_s, u"trainyardctl wait tag:mix"_s})
              .exits({{exitOk, tr("all of them SUCCEEDED, or, in a group, were stopped as the worse ones")},
                         {exitUnusable, tr("no such job, or wrong usage")}, {exitNoEngine, tr("no engine")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote() + u' ' + tr("For several jobs the greatest status counts."));
    return line.command();
}

} // namespace trainyard::cli
