// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/taskshell.h"
#include "engine/api/tasklabel.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct ExecValues {
    QStringList words;
    QStringList command; // may have options of its own
};
const CommandLine<ExecValues> &execLine();

int runExec(const ExecValues &values)
{
    const std::optional<TaskWord> task = values.words.size() > 1 ? taskWord(values.words.at(1)) : std::nullopt;
    if (values.words.size() > 1 && !task) {
        return execLine().wrongUsage(
            tr("'%1' is not a task, ROLE/INDEX. A command follows after '--'.").arg(values.words.at(1)));
    }
    std::function<int()> shell;
    {
        Session session;
        JobSummary job;
        if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
            return status;
        }
        sayWhichOfSeveral(session, values.words.constFirst(), job);
        TaskInfo found;
        if (const int status = task ? findTask(session, job, *task, found) : findOnlyTask(session, job, found);
            status != exitOk) {
            return status;
        }
        if (!isEnterable(found)) {
            errorLine(tr("The task %1 is not running, so no command can run in it.").arg(taskLabel(found)));
            return exitRefused;
        }
        shell = shellInTask(session, job, found, commandOf(values.command));
    }
    return shell();
}

struct ReleaseValues {
    QStringList words;
};

int runRelease(const ReleaseValues &values)
{
    const QStringList &words = values.words;
    Session session;
    JobSummary job;
    if (const int status = session.connectFor(words.first(), job); status != exitOk) {
        return status;
    }
    const Result<bool> released = session.call<api::Release>({job.uuid, words.mid(1)});
    if (!released) {
        return report(released.error());
    }
    if (!*released) {
        errorLine(words.size() > 1 ? tr("None of these tasks is kept for inspection.")
                                   : tr("No task of the job is kept for inspection."));
        return exitRefused;
    }
    return exitOk;
}

const CommandLine<ExecValues> &execLine()
{
    static const CommandLine<ExecValues> line
        = CommandLine<ExecValues>(u"exec"_s, tr("Run a command next to a running task"))
              .runs(runExec, {u"JOB [ROLE/INDEX]"_s, 1, 2, Word::Job, whichJob()})
              .rest(u"[-- COMMAND ...]"_s, &ExecValues::command)
              .text(tr("Runs COMMAND on the host of a running task, in its environment and work folder; without "
                       "COMMAND a shell. If the task runs in podman or docker, COMMAND runs inside its container. A "
                       "COMMAND in one word with blanks or shell characters is a line for the shell, as with ssh. A "
                       "task must be named unless the job has only one task, or only one that runs. If several jobs "
                       "have the name that is given, it takes the newest and says so on standard error. COMMAND reads "
                       "the standard input, so that a file can be sent to the task; 'cp' copies files from it."))
              .examples(
                  {u"trainyardctl exec 41 worker/0 -- nvidia-smi"_s, u"trainyardctl exec resnet -- ls -l checkpoints"_s,
                      u"trainyardctl exec 41 worker/0 -- 'cat > lr.txt' < lr.txt"_s})
              .exits({{-1, tr("that of COMMAND")}, {exitUnusable, tr("no such job or task, or wrong usage")},
                  {exitNoEngine, tr("no engine, or its host cannot be reached")},
                  {exitRefused, tr("the task is not running")}});
    return line;
}

} // namespace

Command releaseCommand()
{
    static const CommandLine<ReleaseValues> line
        = CommandLine<ReleaseValues>(u"release"_s, tr("Release failed tasks that are kept for inspection"))
              .runs(runRelease, {u"JOB [ROLE/INDEX...]"_s, 1, anyNumber, Word::Job, whichJob()})
              .text(tr("With holdAfterFailureMinutes, a task whose commands have failed is kept with its shell, GPUs "
                       "and ports, so that you can inspect it with 'exec'. This command ends it early, with the status "
                       "of its commands; without a task it ends all that are kept."))
              .examples({u"trainyardctl release 41 worker/0"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such job, or wrong usage")},
                  {exitNoEngine, tr("no engine")}, {exitRefused, tr("no such task is kept")}});
    return line.command();
}

Command execCommand() { return execLine().command(); }

} // namespace trainyard::cli
