// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trainyard::agent
{

// In ns UTC: no file of this computer has been stamped with a later time yet. What changes within the same tick of the
// kernel may be stamped with an earlier one.
constexpr std::int64_t noMoment = INT64_MAX; // nothing is later
std::int64_t fileClockNs();
// Waits until files that change from now on are stamped with a later time: until the next tick, a few ms at most.
void awaitLaterStamps(std::int64_t moment);

// Whether the file at a path was changed after a moment. If it is gone, the folder above it decides.
bool isChangedSince(std::string path, std::int64_t moment);
// Whether it was made then or, if the file system has no time for that, whether it was changed.
bool isMadeSince(const std::string &path, std::int64_t moment);

} // namespace trainyard::agent
