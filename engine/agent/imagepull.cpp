// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/imagepull.h"

#include "engine/agent/client.h"
#include "engine/agent/containerfaults.h"
#include "engine/agent/containertask.h"
#include "engine/agent/detach.h"
#include "engine/agent/pump.h"
#include "engine/agent/stoprequest.h"
#include "engine/agent/taskvariables.h"
#include "engine/contract/containersaid.h"
#include "engine/contract/mask.h"

#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

using contract::ContainerProblem;
using contract::ExitRecord;

constexpr int loggedLines = 400; // of one pull: progress bars are not recorded forever
constexpr std::int64_t toldEveryMs = 500;

bool isInMemory(const std::string &folder)
{
    struct statfs info;
    return ::statfs(folder.c_str(), &info) == 0
        && (static_cast<unsigned long>(info.f_type) == TMPFS_MAGIC
            || static_cast<unsigned long>(info.f_type) == RAMFS_MAGIC)
        && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Where a folder can be made in memory.
std::vector<std::string> memoryPlaces()
{
    const char *runtime = ::getenv("XDG_RUNTIME_DIR");
    std::vector<std::string> places{runtime ? runtime : "", "/run/user/" + std::to_string(::getuid()), "/dev/shm"};
    std::erase_if(places, [](const std::string &place) { return place.empty() || !isInMemory(place); });
    return places;
}

std::string loginFolderName(const std::string &tryUuid) { return "trainyard-login-" + tryUuid; }

void removeMemoryFolder(const std::string &path)
{
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::getuid()) {
        return; // in a folder of all users: its owner could lead us elsewhere meanwhile
    }
    ::nftw(
        path.c_str(), [](const char *at, const struct stat *, int, struct FTW *) { return std::remove(at); }, 8,
        FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

// A folder of our own in memory, which is removed with this object.
class MemoryFolder
{
public:
    explicit MemoryFolder(const std::string &name)
    {
        for (const std::string &place : memoryPlaces()) {
            const std::string path = place + '/' + name;
            removeMemoryFolder(path); // of a keeper that was killed
            if (::mkdir(path.c_str(), 0700) == 0) {
                m_path = path;
                return;
            }
        }
    }
    ~MemoryFolder()
    {
        if (!m_path.empty()) {
            removeMemoryFolder(m_path);
        }
    }
    MemoryFolder(const MemoryFolder &) = delete;
    MemoryFolder &operator=(const MemoryFolder &) = delete;
    const std::string &path() const { return m_path; }

private:
    std::string m_path;
};

int writePrivately(const std::string &path, const std::string &text)
{
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return errno;
    }
    const bool good = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(fd);
    return good ? 0 : ENOSPC;
}

bool isSecret(const contract::Launch &launch, const std::string &text)
{
    return std::any_of(launch.maskValues.begin(), launch.maskValues.end(),
        [&text](const std::string &value) { return !value.empty() && text.find(value) != std::string::npos; });
}

// The output of a program with the job's secrets hidden: it may repeat a password or an address with one.
std::string shownText(const KeeperTask &task, const std::string &said)
{
    std::vector<std::string> values = task.launch.maskValues;
    values.push_back(task.launch.registry.password);
    const contract::Secrets secrets(values);
    contract::Masker masker(secrets);
    std::string shown;
    masker.push(said, shown);
    masker.finish(shown);
    return shown;
}

// Docker finds its service by a context of the user's, such as that of a docker without root. The folder with the login
// has none of them, so it shows those of the user. Gives the name; empty: the usual one.
std::string keepContext(const std::vector<std::string> &environment, const std::string &folder)
{
    ClientOptions options;
    options.mayGoOn = [] { return !isStopRequested(); };
    const ClientResult result = runClient(contract::contextCommand(), environment, options);
    const std::string name = result.status == 0 ? contract::contextIn(result.said) : std::string();
    const std::string own = valueOf(environment, "DOCKER_CONFIG");
    const std::string contexts = (own.empty() ? valueOf(environment, "HOME") + "/.docker" : own) + "/contexts";
    return !name.empty() && ::symlink(contexts.c_str(), (folder + "/contexts").c_str()) == 0 ? name : std::string();
}

bool logIn(const KeeperTask &task, const std::vector<std::string> &environment, const std::string &folder,
    const std::string &context, ExitRecord &failed)
{
    const contract::RegistryLogin &login = task.launch.registry;
    const std::string &runtime = task.launch.plan.container.runtime;
    if (isSecret(task.launch, login.user)) {
        // All users may read the arguments of a program, so this name is written to a file as a login would write it.
        const int error = writePrivately(folder + "/config.json", contract::authFileText(runtime, login));
        return error == 0 || failContainer(failed, "launch.memory", {});
    }
    ClientOptions options;
    options.input = login.password + '\n';
    options.mayGoOn = [] { return !isStopRequested(); };
    const ClientResult result
        = runClient(contract::loginCommand(runtime, folder, login, context), environment, options);
    if (result.status == 0) {
        return true;
    }
    if (result.given) {
        return failContainer(failed, "launch.stopped", {});
    }
    const std::string said = shownText(task, result.said);
    const std::string words = contract::lastWords(said);
    appendRuntimeLog("The login at the registry failed: " + words);
    if (isServiceAway(said, failed)) {
        return false;
    }
    switch (contract::containerProblem(result.said)) {
    case ContainerProblem::Unreachable:
        return failContainer(failed, "launch.pull-failed", words);
    default:
        return failContainer(failed, "launch.image-login", contract::registryOf(login));
    }
}

} // namespace

