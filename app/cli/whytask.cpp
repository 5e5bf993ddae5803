// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/whytask.h"

#include "app/cli/console.h"
#include "engine/api/compare/parametertext.h"
#include "engine/api/jobcauses.h"
#include "engine/client/capturedfile.h"
#include "engine/client/scriptplace.h"
#include "engine/contract/taskfolder.h"
#include "model/protocol/jobdocument.h"
#include "widgets/text/changetexts.h"
#include "widgets/text/texts.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli::why
{

const TaskInfo *chosenTask(const QList<TaskInfo> &tasks, const EndedBy &endedBy, const QString &word)
{
    static const QRegularExpression named(u"^(.+)[/:-](\\d{1,6})$"_s);
    const QRegularExpressionMatch match = named.match(word);
    const auto with = [&tasks](const QString &role, int index) {
        const auto task = std::find_if(tasks.cbegin(), tasks.cend(),
            [&](const TaskInfo &each) { return each.role == role && each.index == index; });
        return task == tasks.cend() ? nullptr : &*task;
    };
    if (!word.isEmpty()) {
        return match.hasMatch() ? with(match.captured(1), match.captured(2).toInt()) : with(word, 0);
    }
    if (const TaskInfo *task = endedBy.role.isEmpty() ? nullptr : with(endedBy.role, endedBy.index)) {
        return task;
    }
    const auto failed
        = std::find_if(tasks.cbegin(), tasks.cend(), [](const TaskInfo &each) { return each.state == State::Failed; });
    return failed == tasks.cend() ? nullptr : &*failed;
}

QString remarkOnSuccess(const QList<TaskInfo> &tasks, const TaskInfo *wanted)
{
    for (const TaskInfo &task : tasks) {
        if ((!wanted || wanted == &task) && task.state == State::Succeeded && task.reason == "slurm.noticed-time"_L1) {
            return reasonText(task.reason, task.reasonArgs);
        }
    }
    return {};
}

int sayReason(const TaskInfo &task, const Manner &manner, const QList<JobChange> &changes)
{
    FailureFacts facts;
    const QString said = causeOfReason(task.reason);
    const QString found = task.reasonArgs.value("finding"_L1).toString(); // such as one of the user's own
    facts.cause = !said.isEmpty() ? said : !found.isEmpty() ? found : task.reason;
    facts.certainty = u"certain"_s;
    FailureWords words;
    words.sentence = reasonText(task.reason, task.reasonArgs);
    if (const QString solution = task.reasonArgs.value("solution"_L1).toString(); !solution.isEmpty()) {
        words.remedies.append(solution);
    }
    say(facts, words, manner, changes);
    return exitOk;
}

QList<JobChange> changesOf(Session &session, const JobSummary &job, const TaskInfo &task)
{
    FailedPart failed = failedPart(task.reason, task.reasonArgs, task.role);
    if (job.reason == "limit.time"_L1) {
        failed = failedPart(job.reason, job.reasonArgs, task.role);
    }
    if (failed.cause.isEmpty()) {
        return {};
    }
    const Result<JobDetail> detail = session.detail(job.uuid);
    const ParseOutcome outcome = detail ? parseJob(yamlWithParameters(detail->yaml, job.parameters)) : ParseOutcome();
    return outcome.spec
        ? changesAfter(failed, *outcome.spec, outcome.document, scriptPlaceOf(*outcome.spec, job.file, detail->work))
        : QList<JobChange>();
}

std::optional<HeldEnd> heldEnd(
    Session &session, const JobSummary &job, const QList<TaskInfo> &tasks, const TaskInfo *wanted)
{
    const Result<JobDetail> detail = session.detail(job.uuid);
    for (const KeptTask &held : detail ? detail->held : QList<KeptTask>()) {
        for (const TaskInfo &task : tasks) {
            if (task.role == held.role && task.index == held.index && (!wanted || wanted == &task)) {
                return HeldEnd{&task, held.status};
            }
        }
    }
    return std::nullopt;
}

namespace
{

// A job without a file has no folder where its files could be.
QStringList remediesOf(Session &session, const JobSummary &job, const FailureFacts &facts)
{
    const bool mayLackFolder = facts.cause == "file-missing"_L1 && job.file.isEmpty();
    const Result<JobDetail> detail = mayLackFolder ? session.detail(job.uuid) : fail(u"job.unknown"_s);
    const ParseOutcome outcome = detail ? parseJob(detail->yaml) : ParseOutcome();
    if (!outcome.spec || !outcome.spec->trainyard.work.isEmpty() || !detail->work.isEmpty()) {
        return {};
    }
    return {tr("The job came without a file, so that its tasks start in an empty folder. 'trainyardctl run --again %1 "
               "--work .' runs it in the current folder.")
                .arg(job.id)};
}

} // namespace

int sayTask(Session &session, const JobSummary &job, const TaskInfo &task, const Manner &manner)
{
    const QList<JobChange> changes = changesOf(session, job, task);
    const FailureFacts known = namingPython(failureFacts(task.reasonArgs), task.logFolder);
    if (!known.isEmpty()) {
        FailureWords words = failureWords(known);
        const QString step = failedStepText(task.reason, task.reasonArgs);
        words.sentence = step.isEmpty() ? words.sentence : step + u' ' + words.sentence;
        words.remedies = remediesOf(session, job, known) + words.remedies;
        say(known, words, manner, changes);
        return exitOk;
    }
    const QString output = task.logFolder + u'/' + QLatin1StringView(contract::file::output);
    const bool isOfEngine = !task.reason.isEmpty() && task.reason != "exit.user"_L1;
    if (isOfEngine || task.logFolder.isEmpty() || !QFileInfo::exists(output)) {
        return sayReason(task, manner, changes);
    }
    const Result<FailureFacts> facts = factsOfLog(output, task.rawExit ? task.rawExit : task.exitCode);
    if (!facts) {
        return report(facts.error());
    }
    FailureWords words = failureWords(*facts);
    words.remedies = remediesOf(session, job, *facts) + words.remedies;
    say(*facts, words, manner);
    return exitOk;
}

} // namespace trainyard::cli::why
