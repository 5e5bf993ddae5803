// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// In ns UTC, by the clock that file systems stamp files with, which stands still between two ticks of the kernel.
constexpr std::int64_t noMoment = INT64_MAX; // nothing is later
std::int64_t fileClockNs();

// Whether what stands at a path was changed after a moment. Of what is gone, the folder above it tells.
bool isChangedSince(std::string path, std::int64_t moment);
// Whether it was made then; where the file system does not tell, whether it was changed.
bool isMadeSince(const std::string &path, std::int64_t moment);

} // namespace trainyard::agent
