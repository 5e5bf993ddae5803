// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.h"
#include "app/cli/findings.h"
#include "app/cli/jobcommands.h"
#include "app/cli/remotelogs.h"
#include "app/cli/secrets.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/client/cataloguefolder.h"

#include <tuple>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

int runRetry(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{u"failed"_s, {}}, {u"wait"_s, {}}, {u"with"_s, {}, u"file"_s}, {u"secret"_s, {}, u"name"_s}});
    if (!parse(parser, u"retry"_s, arguments)) {
        return exitUnusable;
    }
    const QStringList words = parser.positionalArguments();
    if (words.isEmpty()) {
        return usageError(u"retry"_s, tr("Which job? Give its number, the beginning of its UUID, or its name."));
    }
    RetryRequest request;
    if (parser.isSet(u"with"_s)) {
        const Result<QByteArray> bytes = readInput(parser.value(u"with"_s));
        if (!bytes) {
            return report(bytes.error());
        }
        const CatalogueLookup catalogue = folderCatalogue(catalogueFolder({}));
        const Result<QByteArray> whole = catalogue ? withCatalogue(*bytes, catalogue) : bytes;
        if (!whole) {
            return report(whole.error());
        }
        request.yaml = *whole;
    }
    const QStringList secrets = parser.values(u"secret"_s);
    for (const QString &word : secrets) {
        if (const int status = readSecret(u"retry"_s, word, request.secrets); status != exitOk) {
            return status;
        }
    }
    request.tasks = words.mid(1);
    request.failedOnly = parser.isSet(u"failed"_s);
    if (request.failedOnly && !request.tasks.isEmpty()) {
        return usageError(u"retry"_s, tr("Use --failed or the names of tasks, not both."));
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(words.first(), job); status != exitOk) {
        return status;
    }
    request.uuid = job.uuid;
    for (;;) {
        const Result<bool> begun = session.call<api::Retry>(request);
        if (begun) {
            break;
        }
        // They were forgotten when the job ended.
        if (!askForMissingSecrets(begun.error(), request.secrets)) {
            if (begun.error().code == "job.invalid"_L1) {
                sayDiagnostics(
                    inputName(parser.value(u"with"_s)), begun.error().args.value("diagnostics"_L1).toArray());
            }
            const int status = report(begun.error());
            sayHowToGiveSecrets(begun.error());
            return status;
        }
    }
    if (!parser.isSet(u"wait"_s)) {
        return exitOk;
    }
    WatchOptions watch;
    watch.table = stdoutIsTerminal();
    const Watched end = watchJob(session, job.uuid, watch);
    if (end.over) {
        waitForLogs(session, end.job);
        errorLine(endSentence(end.job));
    }
    return end.status;
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

int runMove(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.addOptions({{u"before"_s, {}, u"job"_s}, {u"first"_s, {}}, {u"priority"_s, {}, u"n"_s}});
    if (!parse(parser, u"move"_s, arguments)) {
        return exitUnusable;
    }
    const QString word = oneJob(parser, u"move"_s);
    if (word.isEmpty()) {
        return exitUnusable;
    }
    if (int(parser.isSet(u"before"_s)) + int(parser.isSet(u"first"_s)) + int(parser.isSet(u"priority"_s)) > 1) {
        return usageError(u"move"_s, tr("Use only one of --first, --before and --priority."));
    }
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(word, job); status != exitOk) {
        return status;
    }
    if (parser.isSet(u"priority"_s)) {
        bool isNumber = false;
        const int priority = parser.value(u"priority"_s).toInt(&isNumber);
        if (!isNumber) {
            return usageError(u"move"_s, tr("--priority takes a whole number."));
        }
        const Result<bool> set = session.call<api::SetPriority>({job.uuid, priority});
        if (!set) {
            return report(set.error());
        }
        if (!*set) {
            errorLine(tr("Only waiting jobs have a position in the queue."));
        }
        return *set ? exitOk : exitRefused;
    }
    QString before;
    if (parser.isSet(u"before"_s)) {
        const Result<JobSummary> other = session.findJob(parser.value(u"before"_s));
        if (!other) {
            return report(other.error());
        }
        before = other->uuid;
    } else if (parser.isSet(u"first"_s)) {
        before = firstOfQueue(session.client().jobs());
        if (before == job.uuid) {
            return exitOk; // it is
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
    return exitOk;
}

} // namespace

Command retryCommand()
{
    return {u"retry"_s, tr("Run a finished job again"),
        tr("retry JOB [TASK...] [--failed] [--with FILE] [--secret NAME] [--wait]\n\n"
           "Starts another attempt of a finished job, with all of its tasks or with those that are named "
           "(ROLE/INDEX).\n"
           "The other tasks keep their results and logs. Secrets are asked for again, because they are forgotten when "
           "a\n"
           "job ends.\n\n"
           "  --failed       run only the tasks that did not succeed\n"
           "  --with FILE    use the text of this file from now on ('-' is standard input); it must have the same "
           "task\n"
           "                 roles with the same number of instances, otherwise use 'run'\n"
           "  --secret NAME  ask for a secret; NAME=@FILE and NAME=env:VARIABLE work as for 'run'\n"
           "  --wait         wait until the job has ended\n\n"
           "Examples:\n"
           "  trainyardctl retry 41 --failed\n"
           "  trainyardctl retry 41 --failed --with train.pai.yaml\n"
           "  trainyardctl retry sweep worker/3 worker/7 --wait\n\n"
           "Exit status:\n"
           "  0    the job runs again; with --wait: SUCCEEDED\n"
           "  2    no such job or task, or wrong usage\n"
           "  3    no engine\n"
           "  4    the job is still active, or there is no task to run again\n"
           "  130  STOPPED, or interrupted with Ctrl+C\n"
           "A FAILED job that was waited for gives the status of its command, or its own code, if that is 1 to 125,\n"
           "otherwise 1."),
        runRetry};
}

Command moveCommand()
{
    return {u"move"_s, tr("Change the order of waiting jobs"),
        tr("move JOB [--first | --before OTHER | --priority N]\n\n"
           "Moves a waiting job to the front of the queue, directly before another job, or to the end of the queue.\n\n"
           "  --first         move it before all other jobs\n"
           "  --before OTHER  move it directly before this job\n"
           "  --priority N    give it this priority; larger numbers start first, equal ones by the time of "
           "submission\n\n"
           "Examples:\n"
           "  trainyardctl move 44 --first\n"
           "  trainyardctl move 44 --before 41\n"
           "  trainyardctl move 44 --priority 10\n"
           "  trainyardctl move 41\n\n"
           "Exit status: 0 ok; 2 no such job, or wrong usage; 3 no engine; 4 one of the jobs does not wait."),
        runMove};
}

} // namespace trainyard::cli
