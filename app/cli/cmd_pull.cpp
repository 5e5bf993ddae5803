// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attemptchoice.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/pullerrors.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/useofhost.h"
#include "app/cli/watch.h"
#include "engine/api/tasklabel.h"
#include "engine/client/taskpull.h"
#include "engine/contract/taskfiles.h"
#include "model/protocol/jobdocument.h"
#include "widgets/text/columns.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct PullValues {
    QStringList words;
    std::optional<QString> to;
    std::optional<qint64> attempt;
    bool dryRun = false, json = false, all = false;
};
const CommandLine<PullValues> &pullLine();

// The files that are brought, their tasks, and the destination.
struct PullPlan {
    JobSummary job;
    QList<TaskInfo> tasks;
    QStringList globs;
    QString folder; // of all of them
    bool isOurs = false; // it is that of the job's results
    bool isOfOne = false; // the files go right into the folder
    bool isAnything = false; // the user has not said which files
    bool isMadeOnly = false; // without what was sent to the host
    int attempt = newestThatRan; // of which they are
};

// A folder is meant with all that is in it, also one that a pattern matches.
std::optional<QStringList> wantedGlobs(const QStringList &words)
{
    QStringList globs;
    for (QString word : words) {
        while (word.startsWith("./"_L1)) {
            word.remove(0, 2);
        }
        const QString plain = word.endsWith(u'/') ? word.chopped(1) : word;
        if (!contract::isPlainFilePath(plain.toStdString())) {
            return std::nullopt;
        }
        globs.append(word);
        if (!word.endsWith(u'/')) {
            globs.append(word + u'/');
        }
    }
    return globs;
}

// JOB [ROLE/INDEX] [GLOB...]: the second word is a task if the job has one of that name.
int makePlan(Session &session, const PullValues &values, const JobSummary &job, bool isOneOfSeveral, PullPlan &plan)
{
    QStringList words = values.words.sliced(1);
    plan.job = job;
    const std::optional<int> attempt = chosenAttempt(job, values.attempt);
    if (!attempt) {
        return exitUnusable;
    }
    const Result<QList<TaskInfo>> tasks = session.allTasks(plan.job.uuid, *attempt);
    if (!tasks) {
        return report(tasks.error());
    }
    sayIfFormer(job, values.attempt, *tasks);
    plan.attempt = tasks->isEmpty() ? *attempt : tasks->constFirst().attempt;
    const TaskName named = words.isEmpty() ? TaskName() : taskNamed(words.constFirst());
    for (const TaskInfo &task : *tasks) {
        if (task.role == named.role && task.index == named.index) {
            plan.tasks = {task};
            words.removeFirst();
            break;
        }
    }
    const bool isNamed = !plan.tasks.isEmpty();
    if (!isNamed) {
        for (const TaskInfo &task : *tasks) {
            if (!task.logFolder.isEmpty()) {
                plan.tasks.append(task);
            }
        }
    }
    if (plan.tasks.isEmpty()) {
        errorLine(tr("No task of %1 has been started.").arg(plan.job.name));
        return exitRefused;
    }
    const Result<JobDetail> detail = session.detail(plan.job.uuid);
    if (!detail) {
        return report(detail.error());
    }
    const ParseOutcome parsed = parseJob(detail->yaml);
    const ResultsRule rule = parsed.spec ? parsed.spec->trainyard.results : ResultsRule();
    const std::optional<QStringList> globs = wantedGlobs(words);
    if (!globs) {
        return pullLine().wrongUsage(
            tr("Give paths in the task's work folder, without '..' and without '/' in front."));
    }
    if (values.all && !globs->isEmpty()) {
        return pullLine().wrongUsage(tr("Give a GLOB or %1, not both.").arg(pullLine().name(&PullValues::all)));
    }
    const bool isByRule = globs->isEmpty() && !rule.files.isEmpty() && !values.all;
    plan.globs = isByRule ? rule.files : globs->isEmpty() ? QStringList{u"**"_s} : *globs;
    plan.isAnything = globs->isEmpty() && !isByRule;
    plan.isMadeOnly = globs->isEmpty() && !values.all;
    plan.isOurs = !values.to;
    plan.isOfOne = values.to && (isNamed || tasks->size() == 1);
    const QString ofJob = resultsFolderOfJob(plan.job.id, plan.job.name);
    plan.folder = !values.to
        ? resultsFolder(rule.to, plan.job.file, QDir::homePath(), QDir::currentPath()) + u'/' + ofJob
        : QDir::current().absoluteFilePath(isOneOfSeveral ? *values.to + u'/' + ofJob : *values.to);
    return exitOk;
}

