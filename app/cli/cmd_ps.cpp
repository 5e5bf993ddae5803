// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/causecounts.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/filterhints.h"
#include "app/cli/fullscreen.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/leftfolders.h"
#include "app/cli/pscolumns.h"
#include "app/cli/pstable.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/api/jobfilter.h"
#include "engine/api/openpaijson.h"
#include "engine/api/queueplace.h"
#include "widgets/text/filtertexts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QScopeGuard>

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr int watchMs = 1000;
constexpr int finalShown = 20; // without --all, besides the active ones

struct PsOptions {
    QStringList words;
    QString filter, format;
    QString sort; // a key, with '-' in front the other way round
    bool all = false, json = false, csv = false, watch = false, wide = false, causes = false;
};
const CommandLine<PsOptions> &psLine();

void print(const QList<JobSummary> &jobs, const QHash<QString, QueuePlace> &queue, const PsOptions &options)
{
    if (options.json) {
        QJsonArray array;
        for (const JobSummary &job : jobs) {
            QJsonObject entry = openpai::toListEntry(job);
            QJsonObject own = entry.value("engine"_L1).toObject();
            const auto [position, length] = queue.value(job.uuid);
            own.insert(u"queuePosition"_s, position > 0 ? QJsonValue(position) : QJsonValue());
            own.insert(u"queueLength"_s, position > 0 ? QJsonValue(length) : QJsonValue());
            const QString why = whyShown(job);
            own.insert(u"why"_s, why.isEmpty() ? QJsonValue() : QJsonValue(why));
            entry.insert(u"engine"_s, own);
            array.append(entry);
        }
        outJson(QJsonDocument(array));
    } else if (options.csv) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        outFile(csvOf(jobs, namedColumns(options.format), queue, now).toUtf8());
    } else if (!options.format.isEmpty()) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const JobSummary &job : jobs) {
            outLine(formatted(job, options.format, now));
        }
    } else if (!jobs.isEmpty() || !options.filter.isEmpty()) {
        const QStringList lines = psTable(jobs, queue, tableWidth(options.wide), QDateTime::currentMSecsSinceEpoch());
        for (const QString &line : lines) {
            outLine(line);
        }
    }
}

struct ListedJobs {
    QList<JobSummary> jobs;
    int leftOut = 0; // older ones, or those that sort behind
    bool leavesMore = false; // perhaps: not all are known here
};

// The number of jobs that are not shown, and the option that shows them; empty if all are shown.
QString leftOutText(const ListedJobs &listed, const PsOptions &options)
{
    if (listed.leftOut == 0) {
        return {};
    }
    const QString all = psLine().name(&PsOptions::all);
    if (!options.sort.isEmpty()) {
        return listed.leftOut == 1
            ? tr("1 ended job that comes behind these is not shown. With %1 it is.").arg(all)
            : tr("%1 ended jobs that come behind these are not shown. With %2 they are.").arg(listed.leftOut).arg(all);
    }
    return listed.leavesMore
        ? tr("At least %1 older jobs are not shown. With %2 they are.").arg(listed.leftOut).arg(all)
        : listed.leftOut == 1 ? tr("1 older job is not shown. With %1 it is.").arg(all)
                              : tr("%1 older jobs are not shown. With %2 they are.").arg(listed.leftOut).arg(all);
}

