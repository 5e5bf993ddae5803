// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"
#include "engine/core/jobpolicy.h"

// What a job asks of the hosts and GPUs of the pool, and a Slurm cluster is not told. Pure.
namespace trainyard::slurm
{

// Each with {target, roles}, in this order: "slurm.hosts-named", "slurm.hosts-arranged", "slurm.gpu-type-unused",
// "slurm.gpu-memory-unused". The GPU types are still in the policy.
QList<JobNote> unheardNotes(const core::JobPolicy &policy, const QString &target);

} // namespace trainyard::slurm
