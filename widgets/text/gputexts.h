// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/values.h"

#include <QString>

namespace trainyard
{

// Who has a GPU, as people need to know it: may a job of theirs get it or not, and why.
enum class GpuUse {
    Free,
    Ours, // a job of this engine runs on it
    Foreign, // somebody else: another program, or another engine
    Kept, // the settings keep it from jobs
    Lost, // no job can use it: it fell off the bus, is not there any more, or is in MIG mode without instances
};
GpuUse useOf(const GpuInfo &gpu);

// "#41, #42", "another program", "kept for you", "free"
QString ownerText(const GpuInfo &gpu);

} // namespace trainyard
