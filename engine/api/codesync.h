// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/fields.h"

#include <QString>

namespace trainyard::api
{

// A request to copy the code of a work folder to a host before any job runs there (docs/hosts.md, "Code").
struct FolderToSync {
    QString id; // by which SyncProgress is asked for; the client makes it
    QString host;
    QString folder; // of this computer, absolute
    QString without; // a file of it that stays here; empty: none
    bool isAllowed = false; // also if it is larger than the settings say; remembered for its jobs
    bool isDry = false; // nothing is copied: only what the host lacks
};
template <typename Io> void fields(Io &io, Of<Io, FolderToSync> &m)
{
    members(io, "id", m.id, "host", m.host, "folder", m.folder, "without", m.without, "isAllowed", m.isAllowed, "isDry",
        m.isDry);
}

struct FolderSynced {
    QString folder;
    qint64 bytes = 0, files = 0; // of the folder
    bool isOfGit = false;
    bool isShared = false; // the host has the same folder by a shared file system, and tasks work in it
    qint64 missingBytes = 0, missingFiles = 0; // that the host lacks; of isDry only. Equal ones count once
    qint64 sentBytes = 0; // of what was copied
};
template <typename Io> void fields(Io &io, Of<Io, FolderSynced> &m)
{
    members(io, "folder", m.folder, "bytes", m.bytes, "files", m.files, "isOfGit", m.isOfGit, "isShared", m.isShared,
        "missingBytes", m.missingBytes, "missingFiles", m.missingFiles, "sentBytes", m.sentBytes);
}

struct SyncProgress {
    qint64 bytes = 0, ofBytes = 0; // sent, and to be sent; 0: the folder is being read
};
template <typename Io> void fields(Io &io, Of<Io, SyncProgress> &m)
{
    members(io, "bytes", m.bytes, "ofBytes", m.ofBytes);
}

// Whether the large work folder of a job that waits (code.asks) is copied.
struct CopyAnswer {
    QString id; // UUID of the job
    bool isCopied = false;
};
template <typename Io> void fields(Io &io, Of<Io, CopyAnswer> &m)
{
    io(QStringLiteral("id"), m.id);
    io.required(QStringLiteral("isCopied"), m.isCopied);
}

} // namespace trainyard::api
