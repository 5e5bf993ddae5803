// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/groupjobs.h"

#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/groupreasons.h"
#include "app/cli/groupwatcher.h"
#include "app/cli/jobtable.h"
#include "app/cli/resultswait.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/jobfacts.h"
#include "engine/api/jobpages.h"
#include "engine/api/reasons.h"
#include "widgets/text/filtertexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int reasonsMs = 500;

TaskCounts countsOfJobs(const QList<JobSummary> &jobs)
{
    TaskCounts counts;
    for (const JobSummary &job : jobs) {
        counts.waiting += job.state == State::Waiting ? 1 : 0;
        counts.running += job.state == State::Running || job.state == State::Stopping ? 1 : 0;
        counts.succeeded += job.state == State::Succeeded ? 1 : 0;
        counts.failed += job.state == State::Failed ? 1 : 0;
        counts.stopped += job.state == State::Stopped ? 1 : 0;
    }
    return counts;
}

// "lr: 4 running, 12 waiting, 8 succeeded"
QString groupLine(const QString &title, const QList<JobSummary> &jobs)
{
    return paint(Colour::Bold, title) + u"  "_s + countsText(countsOfJobs(jobs));
}

void sayTheyKeepRunning(const QList<JobSummary> &jobs, const QStringList &words)
{
    const bool areRunning
        = std::any_of(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !isFinal(job.state); });
    if (areRunning) { // else only their results were waited for
        errorLine(tr("The jobs keep running. 'trainyardctl wait %1' waits for them again, 'trainyardctl stop %1' stops "
                     "them.")
                      .arg(shellWords(words)));
    }
}

} // namespace

Result<QList<JobSummary>> allJobs(Session &session, const QString &filter)
{
    QList<JobSummary> all;
    for (std::optional<api::JobPage> page = {{withNamesOfCauses(filter), 0, jobsOfPage}}; page;) {
        const Result<QList<JobSummary>> jobs = session.call<api::ListJobs>(*page, tr("Reading the jobs ..."));
        page = nextJobPage(*page, jobs);
        if (jobs) {
            all += *jobs;
        } else if (!page) {
            return jobs;
        }
    }
    return all;
}

QString jobNumbers(const QList<JobSummary> &jobs)
{
    constexpr qsizetype most = 20;
    QStringList numbers;
    for (const JobSummary &job : jobs.first(std::min(jobs.size(), most))) {
        numbers.append(u'#' + QString::number(job.id));
    }
    return numbers.join(u", "_s) + (jobs.size() > most ? u", ..."_s : QString());
}

int waitForJobs(Session &session, QList<JobSummary> &jobs, const QString &title, const QStringList &words, bool quiet)
{
    int status = exitOk;
    bool hasSaidEnds = false;
    Screen screen;
    {
        QEventLoop loop;
        const Interrupts interrupts;
        session.letInterruptsEnd(); // when these are over
        GroupWatcher watcher(session.client(), jobs);
        const auto draw = [&] {
            if (!quiet && canDraw()) {
                screen.draw({groupLine(title, watcher.jobs())});
            }
        };
        QObject::connect(&watcher, &GroupWatcher::changed, &loop, draw);
        CopyAsker asker(session, false, [&screen] { screen.leave(); });
        QSet<QString> told; // folders
        QSet<std::pair<QString, QString>> heldUp; // jobs and why
        QObject::connect(&watcher, &GroupWatcher::jobChanged, &asker, [&](const JobSummary &job) {
            asker.look(job);
            const QString folder = job.reasonArgs.value("folder"_L1).toString();
            if (asksToCopy(job) && !CopyAsker::canAsk() && !told.contains(folder)) {
                told.insert(folder);
                screen.leave();
                errorLine(reasonText(job.reason, job.reasonArgs));
                errorLine(howToAnswerCopy(job));
            }
            if (const std::pair held(job.uuid, job.reason); isHeldUp(job) && !heldUp.contains(held)) {
                heldUp.insert(held);
                screen.leave();
                errorLine(tr("%1: %2").arg(jobTitle(job), reasonText(job.reason, job.reasonArgs)));
            }
        });
        GroupReasons reasons;
        QTimer reasonsTimer; // a look at all of the jobs, however often they change
        reasonsTimer.setSingleShot(true);
        reasonsTimer.setInterval(reasonsMs);
        const auto lookLater = [&reasonsTimer] {
            if (!reasonsTimer.isActive()) {
                reasonsTimer.start();
            }
        };
        QObject::connect(&watcher, &GroupWatcher::jobChanged, &loop, lookLater);
        QObject::connect(&reasonsTimer, &QTimer::timeout, &loop, [&] {
            const auto told = reasons.toTell(watcher.jobs(), QDateTime::currentMSecsSinceEpoch());
            for (const GroupReasons::Told &each : told) {
                screen.leave();
                const QString text = reasonText(each.job.reason, each.job.reasonArgs);
                errorLine(each.others == 0
                        ? tr("%1: %2").arg(jobTitle(each.job), text)
                        : tr("%1 and %2 more: %3").arg(jobTitle(each.job), QString::number(each.others), text));
            }
            if (reasons.hasPending()) {
                lookLater();
            }
        });
        QObject::connect(&watcher, &GroupWatcher::ended, &loop, [&](const JobSummary &job) {
            screen.leave();
            hasSaidEnds = true;
            if (!quiet) {
                errorLine(endSentence(job));
            }
        });
        QObject::connect(&watcher, &GroupWatcher::over, &loop, &QEventLoop::quit);
        QObject::connect(&watcher, &GroupWatcher::failed, &loop, [&](const Error &error) {
            status = report(error);
            loop.quit();
        });
        bool isInterrupted = false;
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
            isInterrupted = true;
            status = exitInterrupted;
            loop.quit();
        });
        QMetaObject::invokeMethod(
            &loop,
            [&] {
                draw();
                watcher.start();
            },
            Qt::QueuedConnection);
        loop.exec();
        screen.leave();
        jobs = watcher.jobs();
        if (!watcher.isOver()) {
            if (isInterrupted) {
                sayTheyKeepRunning(jobs, words);
            }
            return status;
        }
    }
    if (!quiet && !hasSaidEnds && !jobs.isEmpty()) { // before the command began
        errorLine(tr("The jobs have ended: %1.").arg(countsText(countsOfJobs(jobs))));
    }
    for (const JobSummary &job : std::as_const(jobs)) {
        if (job.resultsPending) {
            errorLine(pendingResults(job));
        }
    }
    waitForResults(session, jobs);
    for (const JobSummary &job : std::as_const(jobs)) {
        // Such a group is there to have the worse ones stopped.
        status = std::max(status, job.reason == reason::StopWorse::code ? int(exitOk) : statusOf(job));
    }
    return status;
}

} // namespace trainyard::cli