QString pullProgress(const TaskPull &pull)
{
    return tr("Bringing file %1 of %2, %3 of %4 ...")
        .arg(QString::number(std::min(pull.filesDone() + 1, pull.plan().files.size())),
            QString::number(pull.plan().files.size()), formatBytes(pull.bytesDone()), formatBytes(pull.plan().bytes));
}

// The messages about one task.
class TaskCopy
{
public:
    // `told`: what was said of the tasks before. It is not said again of each task of a host.
    TaskCopy(Session &session, const PullPlan &plan, const TaskInfo &task, const PullValues &values, PullErrors &told)
        : m_job(plan.job.id), m_info(task), m_task(taskLabel(task)), m_values(values), m_isAnything(plan.isAnything),
          m_pull(session.client(), wantedOf(plan, task)), m_told(told)
    {
    }

    // The status of the command, as far as this task is about it.
    int run()
    {
        const int looked = waitFor([this] { m_pull.look(); }, tr("Looking at the files of %1 ...").arg(m_task));
        if (looked == exitOk && isHere()) {
            if (!m_values.json) {
                outLine(tr("%1 worked in a folder that is here, so what it wrote there need not be brought: %2")
                            .arg(m_task, m_pull.found().work));
                errorLine(tr("Files that it wrote elsewhere, such as in $TRAINYARD_TASK_FOLDER, are not brought."));
            }
            return exitOk;
        }
        if (const std::optional<Error> unreadable = m_pull.unreadable(); unreadable && looked == exitOk) {
            note(*unreadable);
        }
        if (const int status = looked; status != exitOk || m_values.dryRun || m_pull.plan().files.isEmpty()) {
            if (status == exitOk && !m_values.json) {
                printFound();
            }
            if (status == exitOk) {
                sayWhatIsOfLater();
            }
            return status != exitOk || m_values.dryRun || isAllBrought() ? status : int(exitNo);
        }
        if (!m_values.json) {
            sayWhatStays();
        }
        sayWhatIsOfLater();
        const int status = waitFor([this] { m_pull.bring(); }, pullProgress(m_pull));
        if (!m_values.json) {
            outLine(m_pull.filesDone() == 1
                    ? tr("One file of %1 was brought to %2.").arg(m_task, m_pull.wanted().to)
                    : tr("%1 files of %2 were brought to %3.")
                          .arg(QString::number(m_pull.filesDone()), m_task, m_pull.wanted().to));
        }
        if (const QString book = m_pull.newBook();
            m_values.to && !m_values.json && !book.isEmpty() && m_told.isFirst(u"book"_s)) {
            errorLine(tr("%1 notes what was brought, so that files that you change are kept and others come only when "
                         "they have changed. You may delete it when you bring nothing more there.")
                          .arg(book));
        }
        return status != exitOk ? status : isAllBrought() ? int(exitOk) : int(exitNo);
    }

    // Also those that need not be brought.
    qsizetype found() const { return m_pull.found().files.size() + m_pull.found().sent; }
    // In a folder of the user's on this computer, where copies would be of no use; all of them may be other jobs' and
    // other people's, too. The rule of a job brings those of a folder of ours.
    bool isHere() const
    {
        const api::TaskFileList &all = m_pull.found();
        return !m_values.to
            && (m_isAnything ? all.isHere || all.host == "local"_L1 : all.isHere && !all.files.isEmpty());
    }

