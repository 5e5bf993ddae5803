// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/api/taskfiles.h"

#include <QImage>
#include <QList>
#include <QString>

namespace trainyard
{

// Files below a folder, and what one of them shows. These functions read the disk: not on a thread that must not wait.
struct RunFile {
    QString name; // relative to the folder; of a folder it ends in a slash
    qint64 bytes = 0;
    qint64 modified = 0; // ms UTC
    friend bool operator==(const RunFile &, const RunFile &) = default;
};

struct RunFiles {
    QList<RunFile> files; // folders before what is in them, names in their order
    bool isCut = false; // there are more
    friend bool operator==(const RunFiles &, const RunFiles &) = default;
};
// At most so many entries, some levels deep. Links, pipes, sockets and devices are left out: what they lead to does not
// belong to the run.
RunFiles filesBelow(const QString &folder, qsizetype most = 2000);

// The same without what says nothing to a reader of the folder of a try: its lock, and room that is kept for a record
// (docs/task-folder.md).
RunFiles withoutLocks(RunFiles files);

// The files of a work folder that a host reports, in the same form. Reads nothing.
RunFiles filesOnHost(const api::TaskFileList &told);

struct FilePreview {
    enum class Kind {
        None,
        Text,
        Image,
        Binary, // neither text nor an image
        TooLarge, // an image
        Unreadable
    };
    Kind kind = Kind::None;
    QString text = {}; // of Text its beginning, of Unreadable why
    bool isCut = false; // of Text: there is more
    QImage image = {}; // scaled down to at most `imageEdge`
    QSize imageSize = {}; // as it is in the file
};
inline constexpr int imageEdge = 1024;
FilePreview previewOf(const QString &file);

} // namespace trainyard
