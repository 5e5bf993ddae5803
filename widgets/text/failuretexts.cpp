// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/failuretexts.h"

#include "engine/api/reasons.h"
#include "engine/api/tasklabel.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/formats.h"
#include "widgets/text/texts.h"
#include "widgets/text/waittexts.h"
#include "widgets/text/whytexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace trainyard
{
namespace
{
struct FailureTexts {
    Q_DECLARE_TR_FUNCTIONS(FailureTexts)
};

constexpr QLatin1StringView usedUpRetries("retry.cap"); // it is said with the attempts

// The status of the program where it has one, our code otherwise.
int shownStatus(const JobSummary &job, const AttemptInfo *newest)
{
    const int code = job.exitCode.value_or(0);
    const int said = shownExit(job);
    return said == code && code > 0 && newest && newest->exitCode == code ? newest->triggerRawExit.value_or(code)
                                                                          : said;
}

QString retriedText(
    const JobSummary &job, const ExitText &exit, const AttemptInfo *shown, const AttemptInfo *newest, int attempts)
{
    if (shown && newest && shown->index < newest->index) {
        return FailureTexts::tr("This was attempt %1 of %2.")
            .arg(shown->index + 1)
            .arg(std::max(newest->index + 1, attempts));
    }
    if (job.reason == usedUpRetries) {
        const QString used = FailureTexts::tr("This was attempt %1.").arg(job.retries + 1) + QLatin1Char(' ')
            + reasonText(job.reason, job.reasonArgs);
        return job.launched && job.completed ? used + QLatin1Char(' ')
                + FailureTexts::tr("The attempts and the pauses between them took %1.")
                      .arg(formatDuration(*job.completed - *job.launched))
                                             : used;
    }
    return job.retries > 0   ? FailureTexts::tr("This was attempt %1.").arg(job.retries + 1)
        : exit.countsRetries ? FailureTexts::tr("It was not retried: the job has no retries.")
                             : exit.retry;
}

// The program's own status first: our code says how it was understood. The code of a failure that has no other says
// nothing beside the status.
QString statusText(int code, int status)
{
    const QString phrase = exitPhrase(code);
    return status == code  ? FailureTexts::tr("Exit code %1.").arg(exitNumber(code))
        : phrase.isEmpty() ? FailureTexts::tr("Exit status %1.").arg(exitNumber(status))
                           : FailureTexts::tr("Exit status %1, which counts as code %2 (%3).")
                                 .arg(exitNumber(status), exitNumber(code), phrase);
}

// The place in the code is a line of its own where the sentences end with it.
std::pair<QString, QString> withoutPlace(const QString &reason, const FailureFacts &failure, OutputQuote quote)
{
    if (!failure.isEmpty()) {
        const FailureWords words = failureWords(failure);
        const QString whole = words.whole();
        if (reason.endsWith(whole)) {
            const QString before = reason.chopped(whole.size());
            const QString said = quote == OutputQuote::SeenBeside ? words.sentence : words.explanation();
            return {before + said, whole.sliced(words.explanation().size()).trimmed()};
        }
    }
    return {reason, {}};
}

// The engine's own reason for a failed start, which says more than the general meaning of its code.
bool isOfStart(const QString &reason)
{
    return reason.startsWith(QLatin1StringView("launch.")) || !supplyPhrase(reason).isEmpty();
}

// Failures of a start that persist until the user changes the job or the host.
bool failsEachStart(const QString &reason)
{
    static const QStringList lasting{QStringLiteral("launch.cwd-missing"), QStringLiteral("launch.cwd-denied"),
        QStringLiteral("launch.shell-missing"), QStringLiteral("launch.runtime-missing"),
        QStringLiteral("launch.image-missing"), QStringLiteral("launch.image-unauthorized"),
        QStringLiteral("launch.image-denied"), QStringLiteral("launch.image-login"),
        QStringLiteral("launch.container-device"), QStringLiteral("launch.container-mount"),
        QStringLiteral("launch.container-folder"), QStringLiteral("launch.container-storage"),
        QStringLiteral("launch.container-shell-missing"), QStringLiteral("launch.container-work")};
    return lasting.contains(reason);
}

// The text of a script stays as it is, whatever is the likely reason for its error, and so does a line of the program
// that failed. The same numbers diverge again.
bool failsEachTime(const FailureFacts &failure)
{
    const bool isDivergence = failure.cause == QLatin1StringView("diverged") && failure.transient != true;
    const bool isOfLine = failure.transient == false && failure.certainty == QLatin1StringView("likely")
        && !failure.file.isEmpty() && failure.fileLine > 0;
    return isDivergence || isOfLine || (failure.certainty == QLatin1StringView("certain") && failure.transient == false)
        || failure.cause == QLatin1StringView("secret-in-script") || failure.cause == QLatin1StringView("secret-split")
        || failure.cause == QLatin1StringView("syntax-error");
}

// The code met with something that is not of its own making.
FailureText::Fault faultOf(const FailureFacts &failure)
{
    static const QStringList ofJob{QStringLiteral("file-missing"), QStringLiteral("file-uncopied"),
        QStringLiteral("file-exists"), QStringLiteral("permission-denied"), QStringLiteral("read-only")},
        around{QStringLiteral("disk-full"), QStringLiteral("quota-exceeded")};
    return ofJob.contains(failure.cause) ? FailureText::Fault::Job
        : around.contains(failure.cause) ? FailureText::Fault::Around
                                         : FailureText::Fault::Code;
}

// A file that the commands start, and that is looked for in the work folder.
bool missesRelative(const FailureFacts &failure)
{
    const QString command = failure.args.value(QLatin1StringView("command")).toString();
    return isMissingScript(failure) && !command.startsWith(QLatin1Char('/')) && !command.startsWith(QLatin1Char('~'));
}
} // namespace

bool saysStatus(const QString &reason, const QJsonObject &args)
{
    const FailureFacts failure = failureFacts(args);
    if (failure.isEmpty()) {
        return reason == QLatin1StringView("exit.user") || !failedStepText(reason, args).isEmpty();
    }
    // If the output shows nothing, there is only the status to tell.
    const bool isUnknown = failure.cause == QLatin1StringView("unknown")
        && (failure.args.contains(QLatin1StringView("status")) || failure.args.contains(QLatin1StringView("silent")));
    return reason::isExit(reason) && (isUnknown || !failedStepText(reason, args).isEmpty());
}

FailureText failureText(const JobSummary &job, const AttemptInfo *shown, const AttemptInfo *newest,
    const QHash<QString, QString> &hostLabels, OutputQuote quote, int attempts)
{
    const QString reason = reasonText(job.reason, withHostLabels(job.reasonArgs, hostLabels));
    if (job.reason.startsWith(QLatin1StringView("after."))) {
        // Nothing of it ran: what its code means in general would only mislead.
        return {failurePhrase(job.exitCode.value_or(0), job.reason, job.reasonArgs), reason,
            FailureTexts::tr("\"Retry all tasks in a new attempt\" in the menu of the jobs list runs it all the same."),
            !job.exitCode || !exitText(*job.exitCode).neverRetried};
    }
    const QString name
        = shown && shown->triggerIndex >= 0 ? taskLabel(shown->triggerRole, shown->triggerIndex) : QString();
    FailureText text{
        name.isEmpty() ? FailureTexts::tr("The job failed") : FailureTexts::tr("%1 failed").arg(name), reason};
    if (!job.exitCode) {
        return text;
    }
    const ExitText exit = exitText(*job.exitCode);
    const QString known = failurePhrase(*job.exitCode, job.reason, job.reasonArgs);
    if (const QString &phrase = known.isEmpty() ? exit.phrase : known; !phrase.isEmpty()) {
        text.cause = name.isEmpty() ? phrase : name + QStringLiteral(": ") + phrase;
    }
    const auto facts = valuejson::valueFrom<reason::ExitFacts>(job.reasonArgs);
    // A file that is missing is missing the next time, too.
    const FailureFacts failure = failureFacts(job.reasonArgs);
    text.file = failure.file;
    text.line = failure.fileLine;
    text.missesScript = facts.finding == QLatin1StringView("script-missing") || missesRelative(failure);
    text.isTransient = failure.transient == true;
    text.fault = faultOf(failure);
    text.mayGoWell = !exit.neverRetried && !failsEachTime(failure) && !failsEachStart(job.reason) && !text.missesScript;
    // The finding in the output says more than the general meaning of the code.
    const QString solution = failure.isEmpty() ? facts.solution.value_or(QString())
                                               : failureWords(failure).remedies.join(QLatin1Char(' '));
    const bool isStart = isOfStart(job.reason) && !reason.isEmpty();
    const bool isFound
        = isStart || (reason::isExit(job.reason) && !reason.isEmpty()) || isOneFailure(job.reason, job.reasonArgs);
    // No task tipped it: the job's own time limit, what it was to wait for. That says what to do as well, and what the
    // code means in general would say it again.
    const bool isOwn = name.isEmpty() && !reason.isEmpty() && !isFound && job.reason != usedUpRetries;
    // The sentences about a memory limit and about a failed start end with advice.
    const bool saysWhatToDo = isOwn || isStart || job.reason.startsWith(QLatin1StringView("exit.oom"));
    const auto [found, place] = withoutPlace(reason, failure, quote);
    const auto together = [](QStringList parts, QChar between) {
        parts.removeAll(QString());
        return parts.join(between);
    };
    const bool isStatusSaid
        = isFound && !isOwn && exitPhrase(*job.exitCode).isEmpty() && saysStatus(job.reason, job.reasonArgs);
    const QString what = together(
        {isOwn ? reason : QString(), isStatusSaid ? QString() : statusText(*job.exitCode, shownStatus(job, newest)),
            isOwn         ? QString()
                : isFound ? found
                          : exit.reason},
        u' ');
    text.explanation = together(
        {what, isFound && !isOwn ? place : QString(), retriedText(job, exit, shown, newest, attempts)}, u'\n');
    text.advice = saysWhatToDo || !solution.isEmpty() ? solution : exit.advice;
    return text;
}

} // namespace trainyard
