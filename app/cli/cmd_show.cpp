// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/environmentofjob.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/pscolumns.h"
#include "app/cli/remotelogs.h"
#include "app/cli/session.h"
#include "app/cli/sharedmetrics.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/sharedwork.h"
#include "app/cli/shownjob.h"
#include "app/cli/showprint.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/api/openpaijson.h"
#include "engine/client/ownexitrules.h"
#include "engine/client/paths.h"
#include "widgets/text/resulttexts.h"
#include "widgets/text/unresolvedtexts.h"

#include <QJsonArray>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// False: it is not known any more.
bool takeTextOfAttempt(JobDetail &detail, int attempt)
{
    const std::optional<TextOfAttempt> text
        = textOfAttempt(detail.earlierTexts, {detail.yaml, detail.summary.parameters}, attempt);
    detail.yaml = text.value_or(TextOfAttempt()).yaml;
    detail.summary.parameters = text.value_or(TextOfAttempt()).parameters;
    return text.has_value();
}

QString unknownText(int attempt)
{
    return tr("The text of attempt %1 is not known any more: it was not kept when the job was tried again.")
        .arg(attempt + 1);
}

struct ShowValues {
    QStringList words;
    bool json = false, tasks = false, environment = false, yaml = false;
    std::optional<qint64> from, limit, attempt;
};
const CommandLine<ShowValues> &showLine();

QJsonArray missingLogsJson(const QList<MissingLog> &logs)
{
    QJsonArray all;
    for (const MissingLog &log : logs) {
        all.append(QJsonObject{{u"task"_s, log.task}, {u"host"_s, log.host}, {u"folder"_s, log.folder},
            {u"unwrittenBytes"_s, log.unwritten}, {u"removedBytes"_s, log.removed}, {u"gone"_s, log.isGone}});
    }
    return all;
}

// Sentences of the text that no other member says.
QStringList remarksOf(const JobDetail &detail, const QStringList &sharedMetrics, const QStringList &resultsHere)
{
    QStringList remarks = sharedMetrics + resultsHere;
    remarks += {unresolvedText(detail.yaml), unreachedRuleText(detail.summary.results)};
    remarks.removeAll(QString());
    return remarks;
}

// `several` takes the objects of several jobs, which are printed together.
int showJob(Session &session, const ShowValues &values, const JobSummary &job, QJsonArray *several)
{
    const int from = int(values.from.value_or(0));
    const int limit = int(values.limit.value_or(0));
    const int attempt = int(values.attempt.value_or(0)) - 1; // people count from 1
    Result<JobDetail> detail = session.detail(job.uuid);
    if (!detail) {
        return report(detail.error());
    }
    if (attempt >= detail->attempts.size()) {
        return showLine().wrongUsage(noSuchAttempt(job, detail->attempts.size()));
    }
    const bool isTextKnown = attempt < 0 || takeTextOfAttempt(*detail, attempt);
    if (values.yaml) {
        if (!isTextKnown) {
            errorLine(unknownText(attempt));
            return exitUnusable;
        }
        outFile(textAsItRan(*detail));
        return exitOk;
    }
    if (values.environment) {
        const Result<QList<TaskInfo>> tasks = session.someTasks(job.uuid, attempt, from, limit);
        return tasks ? printEnvironmentOfTasks(detail->summary, *tasks, values.json) : report(tasks.error());
    }
    const bool wantsTasks = values.tasks;
    const Result<TaskOutline> outline = session.outline(job.uuid, attempt, wantsTasks ? 1 : tasksShown);
    if (!outline) {
        return report(outline.error());
    }
    QList<TaskInfo> tasks = outline->tasks;
    if (wantsTasks) {
        const Result<QList<TaskInfo>> wanted = session.someTasks(job.uuid, attempt, from, limit);
        if (!wanted) {
            return report(wanted.error());
        }
        tasks = *wanted;
    }
    JobDetail asked = *detail;
    if (attempt >= 0 && attempt + 1 < detail->attempts.size()) {
        asked.summary = summaryOfAttempt(detail->summary, detail->attempts.at(attempt), *outline);
        asked.services.clear();
        asked.held.clear();
        asked.textFile.clear(); // of an earlier one it is not known
    }
    if (values.json) {
        const openpai::TaskSelection selection
            = wantsTasks ? openpai::TaskSelection{false, 0, 0} : openpai::TaskSelection{};
        QList<TaskInfo> earlier;
        const bool anyAgain
            = std::any_of(tasks.cbegin(), tasks.cend(), [](const TaskInfo &task) { return task.tries > 0; });
        if (wantsTasks && anyAgain) {
            const Result<QList<TaskInfo>> tries = session.earlierTries(job.uuid, attempt);
            if (!tries) {
                return report(tries.error());
            }
            earlier = *tries;
        }
        const ExitRules rules = ownExitRules(paths::configFolder()).value_or(ExitRules::bundled());
        QJsonObject shown = openpai::toDetail(*detail, tasks, rules, attempt, selection, outline->roles, earlier);
        QJsonObject engine = shown.value(u"engine"_s).toObject();
        // The status is the job's; the text about the end is that of the attempt.
        const QJsonObject ended = openpai::toListEntry(asked.summary).value(u"engine"_s).toObject();
        for (const QString &key : {u"reason"_s, u"reasonArgs"_s, u"exitStatus"_s, u"counts"_s}) {
            engine.insert(key, ended.value(key));
        }
        // The protocol's own text of a code does not know what the output says.
        const QString why = whyShown(asked.summary);
        engine.insert(u"why"_s, why.isEmpty() ? QJsonValue() : QJsonValue(why));
        engine.insert(u"outputGone"_s, isOutputGone(*detail));
        const Result<QList<MissingLog>> logs = isFinal(detail->summary.state)
            ? missingLogsOf(session, detail->summary)
            : Result<QList<MissingLog>>(QList<MissingLog>());
        if (!logs) {
            return report(logs.error());
        }
        engine.insert(u"missingLogs"_s, missingLogsJson(*logs));
        engine.insert(u"remarks"_s,
            QJsonArray::fromStringList(remarksOf(*detail, sharedMetricsLines(session, detail->summary.id, tasks),
                attempt >= 0 ? QStringList() : sharedWorkLines(session, job.uuid, tasks))));
        shown.insert(u"engine"_s, engine);
        if (several) {
            several->append(shown);
        } else {
            outJson(QJsonDocument(shown));
        }
    } else {
        const int total = std::accumulate(outline->roles.begin(), outline->roles.end(), 0,
            [](int sum, const RoleCounts &role) { return sum + role.counts.total(); });
        QStringList missing;
        if (isFinal(detail->summary.state)) {
            const Result<QList<MissingLog>> logs = missingLogsOf(session, detail->summary);
            if (!logs) {
                return report(logs.error());
            }
            missing = missingLogLines(*logs, session.client().hosts());
        }
        printJob(asked, attempt >= 0, tasks, wantsTasks ? static_cast<int>(tasks.size()) : total, wantsTasks, missing,
            sharedMetricsLines(session, detail->summary.id, tasks),
            attempt >= 0 ? QStringList() : sharedWorkLines(session, job.uuid, tasks));
    }
    return exitOk;
}

