// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweepsubmit.h"

#include "app/cli/console.h"
#include "app/cli/meantjobs.h"
#include "app/cli/sweepline.h"
#include "engine/api/clusters.h"
#include "engine/api/reasons.h"
#include "widgets/text/texts.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

void sayPart(const Sweep &sweep, qsizetype submitted)
{
    errorLine(tr("%1 of %2 jobs were submitted. The same command with %3 %4 submits the others, and 'trainyardctl stop "
                 "group:%4' stops those that were submitted.")
                  .arg(QString::number(submitted), QString::number(sweep.points.size()),
                      sweepLine().name(&SweepValues::name), sweep.group));
}

} // namespace

int submitSweep(Session &session, const Sweep &sweep, Submission &job, SubmittedSweep &done)
{
    const YamlDocument document = YamlDocument::parse(job.request.yaml);
    QStringList said;
    const Progress progress(tr("Submitting %1 jobs ...").arg(sweep.points.size()));
    for (qsizetype i = 0; i < sweep.points.size(); ++i) {
        if (KeptInterrupts::arePending()) { // during the submission before
            sayPart(sweep, i);
            return exitInterrupted;
        }
        const Result<QByteArray> text = sweepJobText(document, sweep.nameOf(i), sweep.parameters, sweep.points.at(i));
        if (!text) {
            return report(text.error());
        }
        job.request.yaml = *text;
        job.request.key = sweepJobKey(sweep.group, i);
        const Submitting submitting = submitUntilKnown(session, job, {});
        if (!submitting.reply) {
            Error error = submitting.reply.error();
            if (error.code == "submit.other-job"_L1) {
                error = {u"sweep.group-known"_s, {{u"group"_s, sweep.group}, {u"job"_s, error.args.value("job"_L1)}}};
            }
            const int status = submitting.isInterrupted ? int(exitInterrupted) : reportRefusal(session, job, error);
            if (i > 0 || submitting.wasLost || submitting.isInterrupted) {
                sayPart(sweep, i);
            }
            return status;
        }
        done.replies.append(*submitting.reply);
        for (const JobNote &note : submitting.reply->notes) {
            const bool isKnown = note.code == "submit.known"_L1;
            done.known += isKnown && !submitting.wasLost ? 1 : 0; // else this command has submitted it
            QJsonObject args = note.args;
            if (note.code.startsWith("results.on-host"_L1)) {
                args.insert(u"job"_s, QString(u"group:"_s + sweep.group));
            }
            if (const QString sentence = errorText({note.code, args}); !isKnown && !said.contains(sentence)) {
                said.append(sentence);
                errorLine(sentence);
            }
        }
    }
    return exitOk;
}

void saySweepSubmitted(Session &session, const Sweep &sweep, const SubmitRequest &request, const SubmittedSweep &done)
{
    const qsizetype count = done.replies.size();
    QList<qint64> numbers;
    for (const SubmitReply &reply : done.replies) {
        numbers.append(reply.id);
    }
    const Result<MeantJobs> inGroup = jobsOfWord(session, u"group:"_s + sweep.group);
    errorLine(groupText(sweep.group, numbers, inGroup ? inGroup->jobs.size() : count, done.known));
    // Where all of them were known, nothing has begun.
    if (const qint64 most = sweep.atOnce(); most < count && done.known < count) {
        errorLine(
            most > 1 ? tr("At most %1 of them run at the same time.").arg(most) : tr("They run one after the other."));
        if (!clusterPlaceOf(request.target) && worksHere(sweep.job, request.work, request.file)) {
            errorLine(tr("Each works with the files of its work folder as they are when it starts, so that those that "
                         "wait run what you change until then."));
        }
    }
    if (done.known > 0) {
        errorLine(tr("%1 of them had been submitted before.").arg(done.known));
        const QList<JobSummary> jobs = inGroup ? inGroup->jobs : QList<JobSummary>();
        const auto over = std::count_if(jobs.cbegin(), jobs.cend(), [](const JobSummary &job) {
            return job.state == State::Failed || (job.state == State::Stopped && job.reason != reason::StopWorse::code);
        });
        if (over > 0) {
            errorLine((over == 1
                    ? tr("%1 has failed or was stopped, and does not run again by this: 'trainyardctl retry group:%2' "
                         "runs it again.")
                    : tr("%1 have failed or were stopped, and do not run again by this: 'trainyardctl retry group:%2' "
                         "runs them again."))
                          .arg(QString::number(over), sweep.group));
        }
    }
    if (const QString rule = ruleText(sweep); !rule.isEmpty()) {
        errorLine(rule);
    }
    if (sweep.plan.kind == SweepKind::Random) {
        errorLine(tr("The values were drawn with the seed %1.").arg(sweep.plan.seed));
    }
}

} // namespace trainyard::cli
