// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/fullscreen.h"
#include "app/cli/groupjobs.h"
#include "app/cli/jobcommands.h"
#include "app/cli/jobtable.h"
#include "app/cli/leftfolders.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/api/jobfacts.h"
#include "engine/api/openpaijson.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/healthtexts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QRegularExpression>
#include <QScopeGuard>

#include <algorithm>
#include <limits>
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
    bool all = false, json = false, watch = false;
};
const CommandLine<PsOptions> &psLine();

const QStringList &stateWords()
{
    static const QStringList words{
        u"waiting"_s, u"running"_s, u"stopping"_s, u"succeeded"_s, u"failed"_s, u"stopped"_s, u"unknown"_s};
    return words;
}

QString tasksText(const JobSummary &job)
{
    const QString text = progressText(job);
    return job.counts.failed > 0 ? tr("%1 (%2 failed)").arg(text, QString::number(job.counts.failed)) : text;
}

QString whyShown(const JobSummary &job) { return job.state == State::Succeeded ? QString() : whyText(job); }

// The names that --sort and --format know. Times are UTC in ISO format, so that they sort and compare as text.
const QStringList &columnNames()
{
    static const QStringList names{u"id"_s, u"name"_s, u"state"_s, u"tasks"_s, u"failed"_s, u"time"_s, u"submitted"_s,
        u"completed"_s, u"host"_s, u"why"_s, u"uuid"_s, u"code"_s, u"priority"_s, u"user"_s, u"health"_s};
    return names;
}

// "loss jumped, GPU idle": each kind once.
QString healthSummary(const JobSummary &job)
{
    QStringList words;
    for (const HealthMark &mark : job.health) {
        words.append(healthWords(mark.code));
    }
    words.removeDuplicates();
    return words.join(u", "_s);
}

qint64 secondsOf(const JobSummary &job, qint64 now) { return countedMs(job, now) / 1000; }

QString columnText(const JobSummary &job, const QString &name, qint64 now)
{
    const auto time = [](qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODate); };
    switch (columnNames().indexOf(name)) {
    case 0:
        return QString::number(job.id);
    case 1:
        return job.name;
    case 2:
        return stateWord(job.state);
    case 3:
        return tasksText(job);
    case 4:
        return QString::number(job.counts.failed);
    case 5:
        return QString::number(secondsOf(job, now));
    case 6:
        return time(job.submitted);
    case 7:
        return job.completed ? time(*job.completed) : QString();
    case 8:
        return job.hosts.join(u',');
    case 9:
        return whyShown(job);
    case 10:
        return job.uuid;
    case 11:
        return job.exitCode ? QString::number(*job.exitCode) : QString();
    case 12:
        return QString::number(job.priority);
    case 13:
        return job.user;
    default:
        return healthSummary(job);
    }
}

void sortJobs(QList<JobSummary> &jobs, const QString &sort)
{
    const bool isDown = sort.startsWith(u'-');
    const QString key = isDown ? sort.sliced(1) : sort;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto number = [&](const JobSummary &job) -> qint64 {
        return key == "id"_L1       ? job.id
            : key == "time"_L1      ? secondsOf(job, now)
            : key == "tasks"_L1     ? job.totalTasks
            : key == "failed"_L1    ? job.counts.failed
            : key == "priority"_L1  ? job.priority
            : key == "code"_L1      ? job.exitCode.value_or(0)
            : key == "submitted"_L1 ? job.submitted
            : key == "completed"_L1 ? job.completed.value_or(std::numeric_limits<qint64>::max())
                                    : 0;
    };
    std::stable_sort(jobs.begin(), jobs.end(), [&](const JobSummary &a, const JobSummary &b) {
        const JobSummary &first = isDown ? b : a;
        const JobSummary &second = isDown ? a : b;
        const qint64 one = number(first);
        const qint64 other = number(second);
        return one != other ? one < other : columnText(first, key, now) < columnText(second, key, now);
    });
}

