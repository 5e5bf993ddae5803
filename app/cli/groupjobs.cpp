// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/groupjobs.h"

#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/groupwatcher.h"
#include "app/cli/jobtable.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/api/jobpages.h"
#include "engine/api/reasons.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr QLatin1StringView groupPrefix{"group:"};
constexpr QLatin1StringView namePrefix{"name:"};
constexpr qsizetype mostNamed = 8; // of jobs with one name

// What a word names, if it names a job by its name.
QString nameIn(const QString &word) { return word.startsWith(namePrefix) ? word.sliced(namePrefix.size()) : word; }

// "lr: 4 running, 12 waiting, 8 succeeded"
QString groupLine(const QString &title, const QList<JobSummary> &jobs)
{
    TaskCounts counts;
    for (const JobSummary &job : jobs) {
        counts.waiting += job.state == State::Waiting ? 1 : 0;
        counts.running += job.state == State::Running || job.state == State::Stopping ? 1 : 0;
        counts.succeeded += job.state == State::Succeeded ? 1 : 0;
        counts.failed += job.state == State::Failed ? 1 : 0;
        counts.stopped += job.state == State::Stopped ? 1 : 0;
    }
    return paint(Colour::Bold, title) + u"  "_s + countsText(counts);
}

// "#12 (RUNNING), #11 (WAITING)"
QString numbersWithStates(const QList<JobSummary> &jobs)
{
    QStringList titles;
    for (const JobSummary &job : jobs) {
        titles.append(tr("#%1 (%2)").arg(QString::number(job.id), stateWord(job.state)));
    }
    return titles.join(u", "_s);
}

void sayTheyKeepRunning(const QList<JobSummary> &jobs, const QString &title)
{
    const bool areRunning
        = std::any_of(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) { return !isFinal(job.state); });
    if (areRunning) { // else only their results were waited for
        errorLine(tr("The jobs keep running. 'trainyardctl wait %1' waits for them again, 'trainyardctl stop %1' stops "
                     "them.")
                      .arg(title.contains(groupPrefix) ? title : QString(groupPrefix + title)));
    }
}

} // namespace

Result<QList<JobSummary>> allJobs(Session &session, const QString &filter)
{
    QList<JobSummary> all;
    for (std::optional<api::JobPage> page = {{filter, 0, jobsOfPage}}; page;) {
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

bool isGroupWord(const QString &word) { return word.startsWith(groupPrefix); }

QString jobNumbers(const QList<JobSummary> &jobs)
{
    constexpr qsizetype most = 20;
    QStringList numbers;
    for (const JobSummary &job : jobs.first(std::min(jobs.size(), most))) {
        numbers.append(u'#' + QString::number(job.id));
    }
    return numbers.join(u", "_s) + (jobs.size() > most ? u", ..."_s : QString());
}

Result<QList<JobSummary>> jobsOfWord(Session &session, const QString &word)
{
    if (!isGroupWord(word)) {
        const Result<JobSummary> job = session.findJob(word);
        return job ? Result<QList<JobSummary>>(QList{*job}) : tl::unexpected<Error>(job.error());
    }
    Result<QList<JobSummary>> jobs = allJobs(session, word);
    // A filter takes small and capital letters for the same, and knows wildcards: what is done with a group is not.
    if (jobs) {
        jobs->removeIf([group = word.sliced(groupPrefix.size())](const JobSummary &job) { return job.group != group; });
    }
    if (jobs && jobs->isEmpty()) {
        return fail(u"group.unknown"_s, {{u"group"_s, word.sliced(groupPrefix.size())}});
    }
    if (jobs) {
        std::reverse(jobs->begin(), jobs->end());
    }
    return jobs;
}

Result<QList<JobSummary>> activeJobsOfWord(Session &session, const QString &word)
{
    Result<QList<JobSummary>> meant = jobsOfWord(session, word);
    const QString name = nameIn(word);
    if (!meant || isGroupWord(word) || meant->constFirst().name != name) {
        return meant; // a group, a number or a UUID
    }
    Result<QList<JobSummary>> active = allJobs(session, u"state:active"_s);
    if (!active) {
        return active;
    }
    active->removeIf([&name](const JobSummary &job) { return job.name != name; });
    if (active->isEmpty()) {
        return meant;
    }
    if (active->size() > 1) {
        return fail(u"job.several-active"_s, {{u"job"_s, name}, {u"jobs"_s, numbersWithStates(*active)}});
    }
    return active;
}

QString whichOfSeveral(const QString &word, const JobSummary &job, QList<JobSummary> all)
{
    const QString name = nameIn(word);
    if (job.name != name) { // a number or a UUID
        return {};
    }
    all.removeIf([&name](const JobSummary &each) { return each.name != name; });
    std::sort(all.begin(), all.end(), [](const JobSummary &a, const JobSummary &b) { return a.id > b.id; });
    QList<JobSummary> active = all;
    active.removeIf([](const JobSummary &each) { return isFinal(each.state); });
    const bool areActive = active.size() > 1 && !isFinal(job.state); // else it is none of these
    const QList<JobSummary> &several = areActive ? active : all;
    if (several.size() < 2) {
        return {};
    }
    const qsizetype more = several.size() - mostNamed;
    const QString named = numbersWithStates(several.first(std::min(several.size(), mostNamed)));
    return (areActive
            ? tr("Several active jobs have the name %1: %2. This is #%3; give the number to choose another one.")
            : tr("Several jobs have the name %1: %2. This is #%3; give the number to choose another one."))
        .arg(name, more > 0 ? tr("%1 and %2 more").arg(named, QString::number(more)) : named, QString::number(job.id));
}

void sayWhichOfSeveral(Session &session, const QString &word, const JobSummary &job)
{
    if (const QString sentence = whichOfSeveral(word, job, session.client().jobs()); !sentence.isEmpty()) {
        errorLine(sentence);
        forgetFailure();
    }
}

int waitForJobs(Session &session, QList<JobSummary> &jobs, const QString &title, bool quiet)
{
    int status = exitOk;
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
        QObject::connect(&watcher, &GroupWatcher::ended, &loop, [&](const JobSummary &job) {
            screen.leave();
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
                sayTheyKeepRunning(jobs, title);
            }
            return status;
        }
    }
    for (const JobSummary &job : std::as_const(jobs)) {
        if (job.resultsPending) {
            errorLine(pendingResults(job));
        }
    }
    for (const JobSummary &job : std::as_const(jobs)) {
        // Such a group is there to have the worse ones stopped.
        status = std::max(status, job.reason == reason::StopWorse::code ? int(exitOk) : statusOf(job));
    }
    return status;
}

} // namespace trainyard::cli
