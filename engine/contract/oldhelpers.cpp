// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/oldhelpers.h"

#include "engine/contract/leadplan.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/taskfolder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <vector>

namespace trainyard::contract
{
namespace
{

constexpr std::string_view helperPrefix = "trainyard-agent-";
constexpr std::int64_t unusedMs = 86'400'000, notedMs = 3'600'000;
constexpr std::size_t mostScriptBytes = std::size_t(1) << 20, mostPlanBytes = std::size_t(64) << 20;

enum class FolderSeen { Whole, Missing, Unknown }; // a folder: all of it was seen, it is not there, or neither is sure

FolderSeen forEachEntry(const std::string &folder, const std::function<bool(const std::string &name)> &take)
{
    DIR *entries = ::opendir(folder.c_str());
    if (!entries) {
        return errno == ENOENT || errno == ENOTDIR ? FolderSeen::Missing : FolderSeen::Unknown;
    }
    bool isWhole = true;
    errno = 0;
    while (const dirent *entry = ::readdir(entries)) {
        if (entry->d_name[0] != '.' && !take(entry->d_name)) {
            isWhole = false;
            break;
        }
        errno = 0;
    }
    isWhole = isWhole && errno == 0;
    ::closedir(entries);
    return isWhole ? FolderSeen::Whole : FolderSeen::Unknown;
}

std::int64_t helperTimeOf(const struct stat &info) { return std::int64_t(info.st_mtim.tv_sec) * 1000; }

// A copy of this user that was not used for a long time.
bool isOldHelper(const std::string &program, std::int64_t nowMs)
{
    struct stat info {
    };
    return ::lstat(program.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid()
        && nowMs - helperTimeOf(info) > unusedMs;
}

bool isAllocationOver(const std::string &allocation)
{
    if (isAnythingAt(allocation + '/' + leadfile::end)) {
        return true;
    }
    const std::optional<std::string> text = readWhole(allocation + '/' + leadfile::plan, mostPlanBytes);
    const std::optional<LeadPlan> plan = text ? LeadPlan::parse(*text) : std::nullopt;
    if (!plan || !plan->isArray) {
        return false;
    }
    for (std::size_t i = 0; i < plan->tasks.size(); ++i) {
        if (!isAnythingAt(allocation + '/' + ofElement(leadfile::end, int(i)))) {
            return false;
        }
    }
    return true;
}

// Takes out of `names` what this allocation begins with. False: it cannot be told.
bool takeOutUsed(std::vector<std::string> &names, const std::string &allocation)
{
    const std::string script = allocation + "/job.sh";
    const std::optional<std::string> text = readWhole(script, mostScriptBytes);
    if (!text) {
        return !isAnythingAt(script); // it is not whole: its maker has just looked at its copy
    }
    const auto isNamed = [&text](const std::string &name) { return text->find(name) != std::string::npos; };
    if (std::any_of(names.begin(), names.end(), isNamed) && !isAllocationOver(allocation)) {
        std::erase_if(names, isNamed);
    }
    return true;
}

} // namespace

void noteHelperUse(const std::string &program)
{
    struct stat info {
    };
    const std::int64_t nowMs = std::int64_t(::time(nullptr)) * 1000;
    if (::lstat(program.c_str(), &info) == 0 && S_ISREG(info.st_mode) && nowMs - helperTimeOf(info) > notedMs) {
        const timespec times[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
        ::utimensat(AT_FDCWD, program.c_str(), times, AT_SYMLINK_NOFOLLOW);
    }
}

int removeOldHelpers(const std::string &program, std::int64_t nowMs, const std::function<bool()> &goesOn)
{
    const std::string folder = program.substr(0, program.rfind('/')), own = program.substr(program.rfind('/') + 1);
    const std::string runs = folder.substr(0, folder.rfind('/')) + "/runs";
    std::vector<std::string> old;
    const FolderSeen copies = forEachEntry(folder, [&](const std::string &name) {
        if (name.starts_with(helperPrefix) && name != own && isOldHelper(folder + '/' + name, nowMs)) {
            old.push_back(name);
        }
        return true;
    });
    if (copies == FolderSeen::Unknown) {
        return -1;
    }
    bool isKnown = true;
    const FolderSeen jobs = forEachEntry(runs, [&](const std::string &job) {
        const std::string allocations = runs + '/' + job + "/allocations";
        const FolderSeen found = forEachEntry(allocations, [&](const std::string &name) {
            isKnown = isKnown && goesOn() && takeOutUsed(old, allocations + '/' + name);
            return isKnown && !old.empty();
        });
        isKnown = isKnown && (found != FolderSeen::Unknown || old.empty()) && goesOn();
        return isKnown && !old.empty();
    });
    if (old.empty()) {
        return 0;
    }
    if (!isKnown || jobs == FolderSeen::Unknown) {
        return -1;
    }
    int removed = 0;
    for (const std::string &name : old) {
        const std::string copy = folder + '/' + name;
        // Once more: the look at the allocations took its time, and a new allocation is noted before it is made.
        removed += isOldHelper(copy, nowMs) && ::unlink(copy.c_str()) == 0 ? 1 : 0;
    }
    return removed;
}

} // namespace trainyard::contract