int showSeveral(Session &session, const ShowValues &values, const QList<JobSummary> &jobs)
{
    if (values.yaml || values.environment || values.attempt) {
        return showLine().wrongUsage(
            tr("%1, %2 and %3 belong to one JOB; these are %4: %5.")
                .arg(showLine().name(&ShowValues::yaml), showLine().name(&ShowValues::environment),
                    showLine().name(&ShowValues::attempt), QString::number(jobs.size()), jobNumbers(jobs)));
    }
    QJsonArray all;
    for (const JobSummary &job : jobs) {
        if (!values.json && &job != &jobs.constFirst()) {
            outLine({});
        }
        if (const int status = showJob(session, values, job, values.json ? &all : nullptr); status != exitOk) {
            return status;
        }
    }
    if (values.json) {
        outJson(QJsonDocument(all));
    }
    return exitOk;
}

int runShow(const ShowValues &values)
{
    if (values.yaml && (values.json || values.tasks || values.environment || values.from || values.limit)) {
        return showLine().wrongUsage(
            tr("Use %1 without other options than %2.")
                .arg(showLine().name(&ShowValues::yaml), showLine().name(&ShowValues::attempt)));
    }
    Session session;
    MeantJobs meant;
    if (const int status = session.connectFor(values.words, meant); status != exitOk) {
        return status;
    }
    if (meant.jobs.size() > 1) {
        return showSeveral(session, values, meant.jobs);
    }
    sayWhichOfSeveral(session, values.words.constFirst(), meant.jobs.constFirst());
    QJsonArray all;
    const bool isList = values.json && meant.areSeveral && !values.environment;
    const int status = showJob(session, values, meant.jobs.constFirst(), isList ? &all : nullptr);
    if (isList && status == exitOk) {
        outJson(QJsonDocument(all));
    }
    return status;
}

const CommandLine<ShowValues> &showLine()
{
    static const CommandLine<ShowValues> line
        = CommandLine<ShowValues>(u"show"_s, tr("Show jobs and their tasks"))
              .runs(runShow, {u"JOB..."_s, 1, anyNumber, Word::Job, whichJob()})
              .text(tr("Shows a job, or several one after the other. JOB is its number (41 or '#41'), the first 8 or "
                       "more characters of its UUID, or "
                       "its name. If several jobs have the name, it takes the newest and says so on standard error."))
              .more(severalNote())
              .option(u"--json"_s, &ShowValues::json,
                  tr("print a JSON object with the field names of OpenPAI's API; additions are under \"engine\". It "
                     "contains the first 50 tasks of each role that have not succeeded. For several jobs, an array"))
              .option(u"--tasks"_s, &ShowValues::tasks,
                  tr("show all tasks, counted over all roles from 0. As JSON, a task that was retried has its "
                     "tries as \"attempts\", the latest first"))
              .option(u"--environment"_s, &ShowValues::environment,
                  tr("show what the tasks found when they started: host, commit and uncommitted changes of the work "
                     "folder, Python and its packages. With --json, the diff and the variables too"))
              .option(u"--yaml"_s, &ShowValues::yaml,
                  tr("print the text of the job instead, with the name and the parameters that it ran with and masks "
                     "in place of secrets. With --attempt, the text that this attempt ran with"))
              .option(u"--from N"_s, &ShowValues::from, tr("begin the list of tasks with this one"), wholeNumber(0))
              .option(u"--limit N"_s, &ShowValues::limit, tr("show at most this many tasks"), wholeNumber(0))
              .option(
                  u"--attempt N"_s, &ShowValues::attempt, tr("show an earlier attempt, counted from 1"), wholeNumber(1))
              .examples({u"trainyardctl show 41"_s, u"trainyardctl show 41 --environment"_s,
                  u"trainyardctl show 41 --tasks --from 100 --limit 20"_s, u"trainyardctl show 41 --yaml"_s,
                  u"trainyardctl show 41 --yaml --attempt 1"_s,
                  u"trainyardctl show resnet --json | jq .jobStatus.appExitCode"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job or attempt, or wrong usage")},
                  {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command showCommand() { return showLine().command(); }

} // namespace trainyard::cli
