// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QByteArray>
#include <QString>

namespace trainyard
{

// Whether the job has failed with a code that is never retried.
bool isPermanentFailure(const JobSummary &job);

// A sentence for a failed job whose text asks for retries of which some are left, and whose failure is not retried: it
// is permanent (docs/execution.md, "Retries"). Empty for any other job.
QString unretriedText(const JobSummary &job, const QByteArray &yaml);

} // namespace trainyard
