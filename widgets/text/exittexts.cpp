// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/exittexts.h"

#include "engine/api/failurefacts.h"
#include "engine/api/reasons.h"
#include "model/runtime/exitrules.h"
#include "widgets/text/causenames.h"
#include "widgets/text/exitrows.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard
{

namespace
{

constexpr int unclassified = 255;

struct ExitTexts {
    Q_DECLARE_TR_FUNCTIONS(ExitTexts)
};

QString translated(const char *text) { return *text ? ExitTexts::tr(text) : QString(); }

QString retryText(ExitRetry retry)
{
    switch (retry) {
    case ExitRetry::Always:
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "It is retried automatically, without using up retries."));
    case ExitRetry::Counted:
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "It is retried while retries are left."));
    case ExitRetry::Never:
        return ExitTexts::tr(
            QT_TRANSLATE_NOOP("ExitTexts", "It is not retried: as long as nothing changes, the same would happen."));
    case ExitRetry::None:
        break;
    }
    return {};
}

ExitRetry retryOf(const QString &behavior)
{
    return behavior.startsWith(QLatin1StringView("TRANSIENT")) ? ExitRetry::Always
        : behavior == QLatin1StringView("PERMANENT")           ? ExitRetry::Never
        : behavior == QLatin1StringView("SUCCEEDED")           ? ExitRetry::None
                                                               : ExitRetry::Counted;
}

std::optional<ExitRules> &givenRules()
{
    static std::optional<ExitRules> rules;
    return rules;
}

// The text of the user's own table of exit rules for a code, if there is one.
const ExitSpecEntry *ownEntry(int code)
{
    const ExitSpecEntry *entry = givenRules() ? givenRules()->find(code) : nullptr;
    const ExitSpecEntry *bundled = ExitRules::bundled().find(code);
    const bool same = entry && bundled && entry->phrase == bundled->phrase && entry->reason == bundled->reason
        && entry->repair == bundled->repair && entry->behavior == bundled->behavior;
    return same ? nullptr : entry;
}

} // namespace

void setExitRules(const ExitRules &rules) { givenRules() = rules; }

ExitText exitText(int code)
{
    if (const ExitSpecEntry *own = ownEntry(code)) {
        return {exitPhrase(code), own->reason, own->repair, retryText(retryOf(own->behavior)),
            retryOf(own->behavior) == ExitRetry::Counted, retryOf(own->behavior) == ExitRetry::Never};
    }
    for (const ExitRow &row : exitRows()) {
        if (row.code == code) {
            return {translated(row.phrase), translated(row.reason), translated(row.advice), retryText(row.retry),
                row.retry == ExitRetry::Counted, row.retry == ExitRetry::Never};
        }
    }
    if (code > 0) {
        return {ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Failed")),
            ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "The program ended with a status that has no known meaning.")),
            ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Look at the end of the log.")), retryText(ExitRetry::Counted),
            true, false};
    }
    return {ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Failed")),
        ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "The task ended for a reason that has no known meaning.")),
        ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Look at the task's runtime log.")), retryText(ExitRetry::Counted),
        true, false};
}

QString exitPhrase(int code)
{
    if (const ExitSpecEntry *own = ownEntry(code)) {
        const ExitSpecEntry *bundled = ExitRules::bundled().find(code);
        if (!bundled || own->phrase != bundled->phrase) {
            return own->phrase;
        }
    }
    const auto known = std::ranges::find(exitRows(), code, &ExitRow::code);
    return known == exitRows().end() || code == unclassified ? QString() : translated(known->phrase);
}

int shownExit(const JobSummary &job)
{
    return shownExit(job.exitCode.value_or(0), job.rawExit, job.reason, job.reasonArgs);
}

int shownExit(int code, std::optional<int> status, const QString &reason, const QJsonObject &args)
{
    if (isOtherStatus(code, status)) {
        return *status;
    }
    const int told
        = reason::isExit(reason) && code == unclassified ? valuejson::valueFrom<reason::ExitFacts>(args).status : 0;
    return told != 0 ? told : code;
}

