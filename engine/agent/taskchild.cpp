// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/taskchild.h"

#include "engine/agent/client.h"
#include "engine/agent/detach.h"
#include "engine/agent/filelimit.h"
#include "engine/agent/scriptlink.h"
#include "engine/contract/pathkinds.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard::agent
{
namespace
{

constexpr int scriptDescriptor = 9;
// The program's own children do not inherit its text. It takes no line: bash names the lines of task.sh.
constexpr const char *sealedHead = "exec 9<&-;";

std::string variableOf(const std::vector<std::string> &environment, std::string_view name)
{
    for (const std::string &entry : environment) {
        if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
            return entry.substr(name.size() + 1);
        }
    }
    return {};
}

} // namespace

std::string scriptPathOf(const contract::Launch &launch)
{
    return launch.sealed ? scriptLinkIn(launch.dir + '/' + contract::file::sealed)
                         : launch.dir + '/' + contract::file::script;
}

TaskChild::TaskChild(const KeeperTask &task, const std::string &cwd) : m_launch(task.launch), m_cwd(cwd)
{
    const contract::Container &container = m_launch.plan.container;
    if (container.runtime.empty()) {
        std::vector<contract::Variable> own = m_launch.env;
        own.push_back({"TRAINYARD_TRY", m_launch.plan.tryUuid});
        if (!task.markWord.empty()) {
            own.push_back({markVariable, task.markWord});
        }
        m_environment = composeEnvironment(task.baseEnvironment, task.sharedEnvironment.get(), own);
        m_arguments = {m_launch.shell, scriptPathOf(m_launch)};
    } else {
        // The task's variables are for the container: they go in with the program.
        m_environment = composeEnvironment(task.clientEnvironment, nullptr, {{"TRAINYARD_TRY", m_launch.plan.tryUuid}});
        std::vector<std::pair<std::string, std::string>> variables{{"TRAINYARD_TRY", m_launch.plan.tryUuid}};
        for (const std::string &entry : task.stepVariables) {
            const std::size_t sign = entry.find('=');
            variables.emplace_back(entry.substr(0, sign), sign == std::string::npos ? "" : entry.substr(sign + 1));
        }
        for (const contract::Variable &variable : m_launch.env) {
            variables.emplace_back(variable.name, variable.value); // over those of the step, as they come later
        }
        if (!task.markWord.empty()) {
            variables.emplace_back(markVariable, task.markWord);
        }
        m_input = contract::containerInput(variables, m_launch.script);
        m_arguments = container.run;
    }
    for (std::string &argument : m_arguments) {
        m_argumentPointers.push_back(argument.data());
    }
    m_argumentPointers.push_back(nullptr);
}

bool TaskChild::findShell()
{
    if (!m_launch.plan.container.runtime.empty()) {
        m_shell = findProgram(m_arguments.empty() ? std::string() : m_arguments.front(), m_environment.texts);
        return !m_shell.empty();
    }
    const std::string &name = m_launch.shell;
    if (name.find('/') != std::string::npos) {
        m_shell = name;
        return contract::isProgramAt(name);
    }
    // Where the task's PATH has no bash, the usual places have one.
    const std::string path = variableOf(m_environment.texts, "PATH") + ":/usr/local/bin:/usr/bin:/bin";
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t colon = std::min(path.find(':', at), path.size());
        const std::string folder = path.substr(at, colon - at);
        // "." is another folder here than in the task, and neither is a place for a shell.
        if (!folder.empty() && folder.front() == '/' && contract::isProgramAt(folder + '/' + name)) {
            m_shell = folder + '/' + name;
            return true;
        }
        at = colon + 1;
    }
    return false;
}

