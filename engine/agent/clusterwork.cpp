// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/clusterwork.h"

#include "engine/agent/client.h"
#include "engine/agent/pump.h"
#include "engine/agent/removal.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/oldhelpers.h"
#include "engine/contract/pathkinds.h"
#include "engine/contract/plainfile.h"
#include "engine/contract/slurmcommand.h"
#include "engine/contract/systemtimes.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t mostSaid = contract::maxPayload - 64 * 1024; // output and errors together
constexpr std::size_t mostErrors = 16 * 1024;
constexpr std::size_t endOfLog = 4096;

std::vector<std::string> slurmEnvironmentOf(const std::string &program, const std::vector<std::string> &login)
{
    std::vector<std::string> environment;
    for (const std::string &entry : login) {
        const std::string name = entry.substr(0, entry.find('='));
        if (!contract::changesSlurmCommands(name) && name != "LC_ALL") {
            environment.push_back(entry);
        }
    }
    environment.push_back("LC_ALL=C.UTF-8");
    environment.push_back(std::string("SLURM_TIME_FORMAT=") + contract::slurmTimeFormat(program));
    return environment;
}

// Reads what is there; false: it is at its end.
bool readSaid(int fd, std::string &text)
{
    char buffer[32 * 1024];
    for (;;) {
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
            return true;
        }
        if (n == 0 || errno != EINTR) {
            return n < 0 && errno == EAGAIN;
        }
    }
}

// Both to their ends. Empty, or the state in which the program is given up.
const char *hearBoth(int out, int errors, std::int64_t until, contract::ProgramSaid &said)
{
    std::array<pollfd, 2> ends{pollfd{out, POLLIN, 0}, pollfd{errors, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        const std::int64_t left = until - monotonicMs();
        if (left <= 0) {
            return "late";
        }
        if (::poll(ends.data(), ends.size(), static_cast<int>(std::min<std::int64_t>(left, 1000))) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return "late";
        }
        if (ends[0].revents != 0 && !readSaid(out, said.out)) {
            ends[0].fd = -1;
        }
        if (ends[1].revents != 0 && !readSaid(errors, said.errors)) {
            ends[1].fd = -1;
        }
        if (said.errors.size() > mostErrors) {
            said.errors.erase(0, said.errors.size() - mostErrors); // its end has the reason
        }
        if (said.out.size() > mostSaid - mostErrors) {
            return "long"; // a part of an answer would be taken for all of it
        }
    }
    return "";
}

int shellStatusOf(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

bool isSiteLog(const std::string &path) { return path.ends_with(".log"); }

// An error of a file that says that there is none, or nothing of ours.
bool isNoSiteFile(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENXIO || error == EINVAL;
}

// The contents, or the end of a log. Nothing: it cannot be read now.
std::optional<std::string> siteContentsOf(int fd, const std::string &path, std::size_t size)
{
    const std::size_t from = isSiteLog(path) && size > endOfLog ? size - endOfLog : 0;
    std::string text(size - from, '\0');
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::pread(fd, text.data() + done, text.size() - done, static_cast<off_t>(from + done));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return std::nullopt;
        }
        done += static_cast<std::size_t>(n);
    }
    return text;
}

} // namespace

