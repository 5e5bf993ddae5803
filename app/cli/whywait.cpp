// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/whywait.h"

#include "app/cli/console.h"
#include "app/cli/copyquestion.h"
#include "app/cli/jobtable.h"
#include "app/cli/session.h"
#include "app/cli/watch.h"
#include "engine/api/jobfacts.h"
#include "engine/api/reasons.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"

#include <QDateTime>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace trainyard::cli::why
{
namespace
{

// Since when a job has been paused by hand.
std::optional<qint64> pausedSince(const JobSummary &job)
{
    const bool isPaused = job.reason == reason::JobPaused::code || job.reason == reason::WaitPaused::code;
    const qint64 since = job.reasonArgs.value("since"_L1).toInteger();
    return isPaused && since > 0 ? std::optional(since) : std::nullopt;
}

} // namespace

bool waitsNow(const JobSummary &job)
{
    return job.state == State::Waiting || asksToCopy(job) || isUnheardStop(job) || isHeldUp(job)
        || (job.paused && !isFinal(job.state));
}

bool hasReasonNow(const JobSummary &job) { return !isFinal(job.state) && !job.reason.isEmpty(); }

// For jobs on clusters, the recorded waits have it, too; the reasons of other jobs change with the queue.
WaitFacts waitFacts(Session &session, const JobSummary &job, const QueuePlace &place)
{
    WaitFacts facts{place, pausedSince(job)};
    if (!facts.since && job.state == State::Waiting && !job.target.isEmpty() && job.target != "pool"_L1) {
        const Result<JobDetail> detail = session.detail(job.uuid);
        facts.since = detail ? waitsSince(job, detail->waits) : std::nullopt;
    }
    return facts;
}

QJsonObject waitsJson(const JobSummary &job, const WaitFacts &facts)
{
    const QueuePlace &place = facts.place;
    const std::optional<qint64> &since = facts.since;
    const int there = job.reasonArgs.value("position"_L1).toInt(); // in the queue of a cluster
    const int position = place.position > 0 ? place.position : there;
    return {{u"code"_s, job.reason}, {u"explanation"_s, whyText(job)},
        {u"details"_s, QJsonArray::fromStringList(waitDetails(job.reason, job.reasonArgs))},
        {u"since"_s, since ? QJsonValue(*since) : QJsonValue()},
        {u"queuePosition"_s, position > 0 ? QJsonValue(position) : QJsonValue()},
        {u"queueLength"_s, place.position > 0 ? QJsonValue(place.length) : QJsonValue()}};
}

void sayWait(const JobSummary &job, const WaitFacts &facts, bool causeFollows)
{
    const QueuePlace &place = facts.place;
    outSentence(causeFollows ? reasonTextAboveCause(job) : whyText(job));
    if (place.position > 0) {
        outSentence(u"  "_s
            + tr("Its position in the queue is %1 of %2.")
                  .arg(QString::number(place.position), QString::number(place.length)));
    }
    if (facts.since) {
        outSentence(u"  "_s + tr("Since %1.").arg(formatTime(*facts.since, QDateTime::currentMSecsSinceEpoch())));
    }
    const QStringList details = waitDetails(job.reason, job.reasonArgs);
    for (const QString &line : details) {
        outSentence(u"  "_s + line);
    }
    if (asksToCopy(job)) {
        outSentence(u"  "_s + howToAnswerCopy(job));
    }
}

} // namespace trainyard::cli::why