int TaskChild::openInMemory(std::string_view head, std::string_view text) const
{
    int fd = -1;
#ifdef SYS_memfd_create
    fd = static_cast<int>(::syscall(SYS_memfd_create, "task", MFD_ALLOW_SEALING));
#endif
    if (fd < 0) {
        // In memory too, and without a name.
        fd = ::open("/dev/shm", O_TMPFILE | O_RDWR, 0600);
    }
    if (fd < 0) {
        return -1;
    }
    if (contract::writeWhole(fd, head) != 0 || contract::writeWhole(fd, text) != 0) {
        return -1;
    }
    ::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
    ::lseek(fd, 0, SEEK_SET);
    return fd;
}

void TaskChild::applyLimits() const
{
    constexpr std::pair<const char *, int> known[] = {{"as", RLIMIT_AS}, {"core", RLIMIT_CORE}, {"cpu", RLIMIT_CPU},
        {"data", RLIMIT_DATA}, {"fsize", RLIMIT_FSIZE}, {"memlock", RLIMIT_MEMLOCK}, {"nofile", RLIMIT_NOFILE},
        {"nproc", RLIMIT_NPROC}, {"stack", RLIMIT_STACK}};
    for (const auto &[name, wanted] : m_launch.plan.limits.rlimits) {
        for (const auto &[word, resource] : known) {
            rlimit limit{};
            if (name == word && ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0) {
                const rlim_t value = wanted < 0 ? RLIM_INFINITY : static_cast<rlim_t>(wanted);
                limit.rlim_cur = std::min(value, limit.rlim_max); // a hard limit may not be raised by everyone
                ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
            }
        }
    }
}

// No copy of this process's memory is made for one that will be another program a moment later; whatever the new one
// leaves in it until then is the keeper's.
pid_t TaskChild::start(int out, int err, const std::function<int()> &begin, ChildFailure &failure)
{
    const pid_t child = ::vfork();
    if (child == 0) {
        run(out, err, begin, failure);
    }
    return child;
}

void TaskChild::run(int out, int err, const std::function<int()> &begin, ChildFailure &failure)
{
    const auto leave = [&failure](ChildFailure::Stage stage) {
        failure.error = errno;
        failure.stage = stage;
        ::_exit(127);
    };
    ::setpgid(0, 0);
    raiseOomScore(500);
    if (const int error = begin()) {
        errno = error;
        leave(ChildFailure::Record);
    }
    restoreFileLimit();
    applyLimits();
    ::dup2(out, 1);
    ::dup2(err, 2);
    if (!m_launch.plan.container.runtime.empty()) {
        const int input = openInMemory({}, m_input);
        if (input < 0) {
            leave(ChildFailure::Script);
        }
        ::dup2(input, 0);
        ::close(input);
    } else if (m_launch.sealed) {
        const int script = openInMemory(sealedHead, m_launch.script);
        if (script < 0) {
            leave(ChildFailure::Script);
        }
        ::dup2(script, scriptDescriptor);
        if (script != scriptDescriptor) {
            ::close(script);
        }
    }
    if (::chdir(m_cwd.c_str()) != 0) {
        leave(ChildFailure::Folder);
    }
    defaultSignals(); // whatever those ignore that started us
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(m_shell.c_str(), m_argumentPointers.data(), m_environment.pointers.data());
    leave(ChildFailure::Exec);
    ::_exit(127);
}

void describeChildFailure(const ChildFailure &failure, const contract::Launch &launch, contract::ExitRecord &record)
{
    record.kind = contract::ExitKind::StartFailed;
    record.value = failure.error;
    const bool denied = failure.error == EACCES || failure.error == EPERM;
    switch (failure.stage) {
    case ChildFailure::Folder:
        record.reason = (denied ? "launch.cwd-denied " : "launch.cwd-missing ")
            + (launch.cwd.empty() ? launch.dir + '/' + contract::file::work : launch.cwd);
        break;
    case ChildFailure::Script:
        record.reason = "launch.memory";
        break;
    default:
        record.reason = failure.error == ENOENT ? "launch.shell-missing "
            : failure.error == ENOMEM           ? "launch.memory "
            : failure.error == E2BIG            ? "launch.environment-too-long "
                                                : "launch.shell-failed ";
        record.reason += launch.shell;
        break;
    }
}

} // namespace trainyard::agent
