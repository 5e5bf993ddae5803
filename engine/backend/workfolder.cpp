// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/workfolder.h"

#include <QFileInfo>

namespace trainyard
{

QString workFolderOf(const StoredDocument &document, const QString &home, bool isHere)
{
    QString work = document.work;
    if (work.isEmpty() && isHere && !document.file.isEmpty()) {
        work = QFileInfo(document.file).path();
    }
    return work.startsWith(QLatin1StringView("~/")) ? home + work.mid(1) : work;
}

} // namespace trainyard
