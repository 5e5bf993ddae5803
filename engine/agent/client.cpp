// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/client.h"

#include "engine/agent/filelimit.h"
#include "engine/agent/pump.h"
#include "engine/contract/container.h"
#include "engine/contract/pathkinds.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t keptWords = 64 * 1024;
constexpr int tickMs = 100;

// Lines end with a newline, or with the carriage return of a progress bar.
void giveLines(std::string &pending, const std::function<void(const std::string &)> &onLine, bool all)
{
    constexpr std::size_t longestLine = 64 * 1024;
    std::size_t begin = 0, end = 0;
    const auto give = [&](std::size_t to) {
        if (to > begin) {
            onLine(pending.substr(begin, to - begin));
        }
    };
    while ((end = pending.find_first_of("\r\n", begin)) != std::string::npos) {
        give(end);
        begin = end + 1;
    }
    if (all || pending.size() - begin > longestLine) {
        give(pending.size());
        begin = pending.size();
    }
    pending.erase(0, begin);
}

} // namespace

std::string findProgram(const std::string &name, const std::vector<std::string> &environment)
{
    if (name.find('/') != std::string::npos) {
        return contract::isProgramAt(name) ? name : std::string();
    }
    std::string path;
    for (const std::string &entry : environment) {
        if (entry.starts_with("PATH=")) {
            path = entry.substr(5);
        }
    }
    path += ":/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/opt/bin:/snap/bin";
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t colon = std::min(path.find(':', at), path.size());
        const std::string candidate = path.substr(at, colon - at) + '/' + name;
        if (colon > at && path[at] == '/' && contract::isProgramAt(candidate)) {
            return candidate;
        }
        at = colon + 1;
    }
    return {};
}

std::vector<std::string> installedRuntimes(const std::vector<std::string> &environment)
{
    std::vector<std::string> found;
    for (const std::string &runtime : contract::knownRuntimes()) {
        if (!findProgram(runtime, environment).empty()) {
            found.push_back(runtime);
        }
    }
    return found;
}

ClientProcess startClient(
    const std::vector<std::string> &arguments, const std::vector<std::string> &environment, const ClientStart &wanted)
{
    ClientProcess process;
    const std::string path = arguments.empty() ? std::string() : findProgram(arguments.front(), environment);
    int out[2] = {-1, -1}, in[2] = {-1, -1};
    if (path.empty()) {
        return process;
    }
    const auto closeAll = [](const int(&ends)[2]) {
        for (const int end : ends) {
            if (end >= 0) {
                ::close(end);
            }
        }
    };
    if ((wanted.output && ::pipe2(out, O_CLOEXEC) != 0) || (wanted.input && ::pipe2(in, O_CLOEXEC) != 0)) {
        process.error = errno;
        closeAll(out);
        return process;
    }
    std::vector<char *> argv, envp;
    for (const std::string &argument : arguments) {
        argv.push_back(const_cast<char *>(argument.c_str()));
    }
    argv.push_back(nullptr);
    for (const std::string &entry : environment) {
        envp.push_back(const_cast<char *>(entry.c_str()));
    }
    envp.push_back(nullptr);
    const pid_t parent = ::getpid();
    process.pid = ::fork();
    if (process.pid == 0) {
        ::setsid();
        if (wanted.dies) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            if (::getppid() != parent) {
                ::_exit(127);
            }
        }
        const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        ::dup2(wanted.input ? in[0] : null, 0);
        ::dup2(wanted.output ? out[1] : null, 1);
        ::dup2(wanted.errors >= 0 ? wanted.errors : wanted.output ? out[1] : null, 2);
        for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGUSR1}) {
            ::signal(signal, SIG_DFL);
        }
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        restoreFileLimit();
        ::execve(path.c_str(), argv.data(), envp.data());
        ::_exit(127);
    }
    if (process.pid < 0) {
        process.error = errno;
        closeAll(out);
        closeAll(in);
        return process;
    }
    if (wanted.output) {
        ::close(out[1]);
        ::fcntl(out[0], F_SETFL, O_NONBLOCK);
        process.out = out[0];
    }
    if (wanted.input) {
        ::close(in[0]);
        process.in = in[1];
    }
    return process;
}

ClientResult runClient(const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
    const ClientOptions &options)
{
    ClientResult result;
    const ClientProcess process
        = startClient(arguments, environment, {.input = !options.input.empty(), .dies = options.dies});
    if (process.pid < 0) {
        result.error = process.error;
        return result;
    }
    if (process.in >= 0) {
        // The input is short, so that a pipe takes it at once. SIGPIPE is ignored here.
        static_cast<void>(!::write(process.in, options.input.data(), options.input.size()));
        ::close(process.in);
    }
    std::string pending;
    int status = 0;
    bool ended = false, open = true;
    const std::int64_t beganAt = monotonicMs();
    std::int64_t askedAt = beganAt;
    const auto readAll = [&] {
        char buffer[16384];
        ssize_t n = 0;
        while (open && (n = ::read(process.out, buffer, sizeof buffer)) > 0) {
            const std::string_view bytes(buffer, static_cast<std::size_t>(n));
            result.said += bytes;
            if (result.said.size() > keptWords) {
                result.said.erase(0, result.said.size() - keptWords);
            }
            if (options.onLine) {
                pending += bytes;
                giveLines(pending, options.onLine, false);
            }
        }
        if (n == 0) {
            open = false;
        }
    };
    while (!ended) {
        pollfd polled{open ? process.out : -1, POLLIN, 0};
        ::poll(&polled, 1, open ? tickMs : 5);
        readAll();
        // Processes that the program leaves running may keep the pipe open, so its own end counts.
        const pid_t reaped = ::waitpid(process.pid, &status, WNOHANG);
        ended = reaped == process.pid || (reaped < 0 && errno == ECHILD);
        if (!ended && options.mayGoOn && monotonicMs() - askedAt >= tickMs) {
            askedAt = monotonicMs();
            if (!result.given && !options.mayGoOn()) {
                result.given = true;
                ::kill(process.pid, SIGKILL); // it alone: a container's monitor may be its child
            }
        }
        if (!ended && !result.late && options.limitMs > 0 && monotonicMs() - beganAt >= options.limitMs) {
            result.late = true;
            ::kill(process.pid, SIGKILL);
        }
    }
    readAll();
    if (options.onLine) {
        giveLines(pending, options.onLine, true);
    }
    ::close(process.out);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace trainyard::agent