contract::ProgramSaid runSlurmCommand(const contract::RunProgram &request, const std::vector<std::string> &environment)
{
    contract::ProgramSaid said;
    said.state = "missing";
    const std::vector<std::string> own = slurmEnvironmentOf(request.program, environment);
    if (!contract::isSlurmCommand(request.program) || findProgram(request.program, own).empty()) {
        return said;
    }
    int errors[2];
    if (::pipe2(errors, O_CLOEXEC) != 0) {
        said.state = "late";
        return said;
    }
    std::vector<std::string> arguments{request.program};
    arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
    ClientStart wanted;
    wanted.errors = errors[1];
    const ClientProcess process = startClient(arguments, own, wanted);
    ::close(errors[1]);
    if (process.pid < 0) {
        ::close(errors[0]);
        said.state = process.error == ENOENT ? "missing" : "late";
        return said;
    }
    ::fcntl(errors[0], F_SETFL, O_NONBLOCK);
    const std::int64_t until = monotonicMs() + std::clamp<std::int64_t>(request.ms, 1000, 600'000);
    const std::string givenUp = hearBoth(process.out, errors[0], until, said);
    if (!givenUp.empty()) {
        ::kill(-process.pid, SIGKILL);
        ::kill(process.pid, SIGKILL);
    }
    ::close(process.out);
    ::close(errors[0]);
    int status = 0;
    while (::waitpid(process.pid, &status, 0) < 0 && errno == EINTR) { }
    said.state = givenUp.empty() ? "done" : givenUp;
    said.status = shellStatusOf(status);
    if (said.state == "long") {
        said.out.clear();
    }
    return said;
}

contract::ChangedFiles readChanged(const contract::ReadChanged &request)
{
    contract::ChangedFiles changed;
    if (request.dir.empty() || request.dir[0] != '/') {
        changed.systemError = EINVAL;
        return changed;
    }
    struct stat root {
    };
    if (::stat(request.dir.c_str(), &root) != 0) {
        changed.systemError = errno; // a file system that is not mounted says nothing of the files
        return changed;
    }
    std::size_t room = contract::maxPayload - 64 * 1024;
    std::string folder;
    for (const contract::FileEntry &known : request.known) {
        if (!contract::isPlainFilePath(known.path)) {
            continue;
        }
        const std::string path = request.dir + '/' + known.path;
        if (const std::string parent = path.substr(0, path.rfind('/')); parent != folder) {
            folder = parent;
            contract::refreshFolder(folder);
        }
        struct stat info {
        };
        const int fd = contract::openPlainFile(path.c_str(), info);
        if (fd < 0) {
            changed.isUnread = changed.isUnread || !isNoSiteFile(errno);
            continue; // not yet
        }
        const auto size = static_cast<std::size_t>(info.st_size);
        const bool isKnown = size == known.bytes && contract::changedNsOf(info) == known.changedNs;
        const std::size_t taken = (isSiteLog(path) ? std::min(size, endOfLog) : size) + path.size() + 64;
        if (!isKnown && taken > room) {
            changed.isCut = changed.isCut || !changed.files.empty();
        } else if (!isKnown) {
            if (std::optional<std::string> text = siteContentsOf(fd, path, size)) {
                changed.files.push_back({known.path, size, contract::changedNsOf(info), false});
                changed.contents.push_back(std::move(*text));
                room -= taken;
            } else {
                changed.isUnread = true;
            }
        }
        ::close(fd);
    }
    return changed;
}

std::optional<contract::SwappableFolder> makeHelperFolder(
    const std::string &path, uid_t user, const contract::LookAtPart &lookAt)
{
    if (path.empty() || path[0] != '/' || !isPlainPath(path)) {
        return std::nullopt; // nothing is made there
    }
    const std::string folder = path.substr(0, path.rfind('/'));
    const auto found = contract::swappableFolder(folder, user, lookAt);
    return found || contract::makeFolders(folder) != 0 ? found : contract::swappableFolder(folder, user, lookAt);
}

int copyHelper(const std::string &path)
{
    if (path.empty() || path[0] != '/' || !isPlainPath(path)) {
        return EINVAL;
    }
    if (contract::isOwnProgram(path)) {
        contract::noteHelperUse(path);
        return 0; // its name says which one it is
    }
    const std::optional<std::string> program = contract::readWhole("/proc/self/exe", std::size_t(1) << 30);
    if (!program) {
        return EIO;
    }
    int error = contract::makeFolders(path.substr(0, path.rfind('/')));
    // Beside its place until it may be run, since it may be looked for at any moment.
    const std::string part = path + ".part" + std::to_string(::getpid());
    error = error != 0 ? error : contract::writeAtomically(part, *program, true);
    if (error == 0 && (::chmod(part.c_str(), 0700) != 0 || ::rename(part.c_str(), path.c_str()) != 0)) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(part.c_str());
    }
    return error;
}

bool isRootOfRuns(const std::string &root)
{
    struct stat info {
    };
    return !root.empty() && root[0] == '/' && isPlainPath(root)
        && ::lstat((root + '/' + contract::runsMark).c_str(), &info) == 0 && S_ISREG(info.st_mode)
        && info.st_uid == ::getuid();
}

int removeLaunches(const std::string &root, const std::string &job, const std::string &allocation)
{
    const bool isName = contract::isPlainFilePath(job) && job.find('/') == std::string::npos;
    if (!isName || !isRootOfRuns(root)) {
        return EPERM;
    }
    const std::string folder = root + "/runs/" + job + "/allocations";
    DIR *allocations = ::opendir(folder.c_str());
    if (!allocations) {
        return errno == ENOENT ? 0 : errno;
    }
    while (const dirent *entry = ::readdir(allocations)) {
        if (allocation != "*" && allocation != entry->d_name) {
            continue;
        }
        const std::string inner = folder + '/' + entry->d_name;
        DIR *files = entry->d_name[0] == '.' ? nullptr : ::opendir(inner.c_str());
        while (const dirent *file = files ? ::readdir(files) : nullptr) {
            if (const std::string name = file->d_name; name.starts_with(contract::leadfile::launch)) {
                ::unlink((inner + '/' + name).c_str());
            }
        }
        if (files) {
            ::closedir(files);
        }
    }
    ::closedir(allocations);
    return 0;
}

} // namespace trainyard::agent
