// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filesharing.h"

namespace trainyard::agent
{
namespace
{

bool isOverBefore(const FileUse &one, const FileUse &other) { return one.ended != 0 && one.ended <= other.began; }

} // namespace

bool namesJob(const std::string &path, const std::string &job)
{
    constexpr std::size_t shortest = 8; // what is shorter may be anything
    return job.size() >= shortest && path.find(job) != std::string::npos;
}

std::map<FileKey, SharedFile> sharedFiles(const FileUse &mine, const std::vector<FileUse> &others)
{
    std::map<FileKey, SharedFile> shared;
    for (const FileUse &other : others) {
        if (other.job == mine.job || isOverBefore(other, mine)) {
            continue;
        }
        const bool isLater = isOverBefore(mine, other);
        for (const auto &[file, changed] : mine.files) {
            if (!other.files.contains(file) || (isLater && changed <= other.began)) {
                continue;
            }
            SharedFile &one = shared[file];
            one.sharing = isLater ? one.sharing : Sharing::Shared;
            one.jobs.insert(other.job);
        }
    }
    return shared;
}

} // namespace trainyard::agent
