// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/queueplace.h"

// Why a job waits.
namespace trainyard::cli::why
{

// It does nothing now, and says what for.
bool waitsNow(const JobSummary &job);
// More is known of how it is now than its state, such as that its host cannot be reached.
bool hasReasonNow(const JobSummary &job);
QJsonObject waitsJson(const JobSummary &job, const QueuePlace &place);
void sayWait(const JobSummary &job, const QueuePlace &place);

} // namespace trainyard::cli::why