void forgetLogin(const std::string &dir)
{
    const std::optional<contract::KeeperRecord> keeper = contract::readKeeperRecord(dir);
    if (!keeper || keeper->tryUuid.empty() || keeper->tryUuid.find('/') != std::string::npos) {
        return;
    }
    for (const std::string &place : memoryPlaces()) {
        removeMemoryFolder(place + '/' + loginFolderName(keeper->tryUuid));
    }
}

bool pullImage(const KeeperTask &task, const std::vector<std::string> &environment, ExitRecord &failed)
{
    const contract::Container &container = task.launch.plan.container;
    if (container.pullImage.empty()) {
        return failContainer(failed, "launch.image-missing", container.image);
    }
    const std::string began = "Fetching the image " + container.pullImage + " with " + container.runtime;
    appendRuntimeLog(began + '.');
    sendNote(task.notes, note::pulling, container.pullImage);
    const bool hasLogin = !task.launch.registry.password.empty();
    std::optional<MemoryFolder> folder;
    std::string context;
    if (hasLogin) {
        folder.emplace(loginFolderName(task.launch.plan.tryUuid));
        if (folder->path().empty()) {
            return failContainer(failed, "launch.no-memory-folder", {});
        }
        context = container.runtime == "docker" ? keepContext(environment, folder->path()) : std::string();
        if (!logIn(task, environment, folder->path(), context, failed)) {
            return false;
        }
    }
    const std::int64_t startedAt = monotonicMs();
    std::int64_t toldAt = 0;
    int lines = 0;
    ClientOptions options;
    options.mayGoOn = [] { return !isStopRequested(); };
    options.onLine = [&](const std::string &line) {
        if (isSecret(task.launch, line)) {
            return;
        }
        const std::string words = contract::lastWords(shownText(task, line));
        if (++lines <= loggedLines) {
            appendRuntimeLog(container.runtime + ": " + words);
        }
        if (monotonicMs() - toldAt >= toldEveryMs) {
            toldAt = monotonicMs();
            sendNote(task.notes, note::pulling, container.pullImage + '\n' + words);
        }
    };
    const ClientResult result = runClient(
        contract::pullCommand(container, folder ? folder->path() : std::string(), context), environment, options);
    if (result.given) {
        return failContainer(failed, "launch.stopped", {});
    }
    if (result.error != 0) {
        return failProcess(failed, result.error);
    }
    if (result.status == 0) {
        appendRuntimeLog(
            "The image is there, after " + std::to_string((monotonicMs() - startedAt + 500) / 1000) + " s.");
        return true;
    }
    failed.value = result.status;
    const std::string said = shownText(task, result.said);
    const std::string words = contract::lastWords(said);
    if (isServiceAway(said, failed)) {
        return false;
    }
    switch (contract::containerProblem(result.said)) {
    case ContainerProblem::ImageDenied:
        return failContainer(
            failed, hasLogin ? "launch.image-denied" : "launch.image-unauthorized", container.pullImage);
    case ContainerProblem::ImageMissing:
        return failContainer(failed, "launch.image-missing", container.pullImage);
    case ContainerProblem::Unreachable:
        return failContainer(failed, "launch.pull-failed", words);
    default:
        return failContainer(failed,
            result.said.find("no space left") != std::string::npos ? "launch.disk-full" : "launch.image-failed", words);
    }
}

bool prepareImageFile(const KeeperTask &task, ExitRecord &failed)
{
    const contract::Container &container = task.launch.plan.container;
    if (findProgram(container.runtime, task.clientEnvironment).empty()) {
        return failContainer(failed, "launch.runtime-missing", container.runtime);
    }
    if (!foldersAreThere(container, failed)) {
        return false;
    }
    if (::access(container.file.c_str(), R_OK) == 0) {
        return true;
    }
    const std::size_t slash = container.file.rfind('/');
    if (!container.pullImage.empty() && slash != std::string::npos && slash > 0) {
        contract::makeFolders(container.file.substr(0, slash));
    }
    // When several tasks want the image, one fetches it.
    const int lock = ::open((container.file + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (isStopRequested()) {
            return failContainer(failed, "launch.stopped", {});
        }
        pollfd nothing{-1, 0, 0};
        ::poll(&nothing, 1, 200);
    }
    const bool isThere = ::access(container.file.c_str(), R_OK) == 0 || pullImage(task, task.clientEnvironment, failed);
    if (!isThere) {
        return false; // the lock goes with the process
    }
    if (::access(container.file.c_str(), R_OK) != 0
        && ::rename((container.file + ".part").c_str(), container.file.c_str()) != 0) {
        return failContainer(failed, "launch.image-failed", container.file);
    }
    if (lock >= 0) {
        ::close(lock);
    }
    return true;
}

} // namespace trainyard::agent
