// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/filesharing.h"

#include "engine/contract/systemtimes.h"
#include "engine/contract/uuid.h"
#include "engine/metricfiles/runs.h"

#include <algorithm>
#include <string_view>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t secondMs = 1000;

bool hasBegunBy(const Life &life, const FileTimes &file, std::int64_t moment)
{
    return life.began <= moment + file.slack;
}

bool isThereAt(const Life &life, const FileTimes &file, std::int64_t moment)
{
    return life.ended == 0 || moment <= life.ended + file.slack;
}

bool mayHaveChanged(const Life &life, const FileTimes &file)
{
    return hasBegunBy(life, file, file.changedUntil) && isThereAt(life, file, file.changedFrom);
}

bool mayHaveMade(const Life &life, const FileTimes &file)
{
    return file.born > 0 && hasBegunBy(life, file, file.born) && isThereAt(life, file, file.born);
}

bool isOverBefore(const FileUse &one, const FileUse &other) { return one.ended != 0 && one.ended <= other.began; }

} // namespace

bool namesJob(const std::string &path, const std::string &job)
{
    constexpr std::size_t shortest = 8; // what is shorter may be anything
    return job.size() >= shortest && path.find(job) != std::string::npos;
}

std::vector<std::string> identifiersIn(const std::string &path)
{
    std::vector<std::string> found;
    for (std::size_t at = 0; at + contract::uuidLength <= path.size(); ++at) {
        if (contract::isUuid(std::string_view(path).substr(at, contract::uuidLength))) {
            found.push_back(path.substr(at, contract::uuidLength));
            at += contract::uuidLength - 1;
        }
    }
    return found;
}

std::string folderOfJobs(const std::string &dir, const std::string &job)
{
    const std::size_t at = job.empty() ? std::string::npos : (dir + '/').rfind('/' + job + '/');
    return at == std::string::npos ? std::string() : dir.substr(0, at);
}

// The times of some file systems have no parts of a second, and clocks of file servers may be ahead, too.
bool mayBeChangedBy(const struct stat &about, std::int64_t began, std::int64_t ended, std::int64_t slackMs)
{
    return metricfiles::latestChange(about) + slackMs >= began
        && std::int64_t(about.st_mtim.tv_sec) * secondMs <= ended + secondMs;
}

bool isChangedAfter(const struct stat &about, std::int64_t ended, std::int64_t slackMs)
{
    return contract::changedMsOf(about) > ended + slackMs;
}

Writer writerOf(const FileTimes &file, const Life &one, const Life &other)
{
    if (const bool may = mayHaveChanged(one, file); may != mayHaveChanged(other, file)) {
        return may ? Writer::One : Writer::Other;
    }
    if (const bool may = mayHaveMade(one, file); may != mayHaveMade(other, file)) {
        return may ? Writer::One : Writer::Other;
    }
    return Writer::Either;
}

std::string familyOf(const std::string &path)
{
    std::string family;
    for (const char character : path.substr(path.rfind('/') + 1)) {
        const bool isDigit = character >= '0' && character <= '9';
        if (!isDigit) {
            family += character;
        } else if (!family.ends_with('#')) {
            family += '#';
        }
    }
    return family;
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
