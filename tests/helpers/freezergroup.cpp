// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/freezergroup.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <unistd.h>

using namespace Qt::StringLiterals;

FreezerGroup::FreezerGroup()
{
    const QString path = u"/sys/fs/cgroup/freezer/trainyard-test-%1"_s.arg(::getpid());
    if (QDir().mkdir(path)) {
        m_path = path;
    }
}

FreezerGroup::~FreezerGroup()
{
    if (isThere()) {
        thaw();
        QTRY_VERIFY(m_pid == 0 || !QFile::exists(u"/proc/%1"_s.arg(m_pid)));
        QDir().rmdir(m_path);
    }
}

bool FreezerGroup::freeze(qint64 pid)
{
    m_pid = pid;
    const auto isFrozen = [this] {
        QFile state(m_path + u"/freezer.state"_s);
        return state.open(QIODevice::ReadOnly) && state.readAll() == "FROZEN\n";
    };
    return write("cgroup.procs", QByteArray::number(pid)) && write("freezer.state", "FROZEN")
        && QTest::qWaitFor(isFrozen);
}

bool FreezerGroup::thaw() { return write("freezer.state", "THAWED"); }

bool FreezerGroup::write(const char *name, const QByteArray &text) const
{
    QFile entry(m_path + u'/' + QLatin1StringView(name));
    return entry.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && entry.write(text) == text.size();
}