    QJsonObject json() const
    {
        const api::TaskFileList &all = m_pull.found();
        if (isHere()) {
            return {{u"job"_s, m_job}, {u"task"_s, m_task}, {u"host"_s, all.host}, {u"work"_s, all.work},
                {u"to"_s, all.work}, {u"files"_s, QJsonArray()}, {u"bytes"_s, 0}, {u"alreadyHere"_s, all.files.size()},
                {u"ofLater"_s, 0}, {u"asSent"_s, all.sent}, {u"links"_s, all.links}, {u"others"_s, all.others},
                {u"oddNames"_s, all.oddNames}, {u"whole"_s, all.isWhole}, {u"brought"_s, 0}, {u"kept"_s, m_kept},
                {u"problems"_s, m_problems}};
        }
        QJsonArray files;
        for (const BringFile &file : m_pull.plan().files) {
            QJsonObject one{{u"path"_s, file.path}, {u"bytes"_s, file.bytes}};
            if (m_names.contains(file.path)) {
                one.insert(u"name"_s, m_names.value(file.path));
                one.insert(u"beside"_s, m_beside.contains(file.path));
            }
            files.append(one);
        }
        return {{u"job"_s, m_job}, {u"task"_s, m_task}, {u"host"_s, all.host}, {u"work"_s, all.work},
            {u"to"_s, m_pull.wanted().to}, {u"files"_s, files}, {u"bytes"_s, m_pull.plan().bytes},
            {u"alreadyHere"_s, m_pull.alreadyHere()}, {u"ofLater"_s, m_pull.plan().ofLater}, {u"asSent"_s, all.sent},
            {u"links"_s, all.links}, {u"others"_s, all.others}, {u"oddNames"_s, all.oddNames},
            {u"whole"_s, all.isWhole}, {u"brought"_s, m_names.size()}, {u"kept"_s, m_kept},
            {u"problems"_s, m_problems}};
    }

private:
    static TaskPull::Wanted wantedOf(const PullPlan &plan, const TaskInfo &task)
    {
        const QString to = plan.isOfOne ? plan.folder : plan.folder + u'/' + resultsFolderOfTask(task.role, task.index);
        return {plan.job.uuid, task.role, task.index, bringOrder(task.keptFrom.value_or(task.attempt), task.tries),
            plan.globs, QDir::cleanPath(to), plan.isOurs, plan.isMadeOnly, plan.attempt};
    }

    int waitFor(const std::function<void()> &begin, const QString &text)
    {
        QEventLoop loop;
        const Interrupts interrupts;
        Progress progress(text);
        std::optional<int> status;
        const auto end = [&](int with) {
            status = with;
            loop.quit();
        };
        QObject::connect(&interrupts, &Interrupts::pressed, &loop, [&] {
            m_pull.cancel();
            end(exitInterrupted);
        });
        QObject::connect(&m_pull, &TaskPull::looked, &loop, [&] { end(exitOk); });
        QObject::connect(&m_pull, &TaskPull::progressed, &loop, [&] { progress.setText(pullProgress(m_pull)); });
        QObject::connect(
            &m_pull, &TaskPull::brought, &loop, [&](const QString &path, const QString &name, bool beside) {
                m_names.insert(path, name);
                if (beside) {
                    m_beside.insert(path);
                }
                if (beside && !m_values.json) {
                    errorLine(tr("%1 exists already with other contents: the file of the task is %2.").arg(path, name));
                }
            });
        QObject::connect(&m_pull, &TaskPull::kept, &loop, [&](const QString &path, const QString &name) {
            m_kept.append(QJsonObject{{u"path"_s, path}, {u"name"_s, name}});
            if (!m_values.json) {
                errorLine(reasonText(u"results.kept"_s, {{u"path"_s, path}, {u"names"_s, name}}));
            }
        });
        QObject::connect(&m_pull, &TaskPull::leftOut, &loop, [&](const Error &why) { note(why); });
        QObject::connect(&m_pull, &TaskPull::ended, &loop, [&](const Error &why) {
            end(why.code.isEmpty() ? int(exitOk) : reportOnce(why));
            if (!why.code.isEmpty()) {
                m_problems.append(QJsonObject{{u"code"_s, why.code}, {u"message"_s, errorText(why)}});
            }
        });
        begin();
        if (!status) {
            loop.exec();
        }
        return *status;
    }

    int reportOnce(const Error &why)
    {
        if (const std::optional<QString> words = m_told.ofTask(why, m_info)) {
            noteFailure(why.code, errorText(why));
            errorLine(*words);
            sayHowHostComesBack(why);
        }
        if (const QString here = PullErrors::whereTheyAre(why, m_info, m_pull.wanted().to);
            !here.isEmpty() && !m_values.to) {
            errorLine(here);
        }
        return exitStatusOf(why);
    }

