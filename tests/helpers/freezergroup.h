// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

// A process that no signal ends, as one that waits for a dead disk. (Version 1 of the cgroups has this; without it, or
// as a plain user, there is none.)
class FreezerGroup
{
public:
    FreezerGroup();
    ~FreezerGroup(); // lets it go, and waits for the end that was wanted meanwhile
    FreezerGroup(const FreezerGroup &) = delete;
    FreezerGroup &operator=(const FreezerGroup &) = delete;

    bool isThere() const { return !m_path.isEmpty(); }
    bool freeze(qint64 pid); // one; true when it is frozen
    bool thaw();

private:
    QString m_path;
    qint64 m_pid = 0;

    bool write(const char *name, const QByteArray &text) const;
};
