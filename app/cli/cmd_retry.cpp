// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/findings.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultswait.h"
#include "app/cli/retrytext.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/useofhost.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/jobfacts.h"
#include "engine/api/openpaijson.h"
#include "engine/api/reasons.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct RetryValues {
    QStringList words, secrets;
    std::optional<QString> with;
    bool failed = false, wait = false, yes = false, json = false;
};
const CommandLine<RetryValues> &retryLine();

// A number that was mistyped would give another job this text, and replace what it has reached: whether that is wanted.
bool isTextWanted(const JobSummary &job, const QString &otherName, const RetryValues &values)
{
    QStringList why;
    if (!otherName.isEmpty()) {
        why.append(
            tr("The text of %1 names the job %2, and not %3.").arg(inputName(*values.with), otherName, job.name));
    }
    if (job.state == State::Succeeded) {
        why.append(tr("%1 has succeeded, and another attempt replaces its results.").arg(jobTitle(job)));
    }
    if (values.yes || why.isEmpty()) {
        return true;
    }
    const QString reasons = why.join(u' ');
    const std::optional<QString> answer = askOnTerminal(
        reasons + u' ' + tr("Run %1 again with the text of %2? [y/N] ").arg(jobTitle(job), inputName(*values.with)),
        true);
    if (!answer) {
        errorLine(reasons + u' '
            + tr("There is no terminal to ask on. Use %1 to run %2 again with this text all the same; 'trainyardctl "
                 "run %3' runs it as a job of its own.")
                  .arg(retryLine().name(&RetryValues::yes), jobTitle(job), shellWord(*values.with)));
    }
    return isYes(answer.value_or(QString()));
}

// The words of the command: jobs, and tasks of the only one.
struct RetriedWords {
    QStringList jobs, tasks;
};
RetriedWords retriedWords(const QStringList &words)
{
    RetriedWords read;
    for (const QString &word : words) {
        const bool isTask = !read.jobs.isEmpty() && word.contains(u'/') && !word.contains(u':');
        (isTask ? read.tasks : read.jobs).append(word);
    }
    return read;
}

// What the jobs of one call share.
struct SharedRetry {
    RetryRequest request; // of each; with the secrets that have been asked for
    QByteArray with; // the file as it was given
    CatalogueLookup catalogue;
    bool areSeveral = false;
    bool areWarningsSaid = false;
};

int retryOne(Session &session, const JobSummary &job, const RetryValues &values, SharedRetry &shared)
{
    RetryRequest request = shared.request;
    request.uuid = job.uuid;
    const CheckedFile checked
        = checkedFile(values.with.value_or(QString()), shared.with, shared.catalogue, {}, job.name);
    if (values.with && !std::exchange(shared.areWarningsSaid, true)) {
        sayWarnings(checked, request.secrets);
    }
    const QString changedFile = values.with ? QString() : changedFileOf(session, job, shared.catalogue);
    const QString otherName = values.with ? otherNameOf(session, job, shared.with) : QString();
    const bool isSameText = values.with && isFormerText(session, job, request.yaml);
    const bool mayBegin = isFinal(job.state) && checked.outcome.canRun(); // else the engine says what is wrong
    if (values.with && mayBegin && !isTextWanted(job, otherName, values)) {
        return exitRefused;
    }
    for (;;) {
        const Result<bool> begun = session.call<api::Retry>(request);
        if (begun) {
            break;
        }
        // They were forgotten when the job ended.
        if (!values.with && takeSecretsFromFile(missingSecrets(begun.error()), job.file, request.secrets)) {
            continue;
        }
        if (!askForMissingSecrets(begun.error(), request.secrets)) {
            if (values.with && begun.error().code == "job.invalid"_L1) {
                sayRefusedText(checked, begun.error());
                return exitRefused;
            }
            const int status = report(begun.error());
            sayHowToGiveSecrets(begun.error());
            sayHowHostComesBack(begun.error(), job.id);
            return status;
        }
    }
    if (values.with) { // the next job gets the same text, and its secrets
        shared.request.secrets = request.secrets;
    }
    if (!changedFile.isEmpty()) {
        errorLine(tr("%1 runs with the text that it has. %2 has changed since; '%3' uses it.")
                      .arg(jobTitle(job), changedFile,
                          u"trainyardctl retry %1 %2 %3"_s.arg(
                              QString::number(job.id), retryLine().name(&RetryValues::with), shellWord(changedFile))));
    }
    if (isSameText) {
        errorLine(shared.areSeveral
                ? tr("The text of %1 is the one that %2 had before.").arg(inputName(*values.with), jobTitle(job))
                : tr("The text of %1 is the one that the job had before.").arg(inputName(*values.with)));
    }
    if (!otherName.isEmpty()) {
        errorLine(tr("The text of %1 names the job %2; %3 keeps its own name.")
                      .arg(inputName(*values.with), otherName, jobTitle(job)));
    }
    if (!values.wait && !values.json) {
        errorLine(isFinal(job.state) ? tr("%1 runs again.").arg(jobTitle(job))
                                     : tr("%1 is tried again now.").arg(jobTitle(job)));
    }
    return exitOk;
}

