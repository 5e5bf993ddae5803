// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/whytable.h"

namespace trainyard
{

// The parts of whyWords(), by what a cause is about.
std::span<const WhyWords> hostWhyWords(); // limits, memory, disks and GPUs of the host, and what ended the run
std::span<const WhyWords> networkWhyWords(); // connections, servers, images, other processes and repositories
std::span<const WhyWords> setupWhyWords(); // packages, environments, commands and libraries
std::span<const WhyWords> programWhyWords(); // the program, its data and checkpoints

} // namespace trainyard