    void note(const Error &why)
    {
        m_problems.append(QJsonObject{{u"code"_s, why.code}, {u"message"_s, errorText(why)}});
        errorLine(PullErrors::ofFile(why, m_info));
    }

    void printFound() const
    {
        const BringPlan &plan = m_pull.plan();
        QList<QStringList> rows;
        for (const BringFile &file : plan.files) {
            rows.append({u"  "_s + formatBytes(file.bytes), file.path});
        }
        outLine(plan.files.size() == 1
                ? tr("%1: one file (%2) for %3").arg(m_task, formatBytes(plan.bytes), m_pull.wanted().to)
                : tr("%1: %2 files (%3) for %4")
                      .arg(m_task, QString::number(plan.files.size()), formatBytes(plan.bytes), m_pull.wanted().to));
        const QStringList lines = alignedRows(rows);
        for (const QString &line : lines) {
            outLine(line);
        }
        const auto more = [](qint64 count, const QString &text) {
            if (count > 0) {
                outLine(u"  "_s + text.arg(count));
            }
        };
        const api::TaskFileList &found = m_pull.found();
        more(m_pull.alreadyHere(), tr("already here: %1"));
        more(found.sent, asSentText());
        more(found.links, tr("links, which are not followed: %1"));
        more(found.others, tr("pipes, sockets and devices: %1"));
        more(found.oddNames, tr("with control characters or invalid text in the name: %1"));
        if (!found.isWhole) {
            outLine(u"  "_s + tr("There are more files than can be listed; name fewer."));
        }
    }

    static QString asSentText()
    {
        return tr("as they were sent to the host: %1 (%2 brings them, too)")
            .arg(u"%1"_s, pullLine().name(&PullValues::all));
    }

    bool isAllBrought() const { return m_problems.isEmpty() && m_pull.plan().ofLater == 0; }

    // All attempts and tries of a task have one folder for their results.
    void sayWhatIsOfLater() const
    {
        const qsizetype count = m_pull.plan().ofLater;
        if (count > 0 && !m_values.json) {
            const QString of = count == 1
                ? tr("%1: one file is not brought: in its place in %2 is that of a later attempt or try.")
                      .arg(m_task, m_pull.wanted().to)
                : tr("%1: %2 files are not brought: in their places in %3 are those of a later attempt or try.")
                      .arg(m_task, QString::number(count), m_pull.wanted().to);
            errorLine(of + u' ' + tr("Give another folder with %1.").arg(pullLine().name(&PullValues::to)));
        }
    }

    void sayWhatStays() const
    {
        if (const qint64 sent = m_pull.found().sent; sent > 0) {
            errorLine(m_task + u": "_s + asSentText().arg(sent));
        }
    }

    qint64 m_job;
    const TaskInfo m_info;
    QString m_task;
    const PullValues &m_values;
    const bool m_isAnything;
    TaskPull m_pull;
    PullErrors &m_told;
    QHash<QString, QString> m_names; // of what was brought, by path
    QSet<QString> m_beside; // of these, what lies beside another file of that path
    QJsonArray m_kept; // what was here before, from another host, under its new name
    QJsonArray m_problems;
};

// The result for all named jobs.
struct PullSum {
    QJsonArray told;
    PullErrors errors; // that were said
    qsizetype found = 0, here = 0; // files, and tasks whose files are on this computer
    int worst = exitOk;
};

// False: nothing more is wanted.
bool pullTasks(Session &session, const PullPlan &plan, const PullValues &values, PullSum &sum)
{
    for (const TaskInfo &task : plan.tasks) {
        TaskCopy copy(session, plan, task, values, sum.errors);
        const int status = copy.run();
        sum.worst = status == exitOk ? sum.worst : status;
        sum.found += copy.found();
        sum.here += status == exitOk && copy.isHere() ? 1 : 0;
        sum.told.append(copy.json());
        if (status == exitInterrupted || outputHasEnded()) {
            return false;
        }
    }
    return true;
}

