// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/belongings.h"

#include "engine/agent/codestore.h"
#include "engine/agent/copyusers.h"
#include "engine/agent/datastore.h"
#include "engine/agent/foldernames.h"
#include "engine/agent/leftparts.h"
#include "engine/agent/processes.h"
#include "engine/agent/processowner.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/contract/datatree.h"
#include "engine/contract/pathkinds.h"

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace trainyard::agent
{
namespace
{

constexpr std::int64_t patienceMs = 30000; // for counting; removing takes what it takes
constexpr std::size_t mostJobs = 4000; // which fit into a message
constexpr int openLevels = 32; // of folders that are open at a time

std::int64_t sizeSoFar = 0;
std::int64_t countsUntilMs = 0;

int addOne(const char *, const struct stat *info, int, struct FTW *)
{
    sizeSoFar += static_cast<std::int64_t>(info->st_blocks) * 512;
    return utcMs() > countsUntilMs ? 1 : 0;
}

// `isWhole` becomes false when the time is over.
std::int64_t sizeOf(const std::string &folder, bool &isWhole)
{
    sizeSoFar = 0;
    if (::nftw(folder.c_str(), addOne, openLevels, FTW_PHYS | FTW_MOUNT) == 1) {
        isWhole = false;
    }
    return sizeSoFar;
}

// The file of this very program.
std::string ownProgram()
{
    char target[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", target, sizeof target);
    return length > 0 ? std::string(target, static_cast<std::size_t>(length)) : std::string();
}

// How a program of ours was called, if it is one. Helpers and keepers hide their memory, and with it the link to their
// file, but not their arguments; the engine calls each by its whole path.
std::string programOf(pid_t pid)
{
    if (ownerOf(pid) != ::getuid()) {
        return {};
    }
    char text[PATH_MAX];
    const std::size_t size = readProcFile(pid, "cmdline", text, sizeof text - 1);
    text[size] = '\0';
    return text;
}

bool isHelperName(const std::string &name) { return name.starts_with("agent-"); }

struct Running {
    std::set<std::string> programs; // paths
    std::vector<pid_t> pids;
};

// Processes that run a helper of this folder, without `but`.
Running runningIn(const std::string &folder, const std::vector<pid_t> &but)
{
    Running running;
    forEachName("/proc", [&](const std::string &name) {
        const auto pid = static_cast<pid_t>(std::atoi(name.c_str()));
        if (pid <= 0 || std::find(but.begin(), but.end(), pid) != but.end()) {
            return;
        }
        const std::string program = programOf(pid);
        if (program.starts_with(folder + "/agent-")) {
            running.programs.insert(program);
            running.pids.push_back(pid);
        }
    });
    return running;
}

bool descendsFrom(pid_t pid, pid_t ancestor)
{
    for (std::optional<ProcessInfo> info = processInfo(pid); info && info->pid > 1; info = processInfo(info->parent)) {
        if (info->parent == ancestor) {
            return true;
        }
    }
    return false;
}

void removeUnused(const std::string &folder, const std::string &own, const Running &others)
{
    forEachName(folder, [&](const std::string &name) {
        const std::string path = folder + '/' + name;
        // A helper that is being pushed has another suffix, and is as young as its push.
        struct stat info {
        };
        constexpr std::int64_t pushMs = 3600 * 1000;
        const bool isPushed = name.find('.') != std::string::npos && ::lstat(path.c_str(), &info) == 0
            && utcMs() - static_cast<std::int64_t>(info.st_mtime) * 1000 < pushMs;
        if (isHelperName(name) && path != own && !others.programs.contains(path) && !isPushed) {
            ::unlink(path.c_str());
        }
    });
}

} // namespace

contract::Belongings belongings(const std::string &stateFolder, pid_t own, const contract::LookThrough &request)
{
    contract::Belongings found;
    const std::string program = ownProgram();
    const std::string remote = stateFolder + "/remote", code = stateFolder + "/code";
    // An agent that was not pushed lies where the package put it, beside programs that are not ours to count.
    const std::string name = program.substr(program.rfind('/') + 1);
    found.programFolder = isHelperName(name) ? program.substr(0, program.rfind('/')) : std::string();
    const bool isPlain = !request.engine.empty() && request.engine.find('/') == std::string::npos;
    if (request.tidies) {
        if (isPlain) {
            removeAllGone(remote + '/' + request.engine);
        }
        removeLeftParts(stateFolder);
        removeCode(stateFolder, request.engine);
        removeUnusedData(stateFolder, request.engine);
        if (!found.programFolder.empty()) {
            removeUnused(found.programFolder, program, runningIn(found.programFolder, {own, ::getpid()}));
        }
    }
    countsUntilMs = utcMs() + patienceMs;
    forEachName(remote, [&](const std::string &engine) {
        if (!contract::isRealFolderAt(remote + '/' + engine)) {
            return;
        }
        forEachName(remote + '/' + engine, [&](const std::string &job) {
            const std::string folder = remote + '/' + engine + '/' + job;
            if (!contract::isRealFolderAt(folder)) {
                return;
            }
            const std::int64_t bytes = sizeOf(folder, found.isWhole);
            if (!isPlain || engine != request.engine) {
                ++found.otherJobs;
                found.otherBytes += bytes;
            } else if (found.jobs.size() < mostJobs) {
                found.jobs.push_back(job);
                found.jobBytes.push_back(bytes);
            } else {
                found.isWhole = false;
            }
        });
    });
    found.codeBytes = contract::isRealFolderAt(code) ? sizeOf(code, found.isWhole) : 0;
    const std::string data = contract::dataContentsFolder(stateFolder); // the folders are further names of these
    found.dataBytes = contract::isRealFolderAt(data) ? sizeOf(data, found.isWhole) : 0;
    const auto bytesOfOthers = [&request](const std::string &folder) {
        return bytesOfCopies(folder, copiesOfOthers(folder, request.engine));
    };
    found.sharedCodeBytes = bytesOfOthers(code);
    found.sharedDataBytes = bytesOfOthers(contract::dataFolder(stateFolder));
    const std::string clusters = stateFolder.substr(0, stateFolder.rfind('/')) + "/clusters"; // as LoginSite has it
    if (contract::isRealFolderAt(clusters)) {
        found.clusterFolder = clusters;
        found.clusterBytes = sizeOf(clusters, found.isWhole);
    }
    if (found.programFolder.empty()) {
        return found;
    }
    const Running others = runningIn(found.programFolder, {own, ::getpid()});
    // Processes that this helper started for itself end with it; the requesting engine has no task here.
    const bool isAlone
        = std::all_of(others.pids.cbegin(), others.pids.cend(), [own](pid_t pid) { return descendsFrom(pid, own); });
    const bool isOnlyOurs = found.otherJobs == 0 && found.sharedCodeBytes + found.sharedDataBytes == 0;
    if (request.leaves && found.jobs.empty() && isOnlyOurs && isAlone) {
        ::unlink(program.c_str());
        ::rmdir(found.programFolder.c_str());
        // Those that are empty go; a folder in which anything is stays.
        for (const std::string &folder : {remote + '/' + request.engine, remote, stateFolder}) {
            ::rmdir(folder.c_str());
        }
        ::rmdir(stateFolder.substr(0, stateFolder.rfind('/')).c_str());
    }
    forEachName(found.programFolder, [&](const std::string &entry) {
        struct stat info {
        };
        if (isHelperName(entry) && ::lstat((found.programFolder + '/' + entry).c_str(), &info) == 0) {
            ++found.programs;
            found.programBytes += static_cast<std::int64_t>(info.st_blocks) * 512;
        }
    });
    std::vector<pid_t> all = others.pids;
    all.push_back(own);
    found.processes = static_cast<std::int64_t>(all.size());
    found.processKiB = memoryKiB(all);
    return found;
}

} // namespace trainyard::agent
