// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobspec.h"

namespace trainyard
{

// Whether a GPU with this name of the driver is of the type that a job asks for: "V100" is "Tesla V100-SXM2-16GB",
// "GeForce-GTX1080" is "NVIDIA GeForce GTX 1080". Whole words are compared, in their order and without regard to case.
bool isGpuOfType(const QString &name, const QString &type);

// The type of GPU that a role asks for (extras.hivedScheduler...skuType); empty: any.
QString gpuTypeOf(const JobSpec &job, const QString &role);

} // namespace trainyard
