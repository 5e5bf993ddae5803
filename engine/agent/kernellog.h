// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Finds what NVIDIA's driver reports of a GPU's errors. It reports them only in the kernel's log, which not every user
// may read; then nothing is found.
namespace trainyard::agent
{

// "NVRM: Xid (PCI:0000:3b:00): 79, ..." of one record of /dev/kmsg ("4,1234,5678901,-;text") that is about one of these
// places on the bus ("0000:3b:00"); empty for other records.
std::string xidOfRecord(std::string_view record, const std::vector<std::string> &places);

// The places of GPUs on the bus by their UUIDs, as the driver's folder has them.
std::vector<std::string> gpuPlaces(const std::vector<std::string> &uuids);

// The records that are about this GPU, oldest first, at most the newest ten.
std::vector<std::string> xidsOf(const std::vector<std::string> &records, const std::string &gpu);

// Collects the entries of the log that are added while this object exists. It uses the position in the log and not the
// time: the log's clock is never corrected, and after months it is minutes off.
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
