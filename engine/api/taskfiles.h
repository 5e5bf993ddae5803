// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"
#include "engine/api/values.h"

#include <QStringList>

namespace trainyard::api
{

// The files of a task on the host where it ran: their list, and the contents of one.

struct FilesWanted {
    QString id, role; // the job's UUID
    int index = 0;
    QStringList globs; // below the task's work folder (docs/results.md)
    bool madeOnly = false; // of a copied work folder, without what is there as it was sent
    int attempt = newestThatRan;
};
template <typename Io> void fields(Io &io, Of<Io, FilesWanted> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "globs", m.globs, "madeOnly", m.madeOnly, "attempt",
        m.attempt);
}

struct TaskFile {
    QString path; // below the work folder
    qint64 bytes = 0;
    qint64 changedNs = 0; // UTC
    bool isExecutable = false;
    friend bool operator==(const TaskFile &, const TaskFile &) = default;
};
template <typename Io> void fields(Io &io, Of<Io, TaskFile> &m)
{
    members(io, "path", m.path, "bytes", m.bytes, "changedNs", m.changedNs, "isExecutable", m.isExecutable);
}

struct TaskFileList {
    QString host, work; // where they are, as the host names the folder
    bool isHere = false; // as of TaskFolder
    QList<TaskFile> files; // by path
    bool isWhole = true; // false: there are more than can be listed
    qint64 links = 0, others = 0; // that are left out: links; pipes, sockets and devices
    qint64 oddNames = 0; // the same, for what is in their names
    qint64 sent = 0; // the same, with `madeOnly`: as they were sent
    QString unreadable, unreadableWhy; // a folder in it that cannot be read: what is there is not in the list
};
template <typename Io> void fields(Io &io, Of<Io, TaskFileList> &m)
{
    members(io, "host", m.host, "work", m.work, "isHere", m.isHere, "files", m.files, "isWhole", m.isWhole, "links",
        m.links, "others", m.others, "oddNames", m.oddNames, "sent", m.sent, "unreadable", m.unreadable,
        "unreadableWhy", m.unreadableWhy);
}

struct PieceWanted {
    QString id, role;
    int index = 0;
    QString path;
    qint64 offset = 0, bytes = 0; // half a MiB at most
    int attempt = newestThatRan;
};
template <typename Io> void fields(Io &io, Of<Io, PieceWanted> &m)
{
    members(io, "id", m.id, "role", m.role, "index", m.index, "path", m.path, "offset", m.offset, "bytes", m.bytes,
        "attempt", m.attempt);
}

struct FilePiece {
    QString base64;
    qint64 size = 0, changedNs = 0; // of the file, as it was when it was read
};
template <typename Io> void fields(Io &io, Of<Io, FilePiece> &m)
{
    members(io, "base64", m.base64, "size", m.size, "changedNs", m.changedNs);
}

} // namespace trainyard::api