int runPull(const PullValues &values)
{
    Session session;
    MeantJobs meant;
    if (const int status = session.connectFor(QStringList{values.words.constFirst()}, meant); status != exitOk) {
        return status;
    }
    PullSum sum;
    const bool areSeveral = meant.areSeveral || meant.jobs.size() > 1;
    for (const JobSummary &job : std::as_const(meant.jobs)) {
        PullPlan plan;
        if (const int status = makePlan(session, values, job, areSeveral, plan); status != exitOk) {
            if (status != exitRefused) {
                return status;
            }
            sum.worst = status; // of several, the other jobs may have begun
            continue;
        }
        if (meant.jobs.size() > 1 && !values.json) {
            outLine(jobTitle(job) + u':');
        }
        if (!pullTasks(session, plan, values, sum)) {
            break;
        }
    }
    if (sum.worst == exitOk && sum.found == 0 && sum.here == 0) {
        errorLine(tr("No file matches."));
        sum.worst = exitUnusable;
    }
    if (values.json && (sum.worst == exitOk || sum.found > 0)) {
        outJson(QJsonDocument(QJsonObject{{u"dryRun"_s, values.dryRun}, {u"tasks"_s, sum.told}}));
    }
    return sum.worst;
}

const CommandLine<PullValues> &pullLine()
{
    static const CommandLine<PullValues> line
        = CommandLine<PullValues>(u"pull"_s, tr("Bring results of tasks to this computer"))
              .runs(runPull, {u"JOB [ROLE/INDEX] [GLOB]..."_s, 1, anyNumber, Word::Job, whichJob()})
              .text(tr(
                  "Copies files of the tasks' work folders ($PAI_WORK_DIR) that are not here yet, from whatever host, "
                  "of running and ended jobs. In a GLOB '*' stands for any "
                  "part of a name and '**' for any folders; a folder that it matches is meant with all that is in it. "
                  "Without a GLOB, it brings those that the job names (extras.trainyard.results), or else those that "
                  "are not hidden and that the tasks have made or changed. Files of tasks that worked in a folder of "
                  "yours on this computer, or in one that their host shares with it, are here already: without --to, "
                  "the command says where. A file that you have changed here stays; the file of the task is put beside "
                  "it. Files that are here already are not copied again, and Ctrl+C leaves no incomplete file."))
              .more(severalNote())
              .option(u"--to FOLDER"_s, &PullValues::to,
                  tr("the folder for the files; each of several tasks gets a folder in it. Without it, the files go "
                     "where the job's results go: 'results' beside its file, or in this folder"))
              .option(u"--all"_s, &PullValues::all,
                  tr("instead of a GLOB, all files that are not hidden, also those that were sent to the host with the "
                     "work folder"))
              .option(u"--attempt N"_s, &PullValues::attempt,
                  tr("bring the files of an earlier attempt of the job, counted from 1"), wholeNumber(1))
              .option(u"--dry-run"_s, &PullValues::dryRun, tr("list what would be copied, with its size"))
              .option(u"--json"_s, &PullValues::json,
                  tr("print a JSON object: dryRun, and tasks (job, task, host, work, to, files (path, bytes, name, "
                     "beside (a file with other contents is here under this path)), bytes, alreadyHere, ofLater (in "
                     "whose place a file of a later attempt or try is here), asSent, links, others (pipes, sockets "
                     "and devices), oddNames, whole (false: there are more files than can be listed), brought, kept "
                     "(path, name: files that were brought from another host before and have this name now), "
                     "problems)"))
              .examples({u"trainyardctl pull 41"_s, u"trainyardctl pull 41 worker/0 'checkpoints/*.pt' --dry-run"_s,
                  u"trainyardctl pull 41 worker/0 out --to ~/out"_s, u"trainyardctl pull group:lr metrics.csv"_s})
              .exits({{exitOk, tr("ok")}, {exitNo, tr("something could not be brought")},
                  {exitUnusable, tr("no such job, no file matches, the disk cannot be written, or wrong usage")},
                  {exitNoEngine, tr("no engine, or its host cannot be reached")},
                  {exitRefused, tr("the task has not been started")}, {exitInterrupted, tr("interrupted")}});
    return line;
}

} // namespace

Command pullCommand() { return pullLine().command(); }

} // namespace trainyard::cli
