// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/attemptchoice.h"
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/meantjobs.h"
#include "app/cli/session.h"
#include "app/cli/sharedoptions.h"
#include "app/cli/taskshell.h"
#include "app/cli/useofhost.h"

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

struct SshValues {
    QStringList words;
    QStringList command; // may have options of its own
    std::optional<qint64> attempt;
};
const CommandLine<SshValues> &sshLine();

int runSsh(const SshValues &values)
{
    const std::optional<TaskWord> word = values.words.size() > 1 ? taskWord(values.words.at(1)) : std::nullopt;
    if (values.words.size() > 1 && !word) {
        return sshLine().wrongUsage(
            tr("'%1' is not a task, ROLE/INDEX. A command follows after '--'.").arg(values.words.at(1)));
    }
    const QStringList command = commandOf(values.command);
    std::function<int()> shell;
    {
        Session session;
        JobSummary job;
        if (const int status = session.connectFor(values.words.constFirst(), job); status != exitOk) {
            return status;
        }
        sayWhichOfSeveral(session, values.words.constFirst(), job);
        const std::optional<int> attempt = chosenAttempt(job, values.attempt);
        if (!attempt) {
            return exitUnusable;
        }
        TaskInfo task;
        if (const int status
            = word ? findTask(session, job, *word, task, *attempt) : findOnlyTask(session, job, task, *attempt);
            status != exitOk) {
            return status;
        }
        sayIfFormer(job, values.attempt, {task});
        if (isEnterable(task)) {
            shell = shellInTask(session, job, task, command);
        } else {
            const Result<TaskFolder> folder
                = session.call<api::GetTaskFolder>({job.uuid, task.role, task.index, task.attempt});
            if (!folder) {
                const int status = report(folder.error());
                sayHowHostComesBack(folder.error());
                return status;
            }
            shell = shellInFolder(session, *folder, command);
        }
    }
    return shell();
}

const CommandLine<SshValues> &sshLine()
{
    static const CommandLine<SshValues> line
        = CommandLine<SshValues>(u"ssh"_s, tr("Open a shell where a task runs or ran"))
              .runs(runSsh, {u"JOB [ROLE/INDEX]"_s, 1, 2, Word::Job, whichJob()})
              .rest(u"[-- COMMAND ...]"_s, &SshValues::command)
              .text(tr(
                  "Opens a shell on the host of a task, in its work folder, or runs COMMAND there. While the task "
                  "runs, the shell has its environment and is in its container, as with 'exec'; afterwards, it is a "
                  "login shell in the folder, if that is still there. Hosts are reached by your own ssh; on this "
                  "computer none is needed. A COMMAND in one word with blanks or shell characters is a line for the "
                  "shell, as with ssh. A task must be named unless the job has only one task, or only one that runs."))
              .option(u"--attempt N"_s, &SshValues::attempt,
                  tr("where an earlier attempt of the job ran, counted from 1"), wholeNumber(1))
              .examples({u"trainyardctl ssh 41"_s, u"trainyardctl ssh 41 worker/0 -- nvidia-smi"_s,
                  u"trainyardctl ssh resnet -- ls -l checkpoints"_s})
              .exits({{-1, tr("that of the shell or of COMMAND")},
                  {exitUnusable, tr("no such job or task, or wrong usage")},
                  {exitNoEngine, tr("no engine, or its host cannot be reached")},
                  {exitRefused, tr("the task has not been started, or its folder is gone")}});
    return line;
}

} // namespace

Command sshCommand() { return sshLine().command(); }

} // namespace trainyard::cli
