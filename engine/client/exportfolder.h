// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/export/jobexport.h"

#include <QStringList>

namespace trainyard
{

// The destination of an export. In a folder, the text has a README beside it for its recipients.
struct ExportPlace {
    QString file;
    QString readme = {}; // empty: none

    QStringList paths() const { return readme.isEmpty() ? QStringList{file} : QStringList{file, readme}; }
};

ExportPlace exportPlaceIn(const QString &folder, const JobSpec &job, ExportTarget target);

// Writes what belongs there, and makes the folder of the two. `options` are those of the export. Error:
// file.unwritable {file, reason}.
Result<void> writeExport(const ExportPlace &place, const Exported &exported, const ExportOptions &options);

} // namespace trainyard
