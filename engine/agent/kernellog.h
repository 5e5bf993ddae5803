// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// What NVIDIA's driver says of a GPU's errors. It says so nowhere but in the kernel's log, which not every user may
// read: then nothing is found.
namespace trainyard::agent
{

// "NVRM: Xid (PCI:0000:3b:00): 79, ..." of one record of /dev/kmsg ("4,1234,5678901,-;text") that is about one of these
// places on the bus ("0000:3b:00"). Else empty.
std::string xidOfRecord(std::string_view record, const std::vector<std::string> &places);

// Places of GPUs by their UUIDs, as the driver's folder has them.
std::vector<std::string> gpuPlaces(const std::vector<std::string> &uuids);

// Those of such records that are about this GPU, oldest first, at most the newest ten.
std::vector<std::string> xidsOf(const std::vector<std::string> &records, const std::string &gpu);

// What comes into the log while this is there. By the place in the log, not by the time: its clock is never set right
// as others are, and after months the two are minutes apart.
class KernelLog
{
public:
    KernelLog();
    ~KernelLog();
    KernelLog(const KernelLog &) = delete;
    KernelLog &operator=(const KernelLog &) = delete;

    std::vector<std::string> xids(); // records that came since the last call, of all GPUs

private:
    int m_log = -1;
};

} // namespace trainyard::agent
