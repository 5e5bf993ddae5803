// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/client/exportfolder.h"

#include "engine/client/wholefile.h"

#include <QDir>
#include <QFileInfo>

namespace trainyard
{

ExportPlace exportPlaceIn(const QString &folder, const JobSpec &job, ExportTarget target)
{
    const QDir dir(folder);
    return {dir.filePath(exportFileName(job, target)), dir.filePath(QStringLiteral("README.md"))};
}

Result<void> writeExport(const ExportPlace &place, const Exported &exported, const ExportOptions &options)
{
    if (!place.readme.isEmpty()) {
        QDir().mkpath(QFileInfo(place.readme).path()); // a failure is that of the files in it
    }
    const Result<void> written = writeFile(place.file, exported.text);
    return written && !place.readme.isEmpty()
        ? writeFile(place.readme, exportReadme(exported, QFileInfo(place.file).fileName(), options))
        : written;
}

} // namespace trainyard
