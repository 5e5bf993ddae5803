// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backend/runfolders.h"

#include <optional>

namespace trainyard
{

// Where the tasks of a job worked on each host that got its work folder: a small file beside the tries of the job, so
// that its files are found after it has ended, and by another engine. It is removed with the job. Reads and writes are
// synchronous.
class WorkNotes
{
public:
    explicit WorkNotes(const RunFolders &folders) : m_folders(folders) { }
    // `work`: the folder here; `there`: the copy of it, or the same one where the host has it by a shared file system.
    void write(const QString &job, const QString &host, const QString &work, const QString &there) const;
    // Nothing: none was written of this work folder.
    std::optional<QString> read(const QString &job, const QString &host, const QString &work) const;
    // The same of a try of an earlier version, by what its agent found: `work` itself, or nothing. `logFolder` is that
    // of the try on this computer.
    static std::optional<QString> foundIn(const QString &logFolder, const QString &work);
    // Whether `there` is the folder here itself, by whatever path, and not a copy of it.
    static bool isShared(const QString &there, const QString &work);

private:
    QString fileOf(const QString &job) const;
    RunFolders m_folders;
};

} // namespace trainyard
