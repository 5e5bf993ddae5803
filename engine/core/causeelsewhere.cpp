// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/causeelsewhere.h"

using namespace Qt::StringLiterals;

namespace trainyard::core
{
namespace
{

bool isCause(const FailureFacts &facts)
{
    const bool isCertain = facts.certainty == "certain"_L1 || facts.args.value(unnamedKey).toBool();
    return isCertain && !facts.follows && facts.cause != "cancelled"_L1;
}

} // namespace

bool showsCause(const QJsonObject &reasonArgs) { return isCause(failureFacts(reasonArgs)); }

bool takeCauseOf(const QString &task, const QJsonObject &reasonArgs, QJsonObject *ofAttempt)
{
    const FailureFacts present = failureFacts(*ofAttempt);
    // A task that ended without a message may have failed because of the others as well.
    const bool mayFollow = present.follows || present.cause == "unknown"_L1;
    FailureFacts found = failureFacts(reasonArgs);
    if (!mayFollow || !present.task.isEmpty() || !isCause(found)) {
        return false;
    }
    found.task = task;
    ofAttempt->insert(failureKey, found.toJson());
    return true;
}

} // namespace trainyard::core