// The active jobs and the newest others, or all that match; archived ones only when they are asked for.
Result<ListedJobs> wantedJobs(Session &session, const PsOptions &options)
{
    ListedJobs listed;
    if (options.all || options.causes || !options.filter.isEmpty() || !options.sort.isEmpty()) {
        Result<QList<JobSummary>> jobs = allJobs(session, withoutArchived(options.filter));
        if (!jobs) {
            return tl::unexpected<Error>(jobs.error());
        }
        listed.jobs = *jobs;
    } else {
        int finals = 0;
        const QList<JobSummary> known = session.client().jobs();
        for (const JobSummary &job : known) {
            if (job.labels.isArchived) {
                continue;
            }
            if (!isFinal(job.state) || ++finals <= finalShown) {
                listed.jobs.append(job);
            } else {
                ++listed.leftOut;
            }
        }
        listed.leavesMore = known.size() >= EngineClient::newestHeld;
    }
    if (!options.sort.isEmpty()) {
        sortJobs(listed.jobs, options.sort);
    }
    if (!options.sort.isEmpty() && !options.all && options.filter.isEmpty()) { // the first of all that there are
        int finals = 0;
        listed.leftOut = int(listed.jobs.removeIf(
            [&finals](const JobSummary &job) { return isFinal(job.state) && ++finals > finalShown; }));
    }
    return listed;
}

// Redraws the table each second until q or Ctrl+C.
int watchJobs(Session &session, const PsOptions &options)
{
    std::optional<Error> lost;
    {
        QEventLoop loop;
        const Interrupts interrupts;
        QTimer timer;
        FullScreen screen;
        bool isDrawing = false;
        const auto draw = [&] {
            if (std::exchange(isDrawing, true)) {
                return; // the engine has not answered since the last time
            }
            const auto done = qScopeGuard([&] { isDrawing = false; });
            const Result<ListedJobs> listed = wantedJobs(session, options);
            if (!listed) {
                lost = listed.error();
                loop.quit();
                return;
            }
            QList<JobSummary> jobs = listed->jobs;
            const bool hasRoom = jobs.size() < FullScreen::rows(); // below the heads of the columns
            if (!hasRoom && options.sort.isEmpty()) { // what goes on is what the user watches for
                std::stable_partition(
                    jobs.begin(), jobs.end(), [](const JobSummary &job) { return !isFinal(job.state); });
            }
            QStringList lines = psTable(
                jobs, queuePlaces(session.client().jobs()), FullScreen::columns(), QDateTime::currentMSecsSinceEpoch());
            if (const QString more = leftOutText(*listed, options);
                !more.isEmpty() && lines.size() < FullScreen::rows()) {
                lines.append(paint(Colour::Dim, more));
            }
            if (const qsizetype rows = FullScreen::rows(); lines.size() > rows && rows > 1) {
                const qsizetype missing = lines.size() - rows + 1;
                lines = lines.first(rows - 1) << paint(Colour::Dim, tr("... and %1 more").arg(missing));
            }
            screen.draw(lines);
        };
        QObject::connect(&timer, &QTimer::timeout, &loop, draw);
        QObject::connect(&screen, &FullScreen::redrawNeeded, &loop, draw);
        QObject::connect(&screen, &FullScreen::quitRequested, &loop, &QEventLoop::quit);
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, &QEventLoop::quit);
        timer.start(watchMs);
        QTimer::singleShot(0, &loop, draw);
        loop.exec();
    }
    return lost ? report(*lost) : exitOk; // on the page that stays
}

// The error in the command line; empty if there is none.
QString wrongUsage(const PsOptions &options)
{
    if (const auto filter = JobFilter::parse(options.filter, QDateTime::currentMSecsSinceEpoch()); !filter) {
        const qint64 at = filter.error().args.value("at"_L1).toInteger();
        return tr("%1 (At character %2 of the filter.)").arg(filterErrorText(filter.error()), QString::number(at + 1));
    }
    const QString key = options.sort.startsWith(u'-') ? options.sort.sliced(1) : options.sort;
    const QString columns
        = tr("%1, and param:NAME, result:NAME, min:NAME and max:NAME").arg(columnNames().join(u", "_s));
    if (!options.sort.isEmpty() && !isColumn(key)) {
        return tr("Jobs cannot be sorted by '%1'. The columns are: %2.").arg(key, columns)
            + didYouMean(key, columnNames());
    }
    if (const QString name = unknownColumn(options.format); !name.isEmpty()) {
        return tr("There is no column '%1'. The columns are: %2.").arg(name, columns) + didYouMean(name, columnNames());
    }
    if (options.csv && !options.format.isEmpty() && namedColumns(options.format).isEmpty()) {
        return tr("%1 names no column for %2. The columns are: %3.")
            .arg(psLine().name(&PsOptions::format), psLine().name(&PsOptions::csv), columns);
    }
    if (options.watch && !canDraw()) {
        return tr("%1 needs a terminal that can be drawn on.").arg(psLine().name(&PsOptions::watch));
    }
    return {};
}

