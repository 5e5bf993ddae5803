// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/comparedjobs.h"
#include "app/cli/compareprint.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/sharedmetrics.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/valuesatstep.h"
#include "app/cli/watch.h"
#include "app/cli/words.h"
#include "engine/api/compare/comparefolds.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct CompareValues {
    QStringList words;
    QString group;
    QString metric;
    std::optional<double> at;
    std::optional<QString> better;
    bool foldSeeds = false, all = false, json = false, csv = false;
};
const CommandLine<CompareValues> &compareLine();

Reads<double> stepNumber()
{
    return {tr("a step, such as 1000"), [](const QString &word) {
                bool isNumber = false;
                const double step = word.toDouble(&isNumber);
                return isNumber && step >= 0 ? std::optional(step) : std::nullopt;
            }};
}

// The wanted metric first, as it is spelled in the results. Returns 0, or the exit status after saying what is wrong.
int chooseMetrics(const QString &wanted, Compared &compared)
{
    QList<JobSummary> jobs;
    for (const CompareRun &run : std::as_const(compared.runs)) {
        jobs.append(run.job);
    }
    compared.metrics = compareMetrics(jobs);
    if (wanted.isEmpty()) {
        return exitOk;
    }
    qsizetype place = compared.metrics.indexOf(wanted);
    for (qsizetype i = 0; i < compared.metrics.size() && place < 0; ++i) {
        if (compared.metrics.at(i).compare(wanted, Qt::CaseInsensitive) == 0) {
            place = i;
        }
    }
    if (place < 0) {
        errorLine(tr("None of the runs has a metric '%1'.").arg(wanted) + didYouMean(wanted, compared.metrics));
        return exitUnusable;
    }
    compared.metrics.move(place, 0);
    return exitOk;
}

// Why a run has no results although it writes some: a file that several jobs write is not used. This is said once.
void sayShared(Session &session, const Compared &compared)
{
    constexpr int most = 10; // runs that are looked at
    int looked = 0;
    for (const CompareRun &run : compared.runs) {
        if (!run.job.results.isEmpty() || ++looked > most) {
            continue;
        }
        const Result<QList<TaskInfo>> tasks = session.allTasks(run.job.uuid, newestThatRan);
        const QStringList lines = sharedMetricsLines(session, run.job.id, tasks.value_or(QList<TaskInfo>()));
        if (!lines.isEmpty()) {
            errorLine(tr("#%1 has no results: %2").arg(QString::number(run.job.id), lines.constFirst()));
            return;
        }
    }
}

