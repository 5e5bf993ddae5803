// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QString>

namespace trainyard
{

// The use of a GPU for users: whether their jobs may get it, and why not.
enum class GpuUse {
    Free,
    Ours, // a job of this engine runs on it
    Foreign, // another program, or another engine
    Kept, // the settings keep it from jobs
    Lost, // no job can use it: it fell off the bus, is not there any more, or is in MIG mode without instances
};
GpuUse useOf(const GpuInfo &gpu);

// The name without what all GPUs have in common: "RTX 3090" for "NVIDIA GeForce RTX 3090".
QString shortGpuName(const QString &name);

// "#41, #42", "another program", "kept for you", "free"
QString ownerText(const GpuInfo &gpu);

} // namespace trainyard
