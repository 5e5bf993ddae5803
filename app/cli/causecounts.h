// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard::cli
{

// The number of jobs that failed for each cause, the most frequent one first.
struct CauseCount {
    QString words; // as the list of jobs shows it
    QString name; // for programs, by which 'cause:' finds it; empty where none is known
    QList<qint64> jobs; // their numbers
};
QList<CauseCount> causeCounts(const QList<JobSummary> &jobs);

void printCauses(const QList<JobSummary> &jobs, bool asJson);

} // namespace trainyard::cli
