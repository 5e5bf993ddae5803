// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/memorygroup.h"

#include <QDir>
#include <QFile>

#include <unistd.h>

using namespace Qt::StringLiterals;

MemoryGroup::MemoryGroup()
{
    QFile own(u"/proc/self/cgroup"_s);
    if (!own.open(QIODevice::ReadOnly)) {
        return;
    }
    for (const QByteArray &line : own.readAll().split('\n')) {
        const QList<QByteArray> fields = line.split(':');
        if (fields.size() == 3 && fields.at(1) == "memory") {
            m_parent = QDir::cleanPath(u"/sys/fs/cgroup/memory"_s + QString::fromUtf8(fields.at(2)));
        }
    }
    const QString path = m_parent + u"/trainyard-test-%1"_s.arg(::getpid());
    if (m_parent.isEmpty() || !QDir().mkdir(path)) {
        return;
    }
    if (write(path + u"/memory.oom_control"_s, "1")) {
        m_path = path;
    } else {
        QDir().rmdir(path);
    }
}

MemoryGroup::~MemoryGroup()
{
    if (isThere()) {
        letAllGo();
        QDir().rmdir(m_path);
    }
}

bool MemoryGroup::setLimit(qint64 bytes)
{
    m_limit = bytes;
    return write(m_path + u"/memory.limit_in_bytes"_s, QByteArray::number(bytes));
}

bool MemoryGroup::take(qint64 pid) { return write(m_path + u"/cgroup.procs"_s, QByteArray::number(pid)); }

bool MemoryGroup::isWaitedIn() const
{
    QFile file(m_path + u"/memory.oom_control"_s);
    return file.open(QIODevice::ReadOnly) && file.readAll().contains("under_oom 1");
}

void MemoryGroup::letAllGo()
{
    setLimit(-1);
    QFile members(m_path + u"/cgroup.procs"_s);
    if (members.open(QIODevice::ReadOnly)) {
        for (const QByteArray &pid : members.readAll().split('\n')) {
            write(m_parent + u"/cgroup.procs"_s, pid);
        }
    }
}

bool MemoryGroup::write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write(text) == text.size();
}
