// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/rehearsaltexts.h"

#include "widgets/text/formats.h"
#include "widgets/text/texts.h"
#include "widgets/text/whytexts.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

struct RehearsalTexts {
    Q_DECLARE_TR_FUNCTIONS(trainyard::RehearsalTexts)
};

// The second step of a path: a role, or a parameter.
QString secondStep(const YamlPath &path)
{
    const QString *name = path.size() > 1 ? std::get_if<QString>(&path.at(1)) : nullptr;
    return name ? *name : QString();
}

QString lastStep(const YamlPath &path)
{
    const QString *name = path.isEmpty() ? nullptr : std::get_if<QString>(&path.at(path.size() - 1));
    return name ? *name : QString();
}

QString inWords(const QJsonValue &value) { return value.toVariant().toString(); }

} // namespace

QString rehearsalChangeText(const RehearsalChange &change)
{
    const QString to = inWords(change.to), from = inWords(change.from), second = secondStep(change.path);
    const bool isNew = change.from.isNull();
    if (change.code == "rehearsal.name"_L1) {
        return RehearsalTexts::tr("the name %1 instead of %2").arg(to, from);
    }
    if (change.code == "rehearsal.instances"_L1) {
        return RehearsalTexts::tr("%1: 1 instance instead of %2").arg(second, from);
    }
    if (change.code == "rehearsal.gpus"_L1) {
        return RehearsalTexts::tr("%1: %2 of %3 GPUs for each task").arg(second, to, from);
    }
    if (change.code == "rehearsal.time"_L1) {
        const QString limit = formatDuration(change.to.toInteger() * 1000);
        return isNew ? RehearsalTexts::tr("a time limit of %1").arg(limit)
                     : RehearsalTexts::tr("a time limit of %1 instead of %2")
                           .arg(limit, formatDuration(change.from.toInteger() * 1000));
    }
    if (change.code == "rehearsal.parameter"_L1) {
        return isNew ? RehearsalTexts::tr("the parameter %1: %2").arg(second, to)
                     : RehearsalTexts::tr("the parameter %1: %2 instead of %3").arg(second, to, from);
    }
    const bool isOfRole = change.code == "rehearsal.min-failed"_L1 || change.code == "rehearsal.min-succeeded"_L1
        || change.code == "rehearsal.task-retries"_L1;
    return isOfRole ? RehearsalTexts::tr("%1: %2 %3 instead of %4").arg(second, lastStep(change.path), to, from)
                    : RehearsalTexts::tr("%1 %2 instead of %3").arg(lastStep(change.path), to, from);
}

QString otherJobText(const OtherJob &job, qint64 now)
{
    if (job.id == 0) {
        return RehearsalTexts::tr("a job that has been removed");
    }
    const QString number = QString::number(job.id);
    if (job.state == State::Failed && job.reason == "limit.time"_L1 && job.completed) {
        return RehearsalTexts::tr("#%1 %2, ran until its time limit %3")
            .arg(number, job.name, formatTime(*job.completed, now));
    }
    return job.completed ? RehearsalTexts::tr("#%1 %2, %3 %4")
                               .arg(number, job.name, stateText(job.state), formatTime(*job.completed, now))
                         : RehearsalTexts::tr("#%1 %2, %3").arg(number, job.name, stateText(job.state));
}

QString rehearsalLine(
    const std::optional<OtherJob> &rehearsal, const std::optional<OtherJob> &promoted, bool isRehearsal, qint64 now)
{
    if (rehearsal) {
        return RehearsalTexts::tr("Its rehearsal: %1").arg(otherJobText(*rehearsal, now));
    }
    if (promoted) {
        return RehearsalTexts::tr("A rehearsal; submitted as %1").arg(otherJobText(*promoted, now));
    }
    return isRehearsal ? RehearsalTexts::tr("A rehearsal; its original has not been submitted yet") : QString();
}

QString rehearsalDoubt(const JobSummary &rehearsal)
{
    const QString number = QString::number(rehearsal.id);
    if (!isFinal(rehearsal.state)) {
        return RehearsalTexts::tr("The rehearsal #%1 has not ended yet: %2.").arg(number, stateText(rehearsal.state));
    }
    if (rehearsal.state == State::Stopped) {
        return RehearsalTexts::tr("The rehearsal #%1 was stopped before its end.").arg(number);
    }
    if (rehearsal.state == State::Failed && rehearsal.reason == "limit.time"_L1) {
        return RehearsalTexts::tr(
            "The rehearsal #%1 ran until its time limit, so it is not known how it would have ended.")
            .arg(number);
    }
    return rehearsal.state == State::Failed
        ? RehearsalTexts::tr("The rehearsal #%1 failed: %2").arg(number, jobReasonText(rehearsal))
        : QString();
}

Error refusedRehearsal(Error refusal)
{
    if (gpusThatFit(refusal.args.value("fix"_L1).toArray())) {
        refusal.args.insert(u"isRehearsal"_s, true);
    }
    return refusal;
}

} // namespace trainyard
