// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/submitted.h"

#include "app/cli/console.h"
#include "app/cli/logprint.h"
#include "app/cli/remotelogs.h"
#include "app/cli/resultswait.h"
#include "app/cli/watch.h"
#include "engine/api/openpaijson.h"
#include "engine/api/tasklabel.h"
#include "model/base/shellquote.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

constexpr qint64 mostLogAfterwards = 16 << 20; // of all tasks, printed whole after a run in the foreground
constexpr qint64 tailAfterwards = 200; // lines of each task when there is more

// After a run in the foreground the logs are on the screen, without filling it for hours.
void printLogsAfterwards(const QList<TaskInfo> &tasks)
{
    QList<LogSource> sources;
    qint64 bytes = 0;
    for (const TaskInfo &task : tasks) {
        if (!task.logFolder.isEmpty()) {
            sources.append({taskLabel(task), task.logFolder});
            bytes += QFileInfo(task.logFolder + u"/output.log"_s).size();
        }
    }
    LogStyle style;
    style.labels = tasks.size() > 1;
    if (bytes > mostLogAfterwards) {
        style.tail = tailAfterwards;
        errorLine(tr("The output is long: the last %1 lines of each task follow.").arg(tailAfterwards));
    }
    outLine({});
    printLogs(sources, style);
}

} // namespace

int submitJob(Session &session, Submission &job, SubmitReply &submitted, const QString &keyOption, bool needsKey)
{
    SubmitRequest &request = job.request;
    sayWarnings(job.checked, request.secrets, request.target);
    const bool isOwnKey = request.key.isEmpty() && needsKey;
    if (isOwnKey) {
        request.key = QUuid::createUuid().toString(QUuid::WithoutBraces);
    }
    const Submitting done = submitUntilKnown(session, job, tr("Submitting the job ..."));
    if (done.reply) {
        submitted = *done.reply;
        for (const JobNote &note : submitted.notes) {
            if (!isOwnKey || note.code != "submit.known"_L1) { // the user does not know that there is a key
                errorLine(errorText({note.code, note.args}));
            }
        }
        return exitOk;
    }
    int status = exitInterrupted;
    if (done.isInterrupted) {
        errorLine(keyOption.isEmpty()
                ? tr("Whether the job was submitted is not known; 'trainyardctl ps' shows it.")
                : tr("Whether the job was submitted is not known; 'trainyardctl ps' shows it. To repeat the command "
                     "without running the job twice, add %1 %2.")
                      .arg(keyOption, shellWord(request.key)));
        return status;
    }
    status = reportRefusal(session, job, done.reply.error());
    if (done.wasLost && keyOption.isEmpty()) {
        errorLine(tr("'trainyardctl ps' shows whether the engine has the job."));
    } else if (done.wasLost) {
        errorLine(tr("'trainyardctl ps' shows whether the engine has the job. To repeat the command without "
                     "running the job twice, add %1 %2.")
                      .arg(keyOption, shellWord(request.key)));
    }
    return status;
}

int watchSubmitted(Session &session, const SubmitReply &submitted, const AfterSubmission &after)
{
    const QString number = u'#' + QString::number(submitted.id);
    const bool watching = after.wait || after.follow || after.foreground;
    if (!watching) {
        if (after.json) {
            outJson(QJsonDocument(submitted.toJson()));
        } else {
            outLine(stdoutIsTerminal() ? number : number.sliced(1)); // '#' begins a comment of a shell
        }
        if (KeptInterrupts::arePending()) {
            errorLine(jobKeepsRunning(submitted.id));
            return exitInterrupted;
        }
        return exitOk;
    }
    WatchOptions watch;
    watch.table = canDraw() && !after.follow && !after.json;
    watch.follow = after.follow || (after.foreground && !watch.table && !after.json);
    watch.stopOnInterrupt = after.foreground;
    watch.hasNumber = !after.foreground;
    watch.number = submitted.id;
    if (!watch.table && !after.json && !after.foreground) { // a run in the foreground has a store of its own
        errorLine(tr("The job is %1.").arg(number));
    }
    if (after.foreground && watch.table) {
        errorLine(tr("The output is printed when the job has ended; with --follow it is printed as it is written."));
    }
    const Watched end = watchJob(session, submitted.uuid, watch);
    if (end.over && !watch.follow) { // following has printed what is here, and waited for it
        waitForLogs(session, end.job);
    } else if (end.over) {
        sayMissingLogs(session, end.tasks);
    }
    if (end.over && !after.foreground) { // an engine in the foreground brings them before it ends
        waitForResults(session, {end.job});
    }
    if (after.json && !end.job.uuid.isEmpty()) {
        outJson(QJsonDocument(openpai::toListEntry(end.job)));
    }
    if (end.over) {
        if (after.foreground && watch.table) {
            printLogsAfterwards(end.tasks);
        }
        JobSummary shown = end.job;
        shown.id = after.foreground ? 0 : shown.id; // of a private store
        errorLine(endSentence(shown, !after.foreground && !after.follow));
        if (const QString unretried = unretriedSentence(session, shown); !unretried.isEmpty()) {
            errorLine(unretried);
        }
    }
    return end.status;
}

} // namespace trainyard::cli
