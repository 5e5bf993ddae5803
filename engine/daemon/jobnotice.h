// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "model/base/result.h"

namespace trainyard
{

// A change of a job, or of a host, that is to be announced.
struct JobNotice {
    QString kind; // running, succeeded, failed, stopped, retried, health, question, removal or quarantine
    JobSummary job; // as it was then; of kind quarantine, none
    HealthMark mark = {}; // of kind health
    Error ended = {}; // of kind retried: how the attempt before ended; without a code, there is no more to say
    // For the kind removal, which is about all of them; `job` is the first.
    QList<JobSummary> jobs = {};
    // For the kind quarantine.
    QString host = {};
    Quarantine quarantine = {};
};

} // namespace trainyard
