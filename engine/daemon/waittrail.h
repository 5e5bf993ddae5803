// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/activejob.h"
#include "engine/backend/runfolders.h"
#include "engine/daemon/backends.h"

#include <QHash>

namespace trainyard
{

// Why jobs on clusters have waited: each change of the reason with its time, in the file "waits" in the folder of the
// job. The reasons of the pool change with every other job, and are not kept.
class WaitTrail : public QObject
{
    Q_OBJECT
public:
    WaitTrail(const RunFolders &folders, const ActiveJobs &jobs, Backends &backends);
    static bool isSame(const Error &a, const Error &b); // no new line in the list of a job
    // The notes in the folder of a job, oldest first. If there are very many, only the newest are kept.
    static QList<WaitNote> read(const QString &runFolder);
    // As it is written: the same reason again is not a change, whatever position in the queue it comes with.
    static void append(const QString &runFolder, const WaitNote &note);

private:
    void look(const ActiveJob &job);

    RunFolders m_folders;
    const ActiveJobs &m_jobs;
    const Backends &m_backends;
    QHash<QString, Error> m_newest; // that was noted of each job; without a code: it does not wait
};

} // namespace trainyard
