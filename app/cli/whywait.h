// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/queueplace.h"

#include <optional>

namespace trainyard::cli
{
class Session;
}

// Why a job waits.
namespace trainyard::cli::why
{

// It does nothing now, and says what for.
bool waitsNow(const JobSummary &job);
// More is known of how it is now than its state, such as that its host cannot be reached.
bool hasReasonNow(const JobSummary &job);
struct WaitFacts {
    QueuePlace place;
    std::optional<qint64> since = {}; // nothing: it is not known
};
WaitFacts waitFacts(Session &session, const JobSummary &job, const QueuePlace &place);
QJsonObject waitsJson(const JobSummary &job, const WaitFacts &facts);
// `causeFollows`: the reason for the retry follows.
void sayWait(const JobSummary &job, const WaitFacts &facts, bool causeFollows = false);

} // namespace trainyard::cli::why
