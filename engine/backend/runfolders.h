// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace trainyard
{

// The locations of the files of jobs on this computer, below the state folder of one engine.
class RunFolders
{
public:
    explicit RunFolders(const QString &stateFolder = {}) : m_state(stateFolder) { }
    const QString &state() const { return m_state; }
    QString runs() const;
    QString ofJob(const QString &uuid) const;
    QString ofTry(const QString &uuid, int attempt, const QString &role, int index, int taskTry) const;
    QString checkpoint(const QString &uuid) const; // survives retries
    QString jobOf(const QString &folder) const; // its UUID, of one that is below ofJob()
    QString belowRuns(const QString &folder) const; // "/UUID..." of one that is below runs()

private:
    QString m_state;
};

} // namespace trainyard
