// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/approvals.h"

namespace trainyard
{

// Texts about assistants: about their proposals, and about jobs that they have submitted. Times are local; `now`
// decides how they are written.

// "claude-code wants to run sweep: 8 tasks, 4 GPUs, on ws." or "claude-code wants to stop sweep #41."
QString proposalText(const api::Proposal &proposal);
// The effects of a proposal, line by line, for the person who decides about it.
QString proposalDetails(const api::Proposal &proposal, qint64 now);
// What each role would run, with a heading; empty: nothing, or it is not known.
QString proposedCommandsText(const api::Proposal &proposal);
// "claude-code, an assistant; proposed 14:00, approved 14:05 in the window". Empty for a job of a person.
QString submittedByText(const QJsonObject &assistant, qint64 now);

} // namespace trainyard
