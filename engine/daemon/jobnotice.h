// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

namespace trainyard
{

// A change of a job that somebody wants to be told of.
struct JobNotice {
    QString kind; // running, succeeded, failed, stopped, retried, health or removal
    JobSummary job; // as it was then
    HealthMark mark = {}; // of kind health
    // Of kind removal, which is about all of them: `job` is the first.
    QList<JobSummary> jobs = {};
};

} // namespace trainyard
