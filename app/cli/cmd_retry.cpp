// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/eachjob.h"
#include "app/cli/findings.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/remotelogs.h"
#include "app/cli/secrets.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "engine/client/cataloguefolder.h"
#include "model/base/shellquote.h"
#include "model/protocol/jobdocument.h"
#include "model/protocol/jobname.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct RetryValues {
    QStringList words, secrets;
    std::optional<QString> with;
    bool failed = false, wait = false;
};
const CommandLine<RetryValues> &retryLine();

// A job runs again by the text that it was submitted with. Who has corrected its file since is told so; of a job of a
// sweep the file is another text.
bool hasFileChanged(Session &session, const JobSummary &job, const CatalogueLookup &catalogue)
{
    constexpr qint64 longestText = 16 << 20;
    const QFileInfo about(job.file);
    const qint64 changed = std::max(about.fileTime(QFileDevice::FileModificationTime).toMSecsSinceEpoch(),
        about.fileTime(QFileDevice::FileMetadataChangeTime).toMSecsSinceEpoch());
    if (job.file.isEmpty() || !isFinal(job.state) || !about.isFile() || about.size() > longestText
        || changed < job.submitted) {
        return false;
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    const Result<QByteArray> bytes = readInput(job.file);
    if (!detail || !bytes || !detail->documentName.isEmpty()) {
        return false;
    }
    const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
    const Result<QByteArray> masked = whole ? maskSecrets(*whole) : whole;
    return masked && !isSameWithJobName(*masked, detail->yaml, job.name);
}

// Who gives a text wants another one, and may have forgotten to save it. Of a text with a secret's value that cannot be
// told: the job does not keep it.
bool isFormerText(Session &session, const JobSummary &job, const QByteArray &whole)
{
    const Result<QByteArray> masked = maskSecrets(whole);
    const Result<JobDetail> detail = session.detail(job.uuid);
    return masked && *masked == whole && detail && detail->documentName.isEmpty()
        && isSameWithJobName(whole, detail->yaml, job.name);
}

// Another name than that of the job, which the text has and the job's text has not had before; else empty.
QString otherNameOf(Session &session, const JobSummary &job, const QByteArray &text)
{
    const ParseOutcome outcome = parseJob(text);
    const QString name = outcome.spec && isJobName(outcome.spec->name) ? outcome.spec->name : QString();
    if (name.isEmpty() || name == job.name) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    const ParseOutcome former = detail ? parseJob(detail->yaml) : ParseOutcome();
    return former.spec && former.spec->name == name ? QString() : name; // submitted with a name of its own
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

// What `request` asks, of one job; `with`: the file as it was given.
int retryOne(Session &session, const JobSummary &job, const RetryValues &values, RetryRequest request,
    const QByteArray &with, const CatalogueLookup &catalogue)
{
    request.uuid = job.uuid;
    const CheckedFile checked = checkedFile(values.with.value_or(QString()), with, catalogue, {}, job.name);
    if (values.with) {
        sayWarnings(checked, request.secrets);
    }
    const bool isOldText = !values.with && hasFileChanged(session, job, catalogue);
    const QString otherName = values.with ? otherNameOf(session, job, with) : QString();
    const bool isSameText = values.with && isFormerText(session, job, request.yaml);
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
            return status;
        }
    }
    if (isOldText) {
        errorLine(tr("The job runs as it was submitted. %1 has changed since; '%2' uses it.")
                      .arg(job.file,
                          u"trainyardctl retry %1 %2 %3"_s.arg(
                              QString::number(job.id), retryLine().name(&RetryValues::with), shellWord(job.file))));
    }
    if (isSameText) {
        errorLine(tr("The text of %1 is the one that the job had before.").arg(inputName(*values.with)));
    }
    if (!otherName.isEmpty()) {
        errorLine(tr("The text of %1 names the job %2; %3 keeps its own name.")
                      .arg(inputName(*values.with), otherName, jobTitle(job)));
    }
    if (!values.wait) {
        errorLine(isFinal(job.state) ? tr("%1 runs again.").arg(jobTitle(job))
                                     : tr("%1 is tried again now.").arg(jobTitle(job)));
    }
    return exitOk;
}

// Of several jobs that a word stands for, those that failed and those that wait for their next try: the results of the
// others would be replaced.
int chooseFailed(MeantJobs &meant)
{
    const auto isWanted = [](const JobSummary &job) {
        return job.state == State::Failed || (!isFinal(job.state) && job.reason == reason::WaitRetry::code);
    };
    QList<JobSummary> left = meant.jobs;
    left.removeIf([&](const JobSummary &job) { return meant.isNamed(job) || isWanted(job); });
    leaveOut(meant, isWanted);
    if (meant.jobs.isEmpty()) {
        errorLine(tr("None of these jobs has failed or waits for its next try. Name a job by its number to run it "
                     "again all the same."));
        return exitRefused;
    }
    if (!left.isEmpty()) {
        errorLine(tr("Left out because they have not failed: %1.").arg(jobNumbers(left)));
        forgetFailure();
    }
    sayBefore(meant, tr("Running %1 jobs again: %2."));
    return exitOk;
}