int runCompare(const CompareValues &values)
{
    if (values.words.isEmpty() && values.group.isEmpty()) {
        return compareLine().wrongUsage(tr("Which jobs? Give at least two, or %1 with the name of a group.")
                                            .arg(compareLine().name(&CompareValues::group)));
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    Compared compared;
    compared.all = values.all;
    if (const int status = comparedRuns(session, values.words, values.group, compared.runs); status != exitOk) {
        return status;
    }
    if (const int status = chooseMetrics(values.metric, compared); status != exitOk) {
        return status;
    }
    compared.table = compareRuns(compared.runs);
    compared.better = values.better  ? (*values.better == "lower"_L1 ? Better::Lower : Better::Higher)
        : compared.metrics.isEmpty() ? Better::Lower
                                     : betterByName(compared.metrics.constFirst());
    if (values.at) {
        compared.step = values.at;
        const Progress progress(tr("Reading the outputs ..."));
        for (const CompareRun &run : std::as_const(compared.runs)) {
            compared.atStep.append(valuesAtStep(session, run.job, *values.at));
        }
    }
    compared.isFolded = values.foldSeeds;
    if (values.foldSeeds) {
        compared.folds = foldSeeds(compared.table, compared.runs.size());
    } else {
        for (qsizetype run = 0; run < compared.runs.size(); ++run) {
            compared.folds.append(QList<qsizetype>{run});
        }
    }
    for (const CompareRun &run : std::as_const(compared.runs)) {
        if (run.job.resultsPending) {
            errorLine(pendingResults(run.job));
        }
    }
    sayShared(session, compared);
    if (values.json) {
        printJson(compared);
    } else if (values.csv) {
        printCsv(compared);
    } else {
        printTable(compared);
    }
    return exitOk;
}

const CommandLine<CompareValues> &compareLine()
{
    static const CommandLine<CompareValues> line
        = CommandLine<CompareValues>(u"compare"_s, tr("Compare the parameters and results of jobs"))
              .runs(runCompare, {u"[JOB...]"_s, 0, anyNumber, Word::Job})
              .text(tr(
                  "Prints a line for each job, the best first, with what differs between them: the name, "
                  "parameters, then "
                  "the results and how they ended, then the rest of their configuration and where they ran. What is "
                  "the same in all jobs is printed once, above. Unless --all is given, long values are cut, lines are "
                  "no "
                  "longer than the terminal is wide, what has no room in the table is below it, and commands are "
                  "not printed: the output only says that they differ. Of the metric that ranks the jobs, the best "
                  "value, its step and the newest value are shown; "
                  "of other metrics, the newest value. Without --metric, it is a metric that most jobs have, and of "
                  "these preferably one that is measured on validation data. A job whose newest value is not "
                  "a number is never the best, and one that failed or was stopped is the best only where no other "
                  "job has a value."))
              .option(u"--group NAME"_s, &CompareValues::group,
                  tr("also all jobs of this group, such as those of a sweep; the same as the JOB group:NAME"))
              .completes(Word::Group)
              .option(u"--metric NAME"_s, &CompareValues::metric, tr("rank the jobs by this metric"))
              .option(u"--better WHICH"_s, &CompareValues::better,
                  tr("whether lower or higher values of this metric are better. Without it, the name decides: lower "
                     "for a loss, higher for an accuracy"),
                  oneOf({u"lower"_s, u"higher"_s}))
              .values({u"lower"_s, u"higher"_s})
              .option(u"--at STEP"_s, &CompareValues::at,
                  tr("show each metric at this step, or at the last one before it, as the output counts them, or "
                     "else the files of metrics"),
                  stepNumber())
              .option(u"--fold-seeds"_s, &CompareValues::foldSeeds,
                  tr("combine jobs that differ only in a seed into one line, with the mean and the standard deviation"))
              .option(u"--all"_s, &CompareValues::all,
                  tr("show all metrics and commands, whole lines, what is the same in all jobs, and what was recorded "
                     "about their environment; of up to four jobs, a line for each field"))
              .option(u"--json"_s, &CompareValues::json, tr("print a JSON object with everything that is known"))
              .option(u"--csv"_s, &CompareValues::csv,
                  tr("print lines of comma-separated values, with all digits and whole texts; with --fold-seeds, the "
                     "mean of each metric, and in two more columns its standard deviation and the number of values"))
              .exclusive(&CompareValues::json, &CompareValues::csv)
              .more(severalNote() + u"\n\n"_s
                  + tr("The object has the fields metric, better, step, same, and runs: id, uuid, name, state, best, "
                       "fold "
                       "(jobs that differ only in a seed share its number when --fold-seeds is given), milliseconds, "
                       "different, resultsComplete, and results with last, step, best, bestAt and, with --at, atStep. "
                       "The "
                       "fields same and "
                       "different have the parts parameters, configuration, run and environment."))
              .examples({u"trainyardctl compare 41 42 43"_s, u"trainyardctl compare tag:mix"_s,
                  u"trainyardctl compare --group lr_sweep --fold-seeds"_s,
                  u"trainyardctl compare 41 42 --metric val_loss --at 1000"_s,
                  u"trainyardctl compare --group lr_sweep --csv > sweep.csv"_s})
              .exits({{exitOk, tr("compared")}, {exitUnusable, tr("no such job, group or metric, or wrong usage")},
                  {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command compareCommand() { return compareLine().command(); }

} // namespace trainyard::cli