// Why a job that a word stands for among others does not run again, with %1 for the number of such jobs and %2 for
// them; empty: it does.
QString whyLeftOut(const JobSummary &job)
{
    if (!isFinal(job.state)) {
        return job.reason == reason::WaitRetry::code ? QString() : tr("Left out because they are active: %1 (%2).");
    }
    return job.state == State::Succeeded        ? tr("Left out because they have succeeded: %1 (%2).")
        : job.reason == reason::StopWorse::code ? tr("Left out because the rule of their group has stopped them: %1 "
                                                     "(%2).")
                                                : QString();
}

// Of several jobs that a word means, those that failed or were stopped, and those that wait for their next try: a retry
// would replace the results of the others.
int chooseUnfinished(MeantJobs &meant)
{
    QStringList reasons;
    QHash<QString, QList<JobSummary>> left;
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        if (const QString why = meant.isNamed(job) ? QString() : whyLeftOut(job); !why.isEmpty()) {
            reasons += left.contains(why) ? QStringList() : QStringList(why);
            left[why].append(job);
        }
    }
    leaveOut(meant, [](const JobSummary &job) { return whyLeftOut(job).isEmpty(); });
    for (const QString &why : std::as_const(reasons)) {
        errorLine(why.arg(QString::number(left.value(why).size()), jobNumbers(left.value(why))));
        forgetFailure();
    }
    if (meant.jobs.isEmpty()) {
        errorLine(tr("None of these jobs has failed, was stopped or waits for its next try. Name a job by its number "
                     "to run it again all the same."));
        return exitRefused;
    }
    sayBefore(meant, tr("Running %1 jobs again: %2."));
    return exitOk;
}

int waitForRetried(Session &session, QList<JobSummary> jobs, const QStringList &words, ActedJobs &acted)
{
    const auto ended = [&acted](const JobSummary &job) { acted.add(job, {{u"ended"_s, openpai::toListEntry(job)}}); };
    if (jobs.size() > 1) {
        for (JobSummary &job : jobs) { // as they were found, they have ended
            const Result<JobSummary> now = session.findJob(job.uuid);
            if (!now) {
                return report(now.error());
            }
            job = *now;
        }
        const int status = waitForJobs(session, jobs, words.join(u' '), words, acted.isJson());
        for (const JobSummary &job : std::as_const(jobs)) {
            if (isFinal(job.state)) {
                ended(job);
            }
        }
        return status;
    }
    const JobSummary &job = jobs.constFirst();
    WatchOptions watch;
    watch.table = canDraw() && !acted.isJson();
    watch.number = job.id;
    const Watched end = watchJob(session, job.uuid, watch);
    if (end.over) {
        waitForLogs(session, end.job);
        waitForResults(session, {end.job});
        ended(end.job);
        if (!acted.isJson()) {
            errorLine(endSentence(end.job));
        }
    }
    return end.status;
}

