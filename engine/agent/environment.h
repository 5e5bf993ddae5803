// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/agent/loop.h"

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace trainyard::agent
{

struct Account {
    std::string user, home, shell;
};
Account currentAccount(); // from the environment and /etc/passwd; no name service in a static binary
std::string userName(uid_t uid); // the same; empty: not known
std::string machineId();
std::string hostName();

// Variables that a task does not inherit: displays, secrets (by their names), and those that describe another process.
bool isDroppedVariable(std::string_view name);
std::vector<std::string> filterEnvironment(
    const std::vector<std::string> &environment, const std::vector<std::string> &keepNames);
// A line for the runtime log that names the variables with names of secrets that are left out, and how a task gets
// them; empty: there are none. `set`: whether the task has a variable of this name from elsewhere. Values never show.
std::string leftOutNote(const std::vector<std::string> &environment, const std::vector<std::string> &keepNames,
    const std::function<bool(std::string_view name)> &set);
std::vector<std::string> ownEnvironment();
std::vector<std::string> cleanEnvironment(const Account &account);
// The variables that a cluster has given this process as its step: its processors, GPUs and peers. A login shell does
// not have them.
std::vector<std::string> variablesOfStep();
// `more` goes over `environment`: a variable that both have is the one of `more`.
std::vector<std::string> withVariables(std::vector<std::string> environment, const std::vector<std::string> &more);

// The environment of the user's login shell, which is asked for it once.
class LoginEnvironment
{
public:
    explicit LoginEnvironment(Loop &loop) : m_loop(loop) { }
    ~LoginEnvironment();
    void setLimit(std::int64_t ms) { m_limitMs = ms; } // of the shell, before it is asked
    // Calls `done` when the environment is known: at once, or after the limit at the latest. Without `ask` the shell is
    // not started: until it is requested, variables() are this process's own.
    void whenKnown(bool ask, const Account &account, std::function<void()> done);
    bool isKnown() const { return m_state == State::Known; }
    const std::vector<std::string> &variables() const { return m_variables; }
    const std::string &from() const { return m_from; } // login, agent
    // A sentence for the user when the shell gave no environment.
    std::string note() const;
    const std::string &error() const { return m_error; } // env.login-timeout, env.login-failed

private:
    enum class State { Unasked, Asking, Known };
    Loop &m_loop;
    State m_state = State::Unasked;
    std::int64_t m_limitMs = 5000;
    std::vector<std::string> m_variables;
    std::string m_from = "agent", m_error, m_text, m_marker;
    std::vector<std::function<void()>> m_waiting;
    pid_t m_pid = -1;
    int m_fd = -1;
    Loop::Timer m_timer = 0;

    void start(const Account &account);
    void finish(const char *error);
};

} // namespace trainyard::agent