QString supplyPhrase(const QString &reason)
{
    static constexpr std::array<std::pair<QLatin1StringView, const char *>, 4> phrases{{
        {QLatin1StringView("code.changes"), QT_TRANSLATE_NOOP("ExitTexts", "Work folder changes all the time")},
        {QLatin1StringView("code."), QT_TRANSLATE_NOOP("ExitTexts", "Work folder not copied")},
        {QLatin1StringView("data."), QT_TRANSLATE_NOOP("ExitTexts", "Data not usable")},
        {QLatin1StringView("checkpoints."), QT_TRANSLATE_NOOP("ExitTexts", "Checkpoints not copied")},
    }};
    for (const auto &[prefix, phrase] : phrases) {
        if (reason.startsWith(prefix)) {
            return translated(phrase);
        }
    }
    return {};
}

QString failurePhrase(int code, const QString &why, const QJsonObject &args)
{
    if (const auto gone = reason::as<reason::AfterGone>(why, args)) {
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 is gone")).arg(gone->job);
    }
    if (const auto failed = reason::as<reason::AfterFailed>(why, args)) {
        const bool stopped = failed->state == stateWord(State::Stopped);
        return (stopped ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 was stopped"))
                        : ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "#%1 failed")))
            .arg(failed->job);
    }
    if (code == unclassified) { // what the output says tells more than a status
        return causeName(failureFacts(args));
    }
    const QString supply = ownEntry(code) ? QString() : supplyPhrase(why);
    return supply.isEmpty() ? exitPhrase(code) : supply;
}

QString failureBrief(const JobSummary &job)
{
    if (job.state != State::Failed || job.exitCode.value_or(0) == 0) {
        return {};
    }
    const QString phrase = failurePhrase(*job.exitCode, job.reason, job.reasonArgs);
    const int shown = shownExit(job);
    return !phrase.isEmpty()     ? phrase
        : shown == *job.exitCode ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit code %1")).arg(exitNumber(shown))
                                 : exitWords(*job.exitCode, shown);
}

QString failureShort(const JobSummary &job)
{
    const int code = job.state == State::Failed ? job.exitCode.value_or(0) : 0;
    if (code == 0) {
        return {};
    }
    const QString phrase = failurePhrase(code, job.reason, job.reasonArgs);
    if (phrase.isEmpty()) {
        const int shown = shownExit(job);
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit %1")).arg(exitNumber(shown));
    }
    if (code == unclassified && phrase != exitPhrase(code)) {
        const QString brief = causeBrief(failureFacts(job.reasonArgs));
        return brief.isEmpty() ? phrase : brief;
    }
    // The user's own words, and what another job did, have no shorter form.
    const auto known = std::ranges::find(exitRows(), code, &ExitRow::code);
    return known != exitRows().end() && known->brief && phrase == translated(known->phrase) ? translated(known->brief)
                                                                                            : phrase;
}

QList<int> failuresNamed(const QString &text)
{
    QList<int> codes;
    for (const ExitRow &row : exitRows()) {
        const bool isNamed = exitPhrase(row.code).contains(text, Qt::CaseInsensitive)
            || (row.brief && translated(row.brief).contains(text, Qt::CaseInsensitive));
        if (row.code != 0 && row.code != unclassified && isNamed) {
            codes.append(row.code);
        }
    }
    return codes;
}

bool isOtherStatus(int code, std::optional<int> status)
{
    return code > 0 && status.value_or(code) != code && status.value_or(0) > 0;
}

QString exitWords(int code, std::optional<int> status)
{
    if (code == unclassified || !isOtherStatus(code, status)) {
        return exitBrief(code, status);
    }
    const QString phrase = exitPhrase(code);
    return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit status %1 (%2)"))
        .arg(QString::number(*status), phrase.isEmpty() ? exitNumber(code) : phrase);
}

QString exitBrief(int code, std::optional<int> status)
{
    if (code == 0) {
        return exitNumber(code);
    }
    if ((code == unclassified && status.value_or(0) > 0) || isOtherStatus(code, status)) {
        return ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit status %1")).arg(*status);
    }
    const QString phrase = exitPhrase(code);
    return phrase.isEmpty() ? ExitTexts::tr(QT_TRANSLATE_NOOP("ExitTexts", "Exit code %1")).arg(exitNumber(code))
                            : phrase;
}

QString exitNumber(int code) { return QString::number(code).replace(QLatin1Char('-'), QChar(0x2212)); }

QString exitCodeText(int code)
{
    const ExitText text = exitText(code);
    QString line
        = QCoreApplication::translate("ExitTexts", "%1 (%2): %3").arg(text.phrase, QString::number(code), text.reason);
    if (!text.advice.isEmpty()) {
        line += QLatin1Char(' ') + text.advice;
    }
    return line;
}

} // namespace trainyard