int runRetry(const RetryValues &values)
{
    const RetriedWords words = retriedWords(values.words);
    if (refusesSplitConditions(words.jobs)) { // connecting would refuse them after secrets have been asked for
        return exitUnusable;
    }
    SharedRetry shared;
    RetryRequest &request = shared.request;
    shared.catalogue = folderCatalogue(catalogueFolder({}));
    if (values.with) {
        const Result<QByteArray> bytes = readInput(*values.with);
        if (!bytes) {
            return report(bytes.error());
        }
        shared.with = *bytes;
        const Result<QByteArray> whole = shared.catalogue ? withCatalogue(*bytes, shared.catalogue) : bytes;
        if (!whole) {
            return report(whole.error());
        }
        request.yaml = *whole;
        request.file = *values.with == "-"_L1 ? QString() : QFileInfo(*values.with).absoluteFilePath();
    }
    for (const QString &word : values.secrets) {
        if (const int status = readSecret(retryCommand().name, word, request.secrets); status != exitOk) {
            return status;
        }
    }
    request.tasks = words.tasks;
    request.failedOnly = values.failed;
    if (request.failedOnly && !request.tasks.isEmpty()) {
        return retryLine().wrongUsage(
            tr("Use %1 or the names of tasks, not both.").arg(retryLine().name(&RetryValues::failed)));
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectToChange(words.jobs, meant); status != exitOk) {
        return status;
    }
    shared.areSeveral = meant.jobs.size() > 1;
    if (shared.areSeveral && !request.tasks.isEmpty()) {
        return retryLine().wrongUsage(tr("Tasks belong to one JOB; these are %1: %2.")
                                          .arg(QString::number(meant.jobs.size()), jobNumbers(meant.jobs)));
    }
    if (shared.areSeveral && values.with && differInParameters(meant.jobs)) {
        return retryLine().wrongUsage(
            tr("These jobs have different values of parameters, which the text of %1 would replace by its own: %2. "
               "Retry them one by one, or run the text as a sweep.")
                .arg(inputName(*values.with), jobNumbers(meant.jobs)));
    }
    if (const int status = meant.areSeveral ? chooseUnfinished(meant) : int(exitOk); status != exitOk) {
        return status;
    }
    ActedJobs acted(values.json);
    int worst = exitOk;
    QList<JobSummary> begun;
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        forgetFailure();
        const int status = retryOne(session, job, values, shared);
        worst = std::max(worst, status);
        if (status == exitOk) {
            begun.append(job);
            acted.done(job, true);
        } else {
            acted.failedAsSaid(job, status);
        }
    }
    sayHowMany(meant, begun.size(), meant.jobs.size());
    if (!values.wait || begun.isEmpty()) {
        return acted.print(worst);
    }
    return acted.print(std::max(worst, waitForRetried(session, begun, words.jobs, acted)));
}

const CommandLine<RetryValues> &retryLine()
{
    static const CommandLine<RetryValues> line
        = CommandLine<RetryValues>(u"retry"_s, tr("Retry finished jobs, or start a waiting retry at once"))
              .runs(runRetry, {u"JOB [ROLE/INDEX...] | JOB..."_s, 1, anyNumber, Word::Job, whichJob()})
              .text(tr(
                  "Starts another attempt of a finished job, with all of its tasks or with those that are named "
                  "(ROLE/INDEX), by the text that it was submitted with. The other tasks keep their results and "
                  "logs. Secrets are forgotten when a job ends: their values come from the file that the job was "
                  "submitted from if it has them, else they are asked for again.\n\nA job, or a task of it, that "
                  "waits for its next try after a failure is tried at once; 'stop' ends the job instead. A job that "
                  "a Slurm cluster did not take because of a limit is handed over at once.\n\nOf several "
                  "jobs that are not named one by one, those run again that failed or were stopped, or that wait for "
                  "their next try: another attempt would replace the results of the others. So a sweep that was "
                  "stopped goes on with 'retry group:NAME'; what its rule has stopped stays stopped."))
              .more(severalNote())
              .option(u"--failed"_s, &RetryValues::failed, tr("run only the tasks that did not succeed"))
              .option(u"--with FILE"_s, &RetryValues::with,
                  tr("use the text of this file from now on ('-' is standard input); it must have the same task roles "
                     "with the same number of instances, otherwise use 'run'. Its parameters count, even if the job "
                     "was submitted with other values; so several jobs can get it only if they have the same values"))
              .completes(Word::File)
              .option(u"-y, --yes"_s, &RetryValues::yes,
                  tr("do not ask before a job that has succeeded, or has another name, gets the text of the file"))
              .option(secretOption().spelled, &RetryValues::secrets, secretOption().text)
              .option(u"--wait"_s, &RetryValues::wait, tr("wait until the job has ended"))
              .option(actedJsonOption(tr("with --wait also ended (the job in the form of 'ps --json')")),
                  &RetryValues::json)
              .examples({u"trainyardctl retry 41 --failed"_s, u"trainyardctl retry 41 --failed --with train.pai.yaml"_s,
                  u"trainyardctl retry sweep worker/3 worker/7 --wait"_s, u"trainyardctl retry group:lr_sweep"_s,
                  u"trainyardctl retry cause:gpu-oom"_s, u"trainyardctl retry 41 42 --with train.pai.yaml"_s})
              .exits({{exitOk, tr("the job runs again; waited for: SUCCEEDED")},
                         {exitUnusable, tr("no such job or task, or wrong usage")}, {exitNoEngine, tr("no engine")},
                         {exitRefused,
                             tr("the job is still active and no retry waits, there is no task to retry, or you "
                                "answered no")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote());
    return line;
}

} // namespace

Command retryCommand() { return retryLine().command(); }

} // namespace trainyard::cli