// "{id} {name}" with the values of a job; \t and \n as a shell's printf has them.
QString formatted(const JobSummary &job, const QString &format, qint64 now)
{
    QString line = format;
    line.replace(u"\\t"_s, u"\t"_s).replace(u"\\n"_s, u"\n"_s);
    static const QRegularExpression column(u"\\{([a-z]+)\\}"_s);
    QString result;
    qsizetype at = 0;
    auto matches = column.globalMatch(line);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        result += QStringView(line).sliced(at, match.capturedStart() - at);
        result += columnText(job, match.captured(1), now).replace(u'\n', u' ');
        at = match.capturedEnd();
    }
    return result + QStringView(line).sliced(at);
}

// Empty when all names in the format are known.
QString unknownColumn(const QString &format)
{
    static const QRegularExpression column(u"\\{([^{}]*)\\}"_s);
    auto matches = column.globalMatch(format);
    while (matches.hasNext()) {
        const QString name = matches.next().captured(1);
        if (!columnNames().contains(name)) {
            return name.isEmpty() ? u"{}"_s : name;
        }
    }
    return {};
}

QStringList tableOf(const QList<JobSummary> &jobs, int width = 0)
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QList<QStringList> rows{
        {tr("ID"), tr("NAME"), tr("STATE"), tr("TASKS"), tr("TIME"), tr("SUBMITTED"), tr("HOST"), tr("WHY")}};
    for (const JobSummary &job : jobs) {
        rows.append({QString::number(job.id), job.name, stateWord(job.state), tasksText(job), elapsed(job, now),
            formatTime(job.submitted, now), job.hosts.join(u','), whyShown(job)});
    }
    QStringList lines = alignedRows(rows, width, {1, 6});
    lines.first() = paint(Colour::Bold, lines.first());
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const JobSummary &job = jobs.at(i - 1);
        const QString word = stateWord(job.state);
        // Behind the name, which may hold the same word.
        const qsizetype name = lines.at(i).indexOf(job.name);
        const qsizetype at = lines.at(i).indexOf(word, name < 0 ? 0 : name + job.name.size());
        if (at >= 0) {
            lines[i].replace(at, word.size(), paint(stateColour(job.state), word));
        }
    }
    return lines;
}

void print(const QList<JobSummary> &jobs, const PsOptions &options)
{
    if (options.json) {
        QJsonArray array;
        for (const JobSummary &job : jobs) {
            array.append(openpai::toListEntry(job));
        }
        outJson(QJsonDocument(array));
    } else if (!options.format.isEmpty()) {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (const JobSummary &job : jobs) {
            outLine(formatted(job, options.format, now));
        }
    } else if (!jobs.isEmpty()) {
        const QStringList lines = tableOf(jobs);
        for (const QString &line : lines) {
            outLine(line);
        }
    }
}

