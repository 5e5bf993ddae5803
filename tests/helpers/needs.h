// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/memorygroup.h"

#include <QFile>
#include <QStandardPaths>
#include <QTest>

#include <cerrno>
#include <cstring>

// What a test needs of the computer that it runs on. It is skipped, with a sentence that says how to have it, only
// where that is missing: what is there and does not work is a failure. For functions of tests, which these end.

// Something with problem(), which is empty where it is there.
#define SKIP_UNLESS_THERE(thing)                                                                                       \
    do {                                                                                                               \
        if (const QString &problem_ = (thing).problem(); !problem_.isEmpty()) {                                        \
            QSKIP(qPrintable(problem_));                                                                               \
        }                                                                                                              \
    } while (false)

// A call of mount(), which only root may make, and not in every container.
#define SKIP_UNLESS_MOUNTED(call)                                                                                      \
    do {                                                                                                               \
        if ((call) != 0) {                                                                                             \
            const int why_ = errno;                                                                                    \
            if (why_ == EPERM || why_ == EACCES || why_ == ENOSYS) {                                                   \
                QSKIP("Nothing can be mounted here: run it as root, where mounts are allowed.");                       \
            }                                                                                                          \
            QFAIL(std::strerror(why_));                                                                                \
        }                                                                                                              \
    } while (false)

// Where the test itself can make a group of processes for their memory, what it tests can do so as well.
#define SKIP_WITHOUT_MEMORY_GROUP(isUsed)                                                                              \
    do {                                                                                                               \
        if (!(isUsed)) {                                                                                               \
            QVERIFY(!MemoryGroup().isThere());                                                                         \
            QSKIP(                                                                                                     \
                "No cgroup with the memory controller can be made here: run it as root, where /sys/fs/cgroup may be "  \
                "written.");                                                                                           \
        }                                                                                                              \
    } while (false)

inline bool hasSshd()
{
    return QFile::exists(QStringLiteral("/usr/sbin/sshd"))
        && !QStandardPaths::findExecutable(QStringLiteral("ssh-keygen")).isEmpty();
}

#define SKIP_WITHOUT_SSHD()                                                                                            \
    do {                                                                                                               \
        if (!hasSshd()) {                                                                                              \
            QSKIP("There is no sshd: install the package openssh-server.");                                            \
        }                                                                                                              \
    } while (false)
