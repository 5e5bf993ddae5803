// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/environment.h"

#include "engine/agent/program.h"
#include "engine/contract/leftout.h"
#include "engine/contract/taskfolder.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr std::size_t greatestEnvironment = 512 * 1024;

std::string ownVariable(const char *name)
{
    const char *value = ::getenv(name);
    return value ? value : "";
}

// A desktop has this one for every program that it starts.
constexpr std::string_view activationToken = "XDG_ACTIVATION_TOKEN";
constexpr std::size_t mostNamesLeftOut = 50; // names in a note

bool isSecretName(std::string_view name)
{
    return name.ends_with("_TOKEN") || name.ends_with("_SECRET") || name.ends_with("_PASSWORD");
}

std::string_view nameOf(std::string_view entry) { return entry.substr(0, entry.find('=')); }

std::string withoutEnd(std::string text)
{
    while (!text.empty() && std::strchr(" \t\r\n", text.back())) {
        text.pop_back();
    }
    return text;
}

// csh and tcsh take -l only alone: the files that it means are read by the command itself.
std::vector<std::string> loginWords(const std::string &shell, const std::string &command)
{
    const std::string name = shell.substr(shell.rfind('/') + 1);
    if (name != "csh" && name != "tcsh") {
        return {shell, "-l", "-c", command};
    }
    std::string files;
    for (const char *file : {"/etc/csh.login", "~/.login"}) {
        files += std::string("if (-r ") + file + ") source " + file + "; ";
    }
    return {shell, "-c", files + command};
}

// The line of a user in /etc/passwd; empty when there is none.
std::vector<std::string> passwdOf(const std::string &uid)
{
    const std::string passwd = contract::readWhole("/etc/passwd").value_or("");
    for (std::size_t at = 0; at < passwd.size();) {
        const std::size_t newline = std::min(passwd.find('\n', at), passwd.size());
        std::vector<std::string> fields(1);
        for (const char c : passwd.substr(at, newline - at)) {
            if (c == ':') {
                fields.emplace_back();
            } else {
                fields.back() += c;
            }
        }
        at = newline + 1;
        if (fields.size() >= 7 && fields[2] == uid) {
            return fields;
        }
    }
    return {};
}

} // namespace

std::string userName(uid_t uid)
{
    const std::vector<std::string> fields = passwdOf(std::to_string(uid));
    return fields.empty() ? std::string() : fields[0];
}

Account currentAccount()
{
    Account account{{}, ownVariable("HOME"), ownVariable("SHELL")};
    const std::string uid = std::to_string(::getuid());
    if (const std::vector<std::string> fields = passwdOf(uid); !fields.empty()) {
        account.user = fields[0];
        account.home = account.home.empty() ? fields[5] : account.home;
        account.shell = account.shell.empty() ? fields[6] : account.shell;
    }
    if (account.user.empty()) {
        account.user = ownVariable("USER").empty() ? uid : ownVariable("USER");
    }
    if (account.home.empty()) {
        account.home = "/";
    }
    if (account.shell.empty()) {
        account.shell = "/bin/sh";
    }
    return account;
}

std::string hostName()
{
    utsname names{};
    return ::uname(&names) == 0 ? names.nodename : "localhost";
}

std::string machineId()
{
    for (const char *path : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
        const std::string id = withoutEnd(contract::readWhole(path, 4096).value_or(""));
        if (!id.empty() && id != "uninitialized") {
            return id;
        }
    }
    return "host-" + hostName();
}

bool isDroppedVariable(std::string_view name)
{
    for (const char *known : {"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "_", "PWD", "OLDPWD", "SHLVL", "SSH_CLIENT",
             "SSH_CONNECTION", "SSH_TTY"}) {
        if (name == known) {
            return true;
        }
    }
    return isSecretName(name) || name.starts_with("TRAINYARD_") || name.starts_with("PAI_");
}

std::vector<std::string> filterEnvironment(
    const std::vector<std::string> &environment, const std::vector<std::string> &keepNames)
{
    std::vector<std::string> kept;
    kept.reserve(environment.size());
    for (const std::string &entry : environment) {
        const std::string_view name = nameOf(entry);
        const bool asked = std::find(keepNames.begin(), keepNames.end(), name) != keepNames.end();
        if (!name.empty() && (asked || !isDroppedVariable(name))) {
            kept.push_back(entry);
        }
    }
    return kept;
}

std::string leftOutNote(const std::vector<std::string> &environment, const std::vector<std::string> &keepNames,
    const std::function<bool(std::string_view)> &set)
{
    std::vector<std::string_view> names;
    for (const std::string &entry : environment) {
        const std::string_view name = nameOf(entry);
        const bool isOurs = name.starts_with("TRAINYARD_") || name.starts_with("PAI_") || name == activationToken;
        const bool isKept = std::find(keepNames.begin(), keepNames.end(), name) != keepNames.end();
        if (isSecretName(name) && !isOurs && !isKept && !set(name) && names.size() < mostNamesLeftOut) {
            names.push_back(name);
        }
    }
    if (names.empty()) {
        return {};
    }
    std::sort(names.begin(), names.end());
    std::string note(contract::leftOutWords);
    for (std::size_t i = 0; i < names.size(); ++i) {
        note += i == 0 ? "" : ", ";
        note += names[i];
    }
    return note + ". The setting environment.allow names those that tasks get all the same.";
}

