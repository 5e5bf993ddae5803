// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/foreign/ownfiles.h"

#include "engine/contract/uuid.h"
#include "engine/metricfiles/ownexport.h"

#include <QFile>
#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard
{

QString jobIn(const QString &path)
{
    const QStringList parts = path.split(u'/');
    const auto found = std::find_if(
        parts.crbegin(), parts.crend(), [](const QString &part) { return contract::isJobId(part.toStdString()); });
    return found == parts.crend() ? QString() : *found;
}

bool isSavedTable(const QString &path, metricfiles::Format format)
{
    QFile file(path);
    const bool maybe = format == metricfiles::Format::Table || format == metricfiles::Format::JsonLines;
    return maybe && file.open(QIODevice::ReadOnly)
        && metricfiles::isOwnExport(file.read(qint64(metricfiles::recognizedHead)).toStdString());
}

} // namespace trainyard
