// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/catalogue.h"
#include "model/protocol/findings.h"
#include "model/protocol/jobspec.h"

namespace trainyard
{

// What is wrong between the parts of a job that has been read: names that lead nowhere, limits that cannot fire, steps
// that a cluster would skip. Adds to the findings.
// `catalogue` may be empty: then nothing that is called marketplace:// is at hand.
void checkJob(const JobSpec &job, const CatalogueLookup &catalogue, Findings &findings);

// The part about <% %>: tags that do not close, references to nothing, parameters that nobody uses, plain values that
// other readers take for something else.
void checkTemplates(const JobSpec &job, Findings &findings);

// What runs here and not on a cluster, or otherwise there.
void checkPortability(const JobSpec &job, Findings &findings);

// What can be seen in the users' shell commands.
void checkCommands(const JobSpec &job, Findings &findings);

} // namespace trainyard