std::vector<std::string> ownEnvironment()
{
    std::vector<std::string> entries;
    for (char **entry = environ; entry && *entry; ++entry) {
        entries.emplace_back(*entry);
    }
    return entries;
}

std::vector<std::string> cleanEnvironment(const Account &account)
{
    return {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + account.home,
        "USER=" + account.user, "LOGNAME=" + account.user, "SHELL=" + account.shell, "LANG=C.UTF-8"};
}

std::vector<std::string> variablesOfStep()
{
    static constexpr std::string_view beginnings[] = {"SLURM", "CUDA_VISIBLE_DEVICES=", "NVIDIA_VISIBLE_DEVICES=",
        "ROCR_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=", "GPU_DEVICE_ORDINAL=", "ZE_AFFINITY_MASK=", "TMPDIR="};
    std::vector<std::string> variables = ownEnvironment();
    std::erase_if(variables, [](const std::string &entry) {
        return std::none_of(std::begin(beginnings), std::end(beginnings),
            [&entry](std::string_view beginning) { return entry.starts_with(beginning); });
    });
    return variables;
}

std::vector<std::string> withVariables(std::vector<std::string> environment, const std::vector<std::string> &more)
{
    for (const std::string &entry : more) {
        const std::string_view name = nameOf(entry);
        std::erase_if(environment, [name](const std::string &each) { return nameOf(each) == name; });
        environment.push_back(entry);
    }
    return environment;
}

LoginEnvironment::~LoginEnvironment()
{
    if (m_pid > 0) {
        ::kill(-m_pid, SIGKILL);
    }
}

void LoginEnvironment::whenKnown(bool ask, const Account &account, std::function<void()> done)
{
    if (m_state == State::Unasked && ask) {
        m_state = State::Asking;
        m_waiting.push_back(std::move(done));
        start(account);
        return;
    }
    if (m_state == State::Asking) {
        m_waiting.push_back(std::move(done));
        return;
    }
    if (m_state == State::Unasked && m_variables.empty()) {
        m_variables = ownEnvironment();
    }
    done();
}

std::string LoginEnvironment::note() const
{
    if (m_error.empty()) {
        return {};
    }
    const std::string why = m_error == "env.login-timeout"
        ? " took longer than " + std::to_string(m_limitMs / 1000) + " s (the setting environment.loginSeconds)"
        : " gave no environment";
    return "The login shell" + why
        + ", so this task has the environment of Trainyard's helper: other paths and variables, so perhaps another "
          "Python. Look at the shell's start-up files.";
}

void LoginEnvironment::start(const Account &account)
{
    // The output of rc files precedes the marker.
    m_marker = "TRAINYARD-ENVIRONMENT-" + std::to_string(::getpid()) + '-' + std::to_string(::random());
    // Whatever the PATH is. Systems that are BusyBox and little else have no /usr/bin.
    const char *const env = ::access("/usr/bin/env", X_OK) == 0 ? "/usr/bin/env" : "/bin/env";
    const std::string command = "printf '%s' " + m_marker + "; exec " + env + " -0";
    const Program program = startProgram(loginWords(account.shell, command));
    if (program.pid < 0) {
        finish("env.login-failed");
        return;
    }
    m_pid = program.pid;
    m_fd = program.out;
    m_timer = m_loop.after(m_limitMs, [this] {
        m_timer = 0;
        finish("env.login-timeout");
    });
    m_loop.watch(m_fd, EPOLLIN, [this](std::uint32_t) {
        char buffer[16384];
        const ssize_t n = ::read(m_fd, buffer, sizeof buffer);
        if (n > 0) {
            m_text.append(buffer, static_cast<std::size_t>(n));
            if (m_text.size() > 4 * greatestEnvironment) {
                finish("env.login-failed");
            }
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            finish(nullptr);
        }
    });
}

void LoginEnvironment::finish(const char *error)
{
    if (m_timer != 0) {
        m_loop.cancel(m_timer);
        m_timer = 0;
    }
    if (m_fd >= 0) {
        m_loop.forget(m_fd);
        ::close(m_fd);
        m_fd = -1;
    }
    if (m_pid > 0) {
        ::kill(-m_pid, SIGKILL); // its own session; the agent reaps it
        m_pid = -1;
    }
    m_variables.clear();
    const std::size_t marker = m_text.rfind(m_marker);
    if (!error && marker != std::string::npos) {
        std::string_view rest = std::string_view(m_text).substr(marker + m_marker.size());
        while (!rest.empty()) {
            const std::size_t nul = rest.find('\0');
            if (nul == std::string_view::npos) {
                break;
            }
            const std::string_view entry = rest.substr(0, nul);
            if (entry.find('=') != std::string_view::npos) {
                m_variables.emplace_back(entry);
            }
            rest.remove_prefix(nul + 1);
        }
    }
    m_from = "login";
    if (m_variables.empty()) {
        m_from = "agent";
        m_error = error ? error : "env.login-failed";
        m_variables = ownEnvironment();
    }
    m_text.clear();
    m_state = State::Known;
    const std::vector<std::function<void()>> waiting = std::move(m_waiting);
    m_waiting.clear();
    for (const std::function<void()> &done : waiting) {
        done();
    }
}

} // namespace trainyard::agent
