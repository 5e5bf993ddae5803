// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

// A group of processes in which memory runs out for real, and nobody is killed for it: the kernel refuses what it
// would need for another process, and whoever touches a new page waits until there is room. What a process held
// before it came is not counted. (Version 1 of the cgroups has this; without it, or as a plain user, there is none.)
class MemoryGroup
{
public:
    MemoryGroup();
    ~MemoryGroup(); // whoever is still in it goes back to the parent
    MemoryGroup(const MemoryGroup &) = delete;
    MemoryGroup &operator=(const MemoryGroup &) = delete;

    bool isThere() const { return !m_path.isEmpty(); }
    bool setLimit(qint64 bytes);
    bool take(qint64 pid);
    bool isWaitedIn() const; // somebody in it needs a page
    // Room for the pages that are waited for. Far less than another process needs.
    void giveAPage() { setLimit(m_limit + 16 * 1024); }
    void letAllGo();

private:
    QString m_path, m_parent;
    qint64 m_limit = 0;

    static bool write(const QString &path, const QByteArray &text);
};
