// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What NVIDIA's driver says of a GPU's errors. It says so nowhere but in the kernel's log, which not every user may
// read: then nothing is found.
namespace trainyard::agent
{

// "NVRM: Xid (PCI:0000:3b:00): 79, ..." of one record of /dev/kmsg ("4,1234,5678901,-;text") that is not older than
// `sinceUs` (microseconds of the kernel's clock) and about one of these places on the bus ("0000:3b:00"). Else empty.
std::string xidOfRecord(std::string_view record, std::int64_t sinceUs, const std::vector<std::string> &places);

// Places of GPUs by their UUIDs, as the driver's folder has them.
std::vector<std::string> gpuPlaces(const std::vector<std::string> &uuids);

// All that the kernel's log has of these GPUs since then, oldest first, at most the newest ten.
std::vector<std::string> xidsSince(std::int64_t sinceUs, const std::vector<std::string> &uuids);

} // namespace trainyard::agent
