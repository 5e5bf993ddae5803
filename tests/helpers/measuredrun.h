// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QElapsedTimer>
#include <QFile>
#include <QString>
#include <QStringList>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

// One run of a program with what it took, as the kernel counted it.
struct MeasuredRun {
    int status = -1; // exit code, or 1000 + the signal
    qint64 processorMs = 0;
    qint64 wallMs = 0;
    qint64 kibibytes = 0;
    QByteArray out; // both streams
};

inline MeasuredRun measuredRun(const QString &program, const QStringList &arguments, const QString &outPath)
{
    constexpr int patience = 60'000;
    const QByteArray outFile = outPath.toLocal8Bit();
    QByteArrayList words{program.toLocal8Bit()};
    for (const QString &argument : arguments) {
        words.append(argument.toLocal8Bit());
    }
    QList<char *> argv;
    for (QByteArray &word : words) {
        argv.append(word.data());
    }
    argv.append(nullptr);
    QElapsedTimer clock;
    clock.start();
    const pid_t child = ::fork();
    if (child == 0) {
        const int out = ::open(outFile.constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ::dup2(out, 1);
        ::dup2(out, 2);
        ::execv(argv.first(), argv.data());
        ::_exit(127);
    }
    MeasuredRun usage;
    int status = 0;
    rusage used{};
    const int handle = int(::syscall(SYS_pidfd_open, child, 0)); // readable once the child has ended
    pollfd ended{handle, POLLIN, 0};
    if (::poll(&ended, 1, patience) != 1) {
        ::kill(child, SIGKILL);
    }
    ::close(handle);
    ::wait4(child, &status, 0, &used);
    usage.wallMs = clock.elapsed();
    usage.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    usage.processorMs
        = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
    usage.kibibytes = used.ru_maxrss;
    QFile file(QString::fromLocal8Bit(outFile));
    if (file.open(QIODevice::ReadOnly)) {
        usage.out = file.readAll();
    }
    return usage;
}