// There is no job although jobs have run: the store was replaced.
bool tellOfLeftFolders(Session &session)
{
    const Result<EngineStatus> status = session.call<api::GetStatus>({});
    const QStringList lines
        = status ? leftFolderLines(leftFolders(session, status->stateFolder), status->stateFolder) : QStringList();
    for (const QString &line : lines) {
        errorLine(line);
    }
    return !lines.isEmpty();
}

int runPs(const PsOptions &given)
{
    PsOptions options = given;
    options.filter = options.words.join(u' ');
    if (const QString wrong = wrongUsage(options); !wrong.isEmpty()) {
        return psLine().wrongUsage(wrong);
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    if (options.watch) {
        return watchJobs(session, options);
    }
    const Result<ListedJobs> listed = wantedJobs(session, options);
    if (!listed) {
        return report(listed.error());
    }
    const QList<JobSummary> &jobs = listed->jobs;
    if (options.causes) {
        printCauses(jobs, options.json);
        return exitOk;
    }
    print(jobs, queuePlaces(session.client().jobs()), options);
    if (const QString more = leftOutText(*listed, options); !more.isEmpty()) {
        errorLine(more); // also for a script, which would count too few
    }
    if (jobs.isEmpty() && !options.json && !options.csv && options.format.isEmpty()
        && !(options.filter.isEmpty() && tellOfLeftFolders(session)) && stderrIsTerminal()) {
        errorLine(options.filter.isEmpty() ? tr("There are no jobs. 'trainyardctl run FILE' starts one.")
                                           : tr("No job matches '%1'.").arg(options.filter));
    }
    if (jobs.isEmpty()) {
        sayUnknownNames(session, options.filter);
        sayMeantTerms(session, options.filter);
        sayMissingQuotes(options.filter);
        sayAlternatives(session, options.filter);
    }
    return exitOk;
}

const CommandLine<PsOptions> &psLine()
{
    static const CommandLine<PsOptions> line
        = CommandLine<PsOptions>(u"ps"_s, tr("List jobs, newest first"))
              .runs(runPs, {u"[FILTER...]"_s, 0, anyNumber, Word::Filter, {}})
              .text(
                  tr("Lists the active jobs and the finished ones, newest first. Where more than 20 have finished, "
                     "only the 20 newest of them are listed, and a line on the standard error output gives the number "
                     "of those that are "
                     "left out; --all lists these as well. With --sort, they are the first 20 of all jobs in that "
                     "order.\n\nTASKS is how "
                     "many of the job's tasks have succeeded, and how many it has. TIME "
                     "is how long the job has run, or ran: all its attempts together, without pauses and without the "
                     "waits between attempts. As long as none of its tasks has ever started, it is the time since the "
                     "job began to wait. QUEUE, which is there while a job waits, is its position in the queue: 1 is "
                     "placed first. "
                     "WHY is why the job waits or failed: a few words on a terminal, the sentence "
                     "elsewhere and with --wide; 'trainyardctl why JOB' says more.\n\nWith FILTER, lists only the jobs "
                     "that match, of all jobs. Each word is a part of the name, the number, a state, or the beginning "
                     "of the UUID, and several numbers, or a range (38-46), mean these jobs; and there are conditions, "
                     "all of which must hold: state:failed, tag:baseline, cause:oom (why it failed: the words under "
                     "WHY, or the name that 'why --json' has), host:lab1, name:TEXT, note:TEXT, "
                     "command:TEXT (what the first role runs), group:NAME, user:NAME, "
                     "id:41,43-45, after:2026-10-01, before:2d, "
                     "is:starred (archived, tagged, noted, grouped, paused, retried, due, unhealthy), time>2h, gpus>=4 "
                     "(tasks, "
                     "failed, retries, priority, code, id), and comparisons of parameters and of the latest values of "
                     "results by their names: lr>1e-3, model=resnet*, loss<0.2, \"val loss\"<0.3, min:loss<0.1, "
                     "max:acc>0.9. A comma separates alternatives, '*' stands for anything, and a dash in front means "
                     "that a condition does not hold: -tag:old (a word or a comparison with a dash in front needs '--' "
                     "before it). Put comparisons in quotes, since '<' and '>' mean something to the "
                     "shell.\n\nArchived jobs are left out unless the filter has is:archived, or with:archived."))
              .option(u"-a, --all"_s, &PsOptions::all, tr("list all jobs"))
              .option(u"--sort KEY"_s, &PsOptions::sort, tr("sort by a column, with -KEY in descending order"))
              .values(columnNames())
              .option(u"--format TEXT"_s, &PsOptions::format,
                  tr("print TEXT for each job; {id}, {name}, {state}, {tasks}, {failed}, {time} (seconds), "
                     "{submitted}, "
                     "{completed} (UTC), {host}, {why}, {uuid}, {code} (the exit status of the program where it is "
                     "known, else the exit code), {priority}, {user}, {tags}, {note}, {command} (the beginning of what "
                     "the first role runs), {group}, "
                     "{star}, {health}, {param:NAME}, {result:NAME} (the latest value), {min:NAME} and {max:NAME} are "
                     "replaced, "
                     "and \\t and \\n are a tab and a newline. The same names sort"))
              .option(u"--causes"_s, &PsOptions::causes,
                  tr("instead of the jobs, print why they failed and how many failed for it, the most frequent cause "
                     "first; CAUSE is its name, by which 'cause:' finds them"))
              .option(u"--json"_s, &PsOptions::json,
                  tr("print an array with the field names of OpenPAI's API, and id, uuid and host; what only Trainyard "
                     "has "
                     "is in engine, such as queuePosition (from 1) of a waiting job. With --causes: cause, words, "
                     "count and "
                     "jobs (their numbers) of each"))
              .option(u"--csv"_s, &PsOptions::csv,
                  tr("print comma-separated values with a line of names first: the columns of the list, or those that "
                     "--format names, with the values of --format"))
              .option(u"-w, --watch"_s, &PsOptions::watch,
                  tr("show the list and update it every second until you press q or Ctrl+C; where not all jobs have "
                     "room, the active ones come first"))
              .option(u"--wide"_s, &PsOptions::wide,
                  tr("print whole names and reasons also where the terminal is narrower"))
              .exclusive(&PsOptions::format, &PsOptions::json, &PsOptions::watch)
              .exclusive(&PsOptions::csv, &PsOptions::json, &PsOptions::watch)
              .exclusive(&PsOptions::csv, &PsOptions::causes)
              .exclusive(&PsOptions::causes, &PsOptions::format, &PsOptions::watch)
              .examples({u"trainyardctl ps"_s, u"trainyardctl ps tag:baseline 'lr>1e-3' 'loss<0.2'"_s,
                  u"trainyardctl ps group:sweep-7 --sort result:loss --format '{id}\\t{param:lr}\\t{result:loss}'"_s,
                  u"trainyardctl ps state:failed --sort -completed --format '{id}\\t{name}\\t{why}'"_s,
                  u"trainyardctl ps --all --csv --format '{id} {param:lr} {result:loss}' > jobs.csv"_s,
                  u"trainyardctl ps --causes after:7d"_s,
                  u"trainyardctl ps --all --json | jq '.[] | select(.state == \"FAILED\") | .name'"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command psCommand() { return psLine().command(); }

} // namespace trainyard::cli
