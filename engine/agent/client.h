// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Runs container programs for a keeper. They are not part of the task.
namespace trainyard::agent
{

// The full path of a program, looked up in PATH of `environment` and then in the usual folders; empty when there is
// none.
std::string findProgram(const std::string &name, const std::vector<std::string> &environment);

// The container programs that are installed, in the order in which they are offered.
std::vector<std::string> installedRuntimes(const std::vector<std::string> &environment);

struct ClientProcess {
    pid_t pid = -1; // -1: could not be started
    int out = -1; // read end of its output and its errors, not blocking; -1: they are not wanted
    int in = -1; // write end of its input, when asked for
    int error = 0; // why the kernel refused the process
};
struct ClientStart {
    bool input = false; // give the write end
    bool output = true; // give the read end
    bool dies = true; // with this process
    int errors = -1; // where its errors go; -1: to where its output goes
};
// Starts the program in its own session, so that signals for the task do not reach it.
ClientProcess startClient(
    const std::vector<std::string> &arguments, const std::vector<std::string> &environment, const ClientStart &wanted);

struct ClientResult {
    int status = -1; // exit status; 128 + signal; -1: it is not there or could not be started
    int error = 0; // why the kernel refused the process
    bool given = false; // given up, as `mayGoOn` returned false
    bool late = false; // ended, as it took longer than `limitMs`
    std::string said; // output and errors, the newest 64 KiB
};
// Runs a program to its end. `onLine` gets each line as it comes; one that has no end for 64 KiB comes in pieces.
// `mayGoOn` is called ten times a second; the program is ended when it returns false.
struct ClientOptions {
    std::string input = {};
    std::function<void(const std::string &line)> onLine = {};
    std::function<bool()> mayGoOn = {};
    bool dies = true;
    std::int64_t limitMs = 0; // 0: no limit
};
ClientResult runClient(const std::vector<std::string> &arguments, const std::vector<std::string> &environment,
    const ClientOptions &options = {});

} // namespace trainyard::agent
