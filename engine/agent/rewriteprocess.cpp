// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/agent/rewriteprocess.h"

#include "engine/agent/detach.h"
#include "engine/series/rewriting.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

namespace trainyard::agent
{
namespace
{

// The file goes to the other computer again whenever it is rewritten.
constexpr std::int64_t rewriteEveryMs = 1800000;
constexpr std::int64_t rewritePatienceMs = 300000;

} // namespace

bool RewriteProcess::isRested(std::int64_t now) const
{
    return !isRunning() && (now < m_began || now - m_began >= rewriteEveryMs);
}

bool RewriteProcess::isLate(std::int64_t now) const
{
    return isRunning() && (now < m_began || now - m_began > rewritePatienceMs);
}

void RewriteProcess::start(series::Writer &writer, std::int64_t now, const std::vector<series::ThinRule> &rules)
{
    m_began = now;
    if (isRunning() || writer.flush().fault != series::Fault::None) {
        return;
    }
    m_path = writer.path();
    series::dropRewritten(m_path);
    const pid_t parent = ::getpid();
    m_process = ::fork();
    if (m_process == 0) {
        constexpr int niceness = 10;
        // The next agent may begin with the same files.
        ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (::getppid() != parent) {
            ::_exit(1);
        }
        keepOnly(-1);
        raiseOomScore(1000); // its memory may be that of an allocation, with the tasks
        ::setpriority(PRIO_PROCESS, 0, niceness);
        const series::Error error = series::writeRewritten(m_path, now, rules);
        ::_exit(error.fault == series::Fault::None ? 0 : 1);
    }
}

// A file that lies there although it has failed is not its own: another process was killed late, or a task has put it.
void RewriteProcess::reaped(pid_t process, int status, std::unique_ptr<series::Writer> &writer)
{
    if (!isRunning() || process != m_process) {
        return;
    }
    m_process = 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        series::takeRewritten(writer); // if that fails, the old file is gone on with
    } else {
        series::dropRewritten(m_path);
    }
}

void RewriteProcess::stop()
{
    if (isRunning()) {
        ::kill(std::exchange(m_process, 0), SIGKILL);
        series::dropRewritten(m_path);
    }
}

} // namespace trainyard::agent
