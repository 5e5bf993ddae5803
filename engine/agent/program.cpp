// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/program.h"

#include "engine/agent/filelimit.h"
#include "engine/contract/pathkinds.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace trainyard::agent
{
namespace
{

std::string findProgram(const std::string &name)
{
    if (name.find('/') != std::string::npos) {
        return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
    }
    const char *own = ::getenv("PATH");
    const std::string path = std::string(own ? own : "") + ":/usr/local/bin:/usr/bin:/bin:/opt/bin:/usr/lib/wsl/lib";
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t colon = std::min(path.find(':', at), path.size());
        const std::string candidate = path.substr(at, colon - at) + '/' + name;
        if (colon > at && contract::isProgramAt(candidate)) {
            return candidate;
        }
        at = colon + 1;
    }
    return {};
}

} // namespace

Program startProgram(const std::vector<std::string> &arguments, ProgramErrors errors)
{
    Program program;
    const std::string path = findProgram(arguments.at(0));
    int ends[2];
    if (path.empty() || ::pipe2(ends, O_CLOEXEC) != 0) {
        return program;
    }
    std::vector<char *> argv;
    for (const std::string &argument : arguments) {
        argv.push_back(const_cast<char *>(argument.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t agent = ::getpid();
    program.pid = ::fork();
    if (program.pid == 0) {
        ::setsid();
        ::prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); // the agent may be killed with -9
        if (::getppid() != agent) {
            ::_exit(127);
        }
        const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        ::dup2(null, 0);
        ::dup2(ends[1], 1);
        ::dup2(errors == ProgramErrors::ToOutput ? ends[1] : null, 2);
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGUSR1}) {
            ::signal(signal, SIG_DFL);
        }
        restoreFileLimit();
        ::execv(path.c_str(), argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    if (program.pid < 0) {
        ::close(ends[0]);
        return program;
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    program.out = ends[0];
    return program;
}

} // namespace trainyard::agent
