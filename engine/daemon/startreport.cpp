// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/daemon/startreport.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace trainyard
{
namespace
{

constexpr int keptPipe = 3; // all above it are closed

void closeAbove(int last)
{
#ifdef SYS_close_range
    if (::syscall(SYS_close_range, static_cast<unsigned>(last) + 1, ~0u, 0u) == 0) {
        return;
    }
#endif
    const long most = ::sysconf(_SC_OPEN_MAX);
    for (int fd = last + 1; fd < std::min(most, 65536L); ++fd) {
        ::close(fd);
    }
}

void print(const QByteArray &sentence)
{
    if (!sentence.isEmpty()) {
        std::fprintf(stderr, "trainyardd: %s\n", sentence.constData());
    }
}

[[noreturn]] void waitForWord(int pipe, int onSilenceStatus, const QString &onSilence)
{
    QByteArray word;
    char buffer[4096];
    for (;;) {
        const ssize_t n = ::read(pipe, buffer, sizeof buffer);
        if (n > 0) {
            word.append(buffer, n);
        } else if (n == 0 || errno != EINTR) {
            break;
        }
    }
    if (word.isEmpty()) {
        print(onSilence.toLocal8Bit());
        std::_Exit(onSilenceStatus);
    }
    print(word.mid(1));
    std::_Exit(static_cast<unsigned char>(word.front()));
}

} // namespace

void StartReport::becomeDaemon(int onSilenceStatus, const QString &onSilence)
{
    int ends[2] = {-1, -1};
    const pid_t pid = ::pipe2(ends, O_CLOEXEC) == 0 ? ::fork() : -1;
    if (pid < 0) {
        std::perror("trainyardd");
        std::_Exit(onSilenceStatus);
    }
    if (pid > 0) {
        ::close(ends[1]);
        waitForWord(ends[0], onSilenceStatus, onSilence);
    }
    ::setsid();
    if (::chdir("/") != 0) {
        std::_Exit(onSilenceStatus);
    }
    // Above everything else first: the places below may be free, and are taken now.
    const int pipe = ::fcntl(ends[1], F_DUPFD_CLOEXEC, keptPipe + 1);
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < keptPipe; ++fd) {
        ::dup2(null, fd);
    }
    m_pipe = ::dup3(pipe, keptPipe, O_CLOEXEC);
    closeAbove(keptPipe);
}

void StartReport::tell(int status, const QString &sentence)
{
    if (m_pipe < 0) {
        return;
    }
    const QByteArray word = static_cast<char>(status) + sentence.toLocal8Bit();
    // A pipe takes a sentence at once; SIGPIPE is ignored where the one that waits was ended.
    [[maybe_unused]] const ssize_t written = ::write(m_pipe, word.constData(), static_cast<std::size_t>(word.size()));
    ::close(std::exchange(m_pipe, -1));
}

} // namespace trainyard
