// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/clusters/kubelist.h"
#include "engine/contract/taskfolder.h"
#include "engine/core/jobstate.h"
#include "model/base/result.h"

// Derives the result of a try from the state of its pod. Pure.
namespace trainyard::kube
{

// Completion codes (docs/execution.md).
constexpr int codeLost = -101;
constexpr int codeRefused = -200;
constexpr int codeStopped = -210;
constexpr int codeNotStarted = -300;

bool hasBegun(const Pod &pod); // its container runs, or has run

struct PodEnd {
    contract::ExitRecord record; // of the program, as far as there is one
    std::optional<core::TryResult> byCluster; // the cluster has ended it: the record does not say why
};
// Nothing: it has not ended. The status of a task whose failure its pod hides is in its message.
std::optional<PodEnd> endOf(const Pod &pod, const QString &target);

// Why it does not run yet; the code is empty when it does. `pod`: null when there is none yet.
Error waitReason(const Set &set, const Pod *pod, const QString &target);

// A pod that is gone without having been seen to end, in a set that is in this state.
core::TryResult resultOfGone(const Set &set, bool hasBegun, const QString &target);

} // namespace trainyard::kube
