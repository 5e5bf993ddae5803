// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api/jobcauses.h"

#include "engine/api/failurefacts.h"
#include "engine/api/health.h"
#include "engine/api/reasons.h"
#include "model/runtime/exitrules.h"

using namespace Qt::StringLiterals;

namespace trainyard
{
namespace
{

constexpr int nothingKnown = 255; // the code of most failures

// Only that something was raised: its type says more.
bool isAnyException(const QString &cause) { return cause == "user-code-error"_L1 || cause == "uncaught-exception"_L1; }

} // namespace

QString causeOfReason(const QString &reason)
{
    return reason.startsWith("exit.oom"_L1) ? u"host-oom"_s
        : reason == "exit.gpu-lost"_L1      ? u"gpu-lost"_s
        : reason == "exit.gpu-ecc"_L1       ? u"gpu-memory-error"_s
                                            : QString();
}

QStringList failureCauses(const JobSummary &job)
{
    if (job.state != State::Failed) {
        return {};
    }
    JobSummary explained = job; // as lists show it
    explainByHealth(explained);
    const FailureFacts facts = failureFacts(explained.reasonArgs);
    const QString type = facts.args.value("type"_L1).toString();
    QStringList names = isAnyException(facts.cause) ? QStringList{type, facts.cause} : QStringList{facts.cause, type};
    names.append(job.reasonArgs.value("finding"_L1).toString()); // of a table of rules, such as the user's own
    names.append(causeOfReason(job.reason));
    names.append(reason::isExit(job.reason) ? QString() : job.reason); // else it says only that the program ended
    if (const int code = job.exitCode.value_or(0); code != 0 && code != nothingKnown) {
        const ExitSpecEntry *entry = ExitRules::bundled().find(code);
        names.append(entry ? entry->phrase : QString());
    }
    names.removeAll(QString());
    names.removeDuplicates();
    return names;
}

} // namespace trainyard
