// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/contract/scope.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace trainyard::contract
{
namespace
{

constexpr int patienceMs = 2000;
constexpr int stepMs = 5;

bool hasUserManager()
{
    const char *runtime = ::getenv("XDG_RUNTIME_DIR");
    struct stat info;
    return runtime && *runtime == '/' && ::stat((std::string(runtime) + "/systemd/private").c_str(), &info) == 0;
}

} // namespace

bool moveToOwnScope(const std::string &name)
{
    if (!hasUserManager()) {
        return false;
    }
    const std::string pid = std::to_string(::getpid());
    const std::string unit = name + '-' + pid + ".scope";
    // The call that systemd-run makes, for a process that runs already.
    const std::array<const char *, 21> words{"busctl", "--user", "--quiet", "call", "org.freedesktop.systemd1",
        "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))",
        unit.c_str(), "fail", "2", "PIDs", "au", "1", pid.c_str(), "CollectMode", "s", "inactive-or-failed", "0",
        nullptr};
    const pid_t child = ::fork();
    if (child < 0) {
        return false;
    }
    if (child == 0) {
        const int null = ::open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; ++fd) {
            ::dup2(null, fd);
        }
        ::execvp(words[0], const_cast<char *const *>(words.data()));
        ::_exit(127);
    }
    int status = 0;
    for (int waited = 0; waited < patienceMs; waited += stepMs) {
        if (::waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        }
        ::poll(nullptr, 0, stepMs);
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return false;
}

} // namespace trainyard::contract