// The active jobs and the newest others, or all that match.
Result<QList<JobSummary>> wantedJobs(Session &session, const PsOptions &options)
{
    Result<QList<JobSummary>> jobs = QList<JobSummary>();
    if (options.all || !options.filter.isEmpty()) {
        jobs = allJobs(session, options.filter);
    } else {
        int finals = 0;
        const QList<JobSummary> known = session.client().jobs();
        for (const JobSummary &job : known) {
            if (!isFinal(job.state) || ++finals <= finalShown) {
                jobs->append(job);
            }
        }
    }
    if (jobs && !options.sort.isEmpty()) {
        sortJobs(*jobs, options.sort);
    }
    return jobs;
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
            const Result<QList<JobSummary>> jobs = wantedJobs(session, options);
            if (!jobs) {
                lost = jobs.error();
                loop.quit();
                return;
            }
            QStringList lines = tableOf(*jobs, FullScreen::columns());
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

// What is wrong with the command line; empty when it is right.
QString wrongUsage(const PsOptions &options)
{
    if (options.filter.startsWith("state:"_L1)) {
        const QString word = options.filter.sliced(6).toLower();
        if (!stateWords().contains(word)) {
            return tr("There is no state '%1'. The states are: %2.").arg(word, stateWords().join(u", "_s))
                + didYouMean(word, stateWords());
        }
    }
    const QString key = options.sort.startsWith(u'-') ? options.sort.sliced(1) : options.sort;
    if (!options.sort.isEmpty() && !columnNames().contains(key)) {
        return tr("Jobs cannot be sorted by '%1'. The columns are: %2.").arg(key, columnNames().join(u", "_s))
            + didYouMean(key, columnNames());
    }
    if (const QString name = unknownColumn(options.format); !name.isEmpty()) {
        return tr("There is no column '%1'. The columns are: %2.").arg(name, columnNames().join(u", "_s))
            + didYouMean(name, columnNames());
    }
    if (options.watch && !FullScreen::isPossible()) {
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
    options.filter = options.words.value(0);
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
    const Result<QList<JobSummary>> jobs = wantedJobs(session, options);
    if (!jobs) {
        return report(jobs.error());
    }
    print(*jobs, options);
    if (jobs->isEmpty() && !options.json && options.format.isEmpty()
        && !(options.filter.isEmpty() && tellOfLeftFolders(session)) && stderrIsTerminal()) {
        errorLine(options.filter.isEmpty() ? tr("There are no jobs. 'trainyardctl run FILE' starts one.")
                                           : tr("No job matches '%1'.").arg(options.filter));
    }
    return exitOk;
}

const CommandLine<PsOptions> &psLine()
{
    static const CommandLine<PsOptions> line
        = CommandLine<PsOptions>(u"ps"_s, tr("List jobs, newest first"))
              .runs(runPs, {u"[FILTER]"_s, 0, 1, Word::Other, tr("Give one FILTER, in quotes if it has blanks.")})
              .text(
                  tr("Lists the active jobs and the 20 newest finished ones, newest first.\n\n"
                     "TASKS is how many of the job's tasks have succeeded, and how many it has. TIME is the time since "
                     "the newest attempt started, or that it took; as long as none of its tasks has started, the "
                     "time since it began to wait. TIME stands still while the job is paused or waits for its next "
                     "attempt.\n\n"
                     "With FILTER, lists only the jobs whose name, number or UUID contains this text, or with "
                     "state:failed and so on the jobs in that state, and with group:NAME those of a group; of all jobs."))
              .option(u"-a, --all"_s, &PsOptions::all, tr("list all jobs"))
              .option(u"--sort KEY"_s, &PsOptions::sort, tr("sort by a column, with -KEY in descending order"))
              .values(columnNames())
              .option(u"--format TEXT"_s, &PsOptions::format,
                  tr("print TEXT for each job; {id}, {name}, {state}, {tasks}, {failed}, {time} (seconds), "
                     "{submitted}, "
                     "{completed} (UTC), {host}, {why}, {uuid}, {code}, {priority}, {user} and {health} are replaced, "
                     "and \\t "
                     "and "
                     "\\n are a tab and a newline. The same names sort"))
              .option(u"--json"_s, &PsOptions::json,
                  tr("print an array with the field names of OpenPAI's API, and id, uuid and host"))
              .option(u"-w, --watch"_s, &PsOptions::watch,
                  tr("show the list and update it every second until you press q or Ctrl+C"))
              .exclusive(&PsOptions::format, &PsOptions::json, &PsOptions::watch)
              .examples({u"trainyardctl ps"_s,
                  u"trainyardctl ps state:failed --sort -completed --format '{id}\\t{name}\\t{why}'"_s,
                  u"trainyardctl ps --all --json | jq '.[] | select(.state == \"FAILED\") | .name'"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("wrong usage")}, {exitNoEngine, tr("no engine")}});
    return line;
}

} // namespace

Command psCommand() { return psLine().command(); }

} // namespace trainyard::cli
