// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"

#include "app/cli/helptext.h"
#include "app/cli/words.h"
#include "engine/client/configurationfaults.h"
#include "engine/client/ownexitrules.h"
#include "engine/client/paths.h"
#include "widgets/text/exittexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

// Users may have edited these files: a mistake is reported, since the engine goes on without what is wrong.
void lookAtConfiguration()
{
    const Result<ExitRules> exitRules = ownExitRules(paths::configFolder());
    if (exitRules) {
        setExitRules(*exitRules);
    }
    const QList<Error> faults = configurationFaults(paths::configFolder(), exitRules);
    for (const Error &fault : faults) {
        errorLine(errorText(fault));
    }
}

} // namespace

Reads<qint64> wholeNumber(qint64 least)
{
    const QString takes = least < 0 ? tr("a whole number from %1 to %2").arg(least).arg(std::numeric_limits<int>::max())
                                    : tr("a number from %1").arg(least);
    return {takes, [least](const QString &word) -> std::optional<qint64> {
                bool isNumber = false;
                const qint64 number = word.toLongLong(&isNumber);
                const bool fits = number >= least && number <= std::numeric_limits<int>::max();
                return isNumber && fits ? std::optional(number) : std::nullopt;
            }};
}

Reads<qint64> timeSpan() { return {tr("a time span (90s, 10m, 2h, 7d, 4w)"), durationOf}; }

Reads<qint64> timeBefore()
{
    return {tr("a time span (90s, 10m, 2h, 7d) or a local time (2026-03-31T14:05)"),
        [](const QString &word) { return timeOf(word, QDateTime::currentMSecsSinceEpoch()); }};
}

Reads<QString> oneOf(const QStringList &words)
{
    return {tr("one of %1").arg(words.join(u", "_s)),
        [words](const QString &word) { return words.contains(word) ? std::optional(word) : std::nullopt; }};
}

std::optional<int> beforeHandler(const Command &command, const Arguments &read, const QString &error)
{
    if (read.help) {
        outLine(helpOf(command));
        return exitOk;
    }
    if (!error.isEmpty()) {
        return usageError(command.name, error);
    }
    lookAtConfiguration();
    forgetFailure();
    return std::nullopt;
}

} // namespace trainyard::cli