int waitForRetried(Session &session, QList<JobSummary> jobs, const QStringList &words)
{
    if (jobs.size() > 1) {
        for (JobSummary &job : jobs) { // as they were found, they have ended
            const Result<JobSummary> now = session.findJob(job.uuid);
            if (!now) {
                return report(now.error());
            }
            job = *now;
        }
        return waitForJobs(session, jobs, words.join(u' '), words);
    }
    const JobSummary &job = jobs.constFirst();
    WatchOptions watch;
    watch.table = canDraw();
    watch.number = job.id;
    const Watched end = watchJob(session, job.uuid, watch);
    if (end.over) {
        waitForLogs(session, end.job);
        errorLine(endSentence(end.job));
    }
    return end.status;
}

int runRetry(const RetryValues &values)
{
    const RetriedWords words = retriedWords(values.words);
    if (refusesSplitConditions(words.jobs)) { // connecting would refuse them after secrets have been asked for
        return exitUnusable;
    }
    RetryRequest request;
    const CatalogueLookup catalogue = folderCatalogue(catalogueFolder({}));
    QByteArray with;
    if (values.with) {
        const Result<QByteArray> bytes = readInput(*values.with);
        if (!bytes) {
            return report(bytes.error());
        }
        with = *bytes;
        const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
        if (!whole) {
            return report(whole.error());
        }
        request.yaml = *whole;
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
    if (meant.jobs.size() > 1 && (values.with || !request.tasks.isEmpty())) {
        return retryLine().wrongUsage(
            tr("Tasks and %1 belong to one JOB; these are %2: %3.")
                .arg(retryLine().name(&RetryValues::with), QString::number(meant.jobs.size()), jobNumbers(meant.jobs)));
    }
    if (const int status = meant.areSeveral ? chooseFailed(meant) : int(exitOk); status != exitOk) {
        return status;
    }
    int worst = exitOk;
    QList<JobSummary> begun;
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        const int status = retryOne(session, job, values, request, with, catalogue);
        worst = std::max(worst, status);
        if (status == exitOk) {
            begun.append(job);
        }
    }
    sayHowMany(meant, begun.size(), meant.jobs.size());
    if (!values.wait || begun.isEmpty()) {
        return worst;
    }
    return std::max(worst, waitForRetried(session, begun, words.jobs));
}

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
    bool first = false;
    std::optional<QString> before;
    std::optional<qint64> priority;
};

int runMove(const MoveValues &values)
{
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
        return status;
    }
    if (values.priority) {
        const Result<bool> set = session.call<api::SetPriority>({job.uuid, int(*values.priority)});
        if (!set) {
            return report(set.error());
        }
        errorLine(*set ? tr("%1 has priority %2 now.").arg(jobTitle(job), QString::number(*values.priority))
                       : tr("Only waiting jobs have a position in the queue."));
        return *set ? exitOk : exitRefused;
    }
    QString before;
    QString place = tr("%1 is the last one in the queue now.").arg(jobTitle(job));
    if (values.before) {
        const Result<JobSummary> other = session.findJob(*values.before);
        if (!other) {
            return report(other.error());
        }
        before = other->uuid;
        place = tr("%1 starts before %2 now.").arg(jobTitle(job), jobTitle(*other));
    } else if (values.first) {
        before = firstOfQueue(session.client().jobs());
        place = tr("%1 is the first one in the queue now.").arg(jobTitle(job));
        if (before == job.uuid) {
            errorLine(tr("%1 is the first one in the queue already.").arg(jobTitle(job)));
            return exitOk;
        }
    }
    const Result<bool> moved = session.call<api::Move>({job.uuid, before});
    if (!moved) {
        return report(moved.error());
    }
    if (!*moved) {
        errorLine(tr("Only waiting jobs can be moved, and only before other waiting jobs."));
        return exitRefused;
    }
    errorLine(place);
    return exitOk;
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
                  "waits for its next try after a failure is tried at once; 'stop' ends the job instead.\n\nOf several "
                  "jobs that are not named one by one, those run again that failed, or that wait for their next "
                  "try: another attempt would replace the results of the others."))
              .more(severalNote())
              .option(u"--failed"_s, &RetryValues::failed, tr("run only the tasks that did not succeed"))
              .option(u"--with FILE"_s, &RetryValues::with,
                  tr("use the text of this file from now on ('-' is standard input); it must have the same task roles "
                     "with the same number of instances, otherwise use 'run'. Its parameters count, even if the job "
                     "was submitted with other values"))
              .completes(Word::File)
              .option(secretOption().spelled, &RetryValues::secrets, secretOption().text)
              .option(u"--wait"_s, &RetryValues::wait, tr("wait until the job has ended"))
              .examples({u"trainyardctl retry 41 --failed"_s, u"trainyardctl retry 41 --failed --with train.pai.yaml"_s,
                  u"trainyardctl retry sweep worker/3 worker/7 --wait"_s,
                  u"trainyardctl retry group:lr_sweep --failed"_s, u"trainyardctl retry cause:gpu-oom"_s})
              .exits({{exitOk, tr("the job runs again; waited for: SUCCEEDED")},
                         {exitUnusable, tr("no such job or task, or wrong usage")}, {exitNoEngine, tr("no engine")},
                         {exitRefused, tr("the job is still active and no retry waits, or there is no task to retry")},
                         {exitInterrupted, tr("STOPPED, or interrupted with Ctrl+C")}},
                  failedJobNote());
    return line;
}

} // namespace

Command retryCommand() { return retryLine().command(); }

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
              .examples({u"trainyardctl move 44 --first"_s, u"trainyardctl move 44 --before 41"_s,
                  u"trainyardctl move 44 --priority 10"_s, u"trainyardctl move 41"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("one of the jobs does not wait")}});
    return line.command();
}

} // namespace trainyard::cli
