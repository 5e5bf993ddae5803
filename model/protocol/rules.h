// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/findings.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// What is wrong between the parts of a job that has been read: names that lead nowhere, limits that cannot fire, steps
// that a cluster would skip. Adds to the findings.
void checkJob(const JobSpec &job, Findings &findings);

// The part about <% %>: tags that do not close, references to nothing, parameters that nobody uses, plain values that
// other readers take for something else.
void checkTemplates(const JobSpec &job, Findings &findings);

} // namespace trainyard
